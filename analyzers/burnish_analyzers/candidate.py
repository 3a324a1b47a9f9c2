"""A rewritten unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """y_t: the unit's whole new text, with the indentation and newlines that it has in its file.

    `unit_text` replaces exactly the unit's span. `imports` are whole statements that the module needs at its top
    (``from collections import deque``). `iteration` is t; y_0, the user's code, is iteration 0 and origin "original".
    """

    iteration: int
    origin: str
    unit_text: str
    imports: tuple[str, ...] = ()
