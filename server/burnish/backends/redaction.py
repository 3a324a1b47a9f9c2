"""Keeps secrets out of what is sent: placeholders take their place, and are replaced by them in the reply.

Hiding too much costs little, for a placeholder comes back as the value that it stands for; hiding too little may cost
a lot.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

_PLACEHOLDER = re.compile(r"BURNISH_SECRET_\d+")

# Formats of well-known issuers, wherever they stand.
_KEY_SHAPED = re.compile(
    r"""(?<![A-Za-z0-9])(?:
        (?:sk|pk|rk|ak)[-_][A-Za-z0-9][A-Za-z0-9_-]{14,}             # OpenAI, Anthropic, Stripe
      | (?:AKIA|ASIA|AGPA|AROA|AIDA)[A-Z0-9]{16}                     # AWS
      | gh[pousr]_[A-Za-z0-9]{20,} | github_pat_[A-Za-z0-9_]{20,} | glpat-[A-Za-z0-9_-]{16,}
      | xox[a-z]-[A-Za-z0-9-]{10,} | xapp-[A-Za-z0-9-]{10,}          # Slack
      | AIza[A-Za-z0-9_-]{30,} | ya29\.[A-Za-z0-9_-]{20,}            # Google
      | hf_[A-Za-z0-9]{20,} | npm_[A-Za-z0-9]{30,} | pypi-[A-Za-z0-9_-]{30,} | SG\.[A-Za-z0-9_.-]{30,}
      | eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*   # JSON web tokens
    )""",
    re.VERBOSE,
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----BEGIN).){0,20000}?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\\[nr]|[\s\"'+\\])*[A-Za-z0-9+/=]{24,})*)",  # a block without its end: as far as its lines go
    re.DOTALL,
)
# Each line of a block gets its own placeholder, so that the text keeps its lines.
_KEY_LINE = re.compile(r"-----[A-Z0-9 ]+-----|[A-Za-z0-9+/=]{4,}")
_BEARER = re.compile(r"(?i)\b(?:bearer|basic)\s+(?P<value>[A-Za-z0-9+/_.~-]{12,}=*)")
_URL_PASSWORD = re.compile(r"(?i)[a-z][a-z0-9+.-]*://[^\s/:@\"']*:(?P<value>[^\s/@\"']{3,})@")
_ENVIRONMENT_LINE = re.compile(r"(?m)^[ \t]*(?:export[ \t]+)?[A-Z][A-Z0-9_]*=(?P<value>[^\s\"'(),]{12,})\s*$")
_ASSIGNED = re.compile(
    r"""(?ix)
    (?P<name>[\w-]*(?:passw(?:or)?d|passphrase|pwd|secret|credential|token|auth|key)[\w-]*)
    ["']?\]?\s*(?::\s*[\w.\[\]|\s]{1,40})?(?P<sign>[=!]=|:=|=|:|,)\s*
    [rbuf]{0,2}(?P<quote>\"{3}|'{3}|["'])(?P<value>[^"'\n]{4,}?)(?P=quote)
    """
)
_SURE_NAME = re.compile(r"(?i)passw(?:or)?d|passphrase|pwd|secret|credential|(?:api|private|access)[_-]?key")
_LONG_LITERAL = re.compile(r"""["'](?P<value>[A-Za-z0-9+/_=.-]{32,})["']""")


class Redactor:
    """Replaces secrets by placeholders, the same one for the same secret, and puts them back.

    `known` are secrets that are hidden wherever they stand, whatever they look like.
    """

    def __init__(self, *known: str) -> None:
        self._known = {secret for secret in known if len(secret) >= 8}
        self._placeholders: dict[str, str] = {}

    def hide(self, text: str) -> str:
        """`text` without its secrets; it keeps its lines."""
        hidden, end = [], 0
        for start, stop in self._spans(text):
            hidden += [text[end:start], self._placeholder(text[start:stop], text)]
            end = stop
        return "".join([*hidden, text[end:]])

    def restore(self, text: str) -> str:
        """`text` with the secrets that its placeholders stand for."""
        secrets = {placeholder: secret for secret, placeholder in self._placeholders.items()}
        return _PLACEHOLDER.sub(lambda match: secrets.get(match[0], match[0]), text)

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Where secrets stand, in order; those that overlap are one."""
        # A short secret seen once may be a word elsewhere ("test"); a long one is not.
        everywhere = self._known | {secret for secret in self._placeholders if len(secret) >= 12}
        found = [match.span() for secret in everywhere for match in re.finditer(re.escape(secret), text)]
        spans: list[tuple[int, int]] = []
        for start, stop in sorted([*found, *_secrets(text)]):
            if _PLACEHOLDER.search(text, start, stop):
                continue
            while stop < len(text) and text[stop].isdigit():  # or they would run into the placeholder's number
                stop += 1
            if spans and start < spans[-1][1]:
                spans[-1] = (spans[-1][0], max(stop, spans[-1][1]))
            else:
                spans.append((start, stop))
        return spans

    def _placeholder(self, secret: str, text: str) -> str:
        if secret not in self._placeholders:
            taken = set(self._placeholders.values()) | set(_PLACEHOLDER.findall(text))
            number = len(self._placeholders) + 1
            while f"BURNISH_SECRET_{number}" in taken:
                number += 1
            self._placeholders[secret] = f"BURNISH_SECRET_{number}"
        return self._placeholders[secret]


def _secrets(text: str) -> Iterator[tuple[int, int]]:
    for block in _PRIVATE_KEY.finditer(text):
        for line in _KEY_LINE.finditer(block[0]):
            yield block.start() + line.start(), block.start() + line.end()
    for pattern in (_KEY_SHAPED, _URL_PASSWORD):
        for match in pattern.finditer(text):
            yield match.span("value" if "value" in pattern.groupindex else 0)
    for pattern in (_BEARER, _ENVIRONMENT_LINE):
        for match in pattern.finditer(text):
            if _looks_random(match["value"], 12):
                yield match.span("value")
    for match in _ASSIGNED.finditer(text):
        sure = match["sign"] != "," and _SURE_NAME.search(match["name"])
        if sure or _looks_random(match["value"], 12):
            yield match.span("value")
    for match in _LONG_LITERAL.finditer(text):
        if _looks_generated(match["value"]):
            yield match.span("value")


def _looks_random(value: str, least_length: int) -> bool:
    """Letters and digits mixed without spaces, and few repeats: more bits for each character than words have."""
    if len(value) < least_length or " " in value or not re.search(r"\d", value) or not re.search(r"[A-Za-z]", value):
        return False
    counts = Counter(value)
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values()) >= 3.0


def _looks_generated(value: str) -> bool:
    """A long value that nobody typed; an alphabet, which has no character twice, is none."""
    if len(set(value)) == len(value) or not _looks_random(value, 32):
        return False
    mixed_case = re.search(r"[a-z]", value) and re.search(r"[A-Z]", value)
    return bool(mixed_case or re.fullmatch(r"[0-9a-f]+|[0-9A-F]+", value))
