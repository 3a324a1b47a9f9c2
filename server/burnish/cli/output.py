"""The two streams: results on standard output, everything said meanwhile on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def say(text: str) -> None:
    """Write a line of the result."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def tell(text: str) -> None:
    """Write a line beside the result."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def console() -> Console:
    """Standard output with colours where it is a terminal; lines are never wrapped to a width where it is not."""
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)
