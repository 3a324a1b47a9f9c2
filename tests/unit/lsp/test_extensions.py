"""docs/lsp-extensions.md describes every name that we add to the protocol, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from burnish.lsp import extensions
from burnish.lsp.code_actions import KINDS

DOCUMENT = (Path(__file__).parents[3] / "docs/lsp-extensions.md").read_text(encoding="utf-8")


def test_the_document_and_the_code_know_the_same_names() -> None:
    names = {value for name, value in vars(extensions).items() if name.isupper()}
    headings = re.findall(r"^### .*?`([^`]+)`", DOCUMENT, re.MULTILINE)
    assert set(headings) == names
    assert len(headings) == len(names)


def test_the_document_names_every_kind() -> None:
    assert all(f"`{kind}`" in DOCUMENT for kind in KINDS.values())
