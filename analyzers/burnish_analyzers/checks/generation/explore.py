"""Draws calls in rounds, runs the original on them, and draws more of the kinds that it is for."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from burnish_analyzers.checks.generation.draw import Draw, Drawn
from burnish_analyzers.checks.generation.signatures import signatures
from burnish_analyzers.checks.observation import Observed, is_use, observed
from burnish_analyzers.errors import JobError
from burnish_analyzers.harness.tasks import CallSource
from burnish_analyzers.harness.workbench import Workbench

ROUNDS = (120, 120, 160)
CALL_SECONDS = 0.3
ROUND_SECONDS = 4.0


@dataclass(frozen=True, kw_only=True)
class Explored:
    """Where the calls come from now, and what the original does on those that it is for, by their index."""

    source: CallSource
    observed: dict[int, Observed]


def explore(bench: Workbench, source: CallSource, facts: Mapping[str, Any], seconds: float) -> Explored:
    """Generated calls of the unit. `facts` is what the runner says of the recorded ones. Raises JobError."""
    draw = Draw(signatures(bench.snapshot, bench.unit, facts["shapes"]), facts["recorded"])
    explored = Explored(source=source, observed={})
    deadline = time.monotonic() + min(seconds, ROUND_SECONDS * len(ROUNDS))
    for size in ROUNDS:
        drawn = draw.some(size)
        if not drawn or time.monotonic() > deadline:
            break
        explored = one_round(bench, explored, draw, drawn)
    return explored


def one_round(bench: Workbench, explored: Explored, draw: Draw, drawn: list[Drawn]) -> Explored:
    """The original on one round of calls."""
    expressions = [one.expression for one in drawn]
    source = replace(explored.source, steps=(*explored.source.steps, {"expressions": expressions}))
    indices = indices_of(bench, source, ROUND_SECONDS)
    fresh = [index for index in dict.fromkeys(indices) if index is not None and index not in explored.observed]
    found = observed(bench, source, None, fresh, CALL_SECONDS, ROUND_SECONDS)
    for one, index in zip(drawn, indices, strict=True):
        if index is not None and (document := found.get(index)):
            draw.learn(one, is_use(document))
    return Explored(
        source=source,
        observed=explored.observed | {index: document for index, document in found.items() if is_use(document)},
    )


def indices_of(bench: Workbench, source: CallSource, seconds: float) -> list[int | None]:
    """The indices of the calls that the last step asks for, None for those that are none. Raises JobError."""
    for document in bench.calls(source, "gather", seconds):
        if "facts" in document:
            added: list[list[int | None]] = document["facts"]["added"]
            return added[-1]
    raise JobError("The calls that no test made could not be added.")
