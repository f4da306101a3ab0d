"""The language server over standard input and output."""

from __future__ import annotations

import os
import sys

from rulewright.editing.lsp import more_requests, requests
from rulewright.editing.lsp.editor import Editor

SWITCH = 0.002  # seconds after which the thread in the background lets an answer pass


def main() -> None:
    """Serve one editor, until it leaves."""
    sys.setswitchinterval(SWITCH)
    server = Editor()
    requests.register(server)
    more_requests.register(server)
    # What it writes to is closed when the editor leaves; standard output stays open for who started this.
    server.start_io(stdout=os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
