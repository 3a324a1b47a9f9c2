"""What versions do on calls, as the runner tells it, and how two such accounts differ."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from burnish_analyzers.checks.comparison import Difference, difference, shown
from burnish_analyzers.checks.outcome import Counterexample
from burnish_analyzers.errors import JobError
from burnish_analyzers.harness.tasks import CallSource, Version
from burnish_analyzers.harness.workbench import Workbench

MOST_CRASHES = 10
# Errors that say a call was none of those that a function is for, whatever its values.
MISUSE = ("TypeError", "AttributeError", "NameError", "UnboundLocalError", "RecursionError", "MemoryError")

Observed = Mapping[str, Any]


def observed(
    bench: Workbench,
    source: CallSource,
    version: Version | None,
    indices: Iterable[int],
    limits: float | Mapping[int, float],
    seconds: float,
) -> dict[int, Observed]:
    """What a version does on some calls, by index. A call that ends its process is told by "crash". Raises JobError."""
    found: dict[int, Observed] = {}
    waiting = list(indices)
    deadline = time.monotonic() + seconds
    for _ in range(MOST_CRASHES):
        if not waiting or time.monotonic() > deadline:
            break
        answer = bench.calls(
            source,
            "observe",
            max(1.0, deadline - time.monotonic()),
            version=asdict(version) if version else None,
            indices=waiting,
            limits=[limits if isinstance(limits, float) else limits[index] for index in waiting],
        )
        if problem := next((document["unswappable"] for document in answer if "unswappable" in document), ""):
            raise JobError(f"It cannot be run in place of the original: {problem}.")
        found |= {document["index"]: document for document in answer if "index" in document}
        begun = [document["begins"] for document in answer if "begins" in document]
        if not begun or begun[-1] in found:
            break
        found[begun[-1]] = {"crash": next((document["ended"] for document in answer if "ended" in document), "")}
        waiting = waiting[waiting.index(begun[-1]) + 1 :]
    return found


def natural_error(document: Observed) -> str:
    """The type of the exception that a call ended with at once, without a ``raise`` of the unit's; "" for none."""
    error = document["error"]
    return str(error["type"]) if error and error["at_once"] and not error["deliberate"] else ""


def is_use(document: Observed) -> bool:
    """Whether a call is one that the function is for."""
    if any(name in document for name in ("late", "crash", "unmade")):
        return False
    error = document["error"]
    return error is None or error["deliberate"] or error["type"] not in MISUSE


def differing(old: Observed, new: Observed, *, by_kind: bool) -> tuple[str, Difference] | None:
    """The first part in which two observations differ, by its label. Raises IncomparableError."""
    if by_kind and new["error"] and new["error"]["at_once"] and old["error"]["type"] == new["error"]["type"]:
        return None
    found = difference(old["portrait"], new["portrait"])
    if found is None:
        return None
    place = found.path[1:].partition("]")[0]
    return old["labels"][int(place) if place.isdigit() else 0], found


def explained(old: Observed, new: Observed, *, by_kind: bool) -> Counterexample | None:
    """How two observations of one call differ; None where they do not. Raises IncomparableError."""
    call = str(old["call"])
    if "late" in new:
        return Counterexample(call=call, expected="an answer", actual=f"none after {new['late']:.1f} s")
    if "unmade" in new:
        return Counterexample(call=call, expected=old["described"], actual=f"cannot be called: {new['unmade']}")
    if "crash" in new:
        return Counterexample(call=call, expected=old["described"], actual=f"ends the process: {new['crash']}")
    found = differing(old, new, by_kind=by_kind)
    if found is None:
        return None
    part, where = found
    expected, actual = str(old["described"]), str(new["described"])
    if part != "outcome" or expected == actual:
        place = part + where.path.partition("]")[2]
        expected, actual = (f"{place}: {shown(node)}" for node in (where.old, where.new))
    return Counterexample(call=call, expected=expected, actual=actual)
