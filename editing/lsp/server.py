"""The language server over standard input and output."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO, cast

from rulewright.editing.lsp import more_requests, requests
from rulewright.editing.lsp.editor import Editor
from rulewright.editing.lsp.incoming import Incoming

SWITCH = 0.002  # the time in seconds after which the background thread lets an answer run


def main() -> str | None:
    """Serve one editor until it exits; return the reason if its messages can no longer be read, otherwise
    None.
    """
    sys.setswitchinterval(SWITCH)
    server = Editor()
    requests.register(server)
    more_requests.register(server)
    # The server closes its output when the editor exits; standard output stays open for the process that
    # started the server.
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    incoming = Incoming(sys.stdin.buffer)
    server.start_io(stdin=cast("BinaryIO", incoming), stdout=outgoing)
    return incoming.refusal
