"""Any bytes give a source, and at most one problem with a place."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dsl.diagnostics.codes import CODES
from rulewright.dsl.diagnostics.render import render
from rulewright.dsl.text.reading import MAX_BYTES, MAX_LINE, decode


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"zone a\n", "zone a\n"),
        (b"zone a", "zone a"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\rb\r\r\nc", "a\nb\n\nc"),
        (b"\xef\xbb\xbfzone a\r\n", "zone a\n"),
        ("銀杏".encode(), "銀杏"),
        (b"a" * MAX_LINE + b"\n" + b"b" * MAX_LINE, "a" * MAX_LINE + "\n" + "b" * MAX_LINE),
        (b"\n" * MAX_BYTES, "\n" * MAX_BYTES),
    ],
    ids=["empty", "plain", "open", "crlf", "cr", "mark", "wide", "longest lines", "largest file"],
)
def test_text_is_read_in_every_encoding_allowed(data: bytes, text: str) -> None:
    reading = decode("a.game", data)
    assert reading.problems == ()
    assert reading.usable
    assert reading.source.name == "a.game"
    assert reading.source.text == text


REFUSED = {
    "latin-1": (
        b'game "Caf\xe9"\r\n',
        """
error[not-utf8]: `a.game` is not UTF-8 text
 --> a.game:1:10
  |
1 | game "Caf\N{REPLACEMENT CHARACTER}"
  |          ^ the byte 0xE9 is not part of a UTF-8 character
  |
  = note: in Windows-1252 and similar encodings this byte is `é`
  = help: save the file with the encoding UTF-8
""",
    ),
    "latin-1 after CRLF": (
        b"\xef\xbb\xbfgame\r\n\r\nzone \xff",
        """
error[not-utf8]: `a.game` is not UTF-8 text
 --> a.game:3:6
  |
3 | zone \N{REPLACEMENT CHARACTER}
  |      ^ the byte 0xFF is not part of a UTF-8 character
  |
  = note: in Windows-1252 and similar encodings this byte is `ÿ`
  = help: save the file with the encoding UTF-8
""",
    ),
    "a byte of no encoding": (
        b"zone \x81",
        """
error[not-utf8]: `a.game` is not UTF-8 text
 --> a.game:1:6
  |
1 | zone \N{REPLACEMENT CHARACTER}
  |      ^ the byte 0x81 is not part of a UTF-8 character
  |
  = help: save the file with the encoding UTF-8
""",
    ),
    "cut short": (
        "zone 銀".encode()[:-1],
        """
error[not-utf8]: `a.game` is not UTF-8 text
 --> a.game:1:6
  |
1 | zone \N{REPLACEMENT CHARACTER}
  |      ^ the byte 0xE9 is not part of a UTF-8 character
  |
  = note: the file ends in the middle of a character; it may have been cut short
  = help: save the file with the encoding UTF-8
""",
    ),
    "UTF-16": (
        "zone a\n".encode("utf-16"),
        """
error[not-utf8]: `a.game` is not UTF-8 text
 --> a.game:1:1
  |
  = note: it begins like UTF-16, which some programs call "Unicode"
  = help: save the file with the encoding UTF-8
""",
    ),
    "binary": (
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR",
        """
error[binary-file]: `a.game` is not a text file
 --> a.game:3:1
  |
3 | ␀
  | ^ a zero byte, which no text holds
  |
  = help: check whether it is the right file, or save it again as UTF-8 text
""",
    ),
    "a long line": (
        b"zone a\nb" + b"b" * MAX_LINE + b"\n",
        f"""
error[line-too-long]: line 2 is longer than 10000 characters
 --> a.game:2:10001
  |
2 | ...{"b" * 90}
  |    {" " * 89}^
  |{" " * 70}character 10001 of the line
  |
  = help: break the line, or check whether it is the right file
""",
    ),
    "10 MB on one line": (
        b"x" * 10_000_000,
        """
error[file-too-large]: `a.game` is larger than 4 MiB
 --> a.game:1:1
  |
  = help: split it into several files, or check whether it is the right file
""",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_bytes_are_refused_with_their_place(name: str) -> None:
    data, text = REFUSED[name]
    reading = decode("a.game", data)
    assert not reading.usable
    (problem,) = reading.problems
    assert problem.span.source is reading.source
    assert render(problem) == text.strip()


@pytest.mark.parametrize(
    "data",
    [
        b"x" * MAX_BYTES,
        b"\n" * MAX_BYTES,
        b"\xe9" * MAX_BYTES,
        b"x" * (MAX_BYTES - 1) + b"\xe9",
        b"x" * (MAX_BYTES - 1) + b"\0",
        (b"x" * (MAX_LINE - 1) + b"\n") * (MAX_BYTES // MAX_LINE),
    ],
    ids=["one line", "no line", "latin-1", "latin-1 at the end", "zero at the end", "long lines"],
)
def test_the_largest_files_take_no_time(data: bytes) -> None:
    began = time.process_time()
    for problem in decode("a.game", data).problems:
        render(problem)
    # It takes hundredths of a second; the limit distinguishes a slow machine from quadratic time.
    assert time.process_time() - began < 3


@given(
    st.binary(max_size=60)
    | st.lists(st.sampled_from([b"\r", b"\n", b"\xef\xbb\xbf", b"\xe9", b"a", b"\0"])).map(b"".join)
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    reading = decode("a.game", data)
    assert "\r" not in reading.source.text
    assert len(reading.problems) <= 1
    for problem in reading.problems:
        assert problem.code in CODES
        assert problem.span.source is reading.source
        assert render(problem)
