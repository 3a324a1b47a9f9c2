"""The text stays the client's, whatever is typed, and its tree and lines stay the text's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from burnish.lsp.documents import Document, Documents
from burnish_analyzers.source.line_index import LineIndex, PositionEncoding

CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
TEXT = st.text(st.sampled_from("ab \t\r\n\f\u2028\x85éß\u0301€🎉👩\u200d"), max_size=30)


def document(text: str, encoding: str = "utf-16") -> Document:
    return Document(
        "file:///code.py", source=text, version=1, language_id="python", position_codec=PositionCodec(encoding)
    )


def position(text: str, offset: int, encoding: str) -> types.Position:
    """The client's position of `offset`, found by splitting as the protocol says."""
    codec, width = CODECS[encoding]
    lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return types.Position(len(lines) - 1, len(lines[-1].encode(codec)) // width)


@given(text=TEXT, edits=st.lists(st.tuples(TEXT, st.integers(0, 30), st.integers(0, 30))), data=st.data())
@pytest.mark.parametrize("encoding", list(CODECS))
def test_edits_land_where_the_client_made_them(
    encoding: str, text: str, edits: list[tuple[str, int, int]], data: st.DataObject
) -> None:
    ours = document(text, encoding)
    for new_text, one, other in edits:
        start, end = sorted((min(one, len(text)), min(other, len(text))))
        while 0 < start < len(text) and text[start - 1 : start + 1] == "\r\n":
            start -= 1  # no client can point between the two
        while 0 < end < len(text) and text[end - 1 : end + 1] == "\r\n":
            end += 1
        range_ = types.Range(position(text, start, encoding), position(text, end, encoding))
        ours.apply_change(types.TextDocumentContentChangePartial(range=range_, text=new_text))
        text = text[:start] + new_text + text[end:]
        assert ours.source == text
        if data.draw(st.booleans()):
            assert ours.tree.text == text
        ours.freshen()
        assert ours.index.line_count == LineIndex(text).line_count
        assert ours.encoding == PositionEncoding(encoding)


def test_a_range_outside_the_text_is_clamped_and_not_changed() -> None:
    ours = document("ab\ncd")
    range_ = types.Range(types.Position(1, 99), types.Position(99, 0))
    ours.apply_change(types.TextDocumentContentChangePartial(range=range_, text="!"))
    assert ours.source == "ab\ncd!"
    assert range_ == types.Range(types.Position(1, 99), types.Position(99, 0))


def test_the_whole_text_can_be_replaced() -> None:
    ours = document("ab")
    assert ours.tree.text == "ab"
    ours.apply_change(types.TextDocumentContentChangeWholeDocument(text="def f(): ..."))
    assert ours.tree.text == ours.source == "def f(): ..."


def opened(*folders: str, root: str | None = None) -> Documents:
    return Documents(
        root,
        types.TextDocumentSyncKind.Incremental,
        [types.WorkspaceFolder(folder, folder) for folder in folders],
        types.PositionEncodingKind.Utf8,
    )


@pytest.mark.parametrize(
    ("uri", "root"),
    [
        ("file:///work/a/code.py", "/work/a"),
        ("file:///work/a/deep/er/code.py", "/work/a/deep"),
        ("file:///work/a%20b/co%C3%A9.py", "/work/a b"),
        ("file:///work/ab/code.py", None),
        ("file:///work/code.py", None),
        ("untitled:Untitled-1", None),
        ("vscode-remote://host/work/a/code.py", None),
    ],
)
def test_the_root_is_the_innermost_folder_that_holds_the_document(uri: str, root: str | None) -> None:
    documents = opened("file:///work/a", "file:///work/a/deep", "file:///work/a%20b", "untitled:folder")
    assert documents.root_of(uri) == root


def test_a_client_without_folders_may_have_a_root() -> None:
    assert opened(root="file:///work").root_of("file:///work/code.py") == "/work"
    assert opened().root_of("file:///work/code.py") is None


def test_a_cell_belongs_to_the_folder_of_its_notebook() -> None:
    documents = opened("file:///work/a")
    cell = "vscode-notebook-cell:/work/a/book.ipynb#W0"
    documents.put_notebook_document(
        types.DidOpenNotebookDocumentParams(
            types.NotebookDocument(
                "file:///work/a/book.ipynb",
                "jupyter-notebook",
                version=1,
                cells=[types.NotebookCell(types.NotebookCellKind.Code, cell)],
            ),
            [types.TextDocumentItem(cell, "python", 1, "x = 1\n")],
        )
    )
    assert documents.root_of(cell) == "/work/a"
    found = documents.find(cell)
    assert found is not None
    assert found.encoding is PositionEncoding.UTF8


def test_what_is_not_open_is_not_read() -> None:
    assert opened().find(f"file://{__file__}") is None
