"""The repository's own modules, as a test reads them."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOPS = ("server", "analyzers", "prompts")


@dataclass(frozen=True, kw_only=True)
class Module:
    """One module of ours."""

    name: str
    path: Path

    @functools.cached_property
    def text(self) -> str:
        """Its source."""
        return self.path.read_text(encoding="utf-8")

    @functools.cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.text)

    def imports(self) -> Iterator[str]:
        """The dotted name of each module or member that it imports anywhere, type checking included."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                above = self.name.split(".")[: -node.level] if node.level else []
                origin = ".".join([*above, *filter(None, [node.module])])
                yield from (f"{origin}.{alias.name}" for alias in node.names)

    def is_in(self, *packages: str) -> bool:
        """Whether it belongs to one of the packages."""
        return any(is_under(self.name, package) for package in packages)


def is_under(name: str, package: str) -> bool:
    """Whether a dotted name is the package or in it."""
    return name == package or name.startswith(f"{package}.")


@functools.cache
def modules() -> tuple[Module, ...]:
    """Every module that is shipped."""
    found = []
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT / top).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(Module(name=name, path=path))
    return tuple(found)
