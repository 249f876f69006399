"""``leetk show --prove``: every spec rejects wrong outputs, and one that doesn't is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from harness import cases, cli
from harness.catalog import find_problem
from harness.judge import prove as proving
from harness.judge.mutations import MUTATIONS, Mutation, Subject, right_output
from harness.judge.prove import Proof, Row, prove
from harness.model import CaseKind, Problem
from harness.spec.load import load_problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

PROBLEMS = sorted((Path(__file__).parents[2] / "problems").glob("*.yaml"))
NAMES = [mutation.name for mutation in MUTATIONS]

SCALED = """\
name: scaled
title: Twice a vector
statement: y = 2 x
sizes: {n: [1, 4000]}
arguments:
  - {name: x, type: float32, shape: [n], role: in, data: DATA}
  - {name: y, type: float32, shape: [n], role: out}
  - {name: n, type: int32, role: size}
reference: {python: ref.py}
tolerance: TOLERANCE
EXAMPLES
"""
TWICE = "def reference(x):\n    return 2.0 * x.astype('float64')\n"


def spec(
    folder: Path,
    data: str = "{uniform: [-10, 10]}",
    tolerance: str = "{atol: 1e-5, rtol: 1e-5}",
    code: str = TWICE,
    examples: str = "",
) -> Path:
    (folder / "ref.py").write_text(f"import numpy as np\n{code}")
    text = SCALED.replace("DATA", data).replace("TOLERANCE", tolerance)
    path = folder / "scaled.yaml"
    path.write_text(text.replace("EXAMPLES\n", examples))
    return path


def row(proof: Proof, wrong: str, output: str | None = None) -> Row:
    (found,) = [r for r in proof.rows if r.wrong == wrong and output in (None, r.output)]
    return found


# --- the specs that are there ------------------------------------------------------------------


@pytest.mark.fault(46, 47, 48)
@pytest.mark.parametrize("file", PROBLEMS, ids=lambda file: file.stem)
def test_every_problem_rejects_every_wrong_output(file: Path) -> None:
    problem = load_problem(file)
    for seed in (0, 20):
        proof = prove(problem, seed)
        assert proof.holds, proof.faults
        assert [r.wrong for r in proof.rows] == NAMES * len(problem.outputs)
        assert proof.cases == {
            kind: sum(case.kind is kind for case in cases.plan_cases(problem, seed))
            for kind in proof.cases
        }
        for found in proof.rows:
            assert found.judged or found.skipped, found
            total = sum(found.skipped.values()) + found.judged
            assert total == sum(proof.cases.values())


def test_there_are_problems() -> None:
    assert {"matmul", "transpose"} <= {path.stem for path in PROBLEMS}


# --- any type ----------------------------------------------------------------------------------

TYPED = """\
name: typed
title: Some outputs of many types
statement: copies, sums and comparisons
sizes: {m: [1, 300], n: [1, 300]}
arguments:
  - {name: x, type: float64, shape: [m, n], role: in}
  - {name: k, type: int64, shape: [m], role: in, data: {integers: [-100, 100]}}
  - {name: v, type: float16, shape: [n], role: inout}
  - {name: a, type: float32, shape: [m, n], role: out}
  - {name: b, type: float64, shape: [m, n], role: out}
  - {name: c, type: bool, shape: [m, n], role: out}
  - {name: d, type: uint8, shape: [m], role: out}
  - {name: e, type: int8, shape: [m], role: out}
  - {name: f, type: int16, shape: [m], role: out}
  - {name: g, type: int32, shape: [m, 2, 3], role: out}
  - {name: h, type: int64, shape: [m], role: out}
  - {name: m, type: int32, role: size}
  - {name: n, type: int32, role: size}
  - {name: s, type: float32, role: scalar, data: {uniform: [2, 3]}}
reference: {python: ref.py}
tolerance: {atol: 1e-6, rtol: 1e-6}
"""
TYPED_CODE = """\
def reference(x, k, v, s):
    return {
        'v': v * 2, 'a': x * s, 'b': x + 1, 'c': x > 0, 'd': abs(k), 'e': k, 'f': 3 * k,
        'g': k[:, None, None] * np.arange(1, 7).reshape(2, 3), 'h': k * 10**12,
    }
"""


def test_any_type_and_several_outputs(tmp_path: Path) -> None:
    (tmp_path / "ref.py").write_text(f"import numpy as np\n{TYPED_CODE}")
    (tmp_path / "typed.yaml").write_text(TYPED)
    proof = prove(load_problem(tmp_path / "typed.yaml"), 5)
    # 1e-6 of a float16 is below its own rounding; twice a float16 is one, so that it is no fault.
    assert proof.faults == ()
    assert {r.output for r in proof.rows} == set("vabcdefgh")
    for name in "abcdefgh":
        for wrong in ("zeros", "poison", "constant", "stale", "tail", "one off", "shifted"):
            assert row(proof, wrong, name).judged, (name, wrong)
    for name, wrong, why in (
        ("c", "sign", "bool has no sign"),
        ("d", "sign", "uint8 has no sign"),
        ("h", "one NaN", "int64 can't hold it"),
        ("v", "half outputs", "float16 has no more bits"),
        ("f", "half outputs", "int16 has no more bits"),
        ("e", "transposed", "it has one dimension"),
    ):
        found = row(proof, wrong, name)
        assert found.skipped[why] == sum(proof.cases.values())
        assert not found.judged


# --- specs that are too weak -------------------------------------------------------------------

ONE_EXAMPLE = "examples:\n  - inputs: {x: [1, 2, 3]}\n    outputs: {y: [2, 4, 6]}\n"
# By its fault: data, tolerance, code, and the wrong outputs that are let through.
WEAK: Mapping[str, tuple[dict[str, str], set[str]]] = {
    "an rtol that no half precision exceeds": (
        {"tolerance": "{atol: 0, rtol: 1e-3}"},
        {"half inputs", "half outputs"},
    ),
    "an absurd tolerance": (
        {"data": "{uniform: [-0.001, 0.001]}", "tolerance": "{atol: 0.1, rtol: 0.1}"},
        {"zeros", "constant", "stale", "other data", "reversed", "shifted", "first row", "sign",
         "half inputs", "half outputs"},
    ),
    "an atol above the outputs": (
        {"data": "{uniform: [-1e-6, 1e-6]}"},
        {"zeros", "constant", "stale", "other data", "reversed", "shifted", "first row", "sign",
         "half inputs", "half outputs"},
    ),
    "data that are all zero": ({"data": "{constant: 0}"}, {"zeros", "constant"}),
    "a constant reference": ({"code": "def reference(n):\n    return np.full(n, 7.5)\n"},
                             {"constant"}),
}  # fmt: skip


@pytest.mark.fault(48, 50)
@pytest.mark.parametrize("examples", ["", ONE_EXAMPLE])
@pytest.mark.parametrize("name", WEAK)
def test_a_weak_spec_lets_pass(tmp_path: Path, name: str, examples: str) -> None:
    """A good example doesn't help: it is public."""
    keys, let_through = WEAK[name]
    if "code" in keys:
        examples = examples.replace("[2, 4, 6]", "[7.5, 7.5, 7.5]")
    proof = prove(load_problem(spec(tmp_path, examples=examples, **keys)), 3)
    assert not proof.holds
    assert {r.wrong for r in proof.rows if r.fault} == let_through
    for found in proof.rows:
        if found.fault:
            assert "\n" not in found.fault
            assert found.fault.startswith(f"y: {found.wrong} ({found.about}) ")
            assert "lower its tolerance" in found.fault or "mend the reference" in found.fault


def test_the_good_one_is_good(tmp_path: Path) -> None:
    proof = prove(load_problem(spec(tmp_path, examples=ONE_EXAMPLE)), 3)
    assert proof.holds, proof.faults
    assert row(proof, "zeros").kinds[CaseKind.EXAMPLE].rejected == 1


def test_a_right_answer_that_is_rejected(tmp_path: Path) -> None:
    """A third is no float32: an exact tolerance rejects everyone."""
    code = "def reference(x):\n    return x.astype('float64') / 3\n"
    proof = prove(load_problem(spec(tmp_path, tolerance="exact", code=code)), 3)
    (fault,) = proof.refused.values()
    assert fault.startswith("y: the right answer itself, rounded to float32, is rejected in ")
    assert fault.endswith("give it an rtol of 1e-07 at least")
    assert not proof.holds


def test_a_comparison_that_accepts_anything_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "compare_output", lambda *arguments: None)
    proof = prove(find_problem("matmul"), 0)
    assert all(found.fault for found in proof.rows)


def test_nan_in_the_right_answer(tmp_path: Path) -> None:
    """Where NaN or infinity is right, what else is wrong is still rejected."""
    code = (
        "def make(shape, rng, sizes):\n"
        "    x = rng.standard_normal(shape)\n"
        "    x[::3] = np.nan\n    x[1::3] = np.inf\n    return x\n"
        "def reference(x):\n    return x\n"
    )
    data = "{python: 'ref.py:make'}"
    proof = prove(load_problem(spec(tmp_path, data, code=code)), 3)
    assert proof.holds, proof.faults
    assert row(proof, "one NaN").skipped["no right element is finite"] >= 1
    assert row(proof, "poison").judged == sum(proof.cases.values())


# --- the wrong outputs -------------------------------------------------------------------------


def subject(folder: Path, values: list[Any], dtype: str, tolerance: str = "exact") -> Subject:
    """A vector that is copied."""
    text = SCALED.replace("TOLERANCE", tolerance).replace("EXAMPLES\n", "")
    text = text.replace("DATA", "{python: 'ref.py:make'}").replace("float32", dtype)
    code = f"def make(shape, rng, sizes):\n    return np.array({values}, '{dtype}')\n"
    (folder / "ref.py").write_text(
        f"import numpy as np\ninf = np.inf\n{code}\ndef reference(x):\n    return x\n"
    )
    (folder / "copy.yaml").write_text(text)
    problem = load_problem(folder / "copy.yaml")
    case = cases.sized_case(problem, 1, {"n": len(values)})
    data = cases.case_data(problem, case)
    right = right_output(data, problem.outputs[0])
    return Subject(problem, case, data, problem.outputs[0], right, right[:2], right[0])


def made(subject: Subject, name: str) -> Array:
    (mutation,) = [m for m in MUTATIONS if m.name == name]
    got = mutation.make(subject)
    assert not isinstance(got, str), got
    assert got.dtype == subject.right.dtype
    assert got.shape == subject.right.shape
    assert got.flags.c_contiguous
    return got


def test_what_each_makes_of_a_vector(tmp_path: Path) -> None:
    vector = subject(tmp_path, [1, 2, 3, 4], "int32")
    for name, values in (
        ("zeros", [0, 0, 0, 0]),
        ("constant", [1, 1, 1, 1]),
        ("stale", [1, 2, 1, 2]),
        ("reversed", [4, 3, 2, 1]),
        ("shifted", [4, 1, 2, 3]),
        ("first row", [1, 1, 1, 1]),
        ("sign", [-1, -2, -3, -4]),
        ("one off", [1, 2, 3, 5]),
    ):
        assert made(vector, name).tolist() == values, name
    assert made(vector, "tail").tolist()[:3] == [1, 2, 3]
    assert made(vector, "tail")[3] == vector.poisoned()[3]
    assert (made(vector, "poison") == vector.poisoned()).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("value", [0.0, 1.0, -3.3, 1e-7, 6e4, float(np.finfo(np.float16).max)])
@pytest.mark.parametrize("tolerance", ["exact", "{atol: 1e-4, rtol: 1e-3}"])
def test_one_element_is_off_by_ten_tolerances(
    tmp_path: Path, dtype: str, value: float, tolerance: str
) -> None:
    right = subject(tmp_path, [1.0, value], dtype, tolerance)
    got = made(right, "one off")
    expected = float(right.right[1])
    allowed = 0.0 if tolerance == "exact" else 1e-4 + 1e-3 * abs(expected)
    away = abs(float(got[1]) - expected)
    assert np.isfinite(away)
    assert away > 0
    assert away >= 10 * allowed * (1 - 1e-12)  # the difference of two float64 is rounded
    # Not farther than its type needs.
    assert away <= 10 * allowed + 2 * float(np.spacing(np.abs(got[1])))
    assert got[0] == right.right[0]


@pytest.mark.parametrize(
    ("dtype", "value", "wrong"),
    [("int8", 127, 126), ("uint8", 255, 254), ("int64", 2**62, 2**62 + 1), ("bool", 1, 0)],
)
def test_one_integer_is_off_by_one(tmp_path: Path, dtype: str, value: int, wrong: int) -> None:
    assert int(made(subject(tmp_path, [value], dtype), "one off")[0]) == wrong


def test_half_precision_keeps_the_range(tmp_path: Path) -> None:
    right = subject(tmp_path, [1 + 2.0**-10, 1 + 2.0**-11, 1e30, 1e-30, inf := float("inf")],
                    "float32")  # fmt: skip
    for name in ("half outputs", "half inputs"):
        got = made(right, name)
        assert got[:2].tolist() == [1 + 2.0**-10, 1.0]
        assert abs(got[2] / 1e30 - 1) <= 2.0**-11
        assert abs(got[3] / 1e-30 - 1) <= 2.0**-11
        assert got[4] == inf


# --- the command -------------------------------------------------------------------------------


@pytest.fixture
def leetk(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.invoke(arguments)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run


Run = Callable[..., tuple[int, str, str]]


def test_the_command_shows_a_table(leetk: Run) -> None:
    code, out, _ = leetk("show", "matmul", "--prove", "--seed", "7")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "matmul: wrong outputs held against the spec  (seed 7)"
    for name in NAMES:
        (line,) = [line for line in lines if line.startswith(f"  ✓  {name} ")]
        assert " of " in line
    assert any("transposed" in line and "it equals the right answer" in line for line in lines)
    assert lines[-2] == "perf case left out: M=8192 N=6144 K=4096"
    assert lines[-1] == f"✓ each of {len(NAMES)} wrong outputs fails"


def test_the_command_fails_and_says_why(leetk: Run, tmp_path: Path) -> None:
    path = spec(tmp_path, tolerance="{atol: 0, rtol: 1e-3}")
    code, out, _ = leetk("show", str(path), "--prove")
    assert code == 1
    assert "✗: y: half inputs (inputs cut to half precision) passes in" in out
    assert "tests and fuzzed shapes where it is wrong; lower its tolerance" in out
    assert "fails" not in out.splitlines()[-1]


def test_json(leetk: Run, tmp_path: Path) -> None:
    code, out, _ = leetk("show", "transpose", "--prove", "--json", "-")
    found = json.loads(out)
    assert code == 0
    assert (found["schema_version"], found["problem"], found["seed"]) == (1, "transpose", 0)
    assert found["holds"] is True
    assert found["faults"] == []
    assert found["left_out"] == {"sizes": {"rows": 7000, "cols": 6000}}
    assert [entry["wrong"] for entry in found["rows"]] == NAMES
    for entry in found["rows"]:
        assert set(entry) == {"output", "wrong", "about", "kinds", "passed", "skipped", "fault"}
        assert set(entry["kinds"]) == set(found["cases"]) == {"example", "test", "fuzz"}
        for kind, planned in found["cases"].items():
            assert sum(entry["kinds"][kind].values()) == planned

    target = tmp_path / "proof.json"
    weak = spec(tmp_path, "{constant: 0}")
    code, out, _ = leetk("show", str(weak), "--prove", "--json", str(target))
    assert code == 1
    assert out.startswith("scaled: wrong outputs")
    found = json.loads(target.read_text())
    assert found["holds"] is False
    assert len(found["faults"]) == 2
    assert found["left_out"] is None


@pytest.mark.parametrize("option", ["--json=-", "--seed=3"])
def test_options_that_go_with_prove(leetk: Run, option: str) -> None:
    code, _, err = leetk("show", "matmul", option)
    assert code == 2
    assert f"{option.partition('=')[0]} of leetk show goes with --prove" in err


def test_a_faulty_reference_is_the_judge_s_error(leetk: Run, tmp_path: Path) -> None:
    path = spec(tmp_path, code="def reference(x):\n    return x * np.nan\n")
    code, _, err = leetk("show", str(path), "--prove")
    assert code == 3
    assert "the reference gave NaN in y; the inputs have none" in err


def test_a_mutation_of_one_s_own(tmp_path: Path) -> None:
    """The right answer as a mutation is skipped everywhere, visibly, and is no fault."""
    same = Mutation("same", "nothing is wrong", lambda subject: subject.right.copy(), "")
    problem: Problem = load_problem(spec(tmp_path))
    (found,) = prove(problem, 3, [same]).rows
    assert not found.judged
    assert not found.fault
    assert set(found.skipped) == {proving.EQUAL}
