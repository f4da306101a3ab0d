"""Read the bytes that a client sends: headers and bodies, within the limit for a message."""

from __future__ import annotations

import re
from typing import BinaryIO, Final

LARGEST: Final = 64 * 1024 * 1024  # the maximum size of a message in bytes
_LONGEST_HEADER: Final = 8 * 1024
_LENGTH: Final = re.compile(rb"content-length:\s*(.*?)\s*", re.IGNORECASE)


class Incoming:
    """Reads as many bytes as the library requests; ends the connection at the first invalid header."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.refusal: str | None = None
        """The reason why the connection was ended, or None if it was not."""

    def readline(self) -> bytes:
        """Return the next line of a header; it is empty after the last line."""
        line = self._stream.readline(_LONGEST_HEADER)
        if len(line) == _LONGEST_HEADER:
            return self._refuse("a header is too long")
        found = _LENGTH.fullmatch(line)
        if found is None:
            return line
        length = found[1].decode("ascii", "replace")
        if not (length.isascii() and length.isdecimal()):
            return self._refuse(f"the length of a message is a number, not `{length[:20]}`")
        if len(length) > len(str(LARGEST)) or int(length) > LARGEST:
            return self._refuse(f"a message has at most {LARGEST:,} bytes, not {length[:20]}")
        return b"Content-Length: %d\r\n" % int(length)

    def read(self, size: int) -> bytes:
        """Return a body of this size."""
        return self._stream.read(size)

    def _refuse(self, why: str) -> bytes:
        self.refusal = why
        return b""
