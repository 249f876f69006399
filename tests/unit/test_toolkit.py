"""Where nvcc is looked for, in which order, and what is said when it is not there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.backends.cuda.toolkit import Toolkit, find_nvcc, find_toolkit, host_compiler
from harness.errors import ToolchainMissing, UsageError

MakeNvcc = Callable[..., Path]


@pytest.fixture
def make_nvcc(tmp_path: Path) -> MakeNvcc:
    """Makes a toolkit folder whose nvcc says a version; returns the folder."""

    def make(folder: str, release: str = "13.0", code: int = 0) -> Path:
        root = tmp_path / folder
        nvcc = root / "bin" / "nvcc"
        nvcc.parent.mkdir(parents=True)
        nvcc.write_text(
            "#!/bin/sh\n"
            "echo 'nvcc: NVIDIA (R) Cuda compiler driver'\n"
            f"echo 'Cuda compilation tools, release {release}, V{release}.88'\n"
            f"exit {code}\n"
        )
        nvcc.chmod(0o755)
        return root

    return make


def find(
    tmp_path: Path, option: str = "", *, path: str = "", wheels: str = "", **environ: str
) -> Toolkit:
    """``find_toolkit`` on a machine that has nothing but what the arguments name."""
    return find_toolkit(
        option,
        {"PATH": path, **environ},
        search_path=[wheels] if wheels else [],
        usual_root=tmp_path / "usual",
    )


def test_the_order_is_option_environment_path_usual_folder_wheels(
    tmp_path: Path, make_nvcc: MakeNvcc
) -> None:
    roots = {
        name: make_nvcc(name)
        for name in ("option", "home", "cuda_path", "path", "usual", "site/nvidia/cu13")
    }
    environ = {"CUDA_HOME": str(roots["home"]), "CUDA_PATH": str(roots["cuda_path"])}
    places = {"path": str(roots["path"] / "bin"), "wheels": str(tmp_path / "site")}
    found = [
        find(tmp_path, str(roots["option"]), **places, **environ),
        find(tmp_path, **places, **environ),
        find(tmp_path, **places, CUDA_PATH=environ["CUDA_PATH"]),
        find(tmp_path, **places),
        find(tmp_path, wheels=places["wheels"]),
    ]
    names = ["option", "home", "cuda_path", "path", "usual"]
    assert [t.nvcc for t in found] == [roots[name] / "bin" / "nvcc" for name in names]
    assert [t.found for t in found] == [
        "--nvcc",
        "$CUDA_HOME",
        "$CUDA_PATH",
        "PATH",
        str(tmp_path / "usual"),
    ]
    (roots["usual"] / "bin" / "nvcc").unlink()
    last = find(tmp_path, wheels=places["wheels"])
    assert (last.nvcc, last.found) == (
        roots["site/nvidia/cu13"] / "bin" / "nvcc",
        "NVIDIA's wheels",
    )


def test_the_path_of_nvcc_alone(make_nvcc: MakeNvcc, monkeypatch: pytest.MonkeyPatch) -> None:
    named, home = make_nvcc("named"), make_nvcc("home")
    monkeypatch.setenv("CUDA_HOME", str(home))
    assert find_nvcc() == str(home / "bin" / "nvcc")
    assert find_nvcc(str(named)) == str(named / "bin" / "nvcc")


def test_the_newest_wheels_are_taken(tmp_path: Path, make_nvcc: MakeNvcc) -> None:
    make_nvcc("site/nvidia/cu13", "13.4")
    newer = make_nvcc("site/nvidia/cu14", "14.0")
    assert find(tmp_path, wheels=str(tmp_path / "site")).nvcc == newer / "bin" / "nvcc"


@pytest.mark.parametrize("release", ["12.4", "13.0"])
def test_the_version_is_what_nvcc_says(tmp_path: Path, make_nvcc: MakeNvcc, release: str) -> None:
    root = make_nvcc("cuda", release)
    toolkit = find(tmp_path, str(root))
    assert toolkit.release == release
    assert toolkit.version == tuple(int(part) for part in release.split("."))
    assert toolkit.build == f"{release}.88"


def test_another_nvcc_in_the_same_place_is_asked_again(tmp_path: Path, make_nvcc: MakeNvcc) -> None:
    root = make_nvcc("cuda", "12.4")
    assert find(tmp_path, str(root)).release == "12.4"
    nvcc = root / "bin" / "nvcc"
    nvcc.write_text(nvcc.read_text().replace("12.4", "13.0"))
    os.utime(nvcc, ns=(1, 1))
    assert find(tmp_path, str(root)).release == "13.0"


@pytest.mark.parametrize("given", ["bin/nvcc", "bin", ""])
def test_the_option_may_be_the_program_its_folder_or_the_toolkit(
    tmp_path: Path, make_nvcc: MakeNvcc, given: str
) -> None:
    root = make_nvcc("a toolkit, é")
    assert find(tmp_path, str(root / given)).nvcc == root / "bin" / "nvcc"


def test_an_option_that_points_nowhere_is_an_error_though_path_has_nvcc(
    tmp_path: Path, make_nvcc: MakeNvcc
) -> None:
    root = make_nvcc("cuda")
    missing = tmp_path / "nowhere"
    with pytest.raises(UsageError, match=f"--nvcc {missing}: no nvcc there"):
        find(tmp_path, str(missing), path=str(root / "bin"))


def test_an_option_that_is_no_program_or_no_nvcc_is_an_error(
    tmp_path: Path, make_nvcc: MakeNvcc
) -> None:
    text = tmp_path / "text"
    text.write_text("no program")
    with pytest.raises(UsageError, match="cannot be executed"):
        find(tmp_path, str(text))
    with pytest.raises(UsageError, match="did not answer --version"):
        find(tmp_path, str(make_nvcc("broken", code=1)))


def test_an_environment_variable_that_points_nowhere_is_passed_over(
    tmp_path: Path, make_nvcc: MakeNvcc
) -> None:
    root = make_nvcc("cuda")
    toolkit = find(tmp_path, path=str(root / "bin"), CUDA_HOME=str(tmp_path / "gone"))
    assert toolkit.found == "PATH"


def test_a_broken_nvcc_is_passed_over_and_named_when_there_is_no_other(
    tmp_path: Path, make_nvcc: MakeNvcc
) -> None:
    broken = make_nvcc("broken", code=1)
    good = make_nvcc("usual")
    assert find(tmp_path, path=str(broken / "bin")).nvcc == good / "bin" / "nvcc"
    (good / "bin" / "nvcc").unlink()
    with pytest.raises(ToolchainMissing) as caught:
        find(tmp_path, path=str(broken / "bin"))
    assert str(broken / "bin" / "nvcc") in str(caught.value)
    assert 'pip install "leetk[nvcc]"' in str(caught.value)


def test_no_nvcc_anywhere_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(ToolchainMissing, match="no nvcc found: pip install"):
        find(tmp_path)


def test_wheels_without_lib64_get_their_library_folder_named(
    tmp_path: Path, make_nvcc: MakeNvcc
) -> None:
    root = make_nvcc("site/nvidia/cu13")
    toolkit = find(tmp_path, wheels=str(tmp_path / "site"))
    assert toolkit.link_flags() == ()
    (root / "lib").mkdir()
    (root / "lib" / "libcudart_static.a").touch()
    assert toolkit.link_flags() == (f"-L{root / 'lib'}",)
    (root / "lib64").symlink_to("lib")
    assert toolkit.link_flags() == ()


def _program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_nvcc_without_a_host_compiler_is_said(tmp_path: Path) -> None:
    with pytest.raises(ToolchainMissing, match=r"needs a host C\+\+ compiler.*install g\+\+"):
        host_compiler({"PATH": str(tmp_path)})
    gxx = _program(tmp_path / "g++")
    with pytest.raises(ToolchainMissing, match="there is no gcc on PATH: install gcc and g"):
        host_compiler({"PATH": str(tmp_path)})  # nvcc preprocesses with gcc
    _program(tmp_path / "gcc")
    assert host_compiler({"PATH": str(tmp_path)}) == gxx


def test_nvcc_ccbin_names_a_program_or_a_folder(tmp_path: Path) -> None:
    clang = _program(tmp_path / "other" / "clang++")
    assert host_compiler({"PATH": "", "NVCC_CCBIN": clang}) == clang
    gxx = _program(tmp_path / "folder" / "g++")
    assert host_compiler({"PATH": "", "NVCC_CCBIN": str(tmp_path / "folder")}) == gxx
    with pytest.raises(ToolchainMissing, match=r"\$NVCC_CCBIN is /nowhere"):
        host_compiler({"PATH": "", "NVCC_CCBIN": "/nowhere"})
