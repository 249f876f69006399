"""The end of a message about an unknown word: what was probably meant, else what there is."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, valid: Iterable[str]) -> str:
    """``did you mean 'x'?`` or ``valid: a, b, c``. Case does not matter."""
    import difflib  # only ever needed on the way out

    choices = list(valid)
    folded = {choice.lower(): choice for choice in reversed(choices)}
    close = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.6)
    if close:
        return f"did you mean {folded[close[0]]!r}?"
    return f"valid: {', '.join(choices)}" if choices else "there is none that could be meant"
