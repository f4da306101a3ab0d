"""How messages come and go: as in the library, but for what that keeps of each notification for ever."""

from __future__ import annotations

from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import RPCMessage


class Protocol(LanguageServerProtocol):
    """The protocol of the library, which lets go of what came of a request and keeps what came of a notification."""

    def handle_message(self, message: RPCMessage) -> None:
        """Hand a message to whom it concerns, and let go of what has come of earlier ones."""
        super().handle_message(message)
        done = [number for number, found in self._request_futures.items() if found.done()]
        for number in done:
            self._request_futures.pop(number, None)
