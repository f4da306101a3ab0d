"""Decode the bytes of a file into a source: encoding, line ends and sizes.

`bytes_of_file` is the only function that opens a file.
"""

import os
import re
import stat
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Final

import attrs

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.source import Source, Span

RULES: Final = ".game"
SCENARIOS: Final = ".scenario"
TABLES: Final = ".csv"
"""The endings of the names of files with rules, with scenarios and with tables."""
MAX_BYTES: Final = 4 * 1024 * 1024
MAX_LINE: Final = 10_000

_LONG_LINE: Final = re.compile(rf"^.{{{MAX_LINE}}}(?=.)", re.MULTILINE)


@attrs.frozen
class Reading:
    """A source, and the problem with its bytes if there is one.

    A source that is not `usable` only shows the problem; later stages ignore this source.
    """

    source: Source
    problems: tuple[Diagnostic, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether the text is the author's own, so that later stages can use it."""
        return not self.problems


def decode(name: str, data: bytes) -> Reading:
    """Decode the bytes of a file, whose name is shown to users as `name`. Any bytes are accepted."""
    if len(data) > MAX_BYTES:
        return _too_large(name)
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _utf16(name)
    data = data.removeprefix(BOM_UTF8)
    zero = data.find(0)
    if zero >= 0:
        return _binary(name, data, zero)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as failure:
        return _not_utf8(name, data, failure)
    source = Source(name, _with_plain_newlines(text))
    long_line = _LONG_LINE.search(source.text)
    if long_line is not None:
        return _line_too_long(source, long_line.end())
    return Reading(source)


def _with_plain_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _readable_part(data: bytes) -> str:
    return _with_plain_newlines(data.decode("utf-8", errors="replace"))


def _unusable(problem: Diagnostic) -> Reading:
    return Reading(problem.span.source, (problem,))


def _too_large(name: str) -> Reading:
    return _unusable(
        Diagnostic(
            "file-too-large",
            f"`{name}` is larger than {MAX_BYTES // 1024 // 1024} MiB",
            Source(name, "").end,
            help="split it into several files, or check whether it is the right file",
        )
    )


def _utf16(name: str) -> Reading:
    return _unusable(
        Diagnostic(
            "not-utf8",
            f"`{name}` is not UTF-8 text",
            Source(name, "").end,
            notes=('it begins like UTF-16, which some programs call "Unicode"',),
            help="save the file with the encoding UTF-8",
        )
    )


def _binary(name: str, data: bytes, zero: int) -> Reading:
    # The text up to the zero byte is shown; the rest may be anything.
    source = Source(name, _readable_part(data[: zero + 1]))
    return _unusable(
        Diagnostic(
            "binary-file",
            f"`{name}` is not a text file",
            Span(source, len(source.text) - 1, len(source.text)),
            text="a zero byte, which no text holds",
            help="check whether it is the right file, or save it again as UTF-8 text",
        )
    )


def _not_utf8(name: str, data: bytes, failure: UnicodeDecodeError) -> Reading:
    source = Source(name, _readable_part(data))
    start = len(_readable_part(data[: failure.start]))
    byte = data[failure.start]
    return _unusable(
        Diagnostic(
            "not-utf8",
            f"`{name}` is not UTF-8 text",
            Span(source, start, start + 1),
            text=f"the byte 0x{byte:02X} is not part of a UTF-8 character",
            notes=_guess(byte, failure.reason),
            help="save the file with the encoding UTF-8",
        )
    )


def _guess(byte: int, reason: str) -> tuple[str, ...]:
    if reason == "unexpected end of data":
        return ("the file ends in the middle of a character; it may have been cut short",)
    character = bytes([byte]).decode("cp1252", errors="ignore")
    if not character or not character.isprintable():
        return ()
    return (f"in Windows-1252 and similar encodings this byte is `{character}`",)


def _line_too_long(source: Source, limit: int) -> Reading:
    line, _ = source.position(limit)
    return _unusable(
        Diagnostic(
            "line-too-long",
            f"line {line} is longer than {MAX_LINE} characters",
            Span(source, limit, limit + 1),
            text=f"character {MAX_LINE + 1} of the line",
            help="break the line, or check whether it is the right file",
        )
    )


def display_path(path: Path) -> str:
    """Return the name of a file as the user knows it."""
    try:
        return str(real_path(path).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)


def real_path(path: Path) -> Path:
    """Return the path of a file after all links are followed; cyclic links are not followed."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:  # a name that no file can have
        return path.absolute()


def bytes_of_file(path: Path) -> bytes | None:
    """Return the first `MAX_BYTES + 1` bytes of a regular file, or None if there is no such file or it
    cannot be read.

    The function never waits for a pipe or a device.
    """
    try:
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with os.fdopen(handle, "rb") as file:
            return file.read(MAX_BYTES + 1) if stat.S_ISREG(os.fstat(handle).st_mode) else None
    except (OSError, ValueError):  # a `ValueError` means a name that no file can have
        return None
