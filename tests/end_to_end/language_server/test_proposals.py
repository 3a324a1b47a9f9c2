"""Proposals over a real connection: nothing is written unasked, and never into a text that was not verified."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.end_to_end.language_server.conftest import Editor, Start, capabilities, edited

pytestmark = pytest.mark.end_to_end

CODE = 'import os\n\n\ndef total(values):\n    note = "🎉"; return sum([v for v in values])\n\n\nprint(total([1]))\n'
REFINED = CODE.replace("sum([v for v in values])", "sum(values)")
REPLACE = ["sum([v for v in values])", "sum(values)"]
URI = "file:///work/code.py"
EVIDENCE = "Evidence: strong · tests passed · timing skipped"


async def ready(editor: Editor, **fake: Any) -> str:
    """A job that will propose; with `hold` it waits for `release`."""
    editor.settings = lambda uri: {"fake": {"replace": REPLACE, **fake}}
    if URI not in editor.texts:
        editor.open(URI, CODE)
    line = editor.texts[URI].split("\n").index("def total(values):")
    return await editor.refine(URI, (line, 5))


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A named pipe for `hold`; writing to it lets the worker go on."""
    os.mkfifo(tmp_path / "gate")
    return tmp_path / "gate"


async def release(editor: Editor, gate: Path, job: str) -> None:
    await editor.until(lambda: len(editor.progress[job]) > 3)
    gate.write_text("go")
    await editor.until(lambda: editor.ended(job))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_asks_and_then_applies_the_smallest_versioned_edit(start: Start, encoding: str) -> None:
    editor = await start(capabilities(encodings=[encoding]))
    await ready(editor)
    await editor.until(lambda: editor.edits)
    assert editor.questions == [f"Burnish: 1.84× faster; 12 of 12 tests pass.\n{EVIDENCE}"]
    assert editor.texts[URI] == REFINED
    [params] = editor.edits
    [change] = params.edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (URI, 1)
    assert [edit.range.start.line for edit in change.edits] == [4]
    assert params.label == "Burnish: Refine `total` for performance"


@pytest.mark.parametrize("choice", ["Discard", None])
async def test_writes_nothing_unless_the_user_agrees(start: Start, choice: str | None) -> None:
    editor = await start()
    editor.choice = choice
    await ready(editor)
    await editor.until(lambda: editor.questions)
    await editor.actions(URI, (4, 5))
    assert (editor.edits, editor.texts[URI], editor.messages) == ([], CODE, [])


async def test_lets_a_client_with_annotations_do_the_asking(start: Start) -> None:
    editor = await start(capabilities(annotations=True))
    await ready(editor)
    await editor.until(lambda: editor.edits)
    edit = editor.edits[0].edit
    [annotation] = edit.change_annotations.values()
    assert annotation.needs_confirmation is True
    assert annotation.label == "Burnish: Refine `total` for performance"
    assert annotation.description == f"1.84× faster; 12 of 12 tests pass. {EVIDENCE}"
    assert {each.annotation_id for each in edit.document_changes[0].edits} == set(edit.change_annotations)
    assert editor.questions == []


async def test_plain_changes_for_a_client_without_document_changes(start: Start) -> None:
    editor = await start(capabilities(document_changes=False))
    await ready(editor)
    await editor.until(lambda: editor.edits)
    assert list(editor.edits[0].edit.changes) == [URI]
    assert editor.texts[URI] == REFINED


async def test_announces_and_waits_for_accept(start: Start) -> None:
    editor = await start(capabilities(proposals=True))
    job = await ready(editor)
    [proposal] = await editor.until(lambda: editor.proposals)
    assert {key: proposal[key] for key in ("job", "uri", "version", "message", "diff", "goal", "qualname")} == {
        "job": job,
        "uri": URI,
        "version": 1,
        "message": "1.84× faster; 12 of 12 tests pass.",
        "diff": "--- a\n+++ b\n",
        "goal": "performance",
        "qualname": "total",
    }
    assert proposal["receipt"]["evidence"] == "strong"
    assert edited(CODE, text_edits(proposal), editor.encoding) == REFINED
    assert editor.edits == []
    assert (await editor.request("burnish/accept", {"job": job}))["applied"] is True
    assert editor.texts[URI] == REFINED
    again = await editor.request("burnish/accept", {"job": job})
    assert again == {
        "applied": False,
        "message": "This proposal is no longer there: refine the function again.",
    }


async def test_a_rejected_proposal_is_gone(start: Start) -> None:
    editor = await start(capabilities(proposals=True))
    job = await ready(editor)
    await editor.until(lambda: editor.proposals)
    await editor.request("burnish/reject", {"job": job})
    assert (await editor.request("burnish/accept", {"job": job}))["applied"] is False
    assert editor.edits == []


async def test_text_typed_above_moves_the_proposal(start: Start, gate: Path) -> None:
    editor = await start(capabilities(proposals=True))
    job = await ready(editor, hold=str(gate))
    editor.type(URI, (0, 0, 0, 0), "# 🎉\n")
    await release(editor, gate, job)
    [proposal] = await editor.until(lambda: editor.proposals)
    assert proposal["version"] == 2
    assert edited(editor.texts[URI], text_edits(proposal), editor.encoding) == "# 🎉\n" + REFINED
    assert "@@ -3,7 +3,7 @@" in proposal["diff"]
    editor.type(URI, (1, 0, 1, 0), "import re\n")
    assert (await editor.request("burnish/accept", {"job": job}))["applied"] is True
    assert editor.texts[URI] == "# 🎉\nimport re\n" + REFINED
    [change] = editor.edits[0].edit.document_changes
    assert change.text_document.version == 3


async def test_text_typed_inside_refuses_it(start: Start) -> None:
    editor = await start(capabilities(proposals=True))
    job = await ready(editor)
    await editor.until(lambda: editor.proposals)
    editor.type(URI, (4, 4, 4, 4), "x = 1; ")
    answer = await editor.request("burnish/accept", {"job": job})
    assert answer["applied"] is False
    assert "changed" in answer["message"]
    assert editor.edits == []


@pytest.mark.parametrize("proposals", [True, False])
async def test_text_typed_inside_during_the_job_is_said_once(start: Start, gate: Path, proposals: bool) -> None:
    editor = await start(capabilities(proposals=proposals))
    job = await ready(editor, hold=str(gate))
    editor.type(URI, (4, 4, 4, 4), "x = 1; ")
    await release(editor, gate, job)
    [message] = await editor.until(lambda: editor.messages)
    assert "changed" in message
    assert (editor.edits, editor.questions, editor.proposals) == ([], [], [])


async def test_an_edit_that_the_editor_refuses_can_be_accepted_again(start: Start) -> None:
    editor = await start(capabilities(proposals=True))
    job = await ready(editor)
    await editor.until(lambda: editor.proposals)
    editor.versions[URI] = 7  # as if the user were typing while the edit is on its way
    refused = await editor.request("burnish/accept", {"job": job})
    assert refused == {
        "applied": False,
        "message": "The editor did not apply the proposal (another version): try again, or refine it again.",
    }
    editor.versions[URI] = 1
    assert (await editor.request("burnish/accept", {"job": job}))["applied"] is True


async def test_closing_the_document_withdraws_the_proposal(start: Start) -> None:
    editor = await start(capabilities(proposals=True))
    job = await ready(editor)
    await editor.until(lambda: editor.proposals)
    editor.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(URI)))
    assert (await editor.request("burnish/accept", {"job": job}))["applied"] is False


async def test_a_refined_cell_leaves_the_others_alone(start: Start) -> None:
    editor = await start()
    cells = ["vscode-notebook-cell:/work/book.ipynb#W0", "vscode-notebook-cell:/work/book.ipynb#W1"]
    for uri in cells:
        editor.texts[uri], editor.versions[uri] = CODE, 1
    editor.notebook_document_did_open(
        types.DidOpenNotebookDocumentParams(
            notebook_document=types.NotebookDocument(
                uri="file:///work/book.ipynb",
                notebook_type="jupyter-notebook",
                version=1,
                cells=[types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in cells],
            ),
            cell_text_documents=[types.TextDocumentItem(uri, "python", 1, CODE) for uri in cells],
        )
    )
    editor.settings = lambda uri: {"fake": {"replace": REPLACE}}
    await editor.refine(cells[1], (4, 5))
    await editor.until(lambda: editor.edits)
    assert editor.texts == {cells[0]: CODE, cells[1]: REFINED}


async def test_crlf_and_form_feeds_survive(start: Start) -> None:
    code = "x = 1\f\u2028\r\n" + CODE.replace("\n", "\r\n")
    editor = await start(capabilities(proposals=True))
    editor.settings = lambda uri: {"fake": {"replace": REPLACE}}
    editor.open(URI, code)
    editor.type(URI, (8, 0, 8, 0), "# typed ")
    job = await editor.refine(URI, (4, 5))
    await editor.until(lambda: editor.proposals)
    assert (await editor.request("burnish/accept", {"job": job}))["applied"] is True
    expected = "x = 1\f\u2028\r\n" + REFINED.replace("print", "# typed print").replace("\n", "\r\n")
    assert editor.texts[URI] == expected


def text_edits(proposal: Any) -> list[types.TextEdit]:
    return [
        types.TextEdit(
            types.Range(types.Position(**edit["range"]["start"]), types.Position(**edit["range"]["end"])),
            edit["newText"],
        )
        for edit in proposal["edits"]
    ]
