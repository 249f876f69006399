"""What a call has to do and to move, by the problem's spec."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.counters import Profile
    from harness.model import Problem


def with_work(profile: Profile, problem: Problem) -> Profile:
    """The profile with the operations and bytes of a call of its sizes, where the spec's ``perf``
    says how many they are."""
    perf = problem.perf
    if perf is None:
        return profile
    flops, moved = (
        None if expression is None else float(expression.evaluate(profile.sizes))
        for expression in (perf.flops, perf.bytes)
    )
    return replace(profile, flops=flops, bytes=moved)
