"""`docs/schema/` describes exactly what `--json` prints."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from burnish.cli.main import main
from burnish.configuration import Settings
from burnish.engine.refinement import Receipt
from burnish.report.document import (
    doctor_document,
    error_document,
    measure_document,
    receipt_document,
    recheck_document,
    refine_document,
    time_document,
    to_json,
    verify_document,
)
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import find_unit
from tests.unit.cli.conftest import OLD, RECEIPT, TIMING, FakeRefinement, Request
from tests.whole_repository.conftest import ROOT

SCHEMAS = ROOT / "docs/schema"
COMMANDS = ("refine", "verify", "measure", "time", "doctor")


@cache
def schemas() -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*.json")}


def check(name: str, document: dict[str, Any]) -> None:
    registry: Registry[Any] = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas().values()
    )
    Draft202012Validator(schemas()[name], registry=registry).validate(json.loads(to_json(document)))


def test_each_schema_is_one() -> None:
    assert set(schemas()) == {*COMMANDS, "receipt"}
    for name, schema in schemas().items():
        Draft202012Validator.check_schema(schema)
        assert schema["$id"] == f"urn:burnish:{name}"


@pytest.mark.parametrize("command", COMMANDS)
def test_an_error_has_every_key(command: str) -> None:
    document = error_document(command, "It did not work.")
    check(command, document)
    assert set(document) == set(schemas()[command]["properties"])


def test_a_receipt_with_everything() -> None:
    check("receipt", receipt_document(RECEIPT))


@pytest.mark.parametrize("path", [None, Path("/x/code.py")])
@pytest.mark.parametrize("new_text", ["", OLD])
def test_a_refinement(path: Path | None, new_text: str) -> None:
    snapshot = Snapshot.from_text(OLD, path)
    request = Request(
        snapshot=snapshot,
        unit=find_unit(snapshot, "total"),
        goal=Goal.PERFORMANCE,
        settings=Settings(),
        root=None,
    )
    document = refine_document(FakeRefinement(new_text=new_text).refinement(request))
    check("refine", document)
    assert document["status"] == ("proposal" if new_text else "none")


@pytest.mark.parametrize("accepted", [True, False, None])
def test_a_verification(accepted: bool | None) -> None:
    check("verify", verify_document(accepted, "So it is.", RECEIPT))


@pytest.mark.parametrize(("accepted", "receipt"), [(True, RECEIPT), (False, None), (None, RECEIPT)])
def test_a_receipt_checked_again(accepted: bool | None, receipt: Receipt | None) -> None:
    changes = [{"name": "tests", "detail": "tests/test_code.py changed since."}]
    check("verify", recheck_document(accepted, "So it is.", receipt, applied=accepted, changes=changes))


def test_a_timing_whose_interval_is_open() -> None:
    check("time", time_document(TIMING))
    check("time", time_document(replace(TIMING, high=float("inf"), ratio=float("nan"), verdict="cannot tell")))


def test_measures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check("measure", measure_document([]))
    (tmp_path / "code.py").write_text(OLD + "\n\nclass Shop:\n    pass\n\n\nx = 1\n", encoding="utf-8")
    (tmp_path / "empty.py").write_text("", encoding="utf-8")
    (tmp_path / "broken.py").write_text("def f(:\n", encoding="utf-8")
    assert main(["measure", str(tmp_path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    check("measure", document)
    assert [Path(file["path"]).name for file in document["files"]] == ["broken.py", "code.py", "empty.py"]


def test_a_diagnosis() -> None:
    findings = [{"name": "tests", "ok": True, "detail": "run by pytest"}]
    assert doctor_document(findings)["ok"] is True
    missing = doctor_document([*findings, {"name": "copy", "ok": False, "detail": "too large"}])
    assert missing["ok"] is False
    check("doctor", missing)
