"""What is said of a machine: with nothing, with a GPU and no CuPy, with the wrong versions."""

from __future__ import annotations

import ctypes
import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from harness.backends.cuda.backend import CudaBackend
from harness.backends.cuda.cublas import find_cublas
from harness.backends.cuda.driver import Device, Driver, NoDevice, read_driver
from harness.backends.cuda.probe import CupyFound, Machine, find_cupy, look
from harness.backends.cuda.toolkit import Toolkit
from harness.errors import ToolchainMissing, UsageError

H200 = Device(0, "NVIDIA H200", (9, 0), 143771 << 20, 60 << 20)


def _driver(major: int, minor: int = 0) -> Callable[[], Driver]:
    return lambda: Driver((major, minor), "580.159.04", (H200,))


def _no_driver() -> Driver:
    raise NoDevice("no NVIDIA driver here", "install it")


def _toolkit(major: int, minor: int = 0) -> Callable[[str], Toolkit]:
    path = Path("/nowhere/cuda/bin/nvcc")
    return lambda option: Toolkit(path, (major, minor), f"{major}.{minor}.1", "PATH")


def _no_toolkit(option: str) -> Toolkit:
    raise ToolchainMissing("no nvcc found")


def _no_host() -> str:
    raise ToolchainMissing("none")


DRIVER_13, TOOLKIT_13, CUPY_13 = _driver(13), _toolkit(13), CupyFound("14.2.0", 13)


def probed(
    driver: Callable[[], Driver] = DRIVER_13,
    cupy: CupyFound | None = CUPY_13,
    toolkit: Callable[[str], Toolkit] = TOOLKIT_13,
    host: Callable[[], str] = lambda: "/usr/bin/g++",
) -> Machine:
    return look(driver=driver, cupy=lambda: cupy, toolkit=toolkit, host=host)


def missing(machine: Machine) -> list[tuple[str, str]]:
    return [(m.what, m.remedy) for m in machine.probe.missing]


def test_a_machine_with_everything_is_usable_and_says_what_it_has() -> None:
    machine = probed()
    assert machine.probe.usable
    assert machine.probe.device == "NVIDIA H200"
    assert missing(machine) == []
    assert machine.probe.facts == {
        "device": "NVIDIA H200, compute capability 9.0, 143771 MiB",
        "driver": "580.159.04, runs CUDA 13.0",
        "CuPy": "14.2.0 for CUDA 13",
        "nvcc": "13.0 at /nowhere/cuda/bin/nvcc (by PATH)",
        "host compiler": "/usr/bin/g++",
        **({"cuBLAS": str(machine.cublas)} if machine.cublas else {}),
    }


def test_an_older_nvcc_and_cupy_than_the_driver_are_fine() -> None:
    assert probed(_driver(13), CupyFound("14.2.0", 12), _toolkit(12, 4)).probe.usable


def test_nvcc_is_asked_while_the_driver_starts() -> None:
    asked = threading.Event()

    def slow_driver() -> Driver:
        assert asked.wait(60.0)
        return DRIVER_13()

    def toolkit(option: str) -> Toolkit:
        asked.set()
        return TOOLKIT_13(option)

    assert probed(slow_driver, toolkit=toolkit).probe.usable


def test_the_machine_is_looked_at_once_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []

    def look_slowly(nvcc: str) -> Machine:
        looks.append(nvcc)
        time.sleep(0.05)
        return probed()

    monkeypatch.setattr("harness.backends.cuda.probe.look", look_slowly)
    backend = CudaBackend()
    threads = [threading.Thread(target=backend.probe) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert looks == [""]


def test_nothing_at_all() -> None:
    machine = probed(_no_driver, None, _no_toolkit)
    assert not machine.probe.usable
    assert machine.probe.device == ""
    assert missing(machine) == [
        ("a GPU: no NVIDIA driver here", "install it"),
        ("CuPy", 'pip install "leetk[cuda12]"'),
        ("nvcc", 'pip install "leetk[nvcc]"'),
    ]


def test_nvcc_without_a_gpu_lacks_only_the_gpu_and_cupy() -> None:
    machine = probed(_no_driver, CupyFound("14.2.0", 12))
    assert [what for what, _ in missing(machine)] == ["a GPU: no NVIDIA driver here"]
    assert machine.toolkit is not None


@pytest.mark.parametrize(("cuda", "extra"), [(12, "cuda12"), (13, "cuda13"), (14, "cuda13")])
def test_a_gpu_without_cupy_names_the_extra_for_its_driver(cuda: int, extra: str) -> None:
    machine = probed(_driver(cuda), None, _toolkit(12))
    assert missing(machine) == [("CuPy", f'pip install "leetk[{extra}]"')]
    assert machine.probe.device == "NVIDIA H200"


def test_a_gpu_without_nvcc_names_the_wheels_where_they_can_work() -> None:
    assert missing(probed(toolkit=_no_toolkit)) == [("nvcc", 'pip install "leetk[nvcc]"')]
    [(what, remedy)] = missing(probed(_driver(12, 4), CupyFound("14.2.0", 12), _no_toolkit))
    assert what == "nvcc"
    assert remedy.startswith("install a CUDA Toolkit of 12.x, or update the NVIDIA driver to 580")


def test_versions_too_new_for_the_driver_are_said() -> None:
    machine = probed(_driver(12, 4), CupyFound("14.2.0", 13), _toolkit(13))
    (cupy, cupy_remedy), (nvcc, _) = missing(machine)
    assert cupy == "a CuPy for this driver: CuPy 14.2.0 is for CUDA 13, the driver runs 12.4"
    assert cupy_remedy == 'pip uninstall cupy-cuda13x && pip install "leetk[cuda12]"'
    assert nvcc.startswith("an nvcc for this driver: /nowhere/cuda/bin/nvcc is of CUDA 13.0")


def test_a_driver_too_old_for_any_cupy_is_said() -> None:
    (what, remedy), *_ = missing(probed(_driver(11, 4), None, _toolkit(11)))
    assert what == "a newer driver: this one runs CUDA 11.4, CuPy needs 12.0"
    assert "525" in remedy


def test_nvcc_without_a_host_compiler_is_said() -> None:
    [(what, remedy)] = missing(probed(host=_no_host))
    assert what == "gcc, which nvcc compiles host code with"
    assert "g++" in remedy


@pytest.mark.parametrize(("cuda", "wheel"), [(12, "nvidia-cublas-cu12"), (13, "nvidia-cublas")])
def test_without_cublas_its_package_is_named_and_nothing_is_broken(
    cuda: int, wheel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.backends.cuda.probe.find_cublas", lambda *_: None)
    machine = probed(_driver(cuda), CupyFound("14.2.0", 12), _toolkit(12))
    assert machine.probe.usable
    assert [m.remedy for m in machine.probe.optional] == [f"pip install {wheel}"]


def test_the_backend_passes_the_users_nvcc_on(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--nvcc"):
        CudaBackend(nvcc=str(tmp_path / "nowhere")).probe()


# --- CuPy on disk ---


def _install_cupy(folder: Path, version: str, wheel: str | None) -> None:
    (folder / "cupy_backends").mkdir(parents=True)
    (folder / "cupy_backends" / "__init__.py").write_text("raise RuntimeError('imported')")
    (folder / "cupy" / ".data").mkdir(parents=True)
    (folder / "cupy" / "_version.py").write_text(f"__version__ = '{version}'\n")
    if wheel is not None:
        (folder / "cupy" / ".data" / "_wheel.json").write_text(json.dumps({"cuda": wheel}))


@pytest.mark.parametrize(("wheel", "cuda"), [("12.x", 12), ("13.x", 13), (None, 0)])
def test_cupy_is_found_without_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wheel: str | None, cuda: int
) -> None:
    _install_cupy(tmp_path, "14.2.0", wheel)
    for name in [n for n in sys.modules if n.split(".")[0] == "cupy_backends"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_cupy() == CupyFound("14.2.0", cuda)
    assert "cupy_backends" not in sys.modules


def test_no_cupy_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [n for n in sys.modules if n.split(".")[0] == "cupy_backends"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(sys, "path_importer_cache", {})
    assert find_cupy() is None


# --- cuBLAS on disk ---


def test_the_newest_cublas_that_the_driver_runs_is_found(tmp_path: Path) -> None:
    twelve = tmp_path / "site" / "nvidia" / "cublas" / "lib" / "libcublas.so.12"
    thirteen = tmp_path / "site" / "nvidia" / "cu13" / "lib" / "libcublas.so.13"
    for path in (twelve, thirteen):
        path.parent.mkdir(parents=True)
        path.touch()
    site = [str(tmp_path / "site")]
    assert find_cublas(13, search_path=site, environ={}) == thirteen
    assert find_cublas(12, search_path=site, environ={}) == twelve
    environ = {"LD_LIBRARY_PATH": str(thirteen.parent)}
    assert find_cublas(13, search_path=[], environ=environ) == thirteen


# --- the driver through ctypes ---


class FakeLibcuda:
    """libcuda's functions on ctypes' own references."""

    def __init__(self, init: int = 0, count: int = 1, version: int = 13000) -> None:
        self.init, self.count, self.version = init, count, version

    def cuInit(self, flags: int) -> int:
        return self.init

    def cuDriverGetVersion(self, value: Any) -> int:
        value._obj.value = self.version
        return 0

    def cuDeviceGetCount(self, value: Any) -> int:
        value._obj.value = self.count
        return 0

    def cuDeviceGet(self, handle: Any, index: int) -> int:
        handle._obj.value = index
        return 0

    def cuDeviceGetName(self, text: Any, size: int, handle: Any) -> int:
        text.value = b"NVIDIA H200"
        return 0

    def cuDeviceTotalMem_v2(self, value: Any, handle: Any) -> int:
        value._obj.value = 143771 << 20
        return 0

    def cuDeviceGetAttribute(self, value: Any, number: int, handle: Any) -> int:
        value._obj.value = {75: 9, 76: 0, 38: 60 << 20, 20: 0}[number]
        return 0

    def cuGetErrorName(self, status: int, name: Any) -> int:
        name._obj.value = b"CUDA_ERROR_UNKNOWN"
        return 0


def _read(library: FakeLibcuda, module: Path = Path("/nowhere")) -> Driver:
    return read_driver(lambda name: cast(ctypes.CDLL, library), module)


def test_the_driver_tells_its_version_and_devices(tmp_path: Path) -> None:
    module = tmp_path / "version"
    module.write_text("NVRM version: NVIDIA UNIX Open Kernel Module  580.159.04  Release Build\n")
    assert _read(FakeLibcuda(), module) == Driver((13, 0), "580.159.04", (H200,))
    assert _read(FakeLibcuda(version=12080)).cuda == (12, 8)
    assert H200.arch == "sm_90"
    assert Device(0, "x", (12, 0), 0, 0).arch == "sm_120"


def test_a_build_for_one_device_may_use_all_its_instructions() -> None:
    assert H200.target((13, 0)) == H200.target((12, 0)) == "sm_90a"
    assert H200.target((11, 8)) == "sm_90"
    assert Device(0, "x", (12, 0), 0, 0).target((12, 8)) == "sm_120a"
    assert Device(0, "x", (8, 9), 0, 0).target((13, 0)) == "sm_89"


def test_without_a_driver_the_library_is_named() -> None:
    def absent(name: str) -> ctypes.CDLL:
        raise OSError(name)

    with pytest.raises(NoDevice, match=r"libcuda\.so\.1 cannot be loaded"):
        read_driver(absent)


@pytest.mark.parametrize(
    ("library", "why"),
    [
        (FakeLibcuda(init=100), "finds no GPU"),
        (FakeLibcuda(count=0), "finds no GPU"),
        (FakeLibcuda(init=34), "stub"),
        (FakeLibcuda(init=803), "different versions"),
        (FakeLibcuda(init=999), "CUDA_ERROR_UNKNOWN"),
    ],
)
def test_a_driver_that_shows_no_gpu_says_why(
    library: FakeLibcuda, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with pytest.raises(NoDevice, match=why):
        _read(library)


def test_hidden_devices_are_told_from_absent_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(NoDevice, match="CUDA_VISIBLE_DEVICES is ''"):
        _read(FakeLibcuda(init=100))
