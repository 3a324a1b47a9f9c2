"""What pygls' protocol would do and ours does not."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.unit.lsp.conftest import Wire


def test_offers_what_it_registers(wire: Wire) -> None:
    wire.initialize()
    capabilities = wire.sent[0]["result"]["capabilities"]
    assert capabilities["codeActionProvider"]["codeActionKinds"] == [
        "refactor.rewrite.burnish.readability",
        "refactor.rewrite.burnish.performance",
    ]
    assert capabilities["executeCommandProvider"]["commands"] == ["burnish.server.refine", "burnish.server.cancel"]


def test_a_malformed_request_is_answered(wire: Wire) -> None:
    wire.initialize()
    with pytest.raises(JsonRpcException):
        wire.receive(id=2, method="textDocument/codeAction", params={})
    assert wire.sent[-1]["id"] == 2
    assert wire.sent[-1]["error"]["message"] == ("The message textDocument/codeAction is not as the protocol wants it.")


def test_an_unexpected_failure_is_answered_without_a_traceback(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    wire.initialize()
    monkeypatch.setattr("burnish.lsp.server.code_actions", lambda *_, **__: 1 / 0)
    place = {"line": 0, "character": 0}
    wire.receive(
        id=2,
        method="textDocument/codeAction",
        params={
            "textDocument": {"uri": "file:///a.py"},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": []},
        },
    )
    assert wire.sent[-1]["error"] == {
        "code": types.ErrorCodes.InternalError,
        "message": "Burnish failed to answer; the log of the language server says why.",
    }
    assert all(message.get("method") != "window/showMessage" for message in wire.sent)


def test_nothing_is_kept_of_a_notification(wire: Wire) -> None:
    wire.initialize()
    before = len(wire.server.protocol._request_futures)
    start = {"line": 0, "character": 0}
    for version in range(2, 30):
        change = {"range": {"start": start, "end": start}, "text": "#"}
        wire.receive(
            method="textDocument/didChange",
            params={"textDocument": {"uri": "file:///a.py", "version": version}, "contentChanges": [change]},
        )
        wire.receive(method="workspace/didChangeConfiguration", params={"settings": None})
    assert len(wire.server.protocol._request_futures) == before
    document = wire.server.session.documents.find("file:///a.py")
    assert document is not None
    assert (document.version, document.source) == (29, "#" * 28 + "def f(): ...\n")


def test_a_change_of_a_document_that_is_not_open_is_ignored(wire: Wire) -> None:
    wire.initialize()
    wire.receive(
        method="textDocument/didChange",
        params={"textDocument": {"uri": "file:///b.py", "version": 2}, "contentChanges": [{"text": "x"}]},
    )
    assert len(wire.sent) == 1


@pytest.mark.parametrize("method", ["workspace/executeCommand", "burnish/accept", "shutdown"])
async def test_says_that_it_is_not_initialized(wire: Wire, method: str) -> None:
    params = {
        "workspace/executeCommand": {"command": "burnish.server.cancel", "arguments": [{"job": "x"}]},
        "burnish/accept": {"job": "x"},
    }
    wire.receive(id=1, method=method, params=params.get(method))
    while not wire.sent:
        await asyncio.sleep(0)
    assert wire.sent[-1]["error"]["code"] == types.ErrorCodes.ServerNotInitialized


async def test_asks_to_be_told_of_new_settings_where_that_takes_asking(wire: Wire) -> None:
    capabilities = {"workspace": {"didChangeConfiguration": {"dynamicRegistration": True}}}
    wire.receive(id=1, method="initialize", params={"capabilities": capabilities, "processId": None, "rootUri": None})
    wire.receive(method="initialized", params={})
    while len(wire.sent) < 2:
        await asyncio.sleep(0)
    [registration] = wire.sent[1]["params"]["registrations"]
    assert (wire.sent[1]["method"], registration["method"]) == (
        "client/registerCapability",
        "workspace/didChangeConfiguration",
    )
    wire.receive(id=wire.sent[1]["id"], error={"code": -32601, "message": "No such method."})
    await asyncio.sleep(0)
