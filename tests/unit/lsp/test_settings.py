"""Layers, caching, and clients that answer oddly."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from burnish.lsp.capabilities import Capabilities
from burnish.lsp.settings import EditorSettings
from burnish_analyzers.errors import ConfigurationError


class FakeClient:
    """Answers workspace/configuration."""

    capabilities = Capabilities(configuration=True)

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.wait = asyncio.Event()
        self.wait.set()

    async def configuration(self, uri: str, section: str) -> Any:
        self.asked.append(uri)
        answer = self.answer
        await self.wait.wait()
        if isinstance(answer, Exception):
            raise answer
        return answer


def settings(client: Any, base: Any = None) -> EditorSettings:
    return EditorSettings(client, base)


async def test_the_answer_wins_over_what_was_pushed_and_that_over_the_options() -> None:
    own = settings(
        FakeClient({"model": {"name": "answer"}, "rounds": None}), {"model": {"baseUrl": "base"}, "rounds": 1}
    )
    own.changed({"burnish": {"rounds": 2, "engine": "rules"}, "other": 1})
    assert await own.of("u") == {"model": {"baseUrl": "base", "name": "answer"}, "rounds": 2, "engine": "rules"}


async def test_asks_once_for_each_document_until_something_changes() -> None:
    client = FakeClient({"rounds": 1})
    own = settings(client)
    for uri in ("one", "one", "two"):
        await own.of(uri)
    own.changed(None)
    await own.of("one")
    assert client.asked == ["one", "two", "one"]


async def test_an_answer_that_a_change_overtakes_is_not_kept() -> None:
    client = FakeClient({"rounds": 1})
    client.wait.clear()
    own = settings(client)
    early = asyncio.create_task(own.of("u"))
    await asyncio.sleep(0)
    client.answer = {"rounds": 2}
    own.changed(None)
    client.wait.set()
    assert await early == {"rounds": 1}
    assert await own.of("u") == {"rounds": 2}


@pytest.mark.parametrize("failure", [JsonRpcException("No."), TimeoutError()])
async def test_a_client_that_does_not_answer_is_asked_again_next_time(failure: Exception) -> None:
    client = FakeClient(failure)
    own = settings(client, {"rounds": 1})
    assert await own.of("u") == {"rounds": 1}
    client.answer = {"rounds": 2}
    assert await own.of("u") == {"rounds": 2}


async def test_a_client_without_configuration_is_not_asked() -> None:
    client = FakeClient({"rounds": 2})
    client.capabilities = Capabilities()  # type: ignore[misc]
    assert await settings(client, {"rounds": 1}).of("u") == {"rounds": 1}
    assert client.asked == []


@pytest.mark.parametrize("section", ["rules", 3, True, ["rules"]])
async def test_a_section_that_is_no_object_is_refused(section: Any) -> None:
    for own in (settings(FakeClient(section)), settings(FakeClient(), section)):
        with pytest.raises(ConfigurationError, match=r"^The editor's \"burnish\" settings are .*, not an object"):
            await own.of("u")
