"""Chat completions over HTTP. Importing this imports the OpenAI client, which takes about a second."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import httpx2
from openai import APIStatusError, AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError

from burnish.backends.chat import Answer, estimated_tokens
from burnish.backends.faults import (
    asked_wait_seconds,
    backend_error,
    is_about_context,
    no_chat_completion,
    unreadable_certificates,
    unusable_proxy,
)
from burnish.configuration import ModelSettings
from burnish.engine.history import Usage
from burnish_analyzers.errors import BackendError, ConfigurationError
from burnish_prompts import Message, Role

_CANCEL_POLL_SECONDS = 0.05
_BACKOFF_SECONDS = (1.0, 3.0)
"""How long to wait before each retry of an overloaded endpoint that does not say how long."""
_RETRIED = frozenset({408, 409, 429, 500, 502, 503, 504, 529})


class OpenAIChat:
    """Chat completions of one endpoint, one request at a time, from a thread that runs no event loop.

    An answer, retries and waits included, takes at most `timeout_seconds`. What the endpoint turns out not to take, a
    JSON schema or a temperature, is left out from then on. Proxies and certificates come from the usual environment
    variables; the URL and the key only from `settings`.
    """

    def __init__(
        self,
        settings: ModelSettings,
        *,
        cancelled: Callable[[], bool] = lambda: False,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        _check(settings)
        self._settings = settings
        self._cancelled = cancelled
        self._sleep = sleep
        self._now = now
        self._refused_options: set[str] = set()
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """Requests sent, tokens as the endpoint counts them (or estimated), and seconds spent waiting for it."""
        return self._usage

    def ask(
        self, role: Role, messages: Sequence[Message], *, temperature: float, schema: dict[str, Any] | None = None
    ) -> Answer:
        """The model's answer. Raises BackendError; UnusableBackendError where asking again would be useless."""
        options: dict[str, Any] = {"temperature": temperature}
        if schema is not None:
            named = {"name": role, "strict": True, "schema": schema}
            options["response_format"] = {"type": "json_schema", "json_schema": named}
        started = self._now()
        try:
            # Made outside of the event loop, in which a client that fails to be made leaves a task behind.
            client = self._client()
            return asyncio.run(self._within_limits(client, messages, options))
        except (OpenAIError, TimeoutError, json.JSONDecodeError, UnicodeDecodeError) as error:
            raise backend_error(error, self._settings) from error
        finally:
            self._usage += Usage(seconds=self._now() - started)

    async def _within_limits(self, client: AsyncOpenAI, messages: Sequence[Message], options: dict[str, Any]) -> Answer:
        """The answer, unless the time is over or the user cancels; the connection closes at once then."""
        request = asyncio.ensure_future(self._answered(client, messages, options))
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                while not request.done():
                    if self._cancelled():
                        raise BackendError("The request to the model was cancelled.")
                    await asyncio.wait({request}, timeout=_CANCEL_POLL_SECONDS)
            return request.result()
        finally:
            request.cancel()
            await asyncio.gather(request, return_exceptions=True)

    async def _answered(self, client: AsyncOpenAI, messages: Sequence[Message], options: dict[str, Any]) -> Answer:
        deadline = self._now() + self._settings.timeout_seconds
        waits = iter(_BACKOFF_SECONDS)
        async with client:
            while True:
                allowed = {name: value for name, value in options.items() if name not in self._refused_options}
                try:
                    return await self._complete(client, messages, allowed)
                except APIStatusError as error:
                    if self._adapts_to(error, allowed):
                        continue
                    wait = next(waits, None) if error.status_code in _RETRIED else None
                    if wait is not None:
                        wait = asked_wait_seconds(error, time.time(), default=wait)
                    if wait is None or self._now() + wait >= deadline:
                        raise
                await self._sleep(wait)

    async def _complete(self, client: AsyncOpenAI, messages: Sequence[Message], options: dict[str, Any]) -> Answer:
        self._usage += Usage(requests=1)
        shown: Any = list(messages)
        completion: Any = await client.chat.completions.create(model=self._settings.name, messages=shown, **options)
        choices = getattr(completion, "choices", None)
        choice: Any = choices[0] if isinstance(choices, list) and choices else None
        message = getattr(choice, "message", None)
        if message is None:
            raise no_chat_completion(self._settings)
        text = message.content if isinstance(message.content, str) else ""
        counted = getattr(completion.usage, "total_tokens", None)
        if not isinstance(counted, int):
            counted = estimated_tokens("\n".join([*(each["content"] for each in messages), text]))
        self._usage += Usage(tokens=counted)
        refusal = getattr(message, "refusal", None)
        if refusal or choice.finish_reason == "content_filter":
            raise BackendError("The model's provider refuses to answer this request; choose another model.")
        return Answer(text=text, complete=choice.finish_reason not in (None, "length"))

    def _adapts_to(self, error: APIStatusError, sent: dict[str, Any]) -> bool:
        """Whether the request may go through without an option that this endpoint does not take."""
        if error.status_code not in (400, 422, 501) or is_about_context(error):
            return False
        named = [name for name in sent if name in str(error)]
        refused = (named or [name for name in sent if name == "response_format"])[:1]
        self._refused_options.update(refused)
        return bool(refused)

    def _client(self) -> AsyncOpenAI:
        settings = self._settings
        try:
            http_client = DefaultAsyncHttpxClient(verify=self._trust, timeout=settings.timeout_seconds)
        except (ValueError, ImportError) as error:  # ImportError: a SOCKS proxy without the package for it
            raise unusable_proxy(error) from error
        client = AsyncOpenAI(
            base_url=settings.base_url,
            api_key=settings.api_key or "none",  # the client wants one, also where the endpoint does not
            max_retries=0,
            timeout=settings.timeout_seconds,
            http_client=http_client,
        )
        # Taken from OPENAI_* variables, which are not meant for this endpoint.
        client.organization = client.project = client.admin_api_key = None
        return client

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """Loading the certificates takes 40 ms, so once for all requests."""
        try:
            return httpx2.create_ssl_context()
        except OSError as error:
            raise unreadable_certificates(error) from error


def _check(settings: ModelSettings) -> None:
    """That the settings name an endpoint and a model. Raises ConfigurationError."""
    try:
        parts = urlsplit(settings.base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or re.search(r"[\s\x00-\x1f]", settings.base_url):
        raise ConfigurationError(
            f"The model's base URL {settings.base_url!r} is not usable; give it as http://HOST:PORT/v1."
        )
    if not settings.name:
        raise ConfigurationError("The model has no name; set it to one that the endpoint knows.")
