"""Checks again what a saved receipt says: `burnish verify --receipt`."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.configuration import Settings
from burnish.engine.refinement import Claim, Receipt, Report
from burnish.receipts import digest, file_digest, inside, interpreter_digest, version_of
from burnish.saved_receipt import SavedReceipt
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.errors import SourceError
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.project import Interpreter, find_interpreter
from burnish_analyzers.source.edits import replace_unit
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, script_unit, units


@dataclass(frozen=True, kw_only=True)
class Change:
    """Something that is not as it was when the receipt was made; `detail` is one sentence for people."""

    name: str
    detail: str


@dataclass(frozen=True, kw_only=True)
class Recheck:
    """Whether a receipt still holds; `accepted` is None where that cannot be told.

    `applied`: whether the file holds the candidate; None where it holds neither it nor the original, which makes the
    receipt void. `receipt` is the new one, None for a void one.
    """

    accepted: bool | None
    message: str
    applied: bool | None
    changes: tuple[Change, ...]
    receipt: Receipt | None


@dataclass(frozen=True, kw_only=True)
class Found:
    """The unit as it is in the project now, and whether that is the candidate."""

    snapshot: Snapshot
    unit: Unit
    applied: bool


class VoidError(Exception):
    """The unit was edited since the receipt was made; the message is one sentence that says so."""


def recheck(saved: SavedReceipt, root: Path, settings: Settings, report: Report) -> Recheck:
    """Run the checks again on what the project at `root` holds now. Raises BurnishError."""
    from burnish.refinement import Request, judged

    claim = saved.claim
    try:
        found = find(claim, root)
    except VoidError as error:
        change = Change(name="unit", detail=str(error))
        return Recheck(accepted=False, message=str(error), applied=None, changes=(change,), receipt=None)
    changes = list(changes_before(saved, root, found, find_interpreter(root, settings.interpreter, os.environ)))
    snapshot, unit = with_original(claim, found)
    if settings.examples is None and claim.examples is not None:
        settings = replace(settings, examples=claim.examples)
    goal = claim.goal or Goal.READABILITY
    request = Request(snapshot=snapshot, unit=unit, goal=goal, settings=settings, root=root)
    # In a file that holds the candidate its imports must be there already: what is judged is that file as it is.
    imports = () if found.applied else claim.imports
    candidate = Candidate(iteration=1, origin="receipt", unit_text=claim.candidate, imports=imports)
    verification = judged(request, candidate, report, check_goal=claim.goal is not None)
    changes += changes_after(saved, verification.receipt, changes)
    return Recheck(
        accepted=verification.accepted,
        message=verification.message,
        applied=found.applied,
        changes=tuple(changes),
        receipt=verification.receipt,
    )


def find(claim: Claim, root: Path) -> Found:
    """The unit in the file now. Raises VoidError unless it is the original or the candidate."""
    path = root / claim.path
    if inside(root, path) is None:
        raise SourceError(f"{claim.path} leads out of {root}: name the project's top with --root.")
    if not path.is_file():
        raise VoidError(f"There is no {claim.path} in {root} any more; if the project is elsewhere, pass --root.")
    snapshot = Snapshot.read(path)
    unit = named_unit(claim, snapshot)
    name = claim.qualname or "the script"
    if unit is None:
        raise VoidError(f"{claim.path} has no {name} any more.")
    text = plain(unit.span.of(snapshot.text))
    if text not in (plain(claim.original), plain(claim.candidate)):
        raise VoidError(f"{name} in {claim.path} was edited since: it is neither the original nor the proposal.")
    return Found(snapshot=snapshot, unit=unit, applied=text == plain(claim.candidate))


def named_unit(claim: Claim, snapshot: Snapshot) -> Unit | None:
    """The unit that a receipt is about."""
    if not claim.qualname:
        return script_unit(snapshot)
    wanted = claim.qualname, claim.occurrence
    return next((unit for unit in units(snapshot) if (unit.qualname, unit.occurrence) == wanted), None)


def plain(text: str) -> str:
    """The text with the newlines that Python reads; a checkout may have other ones."""
    return re.sub("\r\n?", "\n", text)


def with_original(claim: Claim, found: Found) -> tuple[Snapshot, Unit]:
    """The module of now with the original in it."""
    if not found.applied:
        return found.snapshot, found.unit
    text = replace_unit(found.snapshot, found.unit, claim.original)
    snapshot = replace(found.snapshot, text=text)
    unit = named_unit(claim, snapshot)
    if unit is None or plain(unit.span.of(text)) != plain(claim.original):
        raise SourceError(
            f"The receipt's original is not {claim.qualname}, complete and alone: make the receipt again."
        )
    return snapshot, unit


def changes_before(saved: SavedReceipt, root: Path, found: Found, interpreter: Interpreter) -> Iterator[Change]:
    """What is not as it was and does not void the receipt, as far as files tell."""
    hashes, made = saved.hashes, saved.made
    module = hashes["changed_module" if found.applied else "module"]
    if digest(found.snapshot.text) != module:
        detail = f"Other text in {saved.claim.path} changed since; the checks run with what is there now."
        yield Change(name="module", detail=detail)
    for path, recorded in saved.test_files.items():
        now = file_digest(root / path) if inside(root, root / path) and (root / path).is_file() else ""
        if now != recorded:
            how = "changed since" if now else "is gone"
            yield Change(name="tests", detail=f"{path} {how}; the tests are run as they are now.")
    if interpreter_digest(interpreter) != hashes["interpreter"]:
        now = version_of(interpreter)
        builds = " (another build)" if now == made.python else ""
        detail = f"It was made with Python {made.python}; the checks run with {now}{builds}."
        yield Change(name="interpreter", detail=detail)
    if digest(platform.platform()) != hashes["platform"]:
        yield Change(name="platform", detail=f"It was made on {made.platform}; this is {platform.platform()}.")


def changes_after(saved: SavedReceipt, receipt: Receipt, known: list[Change]) -> Iterator[Change]:
    """What only the new run could tell."""
    if receipt.hashes["tests"] != saved.hashes["tests"] and not any(change.name == "tests" for change in known):
        yield Change(name="tests", detail="Other tests reach it now than then.")
    if receipt.evidence is not saved.evidence:
        yield Change(name="evidence", detail=f"The evidence was {saved.evidence}; now it is {receipt.evidence}.")
