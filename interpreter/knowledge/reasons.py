"""Finds the reasons for a named value: the value itself, its changes, and where the rules define them.

The answers contain nothing that the player may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.ir import PLAYER, NamedValue
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.known import hidden_in
from rulewright.interpreter.text.errors import RequestError, with_near
from rulewright.interpreter.text.names import NOTHING, Value, text_in
from rulewright.interpreter.text.tags import tags
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.position import Position
from rulewright.interpreter.views.view import ALL_SEEING

_CHANGES = ("{} more", "{} less", "is {}", "at least {}", "at most {}")
_SUMS = (" more", " less")


class NoSuchValueError(RequestError):
    """Raised if a question names no value. If `is_near`, the value exists, but the question has the wrong form."""

    def __init__(self, message: str, *, is_near: bool) -> None:
        super().__init__(message)
        self.is_near = is_near


class SecretValueError(RequestError):
    """Raised if a value depends on facts that are hidden from the player who asks."""


@attrs.frozen
class Made:
    """A current change of a value, with its source and clauses: `3 less` because of a card."""

    change: str
    by: str
    clauses: tuple[str, ...] = ()
    more: int = 0
    """The number that the change adds; 0 if it does not add a number."""

    def __str__(self) -> str:
        return f"{self.change} by {self.by}{tags(self.clauses)}"


@attrs.frozen
class Why:
    """A value and its reasons.

    `base` is the value without its changes, or None if nothing can change the value. `clauses` are
    the clauses of the value itself. `bound` describes the limit that the sum of base and changes
    has reached.
    """

    name: str
    text: str
    number: Value
    base: str | None
    changes: tuple[Made, ...]
    clauses: tuple[str, ...] = ()
    span: Span | None = attrs.field(default=None, eq=False)
    bound: str = ""

    @property
    def lines(self) -> list[str]:
        """Return a line for the value and a line for each of its reasons."""
        found = [f"{self.name} is {self.text}"]
        if self.base is not None:
            found.append(f"{self.base} by itself{tags(self.clauses)}")
            found.extend(map(str, self.changes))
            if self.bound:
                found.append(self.bound)
        elif self.clauses:
            found[0] += tags(self.clauses)
        return found

    def __str__(self) -> str:
        return "\n".join(self.lines)


def why_value(state: Position, asked: str, player: int = ALL_SEEING) -> Why:
    """Answer a question such as `price of ann sawmill` or `ann.price(sawmill)`. Returns a player's
    value with its reasons.

    In the question, `me` is the player who asks. If the asker sees everything, `me` is the player
    who decides.
    """
    compiled = state.compiled
    me = state.cells[PLAYER] if player == ALL_SEEING else player
    value, arguments = find_value(compiled, asked, me)
    if player != ALL_SEEING:
        _refuse_secrets(state, value, arguments, player)
    number = compiled.engine.value(state.cells, value.procedure, arguments)
    base, bound = None, ""
    changes: tuple[Made, ...] = ()
    if value.base is not None:
        own = compiled.engine.value(state.cells, value.base, arguments)
        base = _value_text(compiled, value, own)
        changes = tuple(changes_of(compiled, state, value, arguments))
        total = _total(own, changes)
        if total is not None and isinstance(number, int) and total != number:
            bound = f"at {'most' if number < total else 'least'} {number}"
    title = _title(compiled, value, arguments)
    return Why(
        title,
        _value_text(compiled, value, number),
        number,
        base,
        changes,
        value.clauses,
        value.span,
        bound,
    )


def _total(own: Value, changes: Sequence[Made]) -> int | None:
    """If all changes are sums, return the value without its bounds, otherwise None."""
    if not isinstance(own, int) or not all(change.change.endswith(_SUMS) for change in changes):
        return None
    return own + sum(change.more for change in changes)


def changes_of(
    compiled: CompiledGame, state: Position, value: NamedValue, arguments: Sequence[Value]
) -> list[Made]:
    """Return the current changes of a value, in the order in which they apply."""
    return in_order(
        change
        for words, clauses, procedure in value.sources
        for change in source_changes(
            compiled,
            value,
            compiled.list(state.cells, procedure, tuple(arguments)),
            words,
            clauses,
        )
    )


def _of_card(compiled: CompiledGame, words: str) -> str:
    """If a power of a card is named `words`, return the title of the card, otherwise `words`."""
    name = words.replace(" ", "_")
    for kind in compiled.program.pieces:
        if name in kind.rows:
            return compiled.words.thing("piece", kind.first + kind.rows.index(name)) or words
    return words


def in_order(changes: Iterable[tuple[int, Made]]) -> list[Made]:
    """Sort changes into the order in which they apply: `is`, then sums, then bounds."""
    return [change for _, change in sorted(changes, key=lambda each: each[0])]


def source_changes(
    compiled: CompiledGame,
    value: NamedValue,
    answer: Sequence[Value],
    words: str,
    clauses: tuple[str, ...],
) -> Iterator[tuple[int, Made]]:
    """Yield the changes of one source, each with its position in the order."""
    for at in range(0, len(answer), 3):
        code, amount, card = answer[at : at + 3]
        assert isinstance(code, int)
        assert isinstance(card, int)
        by = _of_card(compiled, words)
        if card >= 0:
            by = compiled.words.thing("piece", card) or compiled.viewer.piece_name(card)
        if code < 2 and isinstance(amount, int) and amount < 0:
            code, amount = 1 - code, -amount  # -2 more is 2 less
        shown = _value_text(compiled, value, amount)
        more = (1, -1)[code] * amount if code < 2 and isinstance(amount, int) else 0
        yield (1, 1, 0, 2, 2)[code], Made(_CHANGES[code].format(shown), by, clauses, more)


def _refuse_secrets(
    state: Position, value: NamedValue, arguments: Sequence[Value], player: int
) -> None:
    compiled = state.compiled
    reference = Reference(compiled.program)
    asked = [value.procedure, *(source for _, _, source in value.sources)]
    if value.base is not None:
        asked.append(value.base)
    for procedure in asked:
        hidden = hidden_in(compiled, reference, state.cells, procedure, player, arguments=arguments)
        if hidden:
            name = value.name.replace("_", " ")
            place = hidden.replace("_", " ")
            raise SecretValueError(
                f"{name} depends on {place}, which {compiled.words.players[player]} may not see"
            )


# ---- the value that is meant ---------------------------------------------------------------------


def find_value(compiled: CompiledGame, asked: str, me: int) -> tuple[NamedValue, tuple[Value, ...]]:
    """Return the named value that a question means, and the arguments of the value."""
    words = _plain(asked)
    front, dot, rest = asked.strip().partition(".")
    if dot and front and rest:
        name, bracket, inside = rest.partition("(")
        words = _plain(f"{name} {front} {inside}" if bracket else f"{name} {front}")
    values = sorted(compiled.program.values, key=lambda value: -len(value.name))
    named = [value for value in values if _begins(words, _plain(value.name)) is not None]
    if not named:
        names = [value.name.replace("_", " ") for value in compiled.program.values]
        message = with_near(f"there is no value `{asked.strip()}`", words, names)
        raise NoSuchValueError(message, is_near=False)
    wanted = ""
    for value in named:
        rest_of = _begins(words, _plain(value.name))
        assert rest_of is not None
        arguments = _arguments(compiled, value, rest_of, me)
        if isinstance(arguments, tuple):
            return value, arguments
        wanted = wanted or arguments
    raise NoSuchValueError(wanted, is_near=True)


def _arguments(
    compiled: CompiledGame, value: NamedValue, words: str, me: int
) -> tuple[Value, ...] | str:
    """Read the arguments in the words after the name. If the words are not arguments, return an explanation.

    A missing player is `me`.
    """
    found: list[Value] = []
    title = value.name.replace("_", " ")
    for place, name in enumerate(value.parameters):
        if name == "me" and place == len(value.parameters) - 1:
            found.append(me)
            continue
        if place in value.takes_lists:
            return f"`{title}` needs a list, and a list has no name to write here"
        of = _begins(words, "of")
        words = of or words
        number = _begins_with_thing(compiled, value.domains[place], words, me)
        if number is None and of is None and place == 0 and me >= 0:
            number = _begins_with_thing(compiled, value.domains[place], f"me {words}", me)
        if number is None:
            domain = compiled.program.domains[value.domains[place]].name.removeprefix("kind ")
            return f"`{title}` needs a {domain}: write `{_form(value)}`"
        found.append(number[0])
        words = number[1]
    if words:
        return f"`{words}` does not belong here: write `{_form(value)}`"
    return tuple(found)


def _form(value: NamedValue) -> str:
    names = [name for name in value.parameters if name != "me"]
    of = f" of {names[0]}" if names else ""
    return " ".join([value.name.replace("_", " ") + of, *names[1:]])


def _begins_with_thing(
    compiled: CompiledGame, number: int, words: str, me: int
) -> tuple[int, str] | None:
    """Read a value of a domain at the start of `words`. Returns the value and the remaining words."""
    domain = compiled.program.domains[number]
    if number == compiled.program.player_domain:
        rest = _begins(words, "me")
        if rest is not None and me >= 0:
            return me, rest
    if not domain.names:
        first, _, rest = words.partition(" ")
        return (int(first), rest) if first.lstrip("-").isdecimal() and len(first) < 10 else None
    known = [
        (plain, domain.offset + place)
        for texts in (domain.names, domain.texts)
        for place, text in enumerate(texts)
        if (plain := _plain(text))
    ]
    for plain, found in sorted(known, key=lambda each: -len(each[0])):
        rest = _begins(words, plain)
        if rest is not None:
            return found, rest
    return None


def _begins(words: str, start: str) -> str | None:
    """If `words` begins with `start`, return the rest of `words`, otherwise None."""
    if words == start:
        return ""
    return words[len(start) + 1 :] if words.startswith(f"{start} ") else None


def _plain(text: str) -> str:
    letters = (letter if letter.isalnum() or letter in "-+" else " " for letter in text.casefold())
    return " ".join("".join(letters).split())


def _title(compiled: CompiledGame, value: NamedValue, arguments: Sequence[Value]) -> str:
    words = [
        text_in(compiled.program.domains[domain], argument)
        for name, domain, argument in zip(value.parameters, value.domains, arguments, strict=True)
        if name != "me"
    ]
    title = value.name.replace("_", " ")
    inside = f" ({', '.join(words[1:])})" if len(words) > 1 else ""
    return f"{title} of {words[0]}{inside}" if words else title


def _value_text(compiled: CompiledGame, value: NamedValue, number: Value) -> str:
    if value.is_flag and isinstance(number, int):
        return "yes" if number else "no"
    return compiled.words.text(value.domain, number) or NOTHING
