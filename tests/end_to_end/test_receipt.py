"""A receipt's life: refine the sample project, apply, check elsewhere, edit, check again."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.end_to_end
SHOP = Path(__file__).parents[2] / "examples/shop"


def burnish(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "burnish", *words, "--interpreter", sys.executable]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def verify(project: Path, *words: str) -> tuple[int, dict[str, Any]]:
    finished = burnish("verify", "--receipt", "proof.json", "--json", *words, cwd=project)
    assert finished.stdout, finished.stderr
    return finished.returncode, json.loads(finished.stdout)


@pytest.fixture(scope="module")
def refined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample project whose `subscribers` was refined and written, with the receipt and the old file."""
    project = tmp_path_factory.mktemp("refined") / "shop"
    shutil.copytree(SHOP, project, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(project / "shop/newsletter.py", project / "newsletter.old")
    finished = burnish(
        *("refine", "shop/newsletter.py::subscribers", "--goal", "readability", "--apply", "--receipt", "proof.json"),
        cwd=project,
    )
    assert finished.returncode == 0, finished.stderr
    return project


@pytest.fixture
def project(refined: Path, tmp_path: Path) -> Path:
    """Another copy of that one, as a colleague or a CI run has."""
    return Path(shutil.copytree(refined, tmp_path / "checkout"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_it_holds_elsewhere_until_the_function_is_edited(project: Path) -> None:
    code, found = verify(project)
    assert (code, found["accepted"], found["applied"], found["void"]) == (0, True, True, False), found
    assert found["changes"] == []
    assert found["receipt"]["evidence"] == "strong"
    assert set(found["receipt"]["test_files"]) == {"tests/test_newsletter.py"}
    edit(project / "shop/newsletter.py", "return result", "return list(result)")
    code, found = verify(project)
    assert (code, found["accepted"], found["void"]) == (1, False, True), found
    assert "subscribers in shop/newsletter.py was edited since" in found["message"]


def test_it_holds_before_its_proposal_is_applied_too(project: Path) -> None:
    (project / "newsletter.old").replace(project / "shop/newsletter.py")
    code, found = verify(project)
    assert (code, found["accepted"], found["applied"]) == (0, True, False), found
    assert found["changes"] == []


@pytest.mark.parametrize(
    ("change", "exit_code"),
    [
        (lambda folder: edit(folder / "shop/newsletter.py", "Who gets", "Whoever gets"), 0),
        (lambda folder: edit(folder / "tests/test_newsletter.py", "def test_nobody", "def test_no_one"), 0),
        (lambda folder: edit(folder / "tests/test_newsletter.py", '["b@x", "a@x"]\n', '["a@x", "b@x"]\n'), 2),
    ],
    ids=["text", "tests", "failing tests"],
)
def test_the_checks_run_against_what_is_there_now(
    project: Path, change: Callable[[Path], object], exit_code: int
) -> None:
    change(project)
    code, found = verify(project)
    assert code == exit_code, found
    if exit_code == 0:
        (told,) = found["changes"]
        assert told["name"] in ("module", "tests")
    else:
        assert "fail before any change" in found["message"]


def test_a_forged_original_does_not_hold(project: Path) -> None:
    """A receipt is only text: what it says was the original is compared anew, and its hash is no seal."""
    from burnish.receipts import digest

    receipt = json.loads((project / "proof.json").read_text(encoding="utf-8"))
    forged = receipt["claim"]["original"].replace('"@" in', '"." in')
    receipt["claim"]["original"] = forged
    receipt["hashes"]["unit"] = digest(forged)
    (project / "proof.json").write_text(json.dumps(receipt), encoding="utf-8")
    code, found = verify(project)
    assert code != 0, found
    assert found["accepted"] is not True
