"""Code actions over a real connection: positions in every encoding, notebooks, untrusted workspaces, odd documents."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.end_to_end.language_server.conftest import Start, capabilities

pytestmark = pytest.mark.end_to_end

READABILITY, PERFORMANCE = "refactor.rewrite.burnish.readability", "refactor.rewrite.burnish.performance"
CODE = "import os\n\n\ndef total(values):\n    return sum(values)\n\n\ndef other(values):\n    return values\n"
URI = "file:///work/code.py"
# é is one code point here, and two in the name below: e and a combining accent.
EMOJI = 'def a(): return "🎉é"; x = "🎉"\n\n\ndef cafe\u0301(): return "👩‍👩‍👧"\n'


async def test_offers_both_goals_for_the_unit_at_the_cursor(start: Start) -> None:
    editor = await start()
    editor.open(URI, CODE)
    actions = await editor.actions(URI, (4, 6))
    assert [(action.title, action.kind) for action in actions] == [
        ("Refine `total` for readability", READABILITY),
        ("Refine `total` for performance", PERFORMANCE),
    ]
    assert list(actions[0].command.arguments) == [
        {"uri": URI, "version": 1, "qualname": "total", "startLine": 4, "endLine": 5, "goal": "readability"}
    ]
    assert await editor.actions(URI, (0, 3)) == []
    assert await editor.actions("file:///work/never_opened.py", (4, 6)) == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_counts_positions_as_was_agreed(start: Start, encoding: str) -> None:
    editor = await start(capabilities(encodings=[encoding]))
    assert editor.encoding == encoding
    editor.open(URI, "")
    editor.type(URI, (0, 0, 0, 0), EMOJI)
    units = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[encoding]
    # Behind both emoji of the first line; one unit too few would still be inside the literal, so break that.
    first, second = 'def a(): return "🎉é"; x = ', 'def a(): return "🎉é"; x = "🎉"'
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    start_at, end_at = (len(text.encode(codec)) // width for text in (first, second))
    assert end_at - start_at == units + 2
    editor.type(URI, (0, start_at, 0, end_at), "len")
    editor.type(URI, (0, start_at + 3, 0, start_at + 3), "('🎉')")
    assert editor.texts[URI].startswith("def a(): return \"🎉é\"; x = len('🎉')\n")
    [action] = await editor.actions(URI, (3, 12), only=[PERFORMANCE])
    assert action.title == "Refine `cafe\u0301` for performance"
    job = await editor.click(action)
    await editor.until(lambda: editor.ended(job) and editor.messages)


async def test_every_cell_of_a_notebook_is_a_document(start: Start) -> None:
    editor = await start()
    cells = ["vscode-notebook-cell:/work/book.ipynb#W0", "vscode-notebook-cell:/work/book.ipynb#W1"]
    editor.notebook_document_did_open(
        types.DidOpenNotebookDocumentParams(
            notebook_document=types.NotebookDocument(
                uri="file:///work/book.ipynb",
                notebook_type="jupyter-notebook",
                version=1,
                cells=[types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in cells],
            ),
            cell_text_documents=[
                types.TextDocumentItem(uri, "python", 1, f"def cell_{number}():\n    pass\n")
                for number, uri in enumerate(cells)
            ],
        )
    )
    for number, uri in enumerate(cells):
        [action, _] = await editor.actions(uri, (0, 5))
        assert action.title == f"Refine `cell_{number}` for readability"
    editor.notebook_document_did_change(
        types.DidChangeNotebookDocumentParams(
            types.VersionedNotebookDocumentIdentifier(version=2, uri="file:///work/book.ipynb"),
            types.NotebookDocumentChangeEvent(
                cells=types.NotebookDocumentCellChanges(
                    text_content=[
                        types.NotebookDocumentCellContentChanges(
                            types.VersionedTextDocumentIdentifier(version=2, uri=cells[1]),
                            [types.TextDocumentContentChangeWholeDocument("def typed():\n    pass\n")],
                        )
                    ]
                )
            ),
        )
    )
    [action, _] = await editor.actions(cells[1], (0, 5))
    assert action.title == "Refine `typed` for readability"


async def test_only_measures_until_the_workspace_is_trusted(start: Start) -> None:
    editor = await start(options={"trusted": False})
    editor.open(URI, CODE)
    actions = await editor.actions(URI, (4, 6))
    assert {action.disabled.reason for action in actions} == {
        "Burnish only measures in an untrusted workspace; trust it to refine."
    }
    arguments = {"uri": URI, "version": 1, "qualname": "total", "startLine": 4, "endLine": 5, "goal": "readability"}
    with pytest.raises(JsonRpcException, match="untrusted") as caught:
        await editor.request("workspace/executeCommand", {"command": "burnish.server.refine", "arguments": [arguments]})
    assert caught.value.code == types.LSPErrorCodes.RequestFailed
    editor.protocol.notify("burnish/trust", {"trusted": True})
    [action, _] = await editor.actions(URI, (4, 6))
    assert action.disabled is None


async def test_survives_what_it_does_not_expect(start: Start) -> None:
    editor = await start(options="not an object")
    editor.open(URI, CODE)
    for method, params in [
        ("textDocument/codeAction", {}),
        ("workspace/executeCommand", {"command": "burnish.server.refine"}),
        ("workspace/executeCommand", {"command": "burnish.server.refine", "arguments": [{"uri": 1}]}),
        ("workspace/executeCommand", {"command": "burnish.server.cancel", "arguments": [None]}),
        ("workspace/executeCommand", {"command": "burnish.server.unknown"}),
        ("burnish/accept", None),
        ("burnish/unknown", {}),
    ]:
        with pytest.raises(JsonRpcException) as caught:
            await editor.request(method, params)
        assert caught.value.data is None
        assert "\n" not in caught.value.message
        assert "/" not in caught.value.message.replace(method, "")
    assert await editor.request("burnish/reject", {"job": "unknown"}) is None
    assert len(await editor.actions(URI, (4, 6))) == 2
    assert await editor.actions(URI, (999, 999)) == []


async def test_fifty_requests_of_which_all_but_one_are_cancelled_are_answered_while_a_job_runs(start: Start) -> None:
    editor = await start()
    editor.settings = lambda uri: {"fake": {"hang": "burn"}}
    editor.open(URI, "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(1250)))
    job = await editor.refine(URI, (0, 5))
    await editor.until(lambda: len(editor.progress[job]) > 1)
    params = {
        "textDocument": {"uri": URI},
        "range": {"start": {"line": 400, "character": 5}, "end": {"line": 400, "character": 5}},
        "context": {"diagnostics": []},
    }
    async with asyncio.timeout(1):
        futures = []
        for number in range(50):
            editor.type(URI, (400, 4, 400, 4), "g")
            futures.append(editor.send("textDocument/codeAction", params))
            if number:
                editor.protocol.notify("$/cancelRequest", types.CancelParams(id=editor.sent - 1))
        answers = await asyncio.gather(*futures, return_exceptions=True)
    assert [action["title"] for action in answers[-1]] == [
        f"Refine `{'g' * 50}f100` for readability",
        f"Refine `{'g' * 50}f100` for performance",
    ]
