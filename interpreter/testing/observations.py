"""Finds where two matches look different to a player: views, boards, log lines, questions, options and reasons.

This module does not judge whether the rules may disclose the difference (see
`rulewright.interpreter.testing.disclosures`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import attrs

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.ir import Kept, PlaceInfo, Program, TokenPlace
from rulewright.interpreter.knowledge.disclosure import pieces_named
from rulewright.interpreter.matches.events import chosen_text
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.names import digits
from rulewright.interpreter.views.board import Lines
from rulewright.interpreter.views.grids import Grid
from rulewright.interpreter.views.log_lines import LogEntry
from rulewright.interpreter.views.rendering import boards_in
from rulewright.interpreter.views.view import (
    ALL_SEEING,
    Place,
    SeenTokens,
    SeenZone,
    View,
    as_text,
    in_parts,
)

Kind = Literal[
    "option", "count", "order", "text", "reason", "log", "timing", "size", "view", "board", "end"
]
"""The kind of difference.

Decisions may differ in their options, how many can be taken, their order, or the text of an option
or question. Other differences are the reason of a refusal, a log line, and the next player.
Positions may differ in the size of a hidden place, an open place or value, a board, or whether the
match has ended.
"""


@attrs.frozen
class Leak:
    """A place where two matches look different to a player who may not know how they differ.

    `state` is the number of the differing state in both matches. The player observes `first` in one
    match and `second` in the other. `span` is the line of the rules that shows the difference, and
    `clauses` are its clauses.
    """

    kind: Kind
    player: int
    state: int
    first: str
    second: str
    span: Span | None = None
    clauses: tuple[str, ...] = ()
    place: str = ""
    """The name of the place or value that shows the difference, or ""."""

    @property
    def key(self) -> tuple[object, ...]:
        """Return a key that is equal for leaks of the same kind at the same place."""
        return self.kind, self.place, str(self.span and (self.span.source.name, self.span.start))


@attrs.frozen
class _Own:
    """A decision of the player, as the player sees it."""

    prompt: str
    names: tuple[str, ...]
    texts: tuple[str, ...]
    refused: dict[str, str]


@attrs.define
class Watch:
    """The observations of one player in several matches. Each state is observed only once."""

    player: int
    _views: dict[State, str] = attrs.field(factory=dict)
    _boards: dict[State, tuple[Grid | Lines, ...]] = attrs.field(factory=dict)
    _own: dict[State, _Own] = attrs.field(factory=dict)
    _lines: dict[_Same, tuple[LogEntry, ...]] = attrs.field(factory=dict)

    def view(self, state: State) -> str:
        """Return everything that the player may know about a position, as text."""
        found = self._views.get(state)
        if found is None:
            found = self._views[state] = as_text(state.view(self.player))
        return found

    def boards(self, state: State) -> tuple[Grid | Lines, ...]:
        """Return the boards that the rules describe, as they are drawn for the player."""
        compiled = state.compiled
        if not compiled.program.boards:
            return ()
        found = self._boards.get(state)
        if found is None:
            view = state.view(self.player)
            drawn = boards_in(compiled, state.cells, view, self.player)
            found = self._boards[state] = tuple(drawn[: len(compiled.program.boards)])
        return found

    def own(self, state: State) -> _Own:
        """Return the decision at a state, as the player sees it."""
        found = self._own.get(state)
        if found is None:
            decision = state.decision
            found = self._own[state] = _Own(
                decision.prompt,
                tuple(decision.names),
                tuple(option.text for option in decision.options),
                decision.refused,
            )
        return found

    def lines(self, state: State) -> tuple[LogEntry, ...]:
        """Return the player's log lines in the step that leads to a state."""
        found = self._lines.get(_Same(state))
        if found is None:
            found = tuple(line for line in state.log if line.is_for(self.player))
            self._lines[_Same(state)] = found
        return found


@attrs.frozen(eq=False)
class _Same:
    """Compares states by identity, because equal states may be reached in different ways."""

    state: State

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.state is other.state

    def __hash__(self) -> int:
        return id(self.state)


# ---- differences ---------------------------------------------------------------------------------


def difference(
    first: Sequence[State],
    second: Sequence[State],
    number: int,
    watch: Watch,
    *,
    is_apart: bool = False,
) -> Leak | None:
    """Return the first difference in a step and at the state to which the step leads.

    `is_apart` means that the last simultaneous choices differ. When all players are ready, everyone
    sees how many pieces these choices leave in each place. If no line of the rules shows the
    difference, its `span` is that of the preceding decision.
    """
    leak = _difference(first, second, number, watch, is_apart)
    if leak is None or leak.span is not None:
        return leak
    decisions = (state for state in reversed(first[: number or 1]) if not _is_without(state))
    return attrs.evolve(leak, span=next(map(_site_span, decisions), None))


def _is_without(state: State) -> bool:
    """Return whether a state has no decision with a place in the rules."""
    return state.over or state.at_chance or _site_span(state) is None


def _difference(
    first: Sequence[State], second: Sequence[State], number: int, watch: Watch, is_apart: bool
) -> Leak | None:
    one, other = first[number], second[number]
    leak = (
        _of_choice(first, second, number, watch)
        or _of_log(one, other, number, watch)
        or _of_view(first, second, number, watch, is_apart)
        or _of_boards(one, other, number, watch)
    )
    if leak is not None or (one.over and other.over):
        return leak
    if one.over != other.over:
        ends, goes_on = "the match ends", "the match goes on"
        going, said = (other, (ends, goes_on)) if one.over else (one, (goes_on, ends))
        return _leak("end", watch, going, number, said, None)
    if one.is_together and other.is_together and not one.player == other.player == watch.player:
        return None  # neither simultaneous choices of others nor their number can be seen
    if (one.player, _word(one)) != (other.player, _word(other)):
        said = _next(one), _next(other)
        return _leak("timing", watch, one, number, said, _later_span(one, other))
    if one.player != watch.player:
        return None
    return _of_decision(one, other, number, watch)


def _of_view(
    first: Sequence[State], second: Sequence[State], number: int, watch: Watch, is_apart: bool
) -> Leak | None:
    """Return the first difference on the table. Places from which the rules moved pieces by name are ignored."""
    one, other = first[number], second[number]
    if watch.view(one) == watch.view(other):
        return None
    plain, sizes = _without_sizes(first, number, watch.player)
    also_plain, also_sizes = _without_sizes(second, number, watch.player)
    if as_text(plain) != as_text(also_plain):
        return _of_places(one, other, number, watch, (plain, also_plain))
    nothing = _Size(None, None)
    differing = [
        place for place, size in sizes.items() if size.rest != also_sizes.get(place, nothing).rest
    ]
    if is_apart:
        own = _changed_together(first[number - 1], second[number - 1])
        differing = [place for place in differing if place not in own]
    if not differing:
        return None
    place = differing[0]
    name = f"{place.label} of {place.of}" if place.of else place.label
    said = f"{name}: {sizes[place].entry}", f"{name}: {also_sizes.get(place, nothing).entry}"
    leak = _leak("size", watch, one, number, said, None if one.over else _site_span(one))
    return attrs.evolve(leak, place=place.name)


def _of_places(
    one: State, other: State, number: int, watch: Watch, views: tuple[View, View]
) -> Leak:
    """Return the first place or value that looks different, and where it is declared."""
    parts, also = in_parts(views[0]), in_parts(views[1])
    name = next((name for name in {**parts, **also} if parts.get(name) != also.get(name)), "")
    said = (
        f"{name}: {parts.get(name, 'as at the start')}",
        f"{name}: {also.get(name, 'as at the start')}",
    )
    if not name:
        said = _in_play(one), _in_play(other)
    word = name.rpartition(".")[2].partition("(")[0].replace(" ", "_")
    program = one.compiled.program
    groups: list[Kept | PlaceInfo | TokenPlace] = [
        *program.kept,
        *program.places,
        *program.tokens,
    ]
    spans = {each.name: each.span for each in groups}
    leak = _leak("view", watch, one, number, said, spans.get(word))
    return attrs.evolve(leak, place=word)


def _in_play(state: State) -> str:
    seats = state.view(ALL_SEEING).in_play
    names = [name for name, is_in in zip(state.players, seats, strict=True) if is_in]
    return f"in play: {', '.join(names)}"


def _of_boards(one: State, other: State, number: int, watch: Watch) -> Leak | None:
    program = one.compiled.program
    drawn = zip(program.boards, watch.boards(one), watch.boards(other), strict=False)
    for declared, board, also in drawn:
        if board != also:
            said = _first_other_line(board, also), _first_other_line(also, board)
            messages = (each[0] for each in (*declared.shows, *declared.lines, *declared.notes))
            spans = (program.messages[message].span for message in messages)
            span = next((span for span in spans if span is not None), None)
            return _leak("board", watch, one, number, said, span)
    return None


def _first_other_line(board: Grid | Lines, other: Grid | Lines) -> str:
    """Return the first line of a board that the other board does not have."""
    lines, known = _lines_of(board), set(_lines_of(other))
    return next((line for line in lines if line not in known), "nothing more")


def _lines_of(board: Grid | Lines) -> list[str]:
    texts = (
        board.texts
        if isinstance(board, Lines)
        else [
            f"{board.kind.rows[space - board.kind.first]}: {text}"
            for space, text in board.texts.items()
        ]
    )
    marked = sorted(board.marked) if isinstance(board, Grid) else ()
    return [board.title, *texts, *board.notes, *(f"marked: {space}" for space in marked)]


def _moved_by_name(states: Sequence[State], number: int, player: int) -> Counter[tuple[str, int]]:
    """Return by how much a step changes the number of pieces in each place.

    Only chosen pieces, and pieces that the player sees after the step, are counted. From the number
    that remains, the player may infer where such a piece came from, because the rules move exactly
    that piece.
    """
    after = states[number]
    found: Counter[tuple[str, int]] = Counter()
    if number == 0:
        return found
    before, viewer = states[number - 1], after.compiled.viewer
    zone_of = after.compiled.program.links.zone_of
    chosen = set(pieces_named(before, after.choice))
    for piece in range(after.compiled.program.links.pieces):
        here, there = before.cells[zone_of + piece], after.cells[zone_of + piece]
        if here == there or not (piece in chosen or viewer.knows_piece(after.cells, piece, player)):
            continue
        for zone, change in ((here, -1), (there, 1)):
            if zone >= 0:
                found[viewer.place_of(zone).name, viewer.owner_of(zone)] += change
    return found


def _changed_together(one: State, other: State) -> set[Place]:
    """Return the places whose sizes may differ because of choices in a simultaneous block that is now ending.

    In the block, players may change some of their places. Of these places, return those whose sizes
    already differ, and all places of the last player to decide.
    """
    program = one.compiled.program
    block = one.cells[program.together] if program.together >= 0 else 0
    if not block:
        return set()
    counts, also = _counts(one), _counts(other)
    return {
        place
        for place, count in counts.items()
        if place.owner == "player"
        and place.name in program.apart[block - 1]
        and (place.owner_id == one.player or also.get(place) != count)
    }


def _counts(state: State) -> dict[Place, str]:
    """Return the number of things in each place."""
    view = state.view(ALL_SEEING)
    return {
        **{zone.place: str(zone.count) for zone in view.zones},
        **{each.place: str(each.counts) for each in view.tokens},
    }


@attrs.frozen
class _Size:
    """The number of things that a player sees in a hidden place, counted once with and once without
    things moved by name."""

    entry: object
    rest: object


def _without_sizes(
    states: Sequence[State], number: int, player: int
) -> tuple[View, dict[Place, _Size]]:
    """Return a player's view without the sizes of hidden places. Return these sizes separately, keyed by place."""
    state = states[number]
    moved = _moved_by_name(states, number, player)
    compiled = state.compiled
    viewer = compiled.viewer
    groups: list[PlaceInfo | TokenPlace] = [*compiled.program.places, *compiled.program.tokens]
    hidden = {
        (group.name, owner)
        for group in groups
        for owner in group.owners
        if not viewer.may_see(group, owner, player)
    }
    view = state.view(player)
    sizes: dict[Place, _Size] = {}
    zones: list[SeenZone] = []
    for zone in view.zones:
        key = zone.place.name, zone.place.owner_id
        if key in hidden:
            rest = None if zone.count is None else zone.count - moved[key]
            sizes[zone.place] = _Size(zone.count, rest)
            named = tuple(piece for piece in zone.pieces if piece.name)
            zones.append(attrs.evolve(zone, count=None, pieces=named))
        else:
            zones.append(zone)
    tokens: list[SeenTokens] = []
    for each in view.tokens:
        if (each.place.name, each.place.owner_id) in hidden:
            sizes[each.place] = _Size(each.counts, each.counts)
            tokens.append(attrs.evolve(each, counts=None))
        else:
            tokens.append(each)
    return attrs.evolve(view, zones=tuple(zones), tokens=tuple(tokens)), sizes


def _of_choice(
    first: Sequence[State], second: Sequence[State], number: int, watch: Watch
) -> Leak | None:
    """Return the first difference between the texts that describe another player's choice."""
    if number == 0 or first[number].choice != second[number].choice:
        return None
    before, also = first[number - 1], second[number - 1]
    asked = (before.player, before.decision.number)
    if before.player == watch.player or asked != (also.player, also.decision.number):
        return None
    one = chosen_text(before, first[number], watch.player)
    other = chosen_text(also, second[number], watch.player)
    if one == other:
        return None
    arm = before.compiled.words.arm(before.decision.number, first[number].choice)
    return _leak("text", watch, before, number, (one, other), arm.span)


def of_question(
    first: Sequence[State], second: Sequence[State], number: int, watch: Watch
) -> Leak | None:
    """Return a leak if another player has answered different questions in the two matches, otherwise None."""
    before, also = first[number - 1], second[number - 1]
    if before.decision.number == also.decision.number or before.over or also.over:
        return None
    said = (
        f"{before.decision.name_of_player}: {chosen_text(before, first[number], watch.player)}",
        f"{also.decision.name_of_player}: {chosen_text(also, second[number], watch.player)}",
    )
    return _leak("timing", watch, before, number, said, _later_span(before, also))


def _of_log(one: State, other: State, number: int, watch: Watch) -> Leak | None:
    lines, others = watch.lines(one), watch.lines(other)
    for place in range(max(len(lines), len(others))):
        line = lines[place] if place < len(lines) else None
        another = others[place] if place < len(others) else None
        if line == another:
            continue
        entry = line if another is None or (line and line not in others) else another
        assert entry is not None
        said = (line.text if line else "nothing", another.text if another else "nothing")
        return _leak("log", watch, one, number, said, entry.span, entry.clauses)
    return None


def _of_decision(one: State, other: State, number: int, watch: Watch) -> Leak | None:
    """Return the first difference at a decision of the player."""
    own, others = watch.own(one), watch.own(other)
    if own.prompt != others.prompt:
        prompt = one.compiled.program.messages[
            one.compiled.program.sites[one.decision.number].prompt
        ]
        said = own.prompt, others.prompt
        span = prompt.span or _site_span(one)
        return _leak("text", watch, one, number, said, span, prompt.clauses)
    if own.names != others.names:
        return _of_names(one, other, number, watch)
    for place, (text, another) in enumerate(zip(own.texts, others.texts, strict=True)):
        if text != another:
            arm = one.compiled.words.arm(one.decision.number, one.option_ids[place])
            message = arm.message
            program = one.compiled.program
            span = program.messages[message].span if message is not None else None
            return _leak("text", watch, one, number, (text, another), span or arm.span)
    for name in sorted({*own.refused, *others.refused}):
        reason, another = own.refused.get(name, ""), others.refused.get(name, "")
        if reason != another:
            said = f"{name}: {reason or 'no reason'}", f"{name}: {another or 'no reason'}"
            span, clauses = _refusal_place(one if reason else other, name)
            return _leak("reason", watch, one, number, said, span, clauses)
    return None


def _of_names(one: State, other: State, number: int, watch: Watch) -> Leak:
    own, others = watch.own(one), watch.own(other)
    names, more = set(own.names), set(others.names)
    only = tuple(name for name in own.names if name not in more)
    only_other = tuple(name for name in others.names if name not in names)
    if not only and not only_other:
        said = ", ".join(own.names), ", ".join(others.names)
        return _leak("order", watch, one, number, said, _site_span(one))
    with_it, name = (one, only[0]) if only else (other, only_other[0])
    kind: Kind = (
        "count" if _are_amounts(one, only) and _are_amounts(other, only_other) else "option"
    )
    option = with_it.option_ids[watch.own(with_it).names.index(name)]
    arm = with_it.compiled.words.arm(with_it.decision.number, option)
    said = ", ".join(only) or "nothing more", ", ".join(only_other) or "nothing more"
    reasons = [
        watch.own(state).refused[name] for state in (one, other) if name in watch.own(state).refused
    ]
    span = arm.span
    clauses: tuple[str, ...] = ()
    if reasons:
        span, clauses = _refusal_place(other if with_it is one else one, name)
    return _leak(kind, watch, one, number, said, span or _site_span(one), clauses)


def _are_amounts(state: State, names: Sequence[str]) -> bool:
    """Return whether each of the given options has another offered option that differs from it only in a number."""
    compiled = state.compiled
    by_name = dict(zip(state.decision.names, state.option_ids, strict=True))
    for name in names:
        arm = compiled.words.arm(state.decision.number, by_name[name])
        domains = [compiled.program.domains[domain] for domain, _, _ in arm.arguments]
        if not any(not domain.names for domain in domains):
            return False
        values = digits(arm, by_name[name])
        words = [v for v, domain in zip(values, domains, strict=True) if domain.names]
        kin = [option for option in state.option_ids if option != by_name[name]]
        if not any(
            compiled.words.arm(state.decision.number, option) is arm
            and [v for v, domain in zip(digits(arm, option), domains, strict=True) if domain.names]
            == words
            for option in kin
        ):
            return False
    return True


def _leak(
    kind: Kind,
    watch: Watch,
    state: State,
    number: int,
    said: tuple[str, str],
    span: Span | None,
    clauses: tuple[str, ...] = (),
) -> Leak:
    clauses = clauses or clauses_around(state.compiled.program, span)
    return Leak(kind, watch.player, number, said[0], said[1], span, clauses)


def clauses_around(program: Program, span: Span | None) -> tuple[str, ...]:
    """Return the clauses of the smallest rule, action or option that contains a place."""
    if span is None:
        return ()
    around = [
        (mark.span.end - mark.span.start, mark.clauses)
        for mark in program.marks
        if mark.clauses
        and mark.span is not None
        and mark.span.source is span.source
        and mark.span.start <= span.start < mark.span.end
    ]
    return min(around)[1] if around else ()


def _refusal_place(state: State, name: str) -> tuple[Span | None, tuple[str, ...]]:
    compiled = state.compiled
    for option, refusal in compiled.engine.refusals(state.cells).items():
        if compiled.option_name(state.cells, option) == name:
            message = compiled.program.messages[refusal.message]
            return message.span, message.clauses
    return _site_span(state), ()


def _site_span(state: State) -> Span | None:
    return state.compiled.program.sites[state.decision.number].span


def _later_span(one: State, other: State) -> Span | None:
    """Return the place of whichever decision comes later in the rules. The later decision is
    usually nested more deeply."""
    spans = [_site_span(one), _site_span(other)]
    known = [span for span in spans if span is not None]
    return max(known, key=lambda span: (span.source.name, span.start), default=None)


def _word(state: State) -> str:
    return state.compiled.program.sites[state.decision.number].word


def _next(state: State) -> str:
    word = _word(state).replace("_", " ")
    return f"{state.decision.name_of_player} chooses {word}".rstrip()
