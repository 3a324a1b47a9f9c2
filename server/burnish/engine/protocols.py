"""What the loop asks of its parts."""

from __future__ import annotations

from typing import Protocol

from burnish.engine.history import Critique, History, Usage
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.checks.outcome import Verdict


class Backend(Protocol):
    """A critic and an editor. Both read the whole history; neither sees a file, a project or an editor."""

    @property
    def name(self) -> str:
        """How candidates name their origin, and receipts this backend."""
        ...

    @property
    def usage(self) -> Usage:
        """What this backend has spent so far in this refinement."""
        ...

    def critique(self, history: History) -> Critique:
        """FEEDBACK on `history.latest`; `stop` says that nothing more is worth doing. Raises BackendError."""
        ...

    def edit(self, history: History) -> Candidate | None:
        """y_{t+1}, from the last step's critique and all before it; None when it has nothing to propose.

        Raises BackendError.
        """
        ...


class Judge(Protocol):
    """Runs the checks on a candidate, cheapest first."""

    def judge(self, candidate: Candidate) -> Verdict:
        """The verdict; never raises for what a candidate does."""
        ...
