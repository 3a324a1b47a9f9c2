"""Everything that an endpoint can do wrong, over real HTTP; each gives one sentence with a next step."""

from __future__ import annotations

import socket
import time
from email.utils import formatdate
from typing import Any

import pytest

from burnish.backends.endpoint import OpenAIChat
from burnish.configuration import ModelSettings
from burnish.engine.stopping import UnusableBackendError
from burnish_analyzers.errors import BackendError, ConfigurationError
from burnish_prompts import Message

MESSAGES: list[Message] = [{"role": "user", "content": "Make it fast."}]
KEY = "my-own-key-1234"


class Sleeper:
    """Notes how long it was told to sleep, and returns at once."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def sleeper() -> Sleeper:
    return Sleeper()


def _chat(endpoint: Any, sleeper: Sleeper | None = None, **changes: Any) -> OpenAIChat:
    cancelled = changes.pop("cancelled", lambda: False)
    values = {"base_url": endpoint.base_url, "name": "small", "api_key": KEY, "timeout_seconds": 20.0, **changes}
    return OpenAIChat(ModelSettings(**values), cancelled=cancelled, sleep=sleeper or Sleeper())


def _failure(chat: OpenAIChat, schema: dict[str, Any] | None = None) -> BackendError:
    with pytest.raises(BackendError) as caught:
        chat.ask("edit", MESSAGES, temperature=0.7, schema=schema)
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    assert KEY not in message
    return caught.value


def test_an_answer_comes_with_its_usage(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.completion("Here it is."))
    chat = _chat(endpoint)
    answer = chat.ask("edit", MESSAGES, temperature=0.7)
    assert (answer.text, answer.complete) == ("Here it is.", True)
    assert (chat.usage.requests, chat.usage.tokens) == (1, 42)
    assert chat.usage.seconds > 0
    assert endpoint.requests == [{"model": "small", "messages": MESSAGES, "temperature": 0.7}]
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"


def test_tokens_are_estimated_where_the_endpoint_does_not_count(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.completion("abc 12", tokens=None))
    chat = _chat(endpoint)
    chat.ask("edit", MESSAGES, temperature=0.7)
    assert chat.usage.tokens == 8  # 18 bytes, 2 of them digits, with the newline between the two texts


def test_a_local_endpoint_needs_no_key_and_gets_none_of_the_environment(
    endpoint: Any, reply: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-this-endpoint")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "not-for-this-endpoint")
    monkeypatch.setenv("OPENAI_ORG_ID", "not-for-this-endpoint")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "not-for-this-endpoint")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    endpoint.answers(reply.completion("ok"))
    assert _chat(endpoint, api_key="").ask("edit", MESSAGES, temperature=0).text == "ok"
    assert "not-for-this-endpoint" not in str(endpoint.headers)


@pytest.mark.parametrize(
    ("status", "says", "useless"),
    [
        (401, "refuses the API key (401); set BURNISH_API_KEY", True),
        (402, "has no credit left (402)", True),
        (403, "(403); choose another model or key", True),
        (404, "has no model small, or no chat completions (404)", True),
        (422, "refuses the request (422 Unprocessable Entity: no)", False),
        (400, "refuses the request (400 Bad Request: no)", False),
        (418, "refuses the request (418 I'm a Teapot: no)", False),
    ],
)
def test_refusals_are_explained_and_not_repeated(
    endpoint: Any, reply: Any, status: int, says: str, useless: bool
) -> None:
    endpoint.answers(reply.error(status))
    failure = _failure(_chat(endpoint))
    assert says in str(failure)
    assert isinstance(failure, UnusableBackendError) == useless
    assert len(endpoint.bodies) == 1


def test_the_key_is_not_in_a_message_that_repeats_it(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.error(400, f"bad\nkey {KEY}"))
    assert "bad key ***" in str(_failure(_chat(endpoint)))


def test_a_rate_limit_is_waited_for(endpoint: Any, reply: Any, sleeper: Sleeper) -> None:
    endpoint.answers(reply.error(429, headers={"Retry-After": "7"}), reply.completion("ok"))
    chat = _chat(endpoint, sleeper)
    assert chat.ask("edit", MESSAGES, temperature=0.7).text == "ok"
    assert sleeper.seconds == [7.0]
    assert chat.usage.requests == 2


def test_a_rate_limit_may_name_a_time(endpoint: Any, reply: Any, sleeper: Sleeper) -> None:
    until = formatdate(time.time() + 10, usegmt=True)
    endpoint.answers(reply.error(429, headers={"Retry-After": until}), reply.completion("ok"))
    _chat(endpoint, sleeper).ask("edit", MESSAGES, temperature=0.7)
    assert sleeper.seconds[0] == pytest.approx(10, abs=3)


def test_a_wait_longer_than_the_timeout_is_not_begun(endpoint: Any, reply: Any, sleeper: Sleeper) -> None:
    endpoint.answers(reply.error(429, headers={"Retry-After": "3600"}))
    failure = _failure(_chat(endpoint, sleeper))
    assert "over its rate limit (429) and asks to wait 3600 s; try again later" in str(failure)
    assert isinstance(failure, UnusableBackendError)
    assert sleeper.seconds == []


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_an_overloaded_endpoint_is_asked_three_times(endpoint: Any, reply: Any, sleeper: Sleeper, status: int) -> None:
    endpoint.answers(reply.error(status))
    assert f"{status}" in str(_failure(_chat(endpoint, sleeper)))
    assert sleeper.seconds == [1.0, 3.0]
    assert len(endpoint.bodies) == 3


def test_a_page_is_no_answer(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply(body=b"<html><body>Welcome</body></html>", content_type="text/html"))
    assert "no chat completion; check the base URL, which usually ends in /v1." in str(_failure(_chat(endpoint)))


@pytest.mark.parametrize("data", [{}, {"choices": None}, {"choices": []}, {"choices": [{}]}, [], "text", None])
def test_json_of_another_shape_is_no_answer(endpoint: Any, reply: Any, data: object) -> None:
    endpoint.answers(reply.json(data))
    assert "no chat completion" in str(_failure(_chat(endpoint)))


@pytest.mark.parametrize("body", [b'{"choices": [{"mess', b'{"choices": "\xff\xfe"}', b""])
def test_broken_json_is_said_plainly(endpoint: Any, reply: Any, body: bytes) -> None:
    endpoint.answers(reply(body=body))
    assert "not valid JSON" in str(_failure(_chat(endpoint)))


def test_an_answer_cut_off_on_the_way_is_said_plainly(endpoint: Any, reply: Any) -> None:
    whole = reply.completion("Here it is.")
    endpoint.answers(reply(body=whole.body[:40], missing_bytes=1000))
    failure = _failure(_chat(endpoint))
    assert "broke off before the answer was complete; try again." in str(failure)
    assert not isinstance(failure, UnusableBackendError)


@pytest.mark.parametrize("finish_reason", [None, "length"])
def test_an_answer_cut_off_by_the_model_is_incomplete(endpoint: Any, reply: Any, finish_reason: str | None) -> None:
    endpoint.answers(reply.completion("def f(", finish_reason))
    assert not _chat(endpoint).ask("edit", MESSAGES, temperature=0.7).complete


def test_a_provider_that_filters_is_said_plainly(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.completion(None, "content_filter"))
    assert "refuses to answer" in str(_failure(_chat(endpoint)))


def test_nothing_there_is_said_plainly(endpoint: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    failure = _failure(_chat(endpoint, base_url=f"http://user:pass@127.0.0.1:{port}/v1?key=x"))
    assert str(failure) == (
        f"Nothing answers at http://127.0.0.1:{port}/v1; start the model server, or correct the base URL."
    )
    assert isinstance(failure, UnusableBackendError)


def test_the_timeout_covers_the_whole_call(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply(hold=True))
    failure = _failure(_chat(endpoint, timeout_seconds=0.2))
    assert "gave no complete answer within 0.2 s" in str(failure)
    assert endpoint.hung_up.wait(2)


def test_cancel_hangs_up_at_once(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply(hold=True))
    started = time.monotonic()
    _failure(_chat(endpoint, cancelled=endpoint.asked.is_set))
    assert endpoint.hung_up.wait(2)
    assert time.monotonic() - started < 5


def test_cancel_ends_a_wait_for_the_rate_limit(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.error(429, headers={"Retry-After": "19"}))
    settings = ModelSettings(base_url=endpoint.base_url, name="small")
    chat = OpenAIChat(settings, cancelled=endpoint.asked.is_set)  # with the real sleep
    started = time.monotonic()
    assert "cancelled" in str(_failure(chat))
    assert time.monotonic() - started < 5


def test_a_context_that_is_too_short_is_named(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.error(400, "the request exceeds the available context size (5000 of 4096 tokens)"))
    failure = _failure(_chat(endpoint), schema={"type": "object"})
    assert "longer than the model's context" in str(failure)
    assert "(the request exceeds the available context size (5000 of 4096 tokens))." in str(failure)
    assert len(endpoint.bodies) == 1


def test_a_schema_is_sent_until_the_endpoint_refuses_it(endpoint: Any, reply: Any) -> None:
    endpoint.answers(reply.error(400, "unknown field"), reply.completion("plain"), reply.completion("again"))
    chat = _chat(endpoint)
    for _ in range(2):
        chat.ask("critique", MESSAGES, temperature=0.0, schema={"type": "object"})
    first, *others = endpoint.requests
    assert first["response_format"]["json_schema"] == {
        "name": "critique",
        "strict": True,
        "schema": {"type": "object"},
    }
    assert ["response_format" in request for request in others] == [False, False]
    assert [request["temperature"] for request in endpoint.requests] == [0.0, 0.0, 0.0]


def test_a_temperature_is_sent_until_the_endpoint_refuses_it(endpoint: Any, reply: Any) -> None:
    refusal = reply.error(400, "Unsupported value: 'temperature' does not support 0 with this model.")
    endpoint.answers(refusal, reply.completion("ok"))
    chat = _chat(endpoint)
    chat.ask("critique", MESSAGES, temperature=0.0, schema={"type": "object"})
    assert "temperature" not in endpoint.requests[1]
    assert "response_format" in endpoint.requests[1]


def test_a_proxy_of_the_environment_is_used(endpoint: Any, reply: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint.answers(reply.completion("through the proxy"))
    monkeypatch.setenv("HTTP_PROXY", endpoint.base_url.removesuffix("/v1"))
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    chat = _chat(endpoint, base_url="http://model.invalid/v1")
    assert chat.ask("edit", MESSAGES, temperature=0.7).text == "through the proxy"
    assert endpoint.headers[0]["host"] == "model.invalid"


@pytest.mark.parametrize("proxy", ["nonsense://somewhere", "socks5://127.0.0.1:9"])
def test_an_unusable_proxy_is_said_plainly(endpoint: Any, monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    assert "The proxy" in str(_failure(_chat(endpoint, base_url="http://model.invalid/v1")))


def test_a_private_authority_is_trusted_where_the_environment_names_it(
    endpoint: Any, reply: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = endpoint.use_tls()
    endpoint.answers(reply.completion("trusted"))
    assert "is not trusted; set SSL_CERT_FILE" in str(_failure(_chat(endpoint)))
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    assert _chat(endpoint).ask("edit", MESSAGES, temperature=0.7).text == "trusted"


def test_unreadable_certificates_are_said_plainly(endpoint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/file.pem")
    assert "SSL_CERT_FILE" in str(_failure(_chat(endpoint)))


@pytest.mark.parametrize(
    "base_url", ["", "localhost:8080/v1", "ftp://host/v1", "http://[::1", "http://host:99999/v1", "http://a b/v1"]
)
def test_a_malformed_base_url_is_bad_configuration(base_url: str) -> None:
    with pytest.raises(ConfigurationError, match="base URL"):
        OpenAIChat(ModelSettings(base_url=base_url, name="small"))


def test_a_model_needs_a_name() -> None:
    with pytest.raises(ConfigurationError, match="no name"):
        OpenAIChat(ModelSettings(base_url="http://host/v1", name=""))
