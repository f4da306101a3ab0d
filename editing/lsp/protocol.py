"""The transport of messages: the library's, but without its memory leak for notifications, and with
refusals.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from attrs import frozen
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import RPCMessage


class RefusedRequest(JsonRpcException):
    """Raised to refuse a request, with the reason for the user; not a fault of the server."""

    CODE = types.LSPErrorCodes.RequestFailed


@frozen
class Unreadable:
    """A request whose parameters do not have the form that its method requires."""

    id: str | int
    method: str


class Protocol(LanguageServerProtocol):
    """The protocol of the library, which frees the results of requests but keeps those of notifications."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Parse a message; a request with invalid parameters is answered with `InvalidParams`."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "method" not in data or not isinstance(data.get("id"), str | int):
                raise
            return Unreadable(data["id"], str(data["method"]))

    def handle_message(self, message: RPCMessage | Unreadable) -> None:
        """Pass a message to its handler, and free the results of earlier messages."""
        if isinstance(message, Unreadable):
            words = f"the parameters of `{message.method:.100}` cannot be read"
            refused = JsonRpcInvalidParams(words).to_response_error()
            self._send_response(message.id, error=refused)
            return
        super().handle_message(message)
        done = [number for number, found in self._request_futures.items() if found.done()]
        for number in done:
            self._request_futures.pop(number, None)

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        refused = None if future.cancelled() else future.exception()
        if not isinstance(refused, RefusedRequest):
            super()._send_handler_result(future, msg_id=msg_id)
            return
        self._request_futures.pop(msg_id, None)
        self._send_response(msg_id, error=refused.to_response_error())
