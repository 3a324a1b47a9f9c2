"""Tests in pytest's style that an interpreter without pytest cannot run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnish import diagnosis
from burnish.configuration import Settings
from burnish.missing_pytest import missing_pytest
from burnish_analyzers.harness.project import Interpreter

BARE = Interpreter(
    path=Path("/x/bin/python"),
    version=(3, 12, 0),
    has_pytest=False,
    prefix=Path("/x"),
    folders=(),
    source="the folder .venv",
)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tests/test_shop.py", "def test_total():\n    assert True\n"),
        ("tests/shop_test.py", "async def test_total():\n    assert True\n"),
        ("tests/test_shop.py", "import unittest\nimport pytest\n"),
        ("tests/conftest.py", "from pytest import fixture\n"),
        ("pytest.ini", ""),
        ("pyproject.toml", "[tool.pytest.ini_options]\n"),
        ("setup.cfg", "[tool:pytest]\n"),
    ],
)
def test_tests_for_pytest_need_it(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path / name, text)
    assert "`/x/bin/python -m pip install pytest`" in missing_pytest(tmp_path, BARE)
    assert missing_pytest(tmp_path, replace(BARE, has_pytest=True)) == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tests/test_shop.py", "import unittest\n\nclass T(unittest.TestCase):\n    def test_total(self): pass\n"),
        ("shop.py", "def test_me():\n    import pytest\n"),
        ("pyproject.toml", "[project]\nname = 'pytest-free'\n"),
        (".venv/lib/test_x.py", "import pytest\n"),
    ],
)
def test_other_tests_do_not(tmp_path: Path, name: str, text: str) -> None:
    write(tmp_path / name, text)
    assert missing_pytest(tmp_path, BARE) == ""


def test_the_doctor_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "find_interpreter", lambda *_: BARE)
    _, tests = diagnosis.interpreter(Settings(), tmp_path)
    assert (tests.ok, tests.detail) == (True, "run by unittest, since pytest is not installed there")
    write(tmp_path / "test_shop.py", "def test_total(): pass\n")
    _, tests = diagnosis.interpreter(Settings(), tmp_path)
    assert not tests.ok
    assert "install pytest" in tests.detail
