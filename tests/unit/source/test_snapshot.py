"""Reading a document and writing it back, byte for byte."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.errors import SourceError
from burnish_analyzers.source.snapshot import Snapshot

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("data", "encoding", "bom", "newline"),
    [
        (b"", "utf-8", False, "\n"),
        (b"x = 1", "utf-8", False, "\n"),
        (BOM + "x = 'é'\r\n".encode(), "utf-8", True, "\r\n"),
        (BOM + b"# coding: utf-8\nx\n", "utf-8", True, "\n"),
        ("# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"), "iso8859-1", False, "\n"),
        ("#!/usr/bin/python\r# vim: set fileencoding=cp1252 :\rx = '€'\r".encode("cp1252"), "cp1252", False, "\r"),
        (b"a\nb\r\nc\r\n", "utf-8", False, "\r\n"),
        (b"x = 1\n# coding: latin-1\n", "utf-8", False, "\n"),
        (b"\x0c\n\ta = 1\n", "utf-8", False, "\n"),
    ],
)
def test_every_byte_comes_back(data: bytes, encoding: str, bom: bool, newline: str) -> None:
    snapshot = Snapshot.from_bytes(data)
    assert (snapshot.encoding, snapshot.bom, snapshot.newline) == (encoding, bom, newline)
    assert snapshot.encode() == data
    assert snapshot.digest == hashlib.sha256(data).hexdigest()
    assert not snapshot.text.startswith("\ufeff")


@given(st.text(alphabet=st.sampled_from("aé😀\n\r\f\u2028#: "), max_size=40), st.booleans())
def test_any_utf_8_file_comes_back(text: str, bom: bool) -> None:
    data = (BOM if bom else b"") + text.encode()
    assert Snapshot.from_bytes(data).encode() == data


def test_a_file_is_read_in_its_own_encoding_whatever_the_locale(tmp_path: Path) -> None:
    path = tmp_path / "latin.py"
    path.write_bytes("# coding: latin-1\nname = 'Bjørk'\n".encode("latin-1"))
    program = (
        "import pathlib, sys; from burnish_analyzers.source.snapshot import Snapshot\n"
        "path = pathlib.Path(sys.argv[1]); snapshot = Snapshot.read(path)\n"
        "path.write_bytes(snapshot.encode(snapshot.text.replace('\\xf8', '\\xf6')))"
    )
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    subprocess.run([sys.executable, "-c", program, str(path)], env=os.environ | locale, check=True)
    assert path.read_bytes() == "# coding: latin-1\nname = 'Björk'\n".encode("latin-1")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x = '\xe9'\n", "is not valid utf-8: save it as UTF-8"),
        (b"# coding: no-such-codec\n", "names an unknown encoding, no-such-codec: correct its coding line"),
        (b"# coding: rot13\n", "names an unknown encoding"),
        (BOM + b"# coding: latin-1\n", "byte order mark but names latin-1"),
        (b"# coding: ascii\nx = '\xe9'\n", "is not valid ascii"),
        (b"# coding: utf-7\nx = '+AOk-'\n", "cannot be written back unchanged"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_the_next_step(data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        Snapshot.from_bytes(data, Path("shop.py"))


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"There is no file .*nothing\.py: check the path"):
        Snapshot.read(tmp_path / "nothing.py")
    with pytest.raises(SourceError, match="is a folder: name a Python file inside it"):
        Snapshot.read(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match="cannot be read"):
        Snapshot.read(tmp_path / "file" / "below.py")


def test_unsaved_text_takes_the_encoding_of_its_cookie() -> None:
    snapshot = Snapshot.from_text("# coding: latin-1\nx = 'é'\n", Path("a.py"), version=7)
    assert (snapshot.encoding, snapshot.version) == ("iso8859-1", 7)
    assert b"\xe9" in snapshot.encode()
    with pytest.raises(SourceError, match="has no '€': save it as UTF-8"):
        snapshot.encode("# coding: latin-1\nx = '€'\n")


def test_unsaved_text_without_a_path_is_called_the_document() -> None:
    with pytest.raises(SourceError, match="The document names an unknown encoding, nonsense"):
        Snapshot.from_text("# coding: nonsense\n")
    with pytest.raises(SourceError, match="The document is written in utf-8"):
        Snapshot.from_text("x = '\ud800'\n").encode()


def test_a_long_first_line_of_unsaved_text_may_hold_any_character() -> None:
    assert Snapshot.from_text("'" + "é" * 5000 + "'\n").encoding == "utf-8"


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(SourceError, match="no regular file"):
        Snapshot.read(tmp_path / "pipe.py")
