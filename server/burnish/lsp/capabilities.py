"""What the client can do, looked up once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """Each is True only if the client said so. `proposals`: it knows our notification `burnish/proposal`."""

    proposals: bool = False
    disabled_actions: bool = False
    work_done_progress: bool = False
    configuration: bool = False
    dynamic_configuration: bool = False
    document_changes: bool = False
    change_annotations: bool = False
    edit_metadata: bool = False

    @classmethod
    def of(cls, client: types.ClientCapabilities) -> Capabilities:
        """Those of a client."""

        def can(field: str) -> bool:
            return bool(get_capability(client, field))

        document_changes = can("workspace.workspace_edit.document_changes")
        return cls(
            proposals=_announces_proposals(client.experimental),
            disabled_actions=can("text_document.code_action.disabled_support"),
            work_done_progress=can("window.work_done_progress"),
            configuration=can("workspace.configuration"),
            dynamic_configuration=can("workspace.did_change_configuration.dynamic_registration"),
            document_changes=document_changes,
            # Annotations are attributes of document changes.
            change_annotations=document_changes and can("workspace.workspace_edit.change_annotation_support"),
            edit_metadata=can("workspace.workspace_edit.metadata_support"),
        )


def _announces_proposals(experimental: Any) -> bool:
    ours = experimental.get("burnish") if isinstance(experimental, dict) else None
    return isinstance(ours, dict) and ours.get("proposal") is True
