"""`burnish verify` on rewrites with one subtle fault each, and on honest ones of the same functions."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.end_to_end
MATERIAL = Path(__file__).parent / "rewrites"
NAMES = sorted(path.stem for path in (MATERIAL / "wrong").glob("*.py"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("subjects") / "project"
    shutil.copytree(MATERIAL / "project", folder)
    return folder


def verify(project: Path, name: str, candidate: Path) -> tuple[int, dict[str, Any]]:
    finished = subprocess.run(
        [
            sys.executable,
            "-m",
            "burnish",
            "verify",
            f"{project / 'subjects.py'}::{name}",
            "--candidate",
            str(candidate),
            "--interpreter",
            sys.executable,
            "--json",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.stdout, finished.stderr
    return finished.returncode, json.loads(finished.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_rewrite_is_rejected_with_its_reason(project: Path, name: str) -> None:
    code, document = verify(project, name, MATERIAL / "wrong" / f"{name}.py")
    assert (code, document["accepted"]) == (1, False), document
    failed = [check for check in document["receipt"]["checks"] if check["status"] == "failed"]
    assert len(failed) == 1
    assert failed[0]["counterexample"], failed


@pytest.mark.parametrize("name", NAMES)
def test_an_honest_rewrite_is_accepted(project: Path, name: str) -> None:
    code, document = verify(project, name, MATERIAL / "honest" / f"{name}.py")
    assert (code, document["accepted"]) == (0, True), document
    assert not [check for check in document["receipt"]["checks"] if check["status"] in ("failed", "errored")]
