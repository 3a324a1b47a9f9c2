"""Whether a project's tests are written for pytest while its interpreter has none."""

from __future__ import annotations

import re
from pathlib import Path

from burnish.files import python_files
from burnish_analyzers.harness.project import Interpreter

# Where pytest is configured, and by what line; pytest.ini needs none.
_CONFIGURED = (
    ("pytest.ini", re.compile(r"")),
    (".pytest.ini", re.compile(r"")),
    ("pyproject.toml", re.compile(r"^\[tool\.pytest\b", re.MULTILINE)),
    ("setup.cfg", re.compile(r"^\[tool:pytest\]", re.MULTILINE)),
    ("tox.ini", re.compile(r"^\[pytest\]", re.MULTILINE)),
)
_TEST_FILE = re.compile(r"test_.*\.py|.*_test\.py|conftest\.py")
_PYTEST_STYLE = re.compile(r"^\s*(?:import|from) pytest\b|^(?:async )?def test_", re.MULTILINE)


def missing_pytest(root: Path, interpreter: Interpreter) -> str:
    """What to do where tests in pytest's style meet an interpreter without pytest; "" where all is well."""
    if interpreter.has_pytest or not (_is_configured(root) or _has_tests(root)):
        return ""
    return (
        f"install pytest in the project's environment (`{interpreter.path} -m pip install pytest`), "
        "or name another interpreter with --interpreter"
    )


def _is_configured(root: Path) -> bool:
    return any((root / name).is_file() and line.search(_text(root / name)) for name, line in _CONFIGURED)


def _has_tests(root: Path) -> bool:
    return any(_TEST_FILE.fullmatch(path.name) and _PYTEST_STYLE.search(_text(path)) for path in python_files(root))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:  # what cannot be read tells nothing
        return ""
