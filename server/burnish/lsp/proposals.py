"""What came out of a job: shown, and applied once the user says so."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from burnish.lsp.client import Client
from burnish.lsp.conversions import text_edits_of
from burnish.lsp.documents import Document, Documents
from burnish.lsp.extensions import PROPOSAL
from burnish.lsp.jobs import Target
from burnish_analyzers.errors import BurnishError, StaleDocumentError
from burnish_analyzers.source.edits import TextEdit, apply_edits, minimal_edits, rebase, unified_diff

_APPLY, _DISCARD = "Apply", "Discard"
_ANNOTATION = "burnish"


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """Verified edits of `target.text`, and the `refine` document that they come from."""

    target: Target
    edits: tuple[TextEdit, ...]
    document: Mapping[str, Any]

    @classmethod
    async def of(cls, target: Target, document: Mapping[str, Any]) -> Proposal:
        """The proposal of a `refine` document. Raises BurnishError if it is none."""
        new_text = document.get("new_text")
        if not isinstance(new_text, str):
            raise BurnishError("Burnish's worker proposed a change without its text: report this as a bug.")
        # In a thread, because comparing the lines of a long file may take a second.
        edits = await asyncio.to_thread(minimal_edits, target.text, new_text)
        return cls(target=target, edits=edits, document=document)

    @property
    def message(self) -> str:
        """The outcome, in a sentence."""
        return str(self.document.get("message") or "There is a proposal.")

    @property
    def evidence(self) -> str:
        """How it was verified, in a line."""
        receipt = self.document.get("receipt")
        if not isinstance(receipt, Mapping):
            return "Evidence: none"
        checks = [f"{check['name']} {check['status']}" for check in receipt.get("checks", ())]
        return " · ".join([f"Evidence: {receipt.get('evidence', 'none')}", *checks])

    def edits_of(self, document: Document) -> tuple[TextEdit, ...]:
        """The edits for the document as it is now. Raises StaleDocumentError if what was verified has changed."""
        return rebase(self.edits, self.target.text, document.source, guarded=self.target.unit.span)


class Proposals:
    """The proposals that wait for the user."""

    def __init__(self, client: Client, documents: Documents) -> None:
        self._client = client
        self._documents = documents
        self._waiting: dict[str, Proposal] = {}

    async def finish(self, job: str, target: Target, document: Mapping[str, Any]) -> None:
        """Deliver what a job came to. Raises BurnishError if it cannot be delivered."""
        if document.get("status") == "none":
            self._client.inform(str(document.get("message") or "Nothing better was found."))
        elif document.get("status") != "proposal":
            raise BurnishError(str(document.get("message") or "The refinement failed without saying why."))
        elif self._client.capabilities.proposals:
            await self._announce(job, await Proposal.of(target, document))
        else:
            await self._ask(await Proposal.of(target, document))

    async def accept(self, job: str) -> dict[str, Any]:
        """Apply a proposal that was announced: whether it was applied, and a sentence about it."""
        proposal = self._waiting.pop(job, None)
        if proposal is None:
            return {"applied": False, "message": "This proposal is no longer there: refine the function again."}
        try:
            refusal = await self._apply(proposal)
        except StaleDocumentError as error:
            return {"applied": False, "message": str(error)}
        if refusal is None:
            return {"applied": True, "message": "The proposal is applied; one undo takes it back."}
        self._waiting[job] = proposal
        return {"applied": False, "message": _refused(refusal)}

    def reject(self, job: str) -> None:
        """Forget a proposal."""
        self._waiting.pop(job, None)

    def forget_document(self, uri: str) -> None:
        """Forget the proposals for a document that was closed."""
        self._waiting = {job: each for job, each in self._waiting.items() if each.target.uri != uri}

    async def _announce(self, job: str, proposal: Proposal) -> None:
        """Send the proposal to a client that shows it by itself; its edits are for the document as it is now."""
        document = self._open(proposal)
        edits = proposal.edits_of(document)
        text, version = document.source, document.version
        payload = {
            "job": job,
            "uri": document.uri,
            "version": version,
            "goal": proposal.target.goal.value,
            "qualname": proposal.target.unit.qualname,
            "message": proposal.message,
            "edits": [_plain(edit) for edit in text_edits_of(edits, document.index, document.encoding)],
            "diff": proposal.document.get("diff", ""),
            "receipt": proposal.document.get("receipt"),
            "usage": proposal.document.get("usage"),
        }
        if text != proposal.target.text:
            name = proposal.target.path or "untitled.py"
            payload["diff"] = await asyncio.to_thread(unified_diff, text, apply_edits(text, edits), name)
        self._waiting[job] = proposal
        self._client.notify(PROPOSAL, payload)

    async def _ask(self, proposal: Proposal) -> None:
        """Have any other client show the change, or at least ask, and apply it if the user agrees."""
        if not self._client.capabilities.change_annotations:
            question = f"Burnish: {proposal.message}\n{proposal.evidence}"
            proposal.edits_of(self._open(proposal))  # is not worth a question if it is stale
            if await self._client.choose(question, (_APPLY, _DISCARD)) != _APPLY:
                return
        refusal = await self._apply(proposal, confirm=True)
        if refusal:
            self._client.warn(_refused(refusal))

    async def _apply(self, proposal: Proposal, *, confirm: bool = False) -> str | None:
        """None once it is applied, else why the client refused. Raises StaleDocumentError."""
        document = self._open(proposal)
        edits = text_edits_of(proposal.edits_of(document), document.index, document.encoding)
        params = types.ApplyWorkspaceEditParams(
            label=f"Burnish: {proposal.target.title}",
            edit=self._workspace_edit(document, edits, proposal, confirm=confirm),
        )
        if self._client.capabilities.edit_metadata:
            params.metadata = types.WorkspaceEditMetadata(is_refactoring=True)
        return await self._client.apply(params)

    def _workspace_edit(
        self, document: Document, edits: list[types.TextEdit], proposal: Proposal, *, confirm: bool
    ) -> types.WorkspaceEdit:
        if not self._client.capabilities.document_changes:
            return types.WorkspaceEdit(changes={document.uri: edits})
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
        if not (confirm and self._client.capabilities.change_annotations):
            return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, edits)])
        annotated = [types.AnnotatedTextEdit(_ANNOTATION, edit.range, edit.new_text) for edit in edits]
        annotation = types.ChangeAnnotation(
            label=f"Burnish: {proposal.target.title}",
            needs_confirmation=True,
            description=f"{proposal.message} {proposal.evidence}",
        )
        return types.WorkspaceEdit(
            document_changes=[types.TextDocumentEdit(identifier, annotated)],
            change_annotations={_ANNOTATION: annotation},
        )

    def _open(self, proposal: Proposal) -> Document:
        document = self._documents.find(proposal.target.uri)
        if document is None:
            raise StaleDocumentError("The document was closed meanwhile: open it and refine the function again.")
        return document


def _plain(edit: types.TextEdit) -> dict[str, Any]:
    start, end = edit.range.start, edit.range.end
    return {
        "range": {
            "start": {"line": start.line, "character": start.character},
            "end": {"line": end.line, "character": end.character},
        },
        "newText": edit.new_text,
    }


def _refused(reason: str) -> str:
    return f"The editor did not apply the proposal{f' ({reason})' if reason else ''}: try again, or refine it again."
