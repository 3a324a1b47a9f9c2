"""Reads a receipt that somebody saved: text that anybody may have written, so nothing of it is believed unseen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

from burnish.engine.refinement import Claim, Made
from burnish.receipts import digest
from burnish.report.document import RECEIPT_VERSION
from burnish_analyzers.checks.outcome import Evidence
from burnish_analyzers.errors import SourceError
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.imports import parse_import

MOST_BYTES = 16 << 20
MOST_CHARACTERS = 1_000
HASHES = ("unit", "candidate", "module", "changed_module", "tests", "interpreter", "platform")


@dataclass(frozen=True, kw_only=True)
class SavedReceipt:
    """What a receipt says that can be checked again; paths are relative and lead nowhere above their start."""

    claim: Claim
    made: Made
    evidence: Evidence
    hashes: dict[str, str]
    test_files: dict[str, str]


def read_receipt(path: Path) -> SavedReceipt:
    """The receipt in a file: one by itself, or in a document of `refine --json` or `verify --json`.

    Raises SourceError where there is none, or where it contradicts itself.
    """
    document = _read(path)
    try:
        return _checked(_Part(document.get("receipt", document), ""))
    except _MalformedError as error:
        raise SourceError(
            f"{path} is no receipt that can be checked ({error}): make it again with `burnish refine --receipt`."
        ) from None


def _read(path: Path) -> dict[str, Any]:
    if path.exists() and not path.is_file():
        raise SourceError(f"{path} is no regular file: name a receipt.")
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise SourceError(f"There is no file {path}: check the path.") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error
    if len(data) > MOST_BYTES:
        raise SourceError(f"{path} is larger than {MOST_BYTES >> 20} MiB, as no receipt is: name another file.")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise SourceError(f"{path} holds no JSON object: name a receipt.")
    return document


class _MalformedError(Exception):
    """The receipt is not as its schema says; the message tells where."""


class _Part:
    """An object of the document, read key by key; `name` tells where it is."""

    def __init__(self, value: object, name: str) -> None:
        if not isinstance(value, dict):
            raise _MalformedError(f"{name or 'it'} is no object")
        self.values: dict[str, object] = value
        self.name = name

    def part(self, key: str) -> _Part:
        """An object in it."""
        return _Part(self.values.get(key), self._named(key))

    def code(self, key: str) -> str:
        """Any text that can be encoded."""
        value = self.values.get(key)
        if not isinstance(value, str):
            self.refuse(key, "is no text")
        try:
            value.encode()
        except UnicodeEncodeError:
            self.refuse(key, "cannot be encoded")
        return value

    def line(self, key: str) -> str:
        """Text that a terminal shows as it is."""
        value = self.code(key)
        if not value.isprintable() or len(value) > MOST_CHARACTERS:
            self.refuse(key, "is not one short line")
        return value

    def path(self, key: str) -> str:
        """A path that stays below its start, as far as its text tells."""
        value = self.line(key)
        if not is_below(value):
            self.refuse(key, "leads out of the project")
        return value

    def refuse(self, key: str, problem: str) -> NoReturn:
        """Say what is wrong with a key."""
        raise _MalformedError(f"{self._named(key)} {problem}")

    def _named(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key


def is_below(path: str) -> bool:
    """Whether a relative path names something below its start."""
    pure = PurePosixPath(path)
    return bool(pure.parts) and not pure.is_absolute() and ".." not in pure.parts


def _checked(receipt: _Part) -> SavedReceipt:
    if receipt.values.get("version") != RECEIPT_VERSION:
        receipt.refuse("version", f"is not {RECEIPT_VERSION}")
    claim = _claim(receipt.part("claim"))
    part = receipt.part("hashes")
    hashes = {name: part.line(name) for name in HASHES}
    if hashes["unit"] != digest(claim.original):
        part.refuse("unit", "is not that of the original")
    if hashes["candidate"] != digest(claim.candidate, *claim.imports):
        part.refuse("candidate", "is not that of the candidate")
    evidence = receipt.line("evidence")
    if evidence not in list(Evidence):
        receipt.refuse("evidence", "is none that there is")
    return SavedReceipt(
        claim=claim,
        made=_made(receipt.part("made")),
        evidence=Evidence(evidence),
        hashes=hashes,
        test_files=_test_files(receipt.part("test_files")),
    )


def _claim(part: _Part) -> Claim:
    occurrence = part.values.get("occurrence")
    if type(occurrence) is not int or occurrence < 0:
        part.refuse("occurrence", "is no count")
    claim = Claim(
        path=part.path("path"),
        qualname=part.line("qualname"),
        occurrence=occurrence,
        goal=_goal(part),
        original=part.code("original"),
        candidate=part.code("candidate"),
        imports=_imports(part),
        examples=None if part.values.get("examples") is None else part.path("examples"),
    )
    if claim.candidate == claim.original:
        part.refuse("candidate", "is the original: nothing was proposed")
    return claim


def _goal(part: _Part) -> Goal | None:
    if part.values.get("goal") is None:
        return None
    goal = part.line("goal")
    if goal not in list(Goal):
        part.refuse("goal", "is none that there is")
    return Goal(goal)


def _imports(part: _Part) -> tuple[str, ...]:
    imports = part.values.get("imports")
    if not isinstance(imports, list) or not all(isinstance(statement, str) for statement in imports):
        part.refuse("imports", "is no list of texts")
    for statement in imports:
        try:
            parse_import(statement)
        except (SourceError, ValueError):
            part.refuse("imports", "holds what is no import")
    return tuple(imports)


def _made(part: _Part) -> Made:
    made = Made(
        at=part.line("at"), burnish=part.line("burnish"), python=part.line("python"), platform=part.line("platform")
    )
    try:
        datetime.fromisoformat(made.at)
    except ValueError:
        part.refuse("at", "is no time")
    return made


def _test_files(part: _Part) -> dict[str, str]:
    for path in part.values:
        if not path.isprintable() or not is_below(path):
            part.refuse(path if path.isprintable() else "…", "leads out of the project")
    return {path: part.line(path) for path in part.values}
