"""A spec becomes a Problem, or one line with the file, the line and the nearest valid choice."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.errors import SpecError
from harness.model import DataRule, Role
from harness.spec.load import load_problem
from harness.spec.models import Data, RoleName, TypeName

GOOD = """\
name: matmul
title: Matrix Multiplication
statement: |
  Multiply A by B.
sizes: {M: [1, 8192], N: [1, 8192], K: [1, 8192]}
arguments:
  - {name: A, type: float32, shape: [M, N], role: in, data: {uniform: [-10, 10]}}
  - {name: B, type: float32, shape: [N, K], role: in}
  - {name: C, type: float32, shape: [M, K], role: out}
  - {name: M, type: int32, role: size}
  - {name: N, type: int32, role: size}
  - {name: K, type: int32, role: size}
reference: {einsum: "mn, nk -> mk"}
tolerance: {atol: 1e-4, rtol: 1.0e-4, reduction: N}
examples:
  - inputs: {A: [[1, 2, 3]], B: [[4], [5], [6]]}
    outputs: {C: [[32]]}
tests:
  - {M: 17, N: 19, K: 31}
perf:
  sizes: {M: 64, N: 32, K: 16}
  flops: 2*M*N*K
  bytes: 4*(M*N + N*K + M*K)
  baseline: matmul
"""


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "spec.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def refusal(folder: Path, text: str | bytes) -> str:
    """What is said of a wrong spec, without the folder."""
    path = write(folder, text)
    with pytest.raises(SpecError) as caught:
        load_problem(path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    return message[len(str(path)) + 1 :]


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


def test_contributing_lists_what_a_spec_may_hold() -> None:
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ")]
    cells = {row[0].strip(): row[1] for row in rows}
    for key, names in (("`type`", get_args(TypeName)), ("`role`", get_args(RoleName))):
        assert set(names) <= set(re.findall(r"`(\w+)`", cells[key]))
    found = set()
    for cell in cells:
        for code in re.findall(r"`([^`]+)`", cell):
            kind = re.match(r"\{?(\w+)", code)
            if kind and kind[1] in Data.model_fields:
                assert Data.model_validate(yaml.safe_load(code)).model_fields_set == {kind[1]}
                found.add(kind[1])
    assert found == set(Data.model_fields)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("float", "float32"),
        ("double", "float64"),
        ("half", "float16"),
        ("Int", "int32"),
        ("long", "int64"),
        ("char", "int8"),
        ("uint8_t", "uint8"),
        ("int64_t", "int64"),
        ("flaot32", "float32"),
    ],
)
def test_types_by_their_names_in_c(tmp_path: Path, word: str, name: str) -> None:
    text = changed("name: B, type: float32", f"name: B, type: {word}")
    assert refusal(tmp_path, text) == f"8: unknown type {word!r}; did you mean {name!r}?"


def test_a_good_spec(tmp_path: Path) -> None:
    problem = load_problem(write(tmp_path, GOOD))
    assert (problem.name, problem.title) == ("matmul", "Matrix Multiplication")
    assert problem.statement == "Multiply A by B."
    assert problem.sizes == {"M": (1, 8192), "N": (1, 8192), "K": (1, 8192)}
    assert [a.name for a in problem.arguments] == ["A", "B", "C", "M", "N", "K"]
    assert [a.role for a in problem.arguments[2:4]] == [Role.OUT, Role.SIZE]
    assert [e.text for e in problem.arguments[1].shape] == ["N", "K"]
    assert problem.arguments[1].data == DataRule("uniform", (-10.0, 10.0))
    assert problem.reference.einsum == "mn,nk->mk"
    assert problem.reference.directory == tmp_path
    assert (problem.tolerance.atol, problem.tolerance.rtol) == (1e-4, 1e-4)
    assert problem.tolerance.reduction is not None
    assert problem.tolerance.reduction.text == "N"
    example = problem.examples[0]
    assert example.sizes == {"M": 1, "N": 3, "K": 1}
    assert example.inputs["A"].dtype == np.float32
    assert not example.inputs["A"].flags.writeable
    np.testing.assert_array_equal(example.outputs["C"], [[32]])
    assert problem.tests == ({"M": 17, "N": 19, "K": 31},)
    assert problem.perf is not None
    assert problem.perf.flops is not None
    assert problem.perf.flops.evaluate(problem.perf.sizes) == 2 * 64 * 32 * 16
    assert problem.perf.baseline == "matmul"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        # Keys.
        ("title: Matrix", "titel: Matrix", "2: unknown key 'titel'; did you mean 'title'?"),
        ("title: Matrix", "wombat: Matrix", "2: unknown key 'wombat'; valid: name, title, state"),
        ("title: Matrix Multiplication\n", "", "1: missing key 'title'"),
        ("name: matmul\n", "", "1: missing key 'name'; add the line: name: spec"),
        ("name: B, type", "name: B, tpye", "8: unknown key 'tpye'; did you mean 'type'?"),
        ("type: float32, shape: [N, K], ", "shape: [N, K], ", "8: missing key 'type' in argum"),
        ("  baseline: matmul", "  base: matmul", "24: unknown key 'base'; did you mean 'baseline'"),
        ("uniform: [-10", "unifrom: [-10", "7: unknown key 'unifrom'; did you mean 'uniform'?"),
        ("name: matmul", "name: matmul\nname: again", "2: the key 'name' is already on line 1"),
        # Values of the wrong kind.
        ("name: matmul", "name: Mat Mul", "1: the name 'Mat Mul' may hold only a-z, 0-9, _ and -"),
        ("name: matmul", "name: 12", "1: name must be text (in quotes if it looks like a number)"),
        ("title: Matrix Multiplication", "title: ''", "2: the title is empty"),
        ("M: [1, 8192]", "M: 8192", "5: M must be a list, such as [1, 8192], not 8192"),
        ("M: [1, 8192]", "M: [1, 8192.5]", "5: M must be an integer, not 8192.5"),
        ("M: [1, 8192]", "M: [1]", "5: the size M needs two bounds"),
        ("M: [1, 8192]", "M: [0, 8192]", "5: the size M is [0, 8192]; 1 <= low <= high"),
        ("M: [1, 8192]", "M: [9, 8]", "5: the size M is [9, 8]; 1 <= low <= high"),
        ("M: [1, 8192]", "M-1: [1, 8192]", "5: 'M-1' is not a C identifier"),
        ("M: [1, 8192]", "Q: [1, 2], M: [1, 8192]", "5: no argument uses the size Q"),
        ("M: [1, 8192]", "M: [1, 3000000000]", "5: the size M is [1, 3000000000]"),
        # Arguments.
        ("name: B, type: float32", "name: B, type: flaot32", "8: unknown type 'flaot32'; did you"),
        ("name: B, type: float32", "name: B, type: 32", "8: unknown type 32; valid: bool, int8"),
        ("[N, K], role: in", "[N, K], role: input", "8: unknown role 'input'; did you mean 'in"),
        ("[N, K], role: in", "[N, K], role: wombat", "8: unknown role 'wombat'; valid: in, out"),
        ("name: B", "name: A", "8: the argument 'A' is already on line 7"),
        ("name: B", "name: 2B", "8: '2B' is not a C identifier"),
        ("name: B", "name: int", "8: 'int' is a reserved word"),
        ("shape: [N, K]", "shape: N", "8: shape must be a list, such as [N], not 'N'"),
        ("name: B", "name: K", "8: 'K' is a size, so its role must be size, not in"),
        ("name: N, type", "name: P, type", "11: 'P' is not among the sizes; valid: M, N, K"),
        ("name: N, type: int32", "name: N, type: float32", "11: the size N is float32; a size is"),
        ("name: N, type: int32", "name: N, type: int8", "11: the size N: 8192 does not fit into"),
        ("[N, K], role: in", "[N, Q], role: in", "8: unknown size 'Q' in 'Q'; valid: M, N, K"),
        ("[N, K], role: in", "[N, 2.5], role: in", "8: 2.5 is not an integer expression"),
        ("[N, K], role: in", "[N, K/2], role: in", "8: 'K/2' uses an operator other than"),
        ("[N, K], role: in", "[N, abs(K)], role: in", "8: 'abs(K)' calls abs; only min and max"),
        ("[N, K], role: in", "[N, 'K +'], role: in", "8: 'K +' is not an expression"),
        ("[N, K], role: in", "[N, K - 1], role: in", "8: 'K - 1' is 0 for M=1, N=1, K=1"),
        ("[N, K], role: in", "[N, 8 // (K - 1)], role: in", "8: '8 // (K - 1)' divides by zero"),
        ("shape: [N, K], ", "", "8: the array B needs a shape"),
        ("shape: [N, K], ", "shape: [], ", "8: the array B needs a shape"),
        ("shape: [N, K], ", "shape: [N, K], value: 3, ", "8: an array has data, not a value"),
        ("name: N, type: int32", "name: N, type: int32, shape: [3]", "11: a size has no shape"),
        ("name: N, type: int32", "name: N, type: int32, value: 3", "11: a size takes no value"),
        ("[M, K], role: out", "[M, K], role: out, data: arange", "9: C takes no data"),
        ("[M, K], role: out", "[M, K], role: in", "6: no argument has the role out or inout"),
        # Data.
        ("data: {uniform: [-10, 10]}", "data: wombat", "7: unknown data 'wombat'; valid: uniform"),
        ("data: {uniform: [-10, 10]}", "data: uniform", "7: unknown data 'uniform'; uniform needs"),
        ("data: {uniform: [-10, 10]}", "data: {}", "7: data has one kind; valid: uniform, normal"),
        ("{uniform: [-10, 10]}", "{uniform: [1, 2], arange: [0, 1]}", "7: data has one kind"),
        ("{uniform: [-10, 10]}", "{uniform: [1]}", "7: uniform takes two numbers, [low, high]"),
        ("{uniform: [-10, 10]}", "{uniform: [3, 1]}", "7: uniform is [low, high], but 3"),
        ("{uniform: [-10, 10]}", "{uniform: [.nan, 1]}", "7: uniform takes finite numbers"),
        ("{uniform: [-10, 10]}", "{normal: [0, -1]}", "7: normal is [mean, deviation], and the"),
        ("{uniform: [-10, 10]}", "permutation", "7: a permutation needs an array of one dim"),
        ("{uniform: [-10, 10]}", "{constant: 1e39}", "7: 1e+39 does not fit into float32"),
        ("{uniform: [-10, 10]}", "{python: no.py:f}", "7: there is no file no.py beside the spec"),
        ("{uniform: [-10, 10]}", "{python: no}", "7: 'no' is not file.py:function"),
        # Reference.
        ('"mn, nk -> mk"', '"mn,nk"', "13: einsum 'mn,nk': it must look like"),
        ('"mn, nk -> mk"', '"m1,1k->mk"', "13: einsum 'm1,1k->mk': it must look like"),
        ('"mn, nk -> mk"', '"mn->m"', "13: einsum 'mn->m': it has 1 operands for 2 inputs (A, B)"),
        ('"mn, nk -> mk"', '"mn,nk->mz"', "13: einsum 'mn,nk->mz': the output letter 'z' is in no"),
        ('"mn, nk -> mk"', '"mn,nk->mm"', "13: einsum 'mn,nk->mm': a letter occurs twice"),
        ('"mn, nk -> mk"', '"mn,kn->mk"', "13: einsum 'mn,kn->mk': 'n' is N in A but K in B"),
        ('"mn, nk -> mk"', '"mn,nk->km"', "13: einsum 'mn,nk->km': 'k' is K in B but M in C"),
        ('"mn, nk -> mk"', '"mn,nkz->mk"', "13: einsum 'mn,nkz->mk': 'nkz' is 3 letters, but B"),
        ('einsum: "mn, nk -> mk"', "python: gone.py", "13: there is no file gone.py beside"),
        ('einsum: "mn, nk -> mk"', "einsums: x", "13: unknown key 'einsums'; did you mean 'einsum"),
        ('{einsum: "mn, nk -> mk"}', "{}", "13: a reference is either einsum"),
        ('{einsum: "mn, nk -> mk"}', "wombat", "13: reference must be a mapping, not 'wombat'"),
        # Tolerance.
        ("atol: 1e-4", "atol: 1e6", "14: atol is 1000000.0; it must lie between 0 and 0.1"),
        ("atol: 1e-4", "atol: -1e-4", "14: atol is -0.0001; it must lie between 0 and 0.1"),
        ("atol: 1e-4", "atol: .nan", "14: atol is nan; it must lie between 0 and 0.1"),
        ("rtol: 1.0e-4", "rtol: 0.2", "14: rtol is 0.2; it must lie between 0 and 0.1"),
        ("atol: 1e-4", "atol: '1e-4'", "14: atol must be a number, not '1e-4'"),
        ("atol: 1e-4, ", "", "14: missing key 'atol' in tolerance"),
        ("reduction: N", "reduction: K", "14: reduction is K, but the einsum sums N terms"),
        ("reduction: N", "reduction: Z", "14: unknown size 'Z' in 'Z'; valid: M, N, K"),
        ("{atol: 1e-4, rtol: 1.0e-4, reduction: N}", "exactly", "14: unknown tolerance 'exactly'"),
        # Examples.
        ("A: [[1, 2, 3]], ", "", "16: example 1: the input A is missing"),
        ("{C: [[32]]}", "{}", "17: example 1: the output C is missing"),
        ("{C: [[32]]}", "{D: [[32]]}", "17: example 1: 'D' is no output; valid: C"),
        ("A: [[1, 2, 3]], ", "A: [[1, 2]], ", "16: example 1: the shapes disagree: N is 2 in"),
        ("{C: [[32]]}", "{C: [[32, 33]]}", "17: example 1: the shapes disagree: K is 1 in B and 2"),
        ("{C: [[32]]}", "{C: [32]}", "17: example 1: C has 1 dimensions; its shape is [M, K]"),
        ("[[4], [5], [6]]", "[[4], [5, 6]]", "16: example 1: B is ragged"),
        ("[[4], [5], [6]]", "[[4], [x], [6]]", "16: example 1: B holds 'x', which is not a number"),
        ("[[4], [5], [6]]", "[[4], [1e39], [6]]", "16: example 1: B: 1e+39 does not fit into"),
        ("[[4], [5], [6]]", "[[4], [true], [6]]", "16: example 1: B: True is not a number"),
        ("{C: [[32]]}", "{C: [[32]]}\n    sizes: {N: 4}", "18: example 1: N is given as 4, but A"),
        ("{C: [[32]]}", "{C: [[32]]}\n    sizes: {Z: 4}", "18: example 1: unknown size 'Z'; valid"),
        # Tests and perf.
        ("{M: 17, N: 19, K: 31}", "{M: 17, N: 19}", "19: test 1 lacks the size K"),
        ("{M: 17, N: 19, K: 31}", "{M: 0, N: 1, K: 1}", "19: M is 0 in test 1; its range is 1 to"),
        ("{M: 17, N: 19, K: 31}", "{M: 9999, N: 1, K: 1}", "19: M is 9999 in test 1; its range"),
        ("{M: 17, N: 19, K: 31}", "{m: 1, N: 1, K: 1}", "19: unknown size 'm' in test 1; did you"),
        ("{M: 17, N: 19, K: 31}", "{M: x, N: 1, K: 1}", "19: M must be an integer, not 'x'"),
        ("M: 64, N: 32, K: 16", "M: 64, N: 32", "21: perf lacks the size K"),
        ("flops: 2*M*N*K", "flops: 2*M*Q", "22: unknown size 'Q' in '2*M*Q'"),
        ("baseline: matmul", "baseline: matmult", "24: unknown baseline 'matmult'; did you mean"),
    ],
)  # fmt: skip
def test_refusals(tmp_path: Path, old: str, new: str, told: str) -> None:
    message = refusal(tmp_path, changed(old, new))
    assert message.startswith(told), message


def test_the_matmul_baseline_needs_a_matmul(tmp_path: Path) -> None:
    text = (
        changed('"mn, nk -> mk"', '"mn,nk->mk"')
        .replace("einsum: ", "python: ")
        .replace('"mn,nk->mk"', "r.py")
    )
    (tmp_path / "r.py").write_text("def reference(A, B): return A @ B\n")
    assert refusal(tmp_path, text).startswith("24: the baseline matmul needs an einsum")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "1: the file is empty"),
        ("# only a comment\n", "1: the file is empty"),
        ("- a\n- b\n", "1: a spec is a mapping"),
        ("matmul\n", "1: a spec is a mapping"),
        ("name: a\ntitle: [b\n", "3: bad YAML"),
        ("name: a\n\ttitle: b\n", "2: bad YAML: a tab in the indentation"),
        ("name: a\n---\nname: b\n", "2: a second document begins"),
        (b"name: a\ntitle: \xff\xfe\n", "2: not UTF-8 text (byte 0xff)"),
        ("name: a\ntitle: \x07\n", "2: bad YAML"),
        ("title: b\nname: &x a\n", "2: anchors and aliases are not used"),
        ("name: !!python/object:os.system x\n", "1: the tag"),
        ("name: !wombat x\n", "1: the tag '!wombat'"),
        ("? [a, b]\n: c\n", "1: a key must be a plain word"),
        ("a: " + "[" * 60 + "]" * 60, "1: nested too deeply"),
        ("a: " + "[" * 300_000 + "]" * 300_000, "1: "),
        ("- " * 300_000, "1: "),
        ("<<: {name: a}\n", "1: unknown key '<<'"),
    ],
)
def test_bad_yaml(tmp_path: Path, text: str | bytes, told: str) -> None:
    message = refusal(tmp_path, text)
    assert message.startswith(told), message


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"gone\.yaml: no such file"):
        load_problem(tmp_path / "gone.yaml")
    with pytest.raises(SpecError, match="is a directory"):
        load_problem(tmp_path)
    big = tmp_path / "big.yaml"
    big.write_bytes(b"#" * (5 << 20))
    with pytest.raises(SpecError, match="larger than 4 MiB"):
        load_problem(big)


def test_windows_files(tmp_path: Path) -> None:
    text = "\ufeff" + GOOD.replace("\n", "\r\n")
    assert load_problem(write(tmp_path, text)).name == "matmul"
    wrong = text.replace("atol: 1e-4", "atol: 7")
    assert refusal(tmp_path, wrong).startswith("14: atol is 7")


def test_names_that_yaml_takes_for_booleans(tmp_path: Path) -> None:
    text = GOOD.replace("N", "y").replace("K", "off").replace("M", "NO")
    text = text.replace("NOatrix NOultiplication", "Yes").replace("NOultiply", "Multiply")
    problem = load_problem(write(tmp_path, text))
    assert list(problem.sizes) == ["NO", "y", "off"]
    assert problem.title == "Yes"
    assert problem.tests[0] == {"NO": 17, "y": 19, "off": 31}


SPECIAL = """\
name: special
title: All kinds
statement: Everything that the format has.
sizes: {n: [2, 100]}
arguments:
  - {name: x, type: int32, shape: [n], role: in, data: permutation}
  - {name: w, type: float64, shape: [2*n, 3], role: inout, data: {normal: [0, 2]}}
  - {name: flags, type: bool, shape: [n], role: in}
  - {name: small, type: uint8, shape: [n], role: in}
  - {name: half, type: float16, shape: [n], role: in, data: arange}
  - {name: y, type: int64, shape: [1], role: out}
  - {name: alpha, type: float32, role: scalar, value: 2}
  - {name: beta, type: int8, role: scalar, data: {integers: [-3, 3]}}
  - {name: n, type: int64, role: size}
reference: {python: "special.py:right"}
tolerance: exact
examples:
  - inputs:
      {x: [0, 1], w: [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]], flags: [true, 0],
       small: [0, 255], half: [0.5, 1e-4], beta: -3}
    outputs: {w: [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]], y: [9]}
"""


def test_every_kind_of_argument(tmp_path: Path) -> None:
    (tmp_path / "special.py").write_text("def right(): ...\n")
    problem = load_problem(write(tmp_path, SPECIAL))
    by_name = {a.name: a for a in problem.arguments}
    assert by_name["x"].data == DataRule("permutation")
    assert by_name["w"].data == DataRule("normal", (0.0, 2.0))
    assert by_name["flags"].data == DataRule("integers", (0, 1))
    assert by_name["small"].data == DataRule("integers", (0, 100))
    assert by_name["half"].data == DataRule("arange", (0.0, 1.0))
    assert by_name["alpha"].value == 2
    assert by_name["beta"].data == DataRule("integers", (-3, 3))
    assert problem.reference.python == "special.py:right"
    assert (problem.tolerance.atol, problem.tolerance.rtol) == (0, 0)
    inputs = problem.examples[0].inputs
    assert inputs["flags"].dtype == np.bool_
    assert inputs["half"].dtype == np.float16
    assert inputs["beta"] == -3
    assert problem.examples[0].sizes == {"n": 2}
    assert problem.perf is None


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("value: 2}", "}", "12: a scalar needs either a value or data"),
        ("value: 2}", "value: 2, data: {constant: 1}}", "12: a scalar needs either a value or"),
        ("type: float32, role: scalar, value: 2", "type: int8, role: scalar, value: 200", "12: "),
        ("{integers: [-3, 3]}", "{uniform: [-3, 3]}", "13: uniform needs a float type"),
        ("{integers: [-3, 3]}", "{integers: [-3, 300]}", "13: 300 does not fit into int8"),
        ("small: [0, 255]", "small: [0, 256]", "20: example 1: small: 256 does not fit into uint8"),
        ("small: [0, 255]", "small: [0, 2.5]", "20: example 1: small: 2.5 is not an integer"),
        ("flags: [true, 0]", "flags: [true, 2]", "19: example 1: flags: 2 is not true or false"),
        (", beta: -3", "", "18: example 1: the scalar beta is missing"),
        ("special.py:right", "specal.py:right", "15: there is no file specal.py beside the spec; "
         "did you mean 'special.py'?"),
        ("shape: [2*n, 3]", "shape: [2*n, 4]", "19: example 1: w is 4x3, but the sizes make it"),
        ("role: in, data: permutation", "role: in, data: {permutation: false}", "6: permutation"),
    ],
)  # fmt: skip
def test_more_refusals(tmp_path: Path, old: str, new: str, told: str) -> None:
    (tmp_path / "special.py").write_text("def right(): ...\n")
    assert SPECIAL.count(old) == 1, old
    message = refusal(tmp_path, SPECIAL.replace(old, new))
    assert message.startswith(told), message


def test_a_size_that_no_array_shows(tmp_path: Path) -> None:
    text = (
        "name: sum\ntitle: t\nstatement: s\nsizes: {n: [1, 9]}\narguments:\n"
        "  - {name: x, type: float32, shape: [2*n], role: in}\n"
        "  - {name: y, type: float32, shape: [1], role: out}\n"
        "reference: {einsum: 'i->'}\ntolerance: {atol: 0, rtol: 1e-5, reduction: 2*n}\n"
        "examples:\n  - inputs: {x: [1, 2]}\n    outputs: {y: [3]}\n"
    )
    told = refusal(tmp_path, text)
    assert told == "11: example 1: no array shows the size n; add sizes: {n: ...} to it"
    problem = load_problem(write(tmp_path, text + "    sizes: {n: 1}\n"))
    assert problem.examples[0].sizes == {"n": 1}
    assert refusal(tmp_path, text + "    sizes: {n: 2}\n").startswith("11: example 1: x is 2, but")


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damaged_specs_never_raise_anything_else(tmp_path: Path, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(GOOD) - 1))
    length = data.draw(st.integers(0, 12))
    insert = data.draw(
        st.text(st.sampled_from("\t\n {}[]:,-'\"#&*!|>%@`0159eN.x\x00é"), max_size=6)
    )
    path = write(tmp_path, GOOD[:at] + insert + GOOD[at + length :])
    try:
        load_problem(path)
    except SpecError as error:
        assert "\n" not in str(error)
        assert str(error).startswith(str(path))
