"""Build the common parts of all pages: head, header, buttons and fields."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.web.pages.html import Html, Part, joined, tag
from rulewright.web.words import say


@attrs.frozen
class Files:
    """The addresses of the files that pages use; an address changes when its file changes."""

    style: str
    pictures: str
    zoom: str
    script: str
    morph: str
    icon: str
    worker: str


def page(
    files: Files,
    title: str,
    *main: Part,
    nav: Sequence[Html] = (),
    kind: str = "",
    script: bool = False,
    style: str = "",
    foot: str = "",
) -> Html:
    """Return a whole page."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{title} · {say('site')}" if title != say("site") else title),
        tag("link", rel="icon", href=files.icon),
        tag("link", rel="stylesheet", href=files.pictures),
        tag("link", rel="stylesheet", href=files.style),
        tag("link", rel="stylesheet", href=style) if style else None,
        tag("script", src=files.morph, defer=True) if script else None,
        _module(files.script) if script else None,
        _module(files.zoom) if script else None,
    )
    header = tag(
        "header",
        tag("a", say("site"), class_="home", href="/"),
        tag("nav", list(nav)) if nav else None,
        class_="site",
    )
    end = tag("footer", foot, class_="site quiet") if foot else None
    body = tag("body", header, *main, end, class_=kind or None)
    return Html(f"<!doctype html>\n{tag('html', head, body, lang='en')}")


def _module(address: str) -> Html:
    return tag("script", src=address, type="module")


def link(text: str, href: str, **more: str) -> Html:
    """Return a link."""
    return tag("a", text, href=href, **more)


def button(text: Part, **attributes: str | bool | None) -> Html:
    """Return a button that sends its form, unless its attributes say otherwise."""
    return tag("button", text, **attributes)


def form(action: str, *parts: Part, token: str = "", **attributes: str | bool | None) -> Html:
    """Return a form that is sent by POST, with the token that proves that the form comes from one of our
    pages.
    """
    hidden = tag("input", type="hidden", name="form", value=token) if token else None
    return tag("form", hidden, *parts, method="post", action=action, **attributes)


def field(label: str, control: Html, help: str = "") -> Html:
    """Return a control with its label and, if there is one, its help text."""
    said = tag("small", help) if help else None
    return tag("label", tag("span", label), control, said, class_="field")


def choice(
    name: str, values: Sequence[tuple[str, str]], chosen: str, label: str | None = None
) -> Html:
    """Return a list of values to choose from, shown by their names; pass a `label` unless the list is in a
    `field`.
    """
    options = [tag("option", text, value=value, selected=value == chosen) for value, text in values]
    return tag("select", options, name=name, aria_label=label)


def card(title: str, *parts: Part, **attributes: str | None) -> Html:
    """Return a block of a page with a heading."""
    return tag("section", tag("h2", title), *parts, class_="card", **attributes)


def lines(texts: Sequence[str], *, plain: bool = False) -> Html:
    """Return lines of text; `plain` keeps their columns aligned."""
    if plain:
        return tag("pre", "\n".join(texts), tabindex="0")
    return joined(*(tag("p", text) for text in texts))
