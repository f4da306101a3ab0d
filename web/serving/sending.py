"""Send notices: mails by SMTP, JSON to a webhook, and empty messages to the push service of a browser.

Each call blocks, and runs in a thread. Addresses come from users, so nothing is sent to private networks
unless a flag allowed this at the start of the server. Redirects are not followed, and answers are not read.
"""

from __future__ import annotations

import json
import smtplib
import socket
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from http.client import HTTPConnection, HTTPSConnection
from ipaddress import ip_address
from time import time
from urllib.parse import unquote, urlsplit

import attrs

from rulewright.web.serving.vapid import public_key, token

PATIENCE = 20.0
_DAY = 86_400


class NotSentError(Exception):
    """Raised if a notice could not be sent; `is_final` says that the address is no longer valid."""

    def __init__(self, message: str, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final


@attrs.frozen
class Mail:
    """A mail."""

    to: str
    subject: str
    text: str


def send_mail(server: str, sender: str, mail: Mail) -> None:
    """Send a mail through a server such as `smtp://NAME:WORD@mail.example.org:587`; `smtps` begins with TLS."""
    parts = urlsplit(server)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, mail.to, mail.subject
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(mail.text)
    host = parts.hostname or "localhost"
    try:
        if parts.scheme == "smtps":
            context = ssl.create_default_context()
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(
                host, parts.port or 465, timeout=PATIENCE, context=context
            )
        else:
            smtp = smtplib.SMTP(host, parts.port or 25, timeout=PATIENCE)
        with smtp:
            if parts.scheme == "smtp":
                smtp.ehlo()
                if smtp.has_extn("starttls"):
                    smtp.starttls(context=ssl.create_default_context())
            if parts.username:
                smtp.login(unquote(parts.username), unquote(parts.password or ""))
            smtp.send_message(message)
    except smtplib.SMTPRecipientsRefused as failure:
        raise NotSentError("the mail server refuses the address", is_final=True) from failure
    except (OSError, smtplib.SMTPException) as failure:
        raise NotSentError(f"an email cannot be sent: {type(failure).__name__}") from failure


def send_json(address: str, data: Mapping[str, object], *, private: bool) -> None:
    """Send JSON to a webhook."""
    body = json.dumps(data, ensure_ascii=False).encode()
    _post(address, body, {"Content-Type": "application/json"}, private=private)


def knock(endpoint: str, key: str, contact: str, *, private: bool) -> None:
    """Wake the page of a browser by an empty message to its push service, which learns nothing about the
    match.
    """
    parts = urlsplit(endpoint)
    origin = f"{parts.scheme}://{parts.netloc}"
    claims = {"aud": origin, "exp": int(time()) + _DAY // 2, "sub": contact}
    authorization = f"vapid t={token(claims, key)}, k={public_key(key)}"
    headers = {"TTL": str(_DAY), "Urgency": "normal", "Authorization": authorization}
    _post(endpoint, b"", headers, private=private)


def is_allowed(address: str, *, private: bool) -> bool:
    """Return whether notices may go to an address: https, or also http if private networks are allowed."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    schemes = ("https", "http") if private else ("https",)
    is_plain = address.isascii() and address.isprintable() and " " not in address
    has_word = parts.username is not None or parts.password is not None
    return (
        is_plain and parts.scheme in schemes and bool(parts.hostname) and not has_word and port != 0
    )


def _post(address: str, body: bytes, headers: Mapping[str, str], *, private: bool) -> None:
    if not is_allowed(address, private=private):
        raise NotSentError("notices may not be sent to this address", is_final=True)
    parts = urlsplit(address)
    host = parts.hostname or ""
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(host, parts.port, timeout=PATIENCE)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        if not private:
            port = parts.port or 443
            for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                _refuse_private(str(found[4][0]))
        connection.connect()
        if not private:  # the name may have another address now
            _refuse_private(str(connection.sock.getpeername()[0]))
        connection.request("POST", path, body, {**headers, "User-Agent": "rulewright"})
        status = connection.getresponse().status
    except OSError as failure:
        raise NotSentError(f"an address does not answer: {type(failure).__name__}") from failure
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise NotSentError(f"an address answers {status}", is_final=status in (404, 410))


def _refuse_private(address: str) -> None:
    if not ip_address(address.partition("%")[0]).is_global:
        raise NotSentError("this address is in a private network", is_final=True)
