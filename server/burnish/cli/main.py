"""The command `burnish`: arguments in, exit code out.

Nothing heavy is imported until its command runs: `burnish lsp` must start at once.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from types import FrameType

from burnish.cli.arguments import parse
from burnish.cli.exit_codes import BAD_INPUT, INTERRUPTED, NONE
from burnish.cli.output import say, tell
from burnish_analyzers.errors import BurnishError

# How long the first signal's cleaning up is left alone.
_GRACE_SECONDS = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code: 0 proposal, 1 none, 2 bad input or environment, 130 interrupted."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # under LC_ALL=C too, a diff must come out
    try:
        return _run(words)
    except BrokenPipeError:
        # Whoever read the output has enough; the interpreter's last flush must not complain either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NONE


def _run(words: Sequence[str]) -> int:
    try:
        with _interruptible():
            arguments = parse(words)
            code: int = import_module(f"burnish.cli.commands.{arguments.command}").run(arguments)
            return code
    except BurnishError as error:
        return _fail(words, str(error), BAD_INPUT)
    except KeyboardInterrupt:
        return _fail(words, "Interrupted.", INTERRUPTED)


def _fail(words: Sequence[str], message: str, code: int) -> int:
    tell(f"burnish: {message}")
    if "--json" in words:
        from burnish.report.document import error_document, to_json

        say(to_json(error_document(words[0], message)))
    return code


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM both leave through KeyboardInterrupt, so that each `finally` ends its child processes.

    A second signal on the heels of the first must not cut that short.
    """
    last = -_GRACE_SECONDS

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _GRACE_SECONDS:
            last = now
            raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
