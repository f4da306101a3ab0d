"""Build the page with the list of games, and the form that creates a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import attrs

from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.library import games_by_group
from rulewright.pictures.rights import unofficial
from rulewright.protocol.answers import option_texts
from rulewright.web.pages.html import Html, Part, joined, tag
from rulewright.web.pages.layout import Files, button, card, choice, field, form, link, page
from rulewright.web.pages.times import moment
from rulewright.web.words import say

UNITS: Mapping[str, int] = MappingProxyType({"minutes": 1, "hours": 60, "days": 1440})
"""The units of a time limit, in minutes."""


@attrs.frozen
class Mine:
    """A table of this device: the address of its page, who decides there, and since when. Times are in
    milliseconds.
    """

    href: str
    title: str
    since: int
    due: int = 0
    player: str = ""
    is_mine: bool = False
    is_over: bool = False
    state: str = ""


def games_page(
    files: Files,
    games: Sequence[tuple[str, Game | None]],
    mine: Sequence[Mine],
    *,
    is_read: bool = True,
) -> Html:
    """Return the page with all games and the tables of this device.

    If `is_read` is false, the server is still reading rules.
    """
    missing = say("unreadable-game" if is_read else "game-being-read")
    tables = [tag("li", link(one.title, one.href), " ", _turn(one)) for one in mine]
    return page(
        files,
        say("site"),
        tag(
            "main",
            tag("h1", say("games")),
            tag("p", say("games-intro"), class_="intro"),
            card(say("my-tables"), tag("ul", tables, class_="mine"), id="mine") if tables else None,
            *_groups(dict(games), missing),
            class_="wide",
        ),
        script=True,
    )


def _groups(games: Mapping[str, Game | None], missing: str) -> Iterator[Html]:
    for heading, names in games_by_group(games):
        if heading:
            yield tag("h2", heading.capitalize(), class_="group")
        yield tag(
            "ul",
            [_game(name, games[name], "h3" if heading else "h2", missing) for name in names],
            class_="games",
        )


def _turn(one: Mine) -> Html:
    since = tag("span", say("since-time"), " ", moment(one.since), class_="quiet")
    if one.state:
        return joined(tag("span", one.state, class_="quiet"), " ", since)
    whose = (
        tag("strong", say("your-turn-at"))
        if one.is_mine
        else tag("span", say("turn-of", name=one.player))
    )
    due = tag("span", say("due"), " ", moment(one.due), class_="quiet") if one.due else None
    return joined(whose, " ", since, " ", due)


def _game(name: str, game: Game | None, level: str, missing: str) -> Html:
    if game is None:
        words = name.replace(
            "_", " "
        ).capitalize()  # the title is in the rules, which cannot be read
        return tag("li", tag(level, words), tag("p", missing), data_game=name)
    facts = game.facts
    about = facts.about
    author = about.designer or facts.author
    properties = [players_text(game)]
    if about.minutes is not None:
        properties.append(say("minutes", minutes="–".join(map(str, dict.fromkeys(about.minutes)))))
    properties += [about.weight] if about.weight else []
    return tag(
        "li",
        tag("img", src=f"/picture/{name}", alt="", loading="lazy", class_="picture"),
        tag(level, facts.title),
        tag("p", say("by", author=author)) if author else None,
        tag("p", " · ".join(properties), class_="quiet"),
        tag("p", ", ".join(about.mechanisms), class_="quiet") if about.mechanisms else None,
        tag(
            "p",
            link(say("create"), f"/new/{name}", class_="button"),
            " ",
            link(say("rules"), f"/rules/{name}"),
        ),
        data_game=name,
    )


def players_text(game: Game) -> str:
    """Describe in words with how many players a game can be played."""
    fewest, most = game.facts.low, game.facts.high
    if fewest == most:
        return say("one-player") if most == 1 else say("players-exactly", most=most)
    return say("players-count", fewest=fewest, most=most)


@attrs.frozen
class NewTable:
    """The contents of the form for a new table."""

    name: str
    game: Game
    players: int
    given: Mapping[str, str]
    """The fields of the form: the usual ones, or those that were refused."""
    bots: Sequence[str]
    needs_code: bool = False
    problem: str = ""


USUAL = {
    "undo": "own",
    "watching": "silent",
    "delay": "0",
    "limit": "0",
    "unit": "hours",
    "late": "told",
    "hints": "yes",
    "chat": "yes",
}
"""The usual fields of the form, apart from seats and options."""


def new_page(files: Files, new: NewTable) -> Html:
    """Return the form that creates a table. The number of players is chosen first, because the seats depend
    on it.
    """
    game = new.game
    numbers = range(game.facts.low, game.facts.high + 1)
    sizes = [
        tag(
            "a",
            number,
            href=f"?players={number}",
            class_="size",
            aria_current=_current(number, new),
        )
        for number in numbers
    ]
    return page(
        files,
        say("new-table", title=game.title),
        tag(
            "main",
            tag("h1", say("new-table", title=game.title)),
            tag("p", new.problem, class_="problem", role="alert") if new.problem else None,
            card(say("how-many"), tag("p", sizes, class_="sizes")) if len(numbers) > 1 else None,
            form(
                f"/new/{new.name}",
                tag("input", type="hidden", name="players", value=new.players),
                card(
                    say("seats"), _your_name(new), [_seat(new, seat) for seat in range(new.players)]
                ),
                _options(new),
                card(say("table-rules"), *_terms(new.given)),
                field(say("create-code"), tag("input", name="code", autocomplete="off"))
                if new.needs_code
                else None,
                button(say("create"), class_="main"),
            ),
        ),
        foot=unofficial(new.name),
    )


def _current(number: int, new: NewTable) -> str | None:
    return "true" if number == new.players else None


def _your_name(new: NewTable) -> Html:
    name = new.given.get("name", "")
    control = tag("input", name="name", value=name, maxlength=20, autocomplete="nickname")
    return field(say("your-name"), control, say("your-name-help"))


def _seat(new: NewTable, seat: int) -> Html:
    values = [
        ("me", say("seat-me")),
        ("link", say("seat-link")),
        ("open", say("seat-open")),
        *((f"bot:{bot}", say("seat-bot", bot=bot)) for bot in new.bots),
    ]
    chosen = new.given.get(f"seat{seat}", "link" if seat else "me")
    return field(say("seat-number", number=seat + 1), choice(f"seat{seat}", values, chosen))


def _options(new: NewTable) -> Html | None:
    if not new.game.facts.options:
        return None
    fields: list[Html] = []
    texts = option_texts(new.game)
    for place, (name, values) in enumerate(new.game.facts.options):
        words = [
            (
                value,
                say("default", value=_with_spaces(value))
                if value == values[0]
                else _with_spaces(value),
            )
            for value in values
        ]
        chosen = new.given.get(f"option-{name}", values[0])
        fields.append(field(_with_spaces(name), choice(f"option-{name}", words, chosen)))
        if texts[place : place + 1] not in ([], [[]]):
            paragraphs = [tag("p", text) for text in texts[place]]
            label = say("option-means", option=_with_spaces(name))
            fields.append(tag("details", tag("summary", label), *paragraphs, class_="quiet"))
    return card(say("options"), fields)


def _terms(given: Mapping[str, str]) -> list[Part]:
    undo = [(word, say(f"undo-{word}")) for word in ("own", "free", "consent", "none")]
    watching = [(word, say(f"watching-{word}")) for word in ("silent", "talking", "none")]
    units = [(word, say(f"unit-{word}")) for word in UNITS]
    late = [(word, say(f"late-{word}")) for word in ("told", "once", "bot")]
    return [
        field(say("undo"), choice("undo", undo, given.get("undo", ""))),
        field(say("watching"), choice("watching", watching, given.get("watching", ""))),
        field(say("delay"), _small(given, "delay", 3), say("delay-help")),
        field(
            say("limit"),
            tag(
                "span",
                _small(given, "limit", 5),
                choice("unit", units, given.get("unit", ""), say("limit-unit")),
                class_="inline",
            ),
            say("limit-help"),
        ),
        field(say("late"), choice("late", late, given.get("late", ""))),
        _check(given, "hints", say("hints-allowed")),
        _check(given, "chat", say("chat-allowed")),
        _check(given, "notes", say("notes-allowed")),
    ]


def _small(given: Mapping[str, str], name: str, digits: int) -> Html:
    value, pattern = given.get(name, "0"), f"[0-9]{{1,{digits}}}"
    return tag(
        "input", name=name, value=value, inputmode="numeric", pattern=pattern, maxlength=digits
    )


def _check(given: Mapping[str, str], name: str, label: str) -> Html:
    control = tag("input", type="checkbox", name=name, value="yes", checked=name in given)
    return tag("label", control, tag("span", label), class_="check")


def _with_spaces(name: str) -> str:
    return name.replace("_", " ")
