"""The open documents, with what is known of each text: its lines and its syntax tree."""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from burnish.lsp.conversions import path_of, span_of
from burnish_analyzers.source.line_index import LineIndex, PositionEncoding
from burnish_analyzers.source.tree import SyntaxTree


class Document(TextDocument):
    """One open document.

    pygls would split lines at form feeds and U+2028 too, and so apply edits in the wrong place; here only LF, CRLF and
    CR count. Index and tree are made when they are asked for, and kept until the text changes.
    """

    _index: LineIndex | None = None
    _tree: SyntaxTree | None = None

    @property
    def encoding(self) -> PositionEncoding:
        """What the client's positions count."""
        return PositionEncoding(self.position_codec.encoding or "utf-16")

    @property
    def is_python(self) -> bool:
        """Whether the editor says so."""
        return self.language_id == "python"

    @property
    def index(self) -> LineIndex:
        """Where the lines of the text begin."""
        if self._tree is not None and self._tree.text is self.source:
            return self._tree.lines
        if self._index is None:
            self._index = LineIndex(self.source)
        return self._index

    @property
    def tree(self) -> SyntaxTree:
        """The syntax tree of the text, parsed anew only around what changed since it was last asked for."""
        text = self.source
        if self._tree is None:
            self._tree = SyntaxTree.parse(text)
        elif self._tree.text is not text:
            self._tree = self._tree.reparse(text)
        return self._tree

    def freshen(self) -> None:
        """Bring tree and index up to date, if they were asked for before, so that the next request finds them ready."""
        if self._tree is not None:
            _ = self.tree.lines

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Replace a range of the text, or the whole of it."""
        if isinstance(change, types.TextDocumentContentChangePartial):
            span = span_of(change.range, self.index, self.encoding)
            text = self.source
            self._source = text[: span.start] + change.text + text[span.end :]
        else:
            self._source = change.text
        self._index = None


class Documents(Workspace):
    """pygls' workspace, holding our documents, notebook cells among them."""

    def find(self, uri: str) -> Document | None:
        """The document, or None if it is not open; never reads a file."""
        document = self.text_documents.get(unquote(uri))
        return document if isinstance(document, Document) else None

    def root_of(self, uri: str) -> str | None:
        """The path of the innermost workspace folder that holds the document, or its notebook; None outside of all."""
        notebook = self.get_notebook_document(cell_uri=uri)
        path = path_of(notebook.uri if notebook is not None else uri)
        if path is None:
            return None
        folders = [folder.uri for folder in self.folders.values()] or [self.root_uri]
        roots = [root for folder in folders if folder and (root := path_of(folder)) is not None]
        holding = [root for root in roots if PurePath(path).is_relative_to(root)]
        return max(holding, key=lambda root: len(PurePath(root).parts), default=None)

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> Document:
        return Document(
            doc_uri,
            source=source,
            version=version,
            language_id=language_id,
            sync_kind=self._sync_kind,
            position_codec=self.position_codec,
        )
