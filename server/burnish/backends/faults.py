"""One sentence for each way in which an endpoint can fail, with the next step."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from urllib.parse import urlsplit, urlunsplit

import httpx2
import openai

from burnish.configuration import ModelSettings
from burnish.engine.stopping import UnusableBackendError
from burnish_analyzers.errors import BackendError

_CONTEXT = re.compile(
    r"(?i)context.{0,40}(?:length|size|window|exceed)|exceed.{0,40}context|too many tokens|prompt is too long"
)
_SHOWN_CHARACTERS = 200


def backend_error(error: Exception, settings: ModelSettings) -> BackendError:
    """What `error`, raised by the client, means to the user."""
    where = shown_url(settings.base_url)
    if isinstance(error, openai.APIStatusError):
        return _status_error(error, settings, where)
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        seconds = f"{settings.timeout_seconds:g} s"
        return BackendError(
            f"{where} gave no complete answer within {seconds}; choose a faster model, or raise the model's timeout."
        )
    if isinstance(error, openai.APIConnectionError):
        return _connection_error(error, where)
    return BackendError(f"{where} sent an answer that is not valid JSON; look at the server's log, or try again.")


def no_chat_completion(settings: ModelSettings) -> BackendError:
    """For an answer that arrived whole and is something else: a page, an empty object."""
    return UnusableBackendError(
        f"{shown_url(settings.base_url)} answered with something that is no chat completion; "
        "check the base URL, which usually ends in /v1."
    )


def unusable_proxy(error: Exception) -> BackendError:
    """For a proxy setting that the client cannot work with."""
    return UnusableBackendError(
        f"The proxy in HTTP_PROXY, HTTPS_PROXY or ALL_PROXY cannot be used; correct it ({error})."
    )


def unreadable_certificates(error: OSError) -> BackendError:
    """For a trust store that cannot be loaded."""
    return UnusableBackendError(
        "The certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read; "
        f"correct it ({error.strerror or error})."
    )


def is_about_context(error: openai.APIStatusError) -> bool:
    """Whether the request was too long for the model."""
    return error.status_code in (400, 413, 422) and bool(_CONTEXT.search(_said(error)))


def asked_wait_seconds(error: openai.APIStatusError, now: float, *, default: float) -> float:
    """How long the endpoint asks to wait, where it does. `now` is in seconds since the epoch."""
    value = error.response.headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except ValueError:
        return default


def shown_url(base_url: str) -> str:
    """The URL without a user, password or query."""
    parts = urlsplit(base_url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", "")) or "The endpoint"


def _status_error(error: openai.APIStatusError, settings: ModelSettings, where: str) -> BackendError:
    status = error.status_code
    if is_about_context(error):
        return UnusableBackendError(
            "The request is longer than the model's context; choose a model with a longer one, or a smaller unit "
            f"({_excerpt(error, settings)})."
        )
    useless = _useless_to_repeat(error, settings, where)
    if useless:
        return UnusableBackendError(useless)
    if status >= 500:
        return BackendError(f"{where} failed ({_named(status)}); try again, or look at the server's log.")
    return BackendError(
        f"{where} refuses the request ({_named(status)}: {_excerpt(error, settings)}); "
        "choose another model, or correct its settings."
    )


def _useless_to_repeat(error: openai.APIStatusError, settings: ModelSettings, where: str) -> str:
    match error.status_code:
        case 401:
            return (
                f"{where} refuses the API key (401); "
                "set BURNISH_API_KEY, or the key in the editor, to one that is valid there."
            )
        case 402:
            return f"The account at {where} has no credit left (402); top it up, or choose another model."
        case 403:
            return f"{where} does not let this key use {settings.name} (403); choose another model or key."
        case 404:
            return (
                f"{where} has no model {settings.name}, or no chat completions (404); "
                "check the model's name, and the base URL, which usually ends in /v1."
            )
        case 429:
            asked = error.response.headers.get("retry-after", "")
            wait = f" and asks to wait {asked} s" if asked.isdigit() else ""
            return f"{where} is over its rate limit (429){wait}; try again later, or choose another model."
    return ""


def _connection_error(error: openai.APIConnectionError, where: str) -> BackendError:
    cause = error.__cause__
    if "CERTIFICATE_VERIFY_FAILED" in str(cause):
        return UnusableBackendError(
            f"The certificate of {where} is not trusted; set SSL_CERT_FILE to the file of the authority that signed it."
        )
    if isinstance(cause, httpx2.ProxyError):
        return UnusableBackendError(f"The proxy does not let {where} through; check HTTPS_PROXY, HTTP_PROXY, NO_PROXY.")
    if isinstance(cause, httpx2.ConnectError):
        return UnusableBackendError(f"Nothing answers at {where}; start the model server, or correct the base URL.")
    return BackendError(f"The connection to {where} broke off before the answer was complete; try again.")


def _said(error: openai.APIStatusError) -> str:
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    return str(message or error.message)


def _excerpt(error: openai.APIStatusError, settings: ModelSettings) -> str:
    said = " ".join(_said(error).split())
    if settings.api_key:
        said = said.replace(settings.api_key, "***")
    return said[:_SHOWN_CHARACTERS].rstrip(" .")


def _named(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
