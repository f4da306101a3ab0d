"""Build the page on which a player chooses how to be notified of a turn."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.web.pages.html import Html, tag
from rulewright.web.pages.layout import Files, button, card, field, form, link, page
from rulewright.web.pages.seen import Seen
from rulewright.web.words import say


@attrs.frozen
class Address:
    """An address in the form that its seat sees."""

    kind: str
    text: str
    is_confirmed: bool


@attrs.frozen
class Ways:
    """The ways of sending notices that the host has configured; `push` is the key for browsers."""

    mail: bool = False
    push: str = ""


def notices_page(
    files: Files, seen: Seen, ways: Ways, addresses: Sequence[Address], days: int
) -> Html:
    """Return the page with the available ways and the addresses of a seat."""
    base = f"{seen.base}/notices"
    parts: list[Html] = []
    if ways.mail:
        control = tag(
            "input",
            type="email",
            name="address",
            maxlength=200,
            required=True,
            autocomplete="email",
        )
        parts.append(card(say("notice-mail"), form(
            base, tag("input", type="hidden", name="kind", value="mail"),
            field(say("notice-address"), control, say("notice-mail-help")), button(say("notice-add")),
            token=seen.token,
        )))  # fmt: skip
    if ways.push:
        parts.append(card(say("notice-push"), tag("p", say("notice-push-help"), class_="quiet"), form(
            base, tag("input", type="hidden", name="kind", value="push"),
            tag("input", type="hidden", name="address", value=""), button(say("notice-push-on")),
            token=seen.token, data_push=ways.push, data_worker=files.worker, data_body=say("turn-notice"),
            data_wait=say("notice-push-wait"),
        )))  # fmt: skip
    if not parts:
        parts.append(tag("p", say("notice-none")))
    if addresses:
        items = [_address(seen, base, one) for one in addresses]
        parts.append(card(say("notice-yours"), tag("ul", items, class_="seats")))
    kept = say("notice-kept", days=days) if days else say("notice-kept-all")
    body = tag(
        "main", tag("h1", say("notices")), tag("p", say("notice-help"), class_="intro"), *parts,
        tag("p", kept, class_="quiet"), class_="narrow",
    )  # fmt: skip
    return page(files, say("notices"), body, nav=[link(say("error-back"), seen.base)], script=True)


def _address(seen: Seen, base: str, one: Address) -> Html:
    drop = form(
        base,
        tag("input", type="hidden", name="kind", value=one.kind),
        tag("input", type="hidden", name="drop", value=one.text),
        button(say("notice-drop")),
        token=seen.token,
        class_="inline",
    )
    text = one.text if one.kind == "mail" else say("notice-browser")
    state = "" if one.is_confirmed else say("notice-unconfirmed")
    return tag("li", tag("strong", text), " ", tag("span", state, class_="quiet"), drop)


def confirm_page(files: Files, title: str, address: str, action: str, *, is_new: bool) -> Html:
    """Return the page that the link in a mail opens; opening this page changes nothing."""
    on = button(say("notice-confirm"), name="do", value="confirm", class_="main")
    off = button(say("notice-stop"), name="do", value="stop")
    body = tag(
        "main", tag("h1", say("notices")), tag("p", say("notice-about", address=address, title=title)),
        form(action, *([on] if is_new else []), off), class_="narrow",
    )  # fmt: skip
    return page(files, say("notices"), body)


def done_page(files: Files, text: str) -> Html:
    """Return the page after a player has confirmed an address or stopped the notices to it."""
    body = tag("main", tag("h1", say("notices")), tag("p", text, role="status"), class_="narrow")
    return page(files, say("notices"), body)
