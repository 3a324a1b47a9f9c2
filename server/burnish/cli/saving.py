"""Writes an accepted proposal to its file, and its receipt to another."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from burnish.engine.refinement import Receipt
from burnish.report.document import receipt_document, to_json
from burnish_analyzers.errors import SourceError, StaleDocumentError
from burnish_analyzers.source.snapshot import Snapshot


def save(snapshot: Snapshot, new_text: str) -> Path:
    """Put `new_text` in the place of the snapshot's file, all at once; its encoding and permissions stay.

    Raises StaleDocumentError if the file changed since it was read, SourceError if it cannot be written.
    """
    assert snapshot.path is not None
    path = snapshot.path.resolve()  # a link stays a link
    data = snapshot.encode(new_text)
    try:
        if path.read_bytes() != snapshot.encode():
            raise StaleDocumentError(f"{path} changed while it was being refined, nothing was written: run again.")
        _replace(path, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(
            f"{path} cannot be written ({reason}): check its permissions and those of its folder."
        ) from error
    return path


def save_receipt(path: Path, receipt: Receipt) -> None:
    """Put a receipt into a file. Raises SourceError if it cannot be written."""
    try:
        path.write_text(to_json(receipt_document(receipt)) + "\n", encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(f"The receipt {path} cannot be written ({reason}): name another file.") from error


def _replace(path: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        shutil.copymode(path, name)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
