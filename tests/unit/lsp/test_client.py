"""Requests to an editor that answers late, wrongly or never, and the line of progress."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from burnish.lsp import client as client_module
from burnish.lsp.client import ProgressLine
from tests.unit.lsp.conftest import Wire


async def soon() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_reply_after_the_caller_was_cancelled_does_no_harm(wire: Wire) -> None:
    asking = asyncio.create_task(wire.client().choose("Apply?", ["Apply"]))
    await soon()
    asking.cancel()
    await soon()
    wire.receive(id=wire.sent[0]["id"], result={"title": "Apply"})
    await soon()
    assert asking.cancelled()
    assert [message["method"] for message in wire.sent] == ["window/showMessageRequest"]


async def test_a_malformed_reply_is_an_error_for_whoever_waits(wire: Wire) -> None:
    asking = asyncio.create_task(wire.client().configuration("file:///a.py", "burnish"))
    await soon()
    with pytest.raises(JsonRpcException):
        wire.receive(id=wire.sent[0]["id"], result=7)
    with pytest.raises(JsonRpcException, match="not as the protocol wants it"):
        await asking


async def test_an_error_is_no_choice_and_no_edit(wire: Wire) -> None:
    client = wire.client()
    choosing = asyncio.create_task(client.choose("Apply?", ["Apply"]))
    applying = asyncio.create_task(client.apply(types.ApplyWorkspaceEditParams(types.WorkspaceEdit())))
    await soon()
    for message in wire.sent:
        wire.receive(id=message["id"], error={"code": -32601, "message": "No such method."})
    assert await choosing is None
    assert await applying == "No such method."


async def test_an_edit_that_is_not_applied_says_why_if_the_client_does(wire: Wire) -> None:
    client = wire.client()
    for result, refusal in [
        ({"applied": True}, None),
        ({"applied": False}, ""),
        ({"applied": False, "failureReason": "It is read-only."}, "It is read-only."),
    ]:
        applying = asyncio.create_task(client.apply(types.ApplyWorkspaceEditParams(types.WorkspaceEdit())))
        await soon()
        wire.receive(id=wire.sent[-1]["id"], result=result)
        assert await applying == refusal


@pytest.mark.parametrize("answer", [{"error": {"code": -32603, "message": "No."}}, None])
async def test_progress_that_the_client_does_not_create_is_not_sent(
    wire: Wire, answer: dict[str, Any] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "_ANSWER_SECONDS", 0.01)

    async def work() -> str:
        async with wire.client(work_done_progress=True).showing_progress("token", "Refine") as line:
            line.report("tests", "", 1, 2)
        return "done"

    working = asyncio.create_task(work())
    await soon()
    if answer is not None:
        wire.receive(id=wire.sent[0]["id"], **answer)
    assert await working == "done"
    assert [message["method"] for message in wire.sent] == ["window/workDoneProgress/create"]


async def test_progress_ends_when_its_block_fails(wire: Wire) -> None:
    async def work() -> None:
        async with wire.client(work_done_progress=True).showing_progress("token", "Refine"):
            raise ValueError

    working = asyncio.create_task(work())
    await soon()
    wire.receive(id=wire.sent[0]["id"], result=None)
    with pytest.raises(ValueError, match=r"^$"):
        await working
    assert [message["params"]["value"]["kind"] for message in wire.sent[1:]] == ["begin", "end"]


def test_the_line_keeps_what_says_something() -> None:
    messages: list[str] = []
    line = ProgressLine(lambda value: messages.append(value.message or "") if hasattr(value, "message") else None)
    line.report("project", "/work", 0, 0)
    line.report("critique", "", 1, 4)
    for step, detail, done, total in [
        ("syntax", "", 0, 0),
        ("interface", "", 0, 0),
        ("tests", "", 12, 12),
        ("timing", "1.84× faster", 0, 0),
        ("verdict", "accepted", 1, 4),
    ]:
        line.report(step, detail, done, total)
    assert messages == [
        "project: /work",
        "critique 1/4",
        "critique 1/4 · syntax",
        "critique 1/4 · interface",
        "critique 1/4 · tests 12/12",
        "critique 1/4 · tests 12/12 · timing: 1.84× faster",
        "verdict 1/4: accepted",
    ]


def test_a_step_whose_end_is_open_is_counted_all_the_same() -> None:
    messages: list[str] = []
    line = ProgressLine(lambda value: messages.append(value.message or "") if hasattr(value, "message") else None)
    line.report("critique", "", 1, 0)
    line.report("verdict", "accepted", 1, 0)
    assert messages == ["critique 1", "verdict 1: accepted"]


def test_the_line_is_not_sent_faster_than_it_can_be_read() -> None:
    messages: list[Any] = []
    line = ProgressLine(messages.append)
    for done in range(1001):
        line.report("tests", "", done, 1000)
    assert 2 <= len(messages) < 100
    assert messages[-1].message == "tests 1000/1000"
