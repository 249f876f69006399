"""The formats for machines: valid by their own rules, whatever a submission says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree as ET

import pytest
import report_samples as samples
from jsonschema import Draft202012Validator

from harness.model import CaseKind, Finding, Report, Verdict
from harness.report import FORMATS, Batch, renderer

SCHEMA: dict[str, Any] = json.loads(files("harness.report").joinpath("schema.json").read_text())


def rendered(form: str, *reports: Report, single: bool = False) -> str:
    return renderer(form)(Batch(reports, 7, 1, single=single))


def strict(text: str) -> Any:
    def refuse(name: str) -> NoReturn:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", samples.ALL)
def test_reports_fit_the_schema(name: str) -> None:
    report = strict(rendered("json", samples.ALL[name], single=True))
    Draft202012Validator(SCHEMA).validate(report)
    Draft202012Validator(samples.closed(SCHEMA)).validate(report)


def test_a_check_fits_the_schema() -> None:
    batch = strict(rendered("json", *samples.CHECKED))
    Draft202012Validator(samples.closed(SCHEMA)).validate(batch)
    assert (batch["total"], batch["as_expected"]) == (5, 2)


def test_the_schema_knows_every_verdict_and_kind() -> None:
    assert set(SCHEMA["$defs"]["verdict"]["enum"]) == {verdict.value for verdict in Verdict}
    assert set(SCHEMA["$defs"]["kind"]["enum"]) == {kind.value for kind in CaseKind}


def test_a_report_without_a_key_does_not_fit() -> None:
    report = strict(rendered("json", samples.WRONG_ANSWER, single=True))
    del report["cases"][0]["mismatch"]
    assert not Draft202012Validator(SCHEMA).is_valid(report)


def test_json_is_ascii_and_has_no_lone_surrogates() -> None:
    report = replace(samples.SKIPPED, solution="\udcff\u5408.cu")
    text = rendered("json", report, single=True)
    assert text.isascii()
    assert strict(text)["solution"] == "\ufffd\u5408.cu"
    text.encode("utf-8")
    assert "\\udcff" not in text


def test_the_design_s_keys_are_there() -> None:
    report = strict(rendered("json", samples.ACCEPTED_CUDA, single=True))
    assert report["schema_version"] == 1
    assert report["timing"]["baseline"] == {
        "name": "cuBLAS SGEMM",
        "median_ms": 8.18,
        "ratio": 0.161,
    }
    assert report["build"]["cached"] is True
    assert report["cases"][5]["kind"] == "perf"


def suites(text: str) -> list[ET.Element]:
    return list(ET.fromstring(text))


def outcomes(suite: ET.Element) -> Iterator[tuple[str | None, str]]:
    for case in suite.findall("testcase"):
        children = [child.tag for child in case if child.tag != "system-out"]
        yield case.get("name"), children[0] if children else "passed"


def test_junit_is_xml_whatever_was_printed() -> None:
    everything = "".join(map(chr, range(0x20))) + "\ufffe\uffff\ud800 <&>]]> \U0001f600 %"
    bad = replace(samples.WRONG_ANSWER.cases[4], output=everything, reason=everything)
    report = replace(samples.WRONG_ANSWER, cases=(bad,), solution="a<\x00>.cu", reason=everything)
    text = rendered("junit", report)
    (suite,) = suites(text)
    assert suite.get("name") == "a<\\x00>.cu"
    output = suite.findtext("testcase/system-out")
    assert output is not None
    assert "<&>]]> \U0001f600 %" in output
    text.encode("utf-8")


def test_junit_counts_agree_with_its_cases() -> None:
    text = rendered("junit", *samples.ALL.values())
    root = ET.fromstring(text)
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert root.get(key) == str(len(root.findall(f".//{tag}")))
    assert root.get("tests") == str(len(root.findall(".//testcase")))


def test_junit_shows_an_expected_failure_as_passed() -> None:
    report = replace(samples.WRONG_ANSWER, expected=(Verdict.WRONG_ANSWER, Verdict.OUT_OF_BOUNDS))
    (suite,) = suites(rendered("junit", report))
    assert list(outcomes(suite)) == [("expected wrong_answer or out_of_bounds", "passed")]


def test_junit_shows_an_unexpected_success_as_failed() -> None:
    report = replace(samples.ACCEPTED_CPU, expected=(Verdict.WRONG_ANSWER,))
    (suite,) = suites(rendered("junit", report))
    assert list(outcomes(suite)) == [("expected wrong_answer", "failure")]


@pytest.mark.parametrize(
    ("verdict", "name", "tag"),
    [
        (Verdict.COMPILE_ERROR, "build", "failure"),
        (Verdict.JUDGE_ERROR, "judge", "error"),
        (Verdict.SKIPPED, "judge", "skipped"),
    ],
)
def test_junit_without_cases(verdict: Verdict, name: str, tag: str) -> None:
    report = replace(samples.SKIPPED, verdict=verdict)
    (suite,) = suites(rendered("junit", report))
    assert list(outcomes(suite)) == [(name, tag)]


def test_junit_fails_where_only_the_whole_failed() -> None:
    """Under --strict a finding fails a submission whose cases all passed."""
    report = replace(samples.ACCEPTED_CPU, verdict=Verdict.OUT_OF_BOUNDS, reason="strict: x")
    (suite,) = suites(rendered("junit", report))
    assert ("judge", "failure") in list(outcomes(suite))
    assert suite.get("failures") == "1"


def test_github_escapes_and_stays_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    finding = Finding("race", "info", "50 %\n::error::no", str(tmp_path / "a,b:c.cu"), 3, 4)
    report = replace(samples.ACCEPTED_CPU, findings=(finding,))
    assert rendered("github", report) == (
        "::notice file=a%2Cb%3Ac.cu,line=3,col=4::50 %25%0A::error::no\n"
    )


def test_github_is_silent_about_what_was_expected() -> None:
    report = replace(samples.WRONG_ANSWER, expected=(Verdict.WRONG_ANSWER,))
    assert rendered("github", report) == ""


def test_github_gives_the_command_to_replay() -> None:
    text = rendered("github", samples.WRONG_ANSWER)
    assert "%0AReplay: leetk run matmul solutions/v3.cu" in text
    place = "file=solutions/v3.cu,line=21,col=9"
    assert text.startswith(f"::error {place},title=leetk%3A matmul%3A wrong_answer::")


@pytest.mark.parametrize(
    ("reason", "place"),
    [
        (
            "fuzz 2x5x4: /ci/solutions/v3.cu:17: a kernel wrote C[8]; is the guard missing?",
            ",line=17",
        ),
        ("solutions/v3.cu:17:5: there is no C function solve", ",line=17"),
        ("other.cu:17: something else", ""),
        ("4 of 8 elements of C are wrong", ""),
    ],
)
def test_github_takes_the_place_that_the_reason_names(reason: str, place: str) -> None:
    report = replace(samples.WRONG_ANSWER, build=None, findings=(), cases=(), reason=reason)
    assert rendered("github", report).startswith(f"::error file=solutions/v3.cu{place},title=")


def test_every_format_can_be_imported() -> None:
    for name in FORMATS:
        assert callable(renderer(name))
