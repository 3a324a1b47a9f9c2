"""Draws calls, and learns from what the original does on them which kinds of value it is for."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import hypothesis.configuration
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from burnish_analyzers.checks.generation.signatures import KEPT, Signature
from burnish_analyzers.checks.generation.values import Choice, modules_in

MOST_WEIGHT = 12
Labels = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """One call as `runner/calls.py` takes it, with the kinds of its arguments."""

    signature: int
    labels: Labels
    expression: dict[str, Any]


class Draw:
    """Draws calls of some functions. `recorded`: for each function, the indices of its recorded calls."""

    def __init__(self, signatures: Sequence[Signature], recorded: Mapping[str, Sequence[int]]) -> None:
        self.recorded = recorded
        self.signatures = [one for one in signatures if recorded.get(one.qualname) or not one.needs_recorded]
        self.good = Counter[tuple[int, str, str]]()
        self.tried = Counter[tuple[int, str, str]]()
        self.fitting: dict[int, list[Labels]] = {}

    def some(self, count: int) -> list[Drawn]:
        """Up to so many calls, no two alike, the same each time that the same was learnt."""
        found: dict[str, Drawn] = {}
        if not self.signatures:
            return []

        @settings(
            max_examples=count,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(st.data())
        def collect(data: st.DataObject) -> None:
            drawn = self.one(data)
            found.setdefault(repr(drawn.expression), drawn)

        with tempfile.TemporaryDirectory() as folder:  # it keeps tables on disk, and not in the user's project
            hypothesis.configuration.set_hypothesis_home_dir(folder)
            collect()
        return list(found.values())

    def one(self, data: st.DataObject) -> Drawn:
        """One call: its function, the kinds of its arguments, then their sources."""
        index = data.draw(st.integers(0, len(self.signatures) - 1))
        signature = self.signatures[index]
        labels = self.labels(data, index)
        arguments = {}
        for (name, choices), label in zip(signature.choices.items(), labels, strict=True):
            choice = next(choice for choice in choices if choice.label == label)
            if source := data.draw(choice.sources):
                arguments[name] = source
        recorded = self.recorded.get(signature.qualname, ())
        base = None
        must = signature.needs_recorded or KEPT.label in labels
        if recorded and (must or data.draw(st.integers(0, 2))):
            base = data.draw(st.sampled_from(recorded))
        receiver = data.draw(signature.receiver) if signature.receiver is not None and base is None else ""
        expression = {
            "function": signature.qualname,
            "base": base,
            "receiver": receiver,
            "arguments": arguments,
            "modules": modules_in(" ".join([receiver, *arguments.values()])),
        }
        return Drawn(signature=index, labels=labels, expression=expression)

    def labels(self, data: st.DataObject, index: int) -> Labels:
        """Kinds that fitted together before, or of each parameter one of those that fitted more often than others."""
        fitting = self.fitting.get(index)
        if fitting and data.draw(st.booleans()):
            return data.draw(st.sampled_from(fitting))
        return tuple(
            data.draw(
                st.sampled_from([choice.label for choice in choices for _ in range(self.weight(index, name, choice))])
            )
            for name, choices in self.signatures[index].choices.items()
        )

    def weight(self, index: int, name: str, choice: Choice) -> int:
        """How often a kind is drawn: from once for one that never fits."""
        key = (index, name, choice.label)
        share = (self.good[key] + 1) / (self.tried[key] + 2)
        return max(1, round(MOST_WEIGHT * share)) if choice is not KEPT else MOST_WEIGHT // 2

    def learn(self, drawn: Drawn, fits: bool) -> None:
        """What came of a call: whether it was one that the function is for."""
        names = self.signatures[drawn.signature].choices
        for name, label in zip(names, drawn.labels, strict=True):
            key = (drawn.signature, name, label)
            self.tried[key] += 1
            self.good[key] += fits
        if fits and drawn.labels not in (known := self.fitting.setdefault(drawn.signature, [])):
            known.append(drawn.labels)
