"""On a terminal: colours, and one living progress line."""

from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console

from burnish.cli.progress import line_of, progress
from burnish.cli.receipt import show_diff, show_receipt
from burnish.engine.refinement import Progress
from tests.unit.cli.conftest import RECEIPT

RED, GREEN = "\x1b[31m", "\x1b[32m"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal() -> tuple[Console, Terminal]:
    stream = Terminal()
    return Console(file=stream, force_terminal=True, color_system="standard", soft_wrap=True), stream


def test_the_diff_is_coloured_and_its_brackets_stay() -> None:
    console, stream = terminal()
    show_diff(console, "@@ -1 +1 @@\n-[bold]old[/bold]\n+new\n")
    out = stream.getvalue()
    assert "[bold]old[/bold]" in out
    assert "\x1b[" in out


def test_outcomes_are_coloured() -> None:
    console, stream = terminal()
    show_receipt(console, RECEIPT)
    out = stream.getvalue()
    assert f"{GREEN}passed" in out
    assert f"{RED}failed" in out


def test_progress_is_one_line_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress() as report:
        report(Progress(step="tests", detail="[red]12[/red] pass", done=12, total=40))
    erased_line = "\x1b[2K"
    assert erased_line in stream.getvalue()


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Progress(step="syntax"), "syntax"),
        (Progress(step="critique", done=2, total=4), "critique 2/4"),
        (Progress(step="critique", done=2), "critique 2"),
        (Progress(step="timing", detail="1.84× faster"), "timing · 1.84× faster"),
    ],
)
def test_lines_of_progress(event: Progress, line: str) -> None:
    assert line_of(event) == line
