"""What the checks of accesses report, and what of it decides."""

from __future__ import annotations

import numpy as np
import pytest

from harness.judge.findings import finding_of
from harness.wire import Buffer, Call, RuntimeReport


def severity(
    one: object, other: object, dtype: str = "float32", role: str = "out", **fields: bool
) -> str:
    buffer = Buffer("C", dtype, (4,), role, 0, 16, 0, 0)
    texts = [np.asarray(value, dtype).tobytes().hex() for value in (one, other)]
    report = RuntimeReport(
        "race", "a race on {where}", buffer="C", before=texts[0], after=texts[1], **fields
    )
    return finding_of(report, Call((buffer,), 0), "").severity


def test_an_output_that_holds_one_of_two_values_decides() -> None:
    assert severity(1.0, 2.0) == "error"
    assert severity([1.0, 5.0], [1.0, 7.0]) == "error"
    assert severity(1000000, 1000001, "int32") == "error"


def test_two_values_that_differ_by_rounding_do_not() -> None:
    assert severity(1.0, 1.00001) == "warning"
    assert severity(np.nan, np.nan) == "warning"
    poison = np.array(0x7FA12345, "uint32").view("float32")
    assert severity(poison, poison) == "warning" and severity(poison, 1.0) == "error"
    assert severity(7, 7, "int32") == "warning"


@pytest.mark.parametrize("dtype", ["float16", "float64", "uint8"])
def test_values_are_read_as_what_they_are(dtype: str) -> None:
    assert severity(1, 2, dtype) == "error"
    assert severity(2, 2, dtype) == "warning"


def test_an_input_does_not_decide() -> None:
    assert severity(1.0, 2.0, role="in") == "warning"


def test_a_lost_update_decides_wherever_it_is_seen() -> None:
    call = Call((), 0)
    lost = RuntimeReport("race", "a race on {where}", buffer="sum", lost=True)
    assert finding_of(lost, call, "").severity == "error"
    unseen = RuntimeReport("race", "a race on {where}", buffer="sum")
    assert finding_of(unseen, call, "").severity == "warning"


def test_an_element_of_which_part_was_written_is_not_compared() -> None:
    report = RuntimeReport("race", "a race on {where}", buffer="C", before="00", after="01")
    call = Call((Buffer("C", "float32", (4,), "out", 0, 16, 0, 0),), 0)
    assert finding_of(report, call, "").severity == "warning"
