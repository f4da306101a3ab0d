"""Run the protocol over two text streams: one request per line of input, one answer per line of output."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from rulewright.protocol.service import Service
from rulewright.protocol.wire import BadMessageError, answer_text, error, read_request


def serve(service: Service, requests: Iterable[str], out: TextIO) -> None:
    """Answer each line in turn until the end of input; skip empty lines."""
    for line in requests:
        if not line.strip():
            continue
        out.write(f"{answer_line(service, line)}\n")
        out.flush()


def answer_line(service: Service, line: str) -> str:
    """Return the answer to a line of input, in one line of JSON."""
    try:
        id, request = read_request(line)
    except BadMessageError as failure:
        return error(failure)
    return answer_text(service.answer(request), id)
