"""From a model's code reply to the text of one unit."""

from __future__ import annotations

from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit


def fit_reply(snapshot: Snapshot, unit: Unit, reply: str) -> tuple[str, tuple[str, ...]]:
    """The unit's new text, with the indentation and newlines of its file, and the imports it needs at module level."""
    raise NotImplementedError
