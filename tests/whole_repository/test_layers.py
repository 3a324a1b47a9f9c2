"""Who may import whom, and who may do what (ARCHITECTURE.md, "Invariants")."""

from __future__ import annotations

import ast
import sys

import pytest

from tests.whole_repository.conftest import Module, is_under, modules

# What each layer may import of ours, beside itself; a module outside of these puts layers together.
LAYERS = {
    "burnish_analyzers": (),
    "burnish_prompts": (),
    "burnish.engine": ("burnish_analyzers", "burnish_prompts"),
    "burnish.backends": ("burnish_analyzers", "burnish_prompts", "burnish.engine", "burnish.configuration"),
    "burnish.report": ("burnish_analyzers", "burnish.engine"),
    "burnish.lsp": ("burnish_analyzers", "burnish.__version__", "burnish.engine", "burnish.configuration"),
}
# The only packages that may import these.
OWNERS = {
    "pygls": ("burnish.lsp",),
    "lsprotocol": ("burnish.lsp",),
    "openai": ("burnish.backends",),
    "rich": ("burnish.cli",),
    "libcst": ("burnish.backends",),
    "radon": ("burnish_analyzers.metrics",),
    "tree_sitter_python": ("burnish_analyzers",),
    "subprocess": ("burnish_analyzers.harness",),
    "multiprocessing": ("burnish_analyzers.harness",),
    "pty": ("burnish_analyzers.harness",),
}
# What the engine, which does no IO, has no use for.
IO_MODULES = (
    "asyncio",
    "io",
    "logging",
    "os",
    "pathlib",
    "shutil",
    "socket",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
)
PROCESS_STARTERS = {
    "create_subprocess_exec",
    "create_subprocess_shell",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "fork",
    "forkpty",
    "popen",
    "posix_spawn",
    "posix_spawnp",
    "spawnv",
    "spawnve",
    "system",
}
OURS = ("burnish", "burnish_analyzers", "burnish_prompts")


def by_name(module: Module) -> str:
    return module.name


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_a_module_imports_only_what_lies_below_it(module: Module) -> None:
    layer = next((layer for layer in LAYERS if module.is_in(layer)), None)
    if layer is not None:
        allowed = (layer, *LAYERS[layer])
        ours = [name for name in module.imports() if any(is_under(name, package) for package in OURS)]
        assert [name for name in ours if not any(is_under(name, package) for package in allowed)] == []


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_a_library_is_imported_by_its_owner_only(module: Module) -> None:
    strangers = [
        name
        for name in module.imports()
        for library, owners in OWNERS.items()
        if is_under(name, library) and not module.is_in(*owners)
    ]
    assert strangers == []


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_only_the_harness_starts_processes(module: Module) -> None:
    if not module.is_in("burnish_analyzers.harness"):
        used = {ast.unparse(node) for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)}
        starters = {f"{owner}.{name}" for owner in ("asyncio", "os") for name in PROCESS_STARTERS}
        assert used & starters == set()


@pytest.mark.parametrize("module", [each for each in modules() if each.is_in("burnish.engine")], ids=by_name)
def test_the_engine_does_no_io(module: Module) -> None:
    assert [name for name in module.imports() if any(is_under(name, each) for each in IO_MODULES)] == []
    called = {
        node.func.id for node in ast.walk(module.tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called & {"open", "print", "input"} == set()


@pytest.mark.parametrize("folder", ["runner", "supervisor"])
def test_what_runs_without_our_packages_needs_only_the_standard_library(folder: str) -> None:
    """The one is handed to the project's interpreter, the other starts without site-packages."""
    package = f"burnish_analyzers.harness.{folder}"
    inside = [module for module in modules() if module.is_in(package)]
    assert inside
    for module in inside:
        ours = (package, "burnish_analyzers.harness.runner")  # which needs no more than it does
        names = [name for name in module.imports() if not any(is_under(name, each) for each in ours)]
        assert {name.partition(".")[0] for name in names} <= {*sys.stdlib_module_names, "pytest"}, module.name
