"""The entry point of the command ``burnish`` and of ``python -m burnish``.

An interrupt while the rest is being imported ends the program without a word: nothing runs yet that would need ending.
"""

import os

_INTERRUPTED = 130

try:
    import signal
    import sys
    from types import FrameType

    def _leave(number: int, frame: FrameType | None) -> None:
        os._exit(_INTERRUPTED)

    # A command replaces these while it runs.
    for _number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(_number, _leave)
except KeyboardInterrupt:
    os._exit(_INTERRUPTED)


def main() -> int:
    """Import the command line, run it, and give its exit code."""
    from burnish.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
