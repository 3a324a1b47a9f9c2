"""One immutable state of one document: its text, and what it takes to write it back byte for byte."""

from __future__ import annotations

import codecs
import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from burnish_analyzers.errors import SourceError
from burnish_analyzers.source.line_index import LineIndex
from burnish_analyzers.source.tree import SyntaxTree

_BOM = b"\xef\xbb\xbf"
_COOKIE_BYTES = 4096
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_NO_CODE = re.compile(rb"[ \t\f]*(?:#|$)")


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A document as it was at one moment.

    `text` holds the newlines exactly as in the file, and no byte order mark; `bom` tells whether there was one.
    `encoding` is the Python codec named by the PEP 263 cookie, "utf-8" without one. `version` is the editor's.
    """

    path: Path | None
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    version: int | None = None

    @classmethod
    def read(cls, path: Path) -> Snapshot:
        """The file as it is on disk. Raises SourceError if it cannot be read or decoded."""
        if path.exists() and not path.is_file() and not path.is_dir():  # reading a pipe would wait for ever
            raise SourceError(f"{path} is no regular file: name a Python file.")
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise SourceError(f"There is no file {path}: check the path.") from None
        except IsADirectoryError:
            raise SourceError(f"{path} is a folder: name a Python file inside it.") from None
        except OSError as error:
            reason = error.strerror or str(error)
            raise SourceError(f"{path} cannot be read ({reason}): check the path and its permissions.") from error
        return cls.from_bytes(data, path)

    @classmethod
    def from_bytes(cls, data: bytes, path: Path | None = None) -> Snapshot:
        """The file of these bytes. Raises SourceError if they cannot be decoded and written back unchanged."""
        encoding, bom = _encoding_of(data, path)
        body = data[len(_BOM) :] if bom else data
        try:
            text = body.decode(encoding)
        except UnicodeError as error:
            raise SourceError(
                f"{_name(path)} is not valid {encoding}: save it as UTF-8, or name its encoding in a "
                f"`# -*- coding: ... -*-` line ({error})."
            ) from error
        snapshot = cls(path=path, text=text, encoding=encoding, bom=bom)
        if snapshot.encode() != data:
            raise SourceError(f"{_name(path)} cannot be written back unchanged as {encoding}: save it as UTF-8.")
        return snapshot

    @classmethod
    def from_text(cls, text: str, path: Path | None = None, version: int | None = None) -> Snapshot:
        """The unsaved text of an editor. Raises SourceError if its coding cookie names no known encoding."""
        bom = text.startswith("\ufeff")
        body = text[1:] if bom else text
        head = body[:_COOKIE_BYTES].encode("utf-8", "replace")
        encoding, _ = _encoding_of(_BOM + head if bom else head, path)
        return cls(path=path, text=body, encoding=encoding, bom=bom, version=version)

    def encode(self, text: str | None = None) -> bytes:
        """This document, or `text` in its place, as bytes. Raises SourceError where its encoding lacks a character."""
        try:
            body = (self.text if text is None else text).encode(self.encoding)
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            raise SourceError(
                f"{_name(self.path)} is written in {self.encoding}, which has no {character!r}: save it as UTF-8, or "
                "leave that character out."
            ) from error
        return _BOM + body if self.bom else body

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the encoded document, in hexadecimal."""
        return hashlib.sha256(self.encode()).hexdigest()

    @cached_property
    def lines(self) -> LineIndex:
        """Where the lines begin."""
        return LineIndex(self.text)

    @cached_property
    def tree(self) -> SyntaxTree:
        """The syntax tree of the text."""
        return SyntaxTree.parse(self.text)

    @property
    def newline(self) -> str:
        r"""The newline that most lines end with; "\n" in a text of one line."""
        return dominant_newline(self.text)


def dominant_newline(text: str, default: str = "\n") -> str:
    """The newline that ends most lines of `text`; `default` where no line ends."""
    crlf = text.count("\r\n")
    counts = {"\n": text.count("\n") - crlf, "\r\n": crlf, "\r": text.count("\r") - crlf}
    best = max(counts, key=lambda newline: counts[newline])
    return best if counts[best] else default


def _name(path: Path | None) -> str:
    return str(path) if path is not None else "The document"


def _encoding_of(data: bytes, path: Path | None) -> tuple[str, bool]:
    """The codec that the cookie names (PEP 263), and whether a byte order mark comes first."""
    bom = data.startswith(_BOM)
    lines = data[len(_BOM) * bom : _COOKIE_BYTES].splitlines()[:2]
    cookie = next((match[1] for line in lines[:1] if (match := _COOKIE.match(line))), None)
    if cookie is None and len(lines) == 2 and _NO_CODE.match(lines[0]) and (match := _COOKIE.match(lines[1])):
        cookie = match[1]
    named = cookie.decode("ascii", "replace") if cookie else "utf-8"
    try:
        encoding = codecs.lookup(named).name.removesuffix("-sig")
        "x".encode(encoding)
    except (LookupError, UnicodeError):
        raise SourceError(f"{_name(path)} names an unknown encoding, {named}: correct its coding line.") from None
    if bom and encoding != "utf-8":
        raise SourceError(f"{_name(path)} has a UTF-8 byte order mark but names {named}: correct its coding line.")
    return encoding, bom
