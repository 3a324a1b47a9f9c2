"""The JSON documents that `--json` prints; `docs/schema/` describes them.

Every command's document has the same keys whether it went well or not: an error's are blank, its `status` is "error".
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from burnish.engine.history import Usage
from burnish.engine.refinement import Receipt, Refinement
from burnish_analyzers.checks.outcome import CheckOutcome, Timing
from burnish_analyzers.source.units import Unit

Document = dict[str, Any]

RECEIPT_VERSION = 1

_NO_RECEIPT: Document = {
    "version": RECEIPT_VERSION,
    "claim": None,
    "made": None,
    "evidence": "none",
    "checks": [],
    "timing": None,
    "metrics": {"before": {}, "after": {}},
    "hashes": {},
    "test_files": {},
    "protection": [],
}
_BLANK: dict[str, Document] = {
    "refine": {
        "goal": None,
        "unit": None,
        "diff": "",
        "new_text": "",
        "encoding": None,
        "stop_reason": "",
        "candidates": 0,
        "usage": asdict(Usage()),
        "receipt": _NO_RECEIPT,
    },
    "verify": {"accepted": None, "void": False, "applied": None, "changes": [], "receipt": _NO_RECEIPT},
    "measure": {"files": []},
    "time": {
        "ratio": None,
        "low": None,
        "high": None,
        "confidence": None,
        "verdict": "cannot tell",
        "clock": None,
        "workloads": 0,
        "processes": 0,
        "resolution": None,
        "peak_bytes": None,
        "growth": None,
    },
    "doctor": {"ok": False, "findings": []},
}


def error_document(command: str, message: str) -> Document:
    """The document of a command that could not do its work."""
    return {"status": "error", "message": message, **_BLANK.get(command, {})}


def refine_document(refinement: Refinement) -> Document:
    """What a refinement came to."""
    snapshot = refinement.snapshot
    return {
        "status": refinement.status,
        "message": refinement.message,
        "goal": str(refinement.goal),
        "unit": unit_document(refinement.unit, str(snapshot.path) if snapshot.path else None),
        "diff": refinement.diff,
        "new_text": refinement.new_text,
        "encoding": "utf-8-sig" if snapshot.bom else snapshot.encoding,
        "stop_reason": refinement.stop_reason,
        "candidates": len(refinement.history.steps) - 1,
        "usage": asdict(refinement.usage),
        "receipt": receipt_document(refinement.receipt),
    }


def verify_document(accepted: bool | None, message: str, receipt: Receipt) -> Document:
    """The verdict on somebody's rewrite; `accepted` is None where nothing could be told."""
    return {
        "status": "done",
        "message": message,
        **_BLANK["verify"],
        "accepted": accepted,
        "receipt": receipt_document(receipt),
    }


def recheck_document(
    accepted: bool | None, message: str, receipt: Receipt | None, *, applied: bool | None, changes: list[Document]
) -> Document:
    """Whether a saved receipt still holds, and what changed since; one without a new receipt is void."""
    return {
        "status": "done",
        "message": message,
        "accepted": accepted,
        "void": receipt is None,
        "applied": applied,
        "changes": changes,
        "receipt": _NO_RECEIPT if receipt is None else receipt_document(receipt),
    }


def time_document(timing: Timing) -> Document:
    """How long the old and the new unit take."""
    return {"status": "done", "message": "", **timing_document(timing)}


def measure_document(files: list[Document]) -> Document:
    """The metrics of each file."""
    return {"status": "done", "message": "", "files": files}


def doctor_document(findings: list[Document]) -> Document:
    """What was looked at in a project; `ok` where nothing is missing."""
    ok = all(finding["ok"] for finding in findings)
    return {"status": "done", "message": "", "ok": ok, "findings": findings}


def unit_document(unit: Unit, path: str | None) -> Document:
    """Where a unit is; a script's qualname is empty."""
    return {
        "path": path,
        "qualname": unit.qualname,
        "kind": str(unit.kind),
        "start_line": unit.start_line,
        "end_line": unit.end_line,
    }


def receipt_document(receipt: Receipt) -> Document:
    """The evidence for a proposal."""
    return {
        "version": RECEIPT_VERSION,
        "claim": {**asdict(receipt.claim), "goal": receipt.claim.goal and str(receipt.claim.goal)},
        "made": asdict(receipt.made),
        "evidence": str(receipt.evidence),
        "checks": [check_document(check) for check in receipt.checks],
        "timing": None if receipt.timing is None else timing_document(receipt.timing),
        "metrics": {"before": receipt.metrics_before, "after": receipt.metrics_after},
        "hashes": receipt.hashes,
        "test_files": receipt.test_files,
        "protection": list(receipt.protection),
    }


def check_document(check: CheckOutcome) -> Document:
    """One check's answer."""
    return {**asdict(check), "status": str(check.status)}


def timing_document(timing: Timing) -> Document:
    """A ratio with its interval."""
    return asdict(timing)


def to_json(document: Document, indent: int | None = 2) -> str:
    """The document as ASCII JSON, whatever the terminal's encoding; a number that JSON lacks becomes null."""
    return json.dumps(_finite(document), indent=indent, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
