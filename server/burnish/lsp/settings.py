"""The user's settings for each document, as the editor has them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from pygls.exceptions import JsonRpcException

from burnish.lsp.client import Client
from burnish_analyzers.errors import ConfigurationError

logger = logging.getLogger(__name__)

SECTION = "burnish"


class EditorSettings:
    """The client's `burnish` section for each document: initialization options < what it pushed < what it answers.

    Asked for when a job starts, and kept until the client says that settings changed.
    """

    def __init__(self, client: Client, base: Any) -> None:
        self._client = client
        self._base = base
        self._pushed: Any = None
        self._answers: dict[str, Any] = {}

    def changed(self, settings: Any) -> None:
        """Forget what was asked for; `settings` is what the client pushed with the notification, often nothing."""
        self._answers = {}
        if isinstance(settings, Mapping) and SECTION in settings:
            self._pushed = settings[SECTION]

    async def of(self, uri: str) -> dict[str, Any]:
        """The settings for a document; names and values are not checked here. Raises ConfigurationError."""
        merged: dict[str, Any] = {}
        for layer in (self._base, self._pushed, await self._answer(uri)):
            if isinstance(layer, Mapping):
                merged = _merged(merged, layer)
            elif layer is not None:
                raise ConfigurationError(
                    f'The editor\'s "{SECTION}" settings are {layer!r}, not an object of settings: correct them there.'
                )
        return merged

    async def _answer(self, uri: str) -> Any:
        if not self._client.capabilities.configuration:
            return None
        answers = self._answers  # the next change replaces it, so that a late answer cannot survive it
        if uri not in answers:
            try:
                answers[uri] = await self._client.configuration(uri, SECTION)
            except (JsonRpcException, TimeoutError) as error:
                logger.warning("The client did not answer workspace/configuration: %s", error)
                return None
        return answers[uri]


def _merged(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """`above` over `below`, group by group; None means "not set"."""
    merged = dict(below)
    for key, value in above.items():
        if isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = _merged(merged[key], value)
        elif value is not None:
            merged[key] = value
    return merged
