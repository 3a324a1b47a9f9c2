"""Words for people."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """``1 call``, ``2 calls``: a number of things whose plural ends in an s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
