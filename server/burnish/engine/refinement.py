"""The whole run of one refinement, and the receipt that travels with its proposal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from burnish.engine.history import History, Usage
from burnish_analyzers.checks.outcome import CheckOutcome, Evidence, Timing
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit


@dataclass(frozen=True, kw_only=True)
class Progress:
    """One step of long work, for people: "tests", 12 of 40, "1.84× faster". `total` 0 means not known."""

    step: str
    detail: str = ""
    done: int = 0
    total: int = 0


Report = Callable[[Progress], None]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a receipt is about: that `candidate`, with its `imports`, does what `original` did, and betters `goal`.

    `path`, and `examples` for a script, are relative to the project's top; `occurrence` counts the units of that
    `qualname` before it, which is "" for a script; `goal` is None where nothing had to be better.
    """

    path: str
    qualname: str
    occurrence: int
    goal: Goal | None
    original: str
    candidate: str
    imports: tuple[str, ...]
    examples: str | None


@dataclass(frozen=True, kw_only=True)
class Made:
    """When (ISO 8601) and with what a receipt was made; `python` is the version of the project's interpreter."""

    at: str
    burnish: str
    python: str
    platform: str


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """The evidence for a proposal, and what it takes to check it again elsewhere.

    `hashes` are SHA-256 hex digests of what it is bound to, by name, `test_files` those of the files that its tests and
    examples are in, by path; `protection` is what kept its runs in bounds.
    """

    claim: Claim
    made: Made
    evidence: Evidence
    checks: tuple[CheckOutcome, ...]
    timing: Timing | None
    metrics_before: dict[str, float]
    metrics_after: dict[str, float]
    hashes: dict[str, str]
    test_files: dict[str, str]
    protection: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Refinement:
    """What came of it. `new_text` and `diff` are of the whole file, empty where there is no proposal."""

    status: Literal["proposal", "none"]
    message: str
    goal: Goal
    snapshot: Snapshot
    unit: Unit
    history: History
    new_text: str
    diff: str
    stop_reason: str
    usage: Usage
    receipt: Receipt
