"""Describes the steps of a match as events that one viewer may know.

The events are in order, and nothing is described twice. A choice is described in its own words
unless a line of the rules describes it.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache

import attrs

from rulewright.dsl.ir import BOUND, SITE, Arm, PlaceInfo
from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.names import PIECE, digits
from rulewright.interpreter.views.log_lines import NOBODY
from rulewright.interpreter.views.view import ALL_SEEING

CHOOSES = "chooses"
ANSWERS = "answers"
ONLY = " (the only option)"
_ARTICLES = frozenset(("a", "an", "the"))


@attrs.frozen
class Event:
    """A choice of a player, or a line that the rules have logged."""

    player: int
    """The player who chose, or -1 for a line of the rules."""
    text: str


def has_one_option(state: State) -> bool:
    """Return whether a player is to decide and has only one option."""
    return not state.over and not state.at_chance and len(state.decision.options) == 1


def lines_for(state: State, viewer: int) -> Iterator[Event]:
    """Yield the log lines of a step that a viewer may read."""
    return (Event(NOBODY, line.text) for line in state.log if line.is_for(viewer))


def chosen_text(before: State, after: State, viewer: int) -> str:
    """Describe those parts of the choice of a step that a viewer may know, in words."""
    return _chosen_text(before, after, viewer, is_known=may_tell(before, after, viewer))


def _chosen_text(before: State, after: State, viewer: int, *, is_known: bool) -> str:
    compiled = before.compiled
    if is_known:
        tells_all = viewer in (before.player, ALL_SEEING) or compiled.viewer.nobody_hides
        return compiled.choice_text(before.cells, after.choice, tells_all=tells_all)
    asked = compiled.asked_of_all(before.cells)
    if asked.endswith("?)"):  # a question addresses the player who is asked, not the reader
        return f'{ANSWERS} "{asked[1:-1]}"'
    return f"{CHOOSES} {asked}".rstrip()


@attrs.frozen
class Step:
    """A step as a viewer may know it: the choice in words, and the lines that follow.

    If `is_bare`, the words are only a value. If `is_secret`, the step is a simultaneous choice of
    another player. If `goes_on`, the step is a further part of a secret choice. The viewer must not
    be able to count the parts. `value` is the chosen value, with or without words about it. `said`
    is the index of the line that says the same as the choice, or None.
    """

    player: int
    choice: str
    plain: str
    is_known: bool
    is_bare: bool
    is_secret: bool
    goes_on: bool
    is_forced: bool
    value: str
    lines: tuple[tuple[int, Event], ...]
    """The lines, each with the number of log lines before it."""
    said: int | None = None


def step_of(before: State, after: State, viewer: int, last: Step | None = None) -> Step:
    """Return the step between two states, as a viewer may know it. `last` is the previous step."""
    compiled = before.compiled
    is_chance = before.cells[BOUND] > 0
    is_known = may_tell(before, after, viewer)
    arm = None if is_chance else compiled.words.arm(before.decision.number, after.choice)
    is_secret = (
        not is_known and not is_chance and compiled.program.sites[before.decision.number].own
    )
    choice = _chosen_text(before, after, viewer, is_known=is_known)
    lines = _each_once(after, viewer)
    step = Step(
        before.player,
        choice,
        compiled.plain_choice_text(before.cells, after.choice)
        if is_known and not is_chance
        else "",
        is_known or is_chance,
        arm is not None and not arm.name and arm.message is None,
        is_secret,
        is_secret and last is not None and last.is_secret and last.player == before.player,
        has_one_option(before),
        _value(before, after, arm) if is_known else "",
        tuple(_with_arrivals(before, after, viewer, lines, arm)),
    )
    name = before.players[step.player] if step.player >= 0 else ""
    says = (
        at for at, (_, line) in enumerate(step.lines) if _describes_choice(line.text, step, name)
    )
    said = next(says, None)
    return step if said is None else attrs.evolve(step, said=said)


def events_of_steps(
    steps: Sequence[Step],
    viewer: int,
    players: Sequence[str],
    *,
    own: bool = False,
    further: Sequence[Sequence[tuple[int, str]]] = (),
) -> list[Event]:
    """Return the events of consecutive steps.

    The viewer's own choices are included only with `own`, or if they were forced. `further`
    contains additional lines for each step, each with the number of log lines before it.
    """
    events: list[Event] = []
    for number, step in enumerate(steps):
        lines, said = list(step.lines), step.said
        is_own = step.player == viewer
        if is_own and step.is_forced and said is not None:
            place, line = lines[said]
            lines[said] = place, attrs.evolve(line, text=line.text + ONLY)
        elif said is None and not step.goes_on and not _is_revealed(steps, number, players):
            if (not is_own or own) and step.choice != CHOOSES:
                events.append(Event(step.player, step.choice))
            elif step.is_forced:
                events.append(Event(step.player, f"{step.choice}{ONLY}"))
        more = [(at, Event(NOBODY, line)) for at, line in (further[number] if further else ())]
        # Among lines at the same place, log lines come last.
        events.extend(line for _, line in sorted([*more, *lines], key=lambda one: one[0]))
    return events


def _value(before: State, after: State, arm: Arm | None) -> str:
    if arm is not None and arm.name:
        return ""
    compiled, cells = before.compiled, before.cells
    if arm is None or arm.message is None:
        return compiled.option_text(cells, after.choice)
    return compiled.words.option_text(cells[SITE], after.choice, before.player)


_SHOWN = re.compile(r".+ is shown (.+)")


def _each_once(state: State, viewer: int) -> list[tuple[int, Event]]:
    """Return the log lines of a step with their places.

    Lines that only show a thing are left out if another line names the thing.
    """
    found = [
        (at, Event(NOBODY, line.text)) for at, line in enumerate(state.log) if line.is_for(viewer)
    ]
    said = " ".join(
        _plain_words(line.text) for _, line in found if _SHOWN.fullmatch(line.text) is None
    )
    return [
        (at, line)
        for at, line in found
        if (shown := _SHOWN.fullmatch(line.text)) is None
        or f" {_plain_words(shown[1])} " not in f" {said} "
    ]


def _describes_choice(line: str, step: Step, name: str) -> bool:
    """Return whether a line of the rules already describes the player's choice.

    The line need not repeat further information in the text of the option, such as costs and gains.
    """
    if not step.is_known or step.is_bare or not name or not line.startswith(name):
        return False
    said = _stems(line.removeprefix(name))
    plain = _stems(step.plain)
    is_named = any(not word.isdecimal() for word in plain)
    return _occur_in_order(_stems(step.choice), said) or (is_named and _occur_in_order(plain, said))


def _occur_in_order(words: Sequence[str], said: Sequence[str]) -> bool:
    """Return whether `words` occur in `said` in the same order. Other words may come between them."""
    rest = iter(said)
    return all(word in rest for word in words)


def _is_revealed(steps: Sequence[Step], number: int, players: Sequence[str]) -> bool:
    """Return whether the lines of a step or of later steps reveal a bare or secret choice."""
    step = steps[number]
    if step.player < 0 or (step.is_known and not step.value):
        return False
    later = (line.text for at in range(number, len(steps)) for _, line in steps[at].lines)
    if step.is_known:
        wanted = f" {_plain_words(step.value)} "
        return any(wanted in f" {_plain_words(text)} " for text in later)
    name = f" {_plain_words(players[step.player])} "
    following = (steps[at] for at in range(number + 1, len(steps)))
    acts = any(one.player == step.player and one.is_known for one in following)
    return acts or any(name in f" {_plain_words(text)} " for text in later)


def _stems(text: str) -> list[str]:
    """Split a text into words without their inflections, so that `plays` equals `play`."""
    words = (word for word in _plain_words(text).split() if word not in _ARTICLES)
    return [word if word.isdecimal() else _stem(word) for word in words]


def _stem(word: str) -> str:
    short = word.rstrip("es") or word
    return f"{short[:-1]}i" if short.endswith("y") else short


_NO_LETTERS = re.compile(r"[\W_]+")


@lru_cache(4096)
def _plain_words(text: str) -> str:
    """Return the words of a text in lower case, separated by single spaces."""
    return _NO_LETTERS.sub(" ", text.casefold()).strip()


# ---- arrivals that only the viewer sees ----


def _with_arrivals(
    before: State,
    after: State,
    viewer: int,
    lines: Sequence[tuple[int, Event]],
    arm: Arm | None,
) -> Iterator[tuple[int, Event]]:
    """Yield the lines of a step, with an additional line for each thing that the viewer has
    received and that no line names."""
    said = {text for line in after.log if line.is_for(viewer) for text in line.pieces}
    if arm is not None and before.player == viewer:
        said |= _pieces_of(before, after.choice, arm)
    thing, seer = after.compiled.words.thing, after.compiled.viewer
    new: dict[tuple[int, str], list[str]] = {}
    moments: tuple[array[int], ...] | None = None
    for place, pieces in _new_pieces(before, after, viewer):
        texts = [thing("piece", piece) or seer.piece_name(piece) for piece in pieces]
        if said.issuperset(texts):
            continue
        if moments is None:
            moments = after.moments if lines else ()
        for piece, text in zip(pieces, texts, strict=True):
            if text not in said:
                at = next(
                    (
                        at
                        for at, cells in enumerate(moments)
                        if piece in _own_pieces(after, place, viewer, cells)
                    ),
                    len(moments),
                )
                new.setdefault((at, place.name.replace("_", " ")), []).append(text)
    name = after.players[viewer] if viewer >= 0 else ""
    waiting = sorted(new, key=lambda key: key[0])
    was_of_viewer = False
    for at, line in lines:
        # The new line follows the line about the viewer. The line about the viewer may come before
        # or after the event.
        is_of_viewer = bool(name) and line.text.startswith(f"{name} ")
        waits = is_of_viewer and not was_of_viewer
        was_of_viewer = is_of_viewer
        while waiting and waiting[0][0] + waits <= at:
            yield at, _arrival(viewer, waiting[0][1], new[waiting.pop(0)])
        yield at, line
    for key in waiting:
        yield len(after.log), _arrival(viewer, key[1], new[key])


def _pieces_of(before: State, choice: int, arm: Arm) -> set[str]:
    """Return the texts of the pieces that an option names."""
    program, words = before.compiled.program, before.compiled.words
    return {
        words.text(domain, value)
        for (domain, _, _), value in zip(arm.arguments, digits(arm, choice), strict=True)
        if program.domains[domain].name == PIECE
    }


def _arrival(viewer: int, title: str, texts: Sequence[str]) -> Event:
    return Event(viewer, f"new in {title}: {', '.join(texts)}")


def _own_pieces(state: State, place: PlaceInfo, viewer: int, cells: array[int]) -> list[int]:
    """Return the pieces in the viewer's zones of a place."""
    seer = state.compiled.viewer
    return [
        piece for zone in seer.zones_of_owner(place, viewer) for piece in seer.lying(cells, zone)
    ]


def _new_pieces(before: State, after: State, viewer: int) -> Iterator[tuple[PlaceInfo, list[int]]]:
    """Yield each place that other players do not see, with the pieces of the viewer that have arrived there.

    A piece that was in another place of the viewer is not new.
    """
    if viewer < 0:
        return
    places = [place for place in after.compiled.program.places if place.owner == "player"]
    had: set[int] | None = None
    for place in places:
        if place.seen != "owner" or not place.listed:
            continue
        now, then = (_own_pieces(after, place, viewer, one.cells) for one in (after, before))
        if {*now} <= {*then}:
            continue
        if had is None:
            had = {
                piece for each in places for piece in _own_pieces(after, each, viewer, before.cells)
            }
        new = [piece for piece in now if piece not in had]
        if new:
            yield place, new
