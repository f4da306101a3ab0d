"""Builds the numbered world from declarations and one choice of players and options.

Does not read rules and values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from rulewright.dsl.diagnostics.diagnostics import Label, Problems
from rulewright.dsl.model import types
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.model.model import (
    DIRECTIONS,
    Configuration,
    NamesOfFiles,
    ReadFile,
    ThingKind,
    World,
)
from rulewright.dsl.model.playing_together import declare_sides
from rulewright.dsl.model.power_actions import guarded
from rulewright.dsl.model.records import number_again, number_records
from rulewright.dsl.model.table_cache import Grounds
from rulewright.dsl.model.types import DIRECTION, FLAG, PLAYER, whole
from rulewright.dsl.tree import declared, syntax


def build_world(
    declarations: Iterable[declared.Declaration],
    config: Configuration,
    read: ReadFile,
    problems: Problems,
    facts: Facts | None = None,
    tables_beside: NamesOfFiles = tuple,
    grounds: Grounds | None = None,
) -> World:
    """Number all declarations; `grounds` knows the records that equal those of another world of the game."""
    world = World(problems, read, config, facts or Facts(), tables_beside)
    listed = [d for d in declarations if not isinstance(d, (syntax.Broken, declared.Include))]
    _settings(world, listed)
    _names_first(world, listed)
    grounds = grounds if grounds is not None else Grounds()
    grounds.number(world, listed, number_records, number_again)
    _the_rest(world, listed, grounds)
    return world


def _as_value(d: declared.Position) -> declared.Value:
    shown = syntax.ListOf(d.span, d.parts)
    return declared.Value(d.span, d.tags, False, d.name, d.name_span, None, (), (), shown)


def _settings(world: World, listed: Sequence[declared.Declaration]) -> None:
    for d in listed:
        if isinstance(d, declared.Game):
            if world.game_span is not None:
                world.problems.error(
                    "duplicate-name",
                    "the game is named twice",
                    d.span,
                    labels=(Label(world.game_span, "first here"),),
                    help="leave one of the two lines out",
                )
            world.game_span = d.span
            world.title = d.title
            for setting in d.settings:
                if setting.name in world.settings and setting.name != "never":
                    world.problems.error(
                        "duplicate-name",
                        f"`{setting.name}` is set twice",
                        setting.span,
                        help="take one of the two lines away",
                    )
                world.settings[setting.name] = setting
        elif isinstance(d, declared.OptionDeclaration) and world.declare(
            "noun", d.name, d.name_span, "an option"
        ):
            _option(world, d)
        elif isinstance(d, declared.Value) and not (d.open or d.params or d.bounds or d.subject):
            world.fixed_values.setdefault(d.name, d.value)
    persons = world.config.players
    world.seats = [f"seat_{n + 1}" for n in range(persons)]
    for d in listed:
        if isinstance(d, declared.Seat) and world.declare("noun", d.name, d.name_span, "a seat"):
            if not world.is_on(d.only_if):
                world.seats_absent.add(d.name)
                continue
            world.row_names.setdefault(d.name, []).append((PLAYER, (len(world.seats),)))
            world.seats.append(d.name)


def _option(world: World, d: declared.OptionDeclaration) -> None:
    """An option of the game: a number, a flag, or one of the listed names."""
    values = tuple(option_word(v) for v in d.values)
    chosen = world.config.options.get(d.name, values[0])
    if chosen not in values:
        chosen = values[0]
    world.options[d.name] = values
    if all(isinstance(v, syntax.Number) for v in d.values):
        number = int(chosen)
        world.choose(d.name, chosen, whole(number, number), number)
    elif all(value in ("yes", "no") for value in values):
        world.choose(d.name, chosen, FLAG, int(chosen == "yes"))
    else:
        type = types.Kind(names=(d.name,))
        world.choose(d.name, chosen, type, values.index(chosen))
        for index, (value, word) in enumerate(zip(values, d.values, strict=True)):
            world.first_declared.setdefault(f"value {d.name} {value}", word.span)
            world.row_names.setdefault(value, []).append((type, (index,)))


def option_word(value: syntax.Expression) -> str:
    """A value of an option of the game, as text."""
    match value:
        case syntax.Word():
            return value.name
        case syntax.Number():
            return str(value.value)
        case syntax.Fixed():
            return value.word
        case _:
            return value.span.text


def _names_first(world: World, listed: Sequence[declared.Declaration]) -> None:
    """Names of types and verbs: columns may mention them before they are declared."""
    for number, name in enumerate(DIRECTIONS):
        world.row_names.setdefault(name, []).append((DIRECTION, (number,)))
    for d in listed:
        match d:
            case declared.KindList():
                if world.declare("type", d.name, d.name_span, "a kind"):
                    kind = ThingKind(d.name, "kind", d.name_span)
                    for index, value in enumerate(d.values):
                        if value.name in kind.rows:
                            world.problems.error(
                                "duplicate-name",
                                f"`{value.name}` stands twice in this kind",
                                value.span,
                                help="take one of the two away, or call it something else",
                            )
                            continue
                        kind.rows.append(value.name)
                        kind.texts.append(value.text or value.name)
                        kind.row_spans.append(value.span)
                        kind.copy.append(1)
                        world.row_names.setdefault(value.name, []).append((kind.type, (index,)))
                    world.kinds[d.name] = kind
            case declared.Record():
                world.declare("type", d.name, d.name_span, f"a {d.what}")
            case declared.Union():
                world.declare("type", d.name, d.name_span, "a union")
            case declared.Rule():
                if not world.is_on(d.only_if):
                    world.verbs_absent.add(d.name)
                elif world.declare("verb", d.name, d.name_span, f"a {d.what}"):
                    world.rules[d.name] = d
                    if d.what == "action":
                        world.action_names.append(d.name)
            case declared.Power():
                for line in d.lines:
                    if not isinstance(line, declared.Rule):
                        continue
                    if not (world.is_on(d.only_if) and world.is_on(line.only_if)):
                        world.verbs_absent.add(line.name)
                    elif world.declare("verb", line.name, line.name_span, "an action"):
                        world.rules[line.name] = line
                        world.action_names.append(line.name)
            case _:
                pass


def _the_rest(world: World, listed: Sequence[declared.Declaration], grounds: Grounds) -> None:
    for d in listed:
        match d:
            case declared.Token():
                if world.declare("noun", d.name, d.name_span, "a token"):
                    world.tokens[d.name] = d
            case declared.Die():
                if world.declare("noun", d.name, d.name_span, "a die"):
                    world.dice[d.name] = tuple(
                        world.number(face, "the face of a die", help=_listed(face))
                        for face in d.faces
                    )
            case declared.State():
                if world.declare("noun", d.name, d.name_span, "a state"):
                    world.states[d.name] = d
            case declared.Zone():
                if world.declare("noun", d.name, d.name_span, "a zone"):
                    world.zones[d.name] = d
            case declared.PlayerDeclaration():
                for state in d.states:
                    if world.declare("player", state.name, state.name_span, "a state"):
                        world.player_states[state.name] = state
                for zone in d.zones:
                    if world.declare("player", zone.name, zone.name_span, "a zone"):
                        world.player_zones[zone.name] = zone
            case declared.Value():
                if d.subject is None:
                    if world.declare("noun", d.name, d.name_span, "a value"):
                        world.values[d.name] = d
                else:
                    assert d.subject is not None
                    of = f" of {d.subject.type.span.text}" if d.subject.type is not None else ""
                    if world.declare("value", f"{d.name}{of}", d.name_span, "a value"):
                        world.subject_values.setdefault(d.name, []).append(d)
            case declared.Side():
                if world.declare("section", "side of", d.span, "the sides"):
                    declare_sides(world, d)
            case declared.Position():
                if world.declare("noun", d.name, d.name_span, "a position"):
                    world.positions[d.name] = d
                    # whatever uses it depends on its parts, as for a value
                    world.values[d.name] = grounds.made(partial(_as_value, d), (d,))
            case declared.OnAction() | declared.Whenever() | declared.OnMove():
                world.triggers.append((d, None))
            case declared.Power():
                if world.is_on(d.only_if):
                    world.powers.append(d)
                    world.triggers += [
                        (line, d)
                        for line in d.lines
                        if isinstance(line, declared.OnAction | declared.Whenever | declared.OnMove)
                    ]
            case declared.Effect():
                whose = d.type.name if d.type is not None else d.name
                if world.declare("effect", f"effect of {whose}", d.name_span, "an effect"):
                    world.effects.append(d)
            case declared.Anytime():
                world.anytimes.append(d)
            case declared.Section():
                if world.is_on(d.only_if):
                    (world.setups if d.what == "setup" else world.plays).append(d)
            case declared.Score():
                world.scores.append(d)
            case declared.Winner():
                if world.is_on(d.only_if):
                    world.winners.append(d)
            case declared.Invariant():
                world.invariants.append(d)
            case declared.Note():
                world.notes.append(d)
            case declared.Board():
                world.boards.append(d)
            case _:
                pass
    for power in world.powers:
        for line in power.lines:
            if isinstance(line, declared.Rule) and world.rules.get(line.name) is line:
                world.rules[line.name] = guarded(world, line, power, grounds)
    for kind in [*world.pieces.values(), *world.spaces.values()]:
        parts: list[declared.State | declared.Zone] = [*kind.states, *kind.zones]
        for part in parts:
            world.declare(kind.name, part.name, part.name_span, "a part of it")


def _listed(face: syntax.Expression) -> str:
    """Help for a range among the faces of a die."""
    match face:
        case syntax.Binary(
            operator="..", left=syntax.Number(value=low), right=syntax.Number(value=high)
        ) if low <= high < low + _MOST_FACES:
            return f"each face is said: `{', '.join(map(str, range(low, high + 1)))}`"
        case _:
            return ""


_MOST_FACES = 20
