"""Why a loop stops, and what it may spend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from burnish.engine.history import Usage
from burnish_analyzers.errors import BackendError


class UnusableBackendError(BackendError):
    """The backend cannot answer at all (refused connection, wrong key, no such model): asking again is useless."""


class StopReason(StrEnum):
    """Why a loop ended; the value is the sentence that people read."""

    CRITIC = "The critic sees nothing more worth doing."
    EXHAUSTED = "Nothing is left to try."
    TARGET = "The target score is met."
    NO_GAIN = "The last rounds brought no gain."
    REPEATED = "The editor proposed the same candidate again."
    ROUNDS = "All rounds are used."
    SECONDS = "The time budget is used up."
    TOKENS = "The token budget is used up."
    COST = "The money budget is used up."
    CANCELLED = "Cancelled."
    FAILED = "The backend failed."


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What one run of the loop may spend: rounds of critique and edit, and at most so much of the rest.

    `cost` is in US dollars; None means no limit.
    """

    rounds: int = 4
    seconds: float | None = None
    tokens: int | None = None
    cost: float | None = None

    def used_up(self, spent: Usage) -> StopReason | None:
        """Which limit, rounds apart, `spent` has reached."""
        limits = (
            (self.seconds, spent.seconds, StopReason.SECONDS),
            (self.tokens, spent.tokens, StopReason.TOKENS),
            (self.cost, spent.cost, StopReason.COST),
        )
        return next((reason for limit, value, reason in limits if limit is not None and value >= limit), None)

    def after(self, spent: Usage) -> Budget:
        """What is left for the next run on the same history; its rounds are counted anew."""
        return replace(
            self,
            seconds=None if self.seconds is None else max(0.0, self.seconds - spent.seconds),
            tokens=None if self.tokens is None else max(0, self.tokens - spent.tokens),
            cost=None if self.cost is None else max(0.0, self.cost - spent.cost),
        )
