"""Size and documentation of our modules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.whole_repository.conftest import ROOT, TOPS, Module, modules

LONGEST_MODULE = 400
LONGEST_FUNCTION = 60


def by_name(module: Module) -> str:
    return module.name


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_a_module_can_be_read_at_a_sitting(module: Module) -> None:
    assert len(module.text.splitlines()) <= LONGEST_MODULE
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < LONGEST_FUNCTION, node.name


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_what_is_public_has_a_docstring(module: Module) -> None:
    definitions = [
        node for node in module.tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    assert [node.name for node in definitions if not node.name.startswith("_") and not ast.get_docstring(node)] == []
    assert ast.get_docstring(module.tree) or not module.text


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_no_error_is_swallowed_wholesale(module: Module) -> None:
    """Only the runner, which stands between us and any code of the user's, may catch everything."""
    if module.is_in("burnish_analyzers.harness"):
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler):
            broad = node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
            raises_again = any(isinstance(inner, ast.Raise) and inner.exc is None for inner in node.body)
            assert not broad or raises_again, f"line {node.lineno}"


@pytest.mark.parametrize("top", TOPS)
def test_the_top_folders_are_no_packages(top: str) -> None:
    """Nothing called `server` may reach site-packages."""
    assert not (ROOT / top / "__init__.py").exists()
    packages = [path.parent.name for path in (ROOT / top).glob("*/__init__.py")]
    assert len(packages) == 1
    assert (ROOT / top / packages[0] / "py.typed").exists()


def test_every_folder_of_modules_is_a_package() -> None:
    folders: set[Path] = {module.path.parent for module in modules()}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []
