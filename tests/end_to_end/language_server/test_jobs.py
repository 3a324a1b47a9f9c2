"""Jobs over a real connection: progress, cancelling at any moment, and that no process is left by any way out."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.end_to_end.language_server.conftest import Editor, Start, capabilities, is_running

pytestmark = pytest.mark.end_to_end

CODE = "def total(values):\n    return sum(values)\n\n\ndef other(values):\n    return values\n"
URI = "file:///work/code.py"
GONE_SECONDS = 2


async def hanging(editor: Editor, tmp_path: Path, how: str = "burn", place: tuple[int, int] = (0, 5)) -> str:
    """A job that does not end by itself, once its worker runs."""
    editor.settings = lambda uri: {"fake": {"hang": how, "pids": str(tmp_path / "pids")}}
    if URI not in editor.texts:
        editor.open(URI, CODE)
    job = await editor.refine(URI, place)
    await editor.until(lambda: any(value["kind"] == "report" for value in editor.progress[job]))
    return job


def workers(tmp_path: Path) -> list[int]:
    return [int(line) for line in (tmp_path / "pids").read_text().split()]


async def gone(pids: list[int]) -> None:
    assert pids
    async with asyncio.timeout(GONE_SECONDS):
        while any(map(is_running, pids)):
            await asyncio.sleep(0.01)


async def test_progress_tells_the_steps_in_one_line(start: Start) -> None:
    editor = await start()
    editor.settings = lambda uri: {"fake": {"steps": 2}}
    editor.open(URI, CODE)
    job = await editor.refine(URI, (0, 5))
    await editor.until(lambda: editor.ended(job) and editor.messages)
    begin, *reports, end = editor.progress[job]
    assert begin == {"kind": "begin", "title": "Refine `total` for performance", "cancellable": True}
    assert reports[2]["message"] == "critique 1/4 · tests 12/12 · timing: 1.84× faster"
    assert reports[-1]["message"] == "critique 2/4 · tests 12/12 · timing: 1.84× faster"
    assert end == {"kind": "end"}
    assert editor.messages == ["Nothing better was found."]


async def test_a_client_without_progress_gets_none(start: Start) -> None:
    editor = await start(capabilities(progress=False))
    editor.open(URI, CODE)
    await editor.refine(URI, (0, 5))
    await editor.until(lambda: editor.messages)
    assert editor.progress == {}


@pytest.mark.parametrize("how", ["progress", "command", "close", "trust"])
async def test_cancelling_ends_progress_and_every_process(start: Start, tmp_path: Path, how: str) -> None:
    editor = await start()
    job = await hanging(editor, tmp_path)
    begin = time.monotonic()
    if how == "progress":
        editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(job))
    elif how == "command":
        await editor.request(
            "workspace/executeCommand", {"command": "burnish.server.cancel", "arguments": [{"job": job}]}
        )
    elif how == "close":
        editor.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(URI)))
    else:
        editor.protocol.notify("burnish/trust", {"trusted": False})
    await editor.until(lambda: editor.ended(job))
    await gone(workers(tmp_path))
    assert time.monotonic() - begin < GONE_SECONDS
    assert editor.messages == []


async def test_a_worker_that_ignores_sigterm_is_gone_within_two_seconds_too(start: Start, tmp_path: Path) -> None:
    editor = await start()
    job = await hanging(editor, tmp_path, "stubborn")
    begin = time.monotonic()
    editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(job))
    await editor.until(lambda: editor.ended(job))
    await gone(workers(tmp_path))
    assert time.monotonic() - begin < GONE_SECONDS


async def test_cancelling_at_once_is_not_too_early(start: Start) -> None:
    editor = await start()
    editor.settings = lambda uri: {"fake": {"hang": "burn"}}
    editor.open(URI, CODE)
    for _ in range(3):
        job = await editor.refine(URI, (0, 5))
        await editor.request(
            "workspace/executeCommand", {"command": "burnish.server.cancel", "arguments": [{"job": job}]}
        )
        # The same unit can be refined again at once, and the cancelled one leaves no open progress.
        await editor.until(lambda job=job: not editor.progress[job] or editor.ended(job))


async def test_the_same_click_twice_is_one_job_and_others_run_side_by_side(start: Start, tmp_path: Path) -> None:
    editor = await start()
    first = await hanging(editor, tmp_path)
    assert await editor.refine(URI, (1, 5)) == first
    editor.type(URI, (0, 0, 0, 0), "import os\n")
    assert await editor.refine(URI, (2, 5)) == first
    second = await editor.refine(URI, (2, 5), "readability")
    third = await hanging(editor, tmp_path, place=(5, 5))
    assert len({first, second, third}) == 3
    editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(first))
    await editor.until(lambda: editor.ended(first))
    assert not editor.ended(third)
    assert await hanging(editor, tmp_path, place=(1, 5)) not in (first, second, third)


async def test_shutdown_waits_for_the_workers(start: Start, tmp_path: Path) -> None:
    editor = await start()
    await hanging(editor, tmp_path, "stubborn")
    await editor.shutdown_async(None)
    assert not any(map(is_running, workers(tmp_path)))
    editor.exit(None)
    assert await editor.server.wait() == 0


@pytest.mark.parametrize("how", ["end of input", "SIGTERM", "SIGKILL"])
async def test_nothing_outlives_the_editor_or_the_server(start: Start, tmp_path: Path, how: str) -> None:
    editor = await start()
    await hanging(editor, tmp_path)
    if how == "end of input":
        editor.server.stdin.close()
    else:
        os.kill(editor.server.pid, getattr(signal, how))
    async with asyncio.timeout(GONE_SECONDS):
        code = await editor.server.wait()
    assert code == (1 if how == "end of input" else -getattr(signal, how))
    await gone(workers(tmp_path))


@pytest.mark.parametrize(
    ("fake", "message"),
    [
        ({"error": "No interpreter was found: set one."}, "No interpreter was found: set one."),
        ({"status": "error", "message": "Its tests fail."}, "Its tests fail."),
        ({"crash": True}, "Burnish's worker ended without a result; the log of the language server says why."),
    ],
)
async def test_a_failure_is_one_sentence_said_once(start: Start, fake: dict[str, Any], message: str) -> None:
    editor = await start()
    editor.settings = lambda uri: {"fake": fake}
    editor.open(URI, CODE)
    job = await editor.refine(URI, (0, 5))
    await editor.until(lambda: editor.ended(job) and editor.messages)
    assert len(await editor.actions(URI, (0, 5))) == 2
    assert editor.messages == [message]


@pytest.mark.parametrize("settings", ["rules", ["rules"], 3])
async def test_malformed_configuration_is_said_and_runs_nothing(start: Start, settings: Any) -> None:
    editor = await start()
    editor.settings = lambda uri: settings
    editor.open(URI, CODE)
    job = await editor.refine(URI, (0, 5))
    await editor.until(lambda: editor.ended(job) and editor.messages)
    assert editor.messages == [
        f'The editor\'s "burnish" settings are {settings!r}, not an object of settings: correct them there.'
    ]


async def test_settings_are_asked_for_each_document_and_again_after_a_change(start: Start, tmp_path: Path) -> None:
    editor = await start(options={"settings": {"rounds": 2, "engine": "rules"}})
    asked: list[str] = []

    def settings(uri: str) -> dict[str, Any]:
        asked.append(uri)
        return {"engine": f"for {uri}", "fake": {"request": str(tmp_path / "request")}}

    editor.settings = settings

    async def settings_of_job() -> dict[str, Any]:
        job = await editor.refine(URI, (0, 5))
        await editor.until(lambda: editor.ended(job))
        received: dict[str, Any] = json.loads((tmp_path / "request").read_text())["settings"]
        return received

    editor.open(URI, CODE)
    first = await settings_of_job()
    assert (first["engine"], first["rounds"]) == (f"for {URI}", 2)
    await settings_of_job()
    assert asked == [URI]
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams({"burnish": {"rounds": 3}}))
    assert (await settings_of_job())["rounds"] == 3
    assert asked == [URI, URI]


async def test_the_worker_is_told_where_the_document_is(start: Start, tmp_path: Path) -> None:
    one, two, nested = tmp_path / "one", tmp_path / "two ü", tmp_path / "two ü" / "nested"
    editor = await start(folders=[one, two, nested])
    editor.settings = lambda uri: {"fake": {"request": str(tmp_path / "request")}}

    async def told(uri: str) -> tuple[str | None, str | None]:
        editor.open(uri, CODE)
        job = await editor.refine(uri, (4, 5))
        await editor.until(lambda: editor.ended(job))
        request = json.loads((tmp_path / "request").read_text())
        assert (request["qualname"], request["start_line"], request["end_line"]) == ("other", 5, 6)
        assert (request["text"], request["goal"]) == (CODE, "performance")
        return request["path"], request["root"]

    for folder in (one, two, nested):
        path = folder / "co de.py"
        assert await told(path.as_uri()) == (str(path), str(folder))
    outside = tmp_path / "outside.py"
    assert await told(outside.as_uri()) == (str(outside), None)
    assert await told("untitled:Untitled-1") == (None, None)
    assert await told("file:///c%3A/work/code.py") == ("/c:/work/code.py", None)
    assert await told("vscode-remote://wsl%2Bdebian/work/code.py") == (None, None)
