"""The judge: one submission against one problem.

submission.py   the flow, from source to report
plan.py         which cases are run, which are left out
race.py         all cases over the slots, in parallel
slot.py         one worker with its arena: calls cases, times one
evaluate.py     from what lies in the arena to a case's verdict
timing.py       from a worker's samples to figures
"""

from harness.judge.submission import judge
from harness.settings import Event, Limits, Settings

__all__ = ["Event", "Limits", "Settings", "judge"]
