"""Build the pages about seats: of a table, of a link, and of the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from rulewright.interpreter.matches.game import Game
from rulewright.web.pages.html import Html, joined, tag
from rulewright.web.pages.layout import Files, button, card, choice, field, form, link, page
from rulewright.web.pages.seen import waiting
from rulewright.web.tables.table import Table
from rulewright.web.words import say


@attrs.frozen
class Hands:
    """The rights of a device at a table: its seats, and whether it watches or is the host."""

    seats: tuple[int, ...] = ()
    is_host: bool = False
    watches: bool = False


def table_page(
    files: Files, table: Table, game: Game, hands: Hands, links: Mapping[int, str]
) -> Html:
    """Return the page with the seats of a table and the links for this device; `links` are the links of its
    own seats.
    """
    ways = [
        link(
            say("go-to-seat", name=table.name_of(seat, game)),
            f"/t/{table.id}/s/{seat}",
            class_="button main" if len(hands.seats) == 1 else "button",
        )
        for seat in hands.seats
    ]
    if len(hands.seats) > 1:
        ways.insert(0, link(say("go-hotseat"), f"/t/{table.id}/hot", class_="button main"))
    if hands.watches or hands.is_host:
        ways.append(link(say("go-watch"), f"/t/{table.id}/w", class_="button"))
    if hands.is_host:
        ways.append(link(say("host-page"), f"/t/{table.id}/host", class_="button"))
    return page(
        files,
        table.created.title,
        tag(
            "main",
            tag("h1", table.created.title),
            tag("p", _variant(table), class_="quiet") if table.created.options else None,
            tag("p", waiting(table)) if table.is_waiting else None,
            card(
                say("seats"),
                tag(
                    "ul",
                    [_seat(table, game, seat) for seat in range(table.persons)],
                    class_="seats",
                ),
            ),
            tag("p", ways, class_="ways"),
            [
                card(
                    say("link-for", name=table.name_of(seat, game)),
                    tag("p", say("link-move")),
                    _address(address),
                )
                for seat, address in links.items()
            ],
        ),
        script=True,
        kind="lobby",
    )


def _variant(table: Table) -> str:
    return ", ".join(f"{name}: {value}".replace("_", " ") for name, value in table.created.options)


def _seat(table: Table, game: Game, seat: int) -> Html:
    found = table.seats[seat]
    name = tag("strong", table.name_of(seat, game))
    words = {
        "nobody": say("free"),
        "open": say("open-seat"),
        "person": say("person"),
        "bot": say("bot", bot=found.bot),
    }
    take = None
    if found.who == "open":
        take = form(
            f"/t/{table.id}/open/{seat}",
            field(say("your-name"), tag("input", name="name", maxlength=20)),
            button(say("take-seat")),
        )
    return tag("li", name, " ", tag("span", words[found.who], class_="quiet"), take)


def key_page(files: Files, table: Table, game: Game, role: int, token: str) -> Html:
    """Return the page that explains a link, with the button that uses it; opening a link changes nothing."""
    title = table.created.title
    if role < 0:
        text = say("take-watch", title=title) if role == -1 else say("take-host", title=title)
        label = say("take-watch-button") if role == -1 else say("take-host-button")
        parts = [button(label, class_="main")]
    else:
        name = table.name_of(role, game)
        is_taken = table.seats[role].who == "person"
        text = say("take-seat-help", title=title, name=name)
        if is_taken:
            text = say("seat-is-taken", name=name)
        value = table.seats[role].name
        control = tag("input", name="name", maxlength=20, value=value, autocomplete="nickname")
        parts = [
            field(say("your-name"), control, say("your-name-help")),
            button(say("take-over") if is_taken else say("take-seat"), class_="main"),
        ]
    return page(
        files,
        title,
        tag(
            "main",
            tag("h1", say("take-seat-title") if role >= 0 else title),
            tag("p", text),
            form(f"/t/{table.id}/k/{token}", joined(*parts)),
            class_="narrow",
        ),
    )


@attrs.frozen
class HostPage:
    """The contents of the page of the host: links are complete addresses, codes are their QR codes."""

    links: Sequence[str]
    codes: Sequence[Html]
    watch: str
    host: str
    token: str
    bots: Sequence[str]
    rules_note: Html | None = None
    webhook: str | None = None
    """The address to which turns are sent; None if the server has webhooks switched off."""


def host_page(files: Files, table: Table, game: Game, host: HostPage) -> Html:
    """Return the page with the links, the seats, and the other settings of the host."""
    action = f"/t/{table.id}/host"
    seats = [_host_controls(table, game, seat, host, action) for seat in range(table.persons)]
    pause = say("resume") if table.is_paused else say("pause")
    watch = None
    if table.created.terms.watching != "none":
        watch = tag("li", tag("h3", say("link-watch")), _address(host.watch))
    return page(
        files,
        say("host-title", title=table.created.title),
        tag(
            "main",
            tag("h1", say("host-title", title=table.created.title)),
            tag("p", link(table.created.title, f"/t/{table.id}")),
            host.rules_note,
            card(
                say("host-links"),
                tag("p", say("host-links-help")),
                tag("ul", seats, watch, class_="links"),
            ),
            card(
                say("host-page"),
                form(
                    action,
                    button(pause, name="do", value="resume" if table.is_paused else "pause"),
                    token=host.token,
                ),
                _webhook(host, action),
                tag("h3", say("link-host")),
                _address(host.host),
            ),
        ),
    )


def _webhook(host: HostPage, action: str) -> Html | None:
    if host.webhook is None:
        return None
    control = tag("input", type="url", name="address", value=host.webhook, maxlength=600)
    return form(
        action,
        field(say("webhook"), control, say("webhook-help")),
        button(say("webhook-set"), name="do", value="webhook"),
        token=host.token,
    )


def _host_controls(table: Table, game: Game, seat: int, host: HostPage, action: str) -> Html:
    name = table.name_of(seat, game)
    values = [
        ("link", say("set-link")),
        ("open", say("set-open")),
        *((f"bot:{bot}", say("seat-bot", bot=bot)) for bot in host.bots),
    ]
    found = table.seats[seat]
    chosen = f"bot:{found.bot}" if found.who == "bot" else "open" if found.who == "open" else "link"
    if found.who == "person" or found.stands_in:
        values.insert(0, (chosen := "same", say("set-same", name=name)))
    change = form(
        action,
        tag("input", type="hidden", name="seat", value=seat),
        choice("who", values, chosen, name),
        button(say("seat-change"), name="do", value="seat"),
        button(say("link-new"), name="do", value="link", title=say("link-new-help")),
        token=host.token,
        class_="inline",
    )
    return tag(
        "li",
        tag("h3", say("link-for", name=name)),
        _address(host.links[seat]),
        tag("details", tag("summary", say("qr", name=name)), host.codes[seat]),
        change,
        data_seat=seat,
    )


def _address(address: str) -> Html:
    return tag("input", value=address, readonly=True, class_="address", aria_label=address)
