"""What looks like a secret is hidden, comes back whole, and nothing else is touched."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnish.backends.redaction import Redactor

# Assembled here, so that no scanner takes this file for a leak.
OPENAI = "sk-" + "proj-Ab12Cd34Ef56Gh78Ij90"
AWS = "AKIA" + "IOSFODNN7EXAMPLE"
GITHUB = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
HEX = "3f" + "9a7c51d2e8b6044fa1c37e95d0b8266e"
BASE64 = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzzEXAMPLEKEY"
DASHES = "-" * 5
PEM_BODY = [
    "MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN3tihPmljnnudb9G3HECdnH",
    "lWu2/a1gB9JW5TBQ+AVpum9Okx7KfqkfBKL9mcHg",
    "Zz==",
]
PEM = "\n".join([f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}", *PEM_BODY, f"{DASHES}END RSA PRIVATE KEY{DASHES}"])


@pytest.mark.parametrize(
    ("code", "secret"),
    [
        (f'client = Client("{OPENAI}")', OPENAI),
        (f"# use {AWS} here", AWS),
        (f"push({GITHUB!r})", GITHUB),
        (f'headers = {{"Authorization": "Bearer {HEX}"}}', HEX),
        ('connect(user="bob", password="hunter2")', "hunter2"),
        ("settings['db_password'] = 'hunter2'", "hunter2"),
        ('passphrase = "correct horse battery staple"', "correct horse battery staple"),
        ('{"client_secret": "a-b-c-d"}', "a-b-c-d"),
        ('API_KEY: str = "abcd1234"', "abcd1234"),
        ('if token == "9f8a7b6c5d4e3f2a":', "9f8a7b6c5d4e3f2a"),
        ('os.getenv("API_TOKEN", "9f8a7b6c5d4e3f2a")', "9f8a7b6c5d4e3f2a"),
        ('url = "postgres://app:pa55word@db.example/prod"', "pa55word"),
        (f'f("{BASE64}")', BASE64),
        (f'f("{HEX}")', HEX),
        ('text = """\nSERVICE_KEY=Zx81Yw72Xv63Uu54\n"""', "Zx81Yw72Xv63Uu54"),
        ('secret = b"""abc123"""', "abc123"),
    ],
)
def test_secrets_are_hidden_and_come_back(code: str, secret: str) -> None:
    redactor = Redactor()
    hidden = redactor.hide(code)
    assert secret not in hidden
    assert redactor.restore(hidden) == code


@pytest.mark.parametrize(
    "code",
    [
        'key = "created_at"',
        "rows.sort(key=lambda row: row.name)",
        'token = "("',
        'fields = ["password", "email"]',
        'raise ValueError("no token was given, see the manual for version 2")',
        'monkey = "banana"',
        'DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"',
        '"basic authentication"',
        "password = compute_hash2(text)",
        'import_module("burnish_analyzers.checks.outcome.version2")',
    ],
)
def test_ordinary_code_is_left_alone(code: str) -> None:
    assert Redactor().hide(code) == code


@pytest.mark.parametrize(
    "code",
    [
        f'KEY = """{PEM}"""',
        "KEY = " + repr(PEM),
        "KEY = (\n" + "\n".join(f'    "{line}\\n"' for line in PEM.split("\n")) + "\n)",
        f'KEY = """{PEM.rpartition(chr(10))[0]}"""',
    ],
)
def test_private_keys_are_hidden_line_by_line(code: str) -> None:
    redactor = Redactor()
    hidden = redactor.hide(code)
    assert not any(line in hidden for line in PEM_BODY[:2])
    assert hidden.count("\n") == code.count("\n")
    assert redactor.restore(hidden) == code


def test_a_detector_of_private_keys_stays_readable() -> None:
    code = f'def f(text):\n    return "{DASHES}BEGIN PRIVATE KEY{DASHES}" in text and len(text) > 100\n'
    assert "in text and len(text) > 100" in Redactor().hide(code)


def test_a_secret_keeps_its_placeholder_and_is_hidden_where_no_name_tells() -> None:
    redactor = Redactor()
    first = redactor.hide('API_KEY = "abcdefgh-ijkl"')
    assert first == 'API_KEY = "BURNISH_SECRET_1"'
    assert redactor.hide("f('abcdefgh-ijkl') gives 3") == "f('BURNISH_SECRET_1') gives 3"


def test_a_short_secret_is_not_hidden_as_a_word() -> None:
    redactor = Redactor()
    assert redactor.hide('password = "test"\ndef test_it(): ...').endswith("\ndef test_it(): ...")


def test_known_secrets_are_hidden_wherever_they_stand() -> None:
    assert Redactor("my own key").hide("print('my own key')") == "print('BURNISH_SECRET_1')"


def test_a_placeholder_in_the_users_code_is_not_taken() -> None:
    redactor = Redactor()
    code = 'a = "BURNISH_SECRET_1"\npassword = "hunter2"'
    hidden = redactor.hide(code)
    assert hidden == 'a = "BURNISH_SECRET_1"\npassword = "BURNISH_SECRET_2"'
    assert redactor.restore(hidden) == code


PARTS = [OPENAI, AWS, HEX, PEM, "password = ", "key=", '"', "'", "\n", " ", "x", ":", "SECRET"]


@given(st.lists(st.sampled_from(PARTS)))
@settings(deadline=None)
def test_hiding_twice_is_hiding_once_and_restoring_undoes_it(parts: list[str]) -> None:
    text = "".join(parts)
    redactor = Redactor()
    hidden = redactor.hide(text)
    assert redactor.restore(hidden) == text
    assert redactor.restore(redactor.hide(hidden)) == text
    assert hidden.count("\n") == text.count("\n")
