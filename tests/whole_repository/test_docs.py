"""What the documents say of names, flags and folders is so."""

from __future__ import annotations

import argparse
import re
import tomllib
from dataclasses import fields
from typing import Any

import pytest

from burnish import __version__
from burnish.cli.arguments import create_parser
from burnish.configuration import ModelSettings, Settings, all_settings
from tests.whole_repository.conftest import ROOT

PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TEXTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "tests/README.md"])


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def requirement_names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~ ;\[]", requirement, maxsplit=1)[0] for requirement in requirements}


def test_the_version_is_one() -> None:
    assert PYPROJECT["project"]["version"] == __version__
    assert f"## [{__version__}]" in text("CHANGELOG.md")


def test_settings_are_all_described() -> None:
    rows = {
        name: (variable, default)
        for name, variable, default in re.findall(
            r"^\| `([a-z_.]+)` \| `(\w+)` \| ([^|]+) \|", text("docs/settings.md"), re.M
        )
    }
    assert {name: variable for name, (variable, _) in rows.items()} == {
        name: setting.variable for name, setting in all_settings().items()
    }
    defaults = {each.name: each.default for each in fields(Settings)}
    defaults |= {f"model.{each.name}": each.default for each in fields(ModelSettings)}
    for name, (_, shown) in rows.items():
        default = defaults[name]
        if isinstance(default, int | float) and not isinstance(default, bool):
            assert float(shown) == default, name


def test_commands_and_flags_are_all_described() -> None:
    sections = dict(re.findall(r"^## burnish (\w+)[^\n]*\n(.*?)(?=^## |\Z)", text("docs/command-line.md"), re.M | re.S))
    (commands,) = (each for each in create_parser()._actions if isinstance(each, argparse._SubParsersAction))
    parsers = {name: parser for name, parser in commands.choices.items() if name != "worker"}
    assert set(sections) == set(parsers)
    for name, parser in parsers.items():
        known = {option for action in parser._actions for option in action.option_strings} - {"-h", "--help", "--stdio"}
        described = set(re.findall(r"--[a-z][a-z-]+", sections[name]))
        assert known == described, name


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Any) -> None:
    for target in re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")):
        assert "://" in target or (path.parent / target).exists(), target


def test_every_dependency_has_its_reason_and_is_locked() -> None:
    wanted = requirement_names(PYPROJECT["project"]["dependencies"] + PYPROJECT["dependency-groups"]["dev"])
    explained = set(re.findall(r"^\| `([\w-]+)` \|", text("ARCHITECTURE.md"), re.M))
    assert wanted <= explained
    locked = set(re.findall(r"^([a-z0-9-]+)==", text("requirements.lock"), re.M))
    assert wanted <= locked
    assert "://" not in text("requirements.lock")


def test_every_invariant_names_a_test_that_exists() -> None:
    invariants = text("ARCHITECTURE.md").partition("## Invariants")[2].partition("\n## ")[0]
    items = re.findall(r"^\d+\. .*?(?=^\d+\. |\Z)", invariants, re.M | re.S)
    assert items
    for item in items:
        tests = re.findall(r"`(tests/[\w/.]+)`", item)
        assert tests, item
        assert [test for test in tests if not (ROOT / test).exists()] == []


def test_the_folder_map_is_of_this_repository() -> None:
    block = text("ARCHITECTURE.md").partition("## Folders")[2].partition("```\n")[2].partition("```")[0]
    folders = re.findall(r"^(\S+/)", block, re.M)
    assert folders
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
