"""The whole way with nothing faked: `burnish lsp`, its worker, and a project with tests."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from lsprotocol import types

from tests.end_to_end.language_server.conftest import Editor, Start, capabilities, is_running

pytestmark = pytest.mark.end_to_end

BURNISH_LSP = (sys.executable, "-P", "-m", "burnish", "lsp", "--stdio")
SHOP = """\
# Größe 🎉
def known(names: list[str], wanted: list[str]) -> list[str]:
    found = []
    accepted = list(wanted)
    for name in names:
        if name in accepted:
            found.append(name)
    return found
"""
TEST_SHOP = """\
import shop


def test_known():
    names = [f"n{i}" for i in range(1_500)]
    assert shop.known(names, names[::2]) == names[::2]
    assert shop.known(["a", "b", "a"], ["a", "c"]) == ["a", "a"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose saved file is older than what the editor holds."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "shop.py").write_text("raise SystemExit('only the unsaved text works')\n")
    (root / "test_shop.py").write_text(TEST_SHOP)
    return root


async def opened(start: Start, project: Path) -> tuple[Editor, str]:
    editor = await start(capabilities(proposals=True), folders=[project], command=BURNISH_LSP)
    editor.settings = lambda uri: {"interpreter": sys.executable}
    return editor, editor.open((project / "shop.py").as_uri(), SHOP)


async def test_unsaved_text_gets_a_verified_proposal(start: Start, project: Path) -> None:
    editor, uri = await opened(start, project)
    job = await editor.refine(uri, (1, 6))
    await editor.until(lambda: editor.proposals or editor.messages, seconds=120)
    assert editor.messages == []
    [proposal] = editor.proposals
    assert {check["name"]: check["status"] for check in proposal["receipt"]["checks"]}["tests"] == "passed"
    assert editor.ended(job)
    steps = [value.get("message", "") for value in editor.progress[job]]
    assert any(message.startswith("critique 1") for message in steps)
    assert (await editor.request("burnish/accept", {"job": job}))["applied"] is True
    assert editor.texts[uri].startswith("# Größe 🎉\ndef known(")
    assert editor.texts[uri] != SHOP
    assert sorted(path.name for path in project.iterdir()) == ["shop.py", "test_shop.py"]


async def test_an_untitled_buffer_gets_a_clear_sentence(start: Start, project: Path) -> None:
    editor, _ = await opened(start, project)
    uri = editor.open("untitled:Untitled-1", SHOP)
    job = await editor.refine(uri, (1, 6), "readability")
    [message] = await editor.until(lambda: editor.ended(job) and editor.messages, seconds=60)
    assert "Traceback" not in message
    assert "\n" not in message


async def test_cancelling_leaves_no_process_and_no_file(
    start: Start, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    (project / "test_shop.py").write_text(TEST_SHOP + "    import time; time.sleep(60)\n")
    editor, uri = await opened(start, project)
    job = await editor.refine(uri, (1, 6))
    await editor.until(lambda: any("tests" in value.get("message", "") for value in editor.progress[job]), seconds=60)
    async with asyncio.timeout(60):
        while len(children := descendants(editor.server.pid)) < 3:  # the worker, its supervisor, the tests
            await asyncio.sleep(0.05)
    editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(job))
    async with asyncio.timeout(2):
        await editor.until(lambda: editor.ended(job))
        while any(map(is_running, children)):
            await asyncio.sleep(0.01)
    assert list(temporary.glob("burnish-*")) == []


def descendants(pid: int) -> list[int]:
    """The processes below `pid`."""
    found: list[int] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *descendants(child)]
    return found
