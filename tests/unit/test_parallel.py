"""Work on threads: results and errors arrive where they are asked for."""

from __future__ import annotations

import threading

import pytest

from harness.parallel import background, each, spans


def test_background_returns_what_the_work_returns() -> None:
    gate = threading.Event()
    result = background(lambda: gate.wait(5) and threading.current_thread().name)
    gate.set()
    assert result() not in ("", False, threading.current_thread().name)
    assert result() == result()


def test_background_raises_what_the_work_raises() -> None:
    def fail() -> int:
        raise ValueError("no such thing")

    result = background(fail)
    for _ in range(2):
        with pytest.raises(ValueError, match="no such thing"):
            result()


def test_spans_cover_everything_once_and_in_order() -> None:
    assert spans(7, 3) == [(0, 3), (3, 6), (6, 7)]
    assert spans(0, 3) == []
    assert each(lambda begin, end: list(range(begin, end)), spans(7, 3)) == [
        [0, 1, 2],
        [3, 4, 5],
        [6],
    ]
