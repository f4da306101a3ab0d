"""Builds the numbered model from declarations, given one number of players and one choice of options.

The module reads neither rules nor values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TypeVar

from rulewright.dsl.diagnostics.diagnostics import Label, Problems
from rulewright.dsl.model import types
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.model.model import (
    DIRECTIONS,
    Configuration,
    Model,
    NamesOfFiles,
    ReadFile,
    ThingKind,
)
from rulewright.dsl.model.playing_together import declare_sides
from rulewright.dsl.model.power_actions import guard_action
from rulewright.dsl.model.records import number_again, number_records
from rulewright.dsl.model.signs import check_signs, with_signs
from rulewright.dsl.model.table_cache import TableInputs
from rulewright.dsl.model.types import DIRECTION, FLAG, PLAYER, whole
from rulewright.dsl.tree import declared, syntax


def build_model(
    declarations: Iterable[declared.Declaration],
    config: Configuration,
    read: ReadFile,
    problems: Problems,
    facts: Facts | None = None,
    tables_beside: NamesOfFiles = tuple,
    table_inputs: TableInputs | None = None,
) -> Model:
    """Return the numbered model of all declarations.

    `table_inputs` contains records that were numbered for other models of the game. Records with
    equal inputs are reused.
    """
    model = Model(problems, read, config, facts or Facts(), tables_beside)
    listed = with_signs(
        [d for d in declarations if not isinstance(d, (syntax.Broken, declared.Include))]
    )
    _read_settings(model, listed)
    _declare_names(model, listed)
    table_inputs = table_inputs if table_inputs is not None else TableInputs()
    table_inputs.number(model, listed, number_records, number_again)
    _declare_others(model, listed, table_inputs)
    check_signs(model, listed)
    return model


def _as_value(d: declared.Position) -> declared.Value:
    shown = syntax.ListOf(d.span, d.parts)
    return declared.Value(d.span, d.tags, False, d.name, d.name_span, None, (), (), shown)


def _read_settings(model: Model, listed: Sequence[declared.Declaration]) -> None:
    for d in listed:
        if isinstance(d, declared.Game):
            if model.game_span is not None:
                model.problems.error(
                    "duplicate-name",
                    "the game is named twice",
                    d.span,
                    labels=(Label(model.game_span, "first here"),),
                    help="remove one of the two lines",
                )
            model.game_span = d.span
            model.title = d.title
            for setting in d.settings:
                if setting.name in model.settings and setting.name != "never":
                    model.problems.error(
                        "duplicate-name",
                        f"`{setting.name}` is set twice",
                        setting.span,
                        help="remove one of the two lines",
                    )
                model.settings[setting.name] = setting
        elif isinstance(d, declared.OptionDeclaration) and model.declare(
            "noun", d.name, d.name_span, "an option"
        ):
            _declare_option(model, d)
        elif isinstance(d, declared.Value) and not (d.open or d.params or d.bounds or d.subject):
            model.fixed_values.setdefault(d.name, d.value)
    persons = model.config.players
    model.seats = [f"seat_{n + 1}" for n in range(persons)]
    for d in listed:
        if isinstance(d, declared.Seat) and model.declare("noun", d.name, d.name_span, "a seat"):
            if not model.is_on(d.only_if):
                model.seats_absent.add(d.name)
                continue
            model.row_names.setdefault(d.name, []).append((PLAYER, (len(model.seats),)))
            model.seats.append(d.name)


def _declare_option(model: Model, d: declared.OptionDeclaration) -> None:
    """Declare an option of the game: a number, a flag, or one of the listed names."""
    values = tuple(option_word(v) for v in d.values)
    chosen = model.config.options.get(d.name, values[0])
    if chosen not in values:
        chosen = values[0]
    model.options[d.name] = values
    if all(isinstance(v, syntax.Number) for v in d.values):
        number = int(chosen)
        model.choose(d.name, chosen, whole(number, number), number)
    elif all(value in ("yes", "no") for value in values):
        model.choose(d.name, chosen, FLAG, int(chosen == "yes"))
    else:
        type = types.Kind(names=(d.name,))
        model.choose(d.name, chosen, type, values.index(chosen))
        for index, (value, word) in enumerate(zip(values, d.values, strict=True)):
            model.first_declared.setdefault(f"value {d.name} {value}", word.span)
            model.row_names.setdefault(value, []).append((type, (index,)))


def option_word(value: syntax.Expression) -> str:
    """Return a value of an option of the game as text."""
    match value:
        case syntax.Word():
            return value.name
        case syntax.Number():
            return str(value.value)
        case syntax.Fixed():
            return value.word
        case syntax.Operation() | syntax.Text() | syntax.TypeWord() | syntax.Call() | syntax.Dot():
            return value.span.text


def _declare_names(model: Model, listed: Sequence[declared.Declaration]) -> None:
    """Declare the names of types and verbs in advance, because columns may mention a name before its declaration."""
    for number, name in enumerate(DIRECTIONS):
        model.row_names.setdefault(name, []).append((DIRECTION, (number,)))
    for d in listed:
        match d:
            case declared.KindList():
                if model.declare("type", d.name, d.name_span, "a kind"):
                    kind = ThingKind(d.name, "kind", d.name_span)
                    for index, value in enumerate(d.values):
                        if value.name in kind.rows:
                            model.problems.error(
                                "duplicate-name",
                                f"`{value.name}` appears twice in this kind",
                                value.span,
                                help="remove one of the two, or rename it",
                            )
                            continue
                        kind.rows.append(value.name)
                        kind.texts.append(value.text or value.name)
                        kind.row_spans.append(value.span)
                        kind.copy.append(1)
                        model.row_names.setdefault(value.name, []).append((kind.type, (index,)))
                    model.kinds[d.name] = kind
            case declared.Record():
                model.declare("type", d.name, d.name_span, f"a {d.what}")
            case declared.Union():
                model.declare("type", d.name, d.name_span, "a union")
            case declared.Rule():
                if not model.is_on(d.only_if):
                    model.verbs_absent.add(d.name)
                elif model.declare("verb", d.name, d.name_span, f"a {d.what}"):
                    model.rules[d.name] = d
                    if d.what == "action":
                        model.action_names.append(d.name)
            case declared.Power():
                for line in d.lines:
                    if not isinstance(line, declared.Rule):
                        continue
                    if not (model.is_on(d.only_if) and model.is_on(line.only_if)):
                        model.verbs_absent.add(line.name)
                    elif model.declare("verb", line.name, line.name_span, "an action"):
                        model.rules[line.name] = line
                        model.action_names.append(line.name)
            case _:  # all others: `_declare_others` declares them
                pass


def _declare_others(
    model: Model, listed: Sequence[declared.Declaration], table_inputs: TableInputs
) -> None:
    for d in listed:
        match d:
            case declared.Token():
                _declare_stored(model, "noun", (d,), model.tokens, "a token")
            case declared.Die():
                if model.declare("noun", d.name, d.name_span, "a die"):
                    model.dice[d.name] = tuple(
                        model.number(face, "the face of a die", help=_list_faces(face))
                        for face in d.faces
                    )
            case declared.State():
                _declare_stored(model, "noun", (d,), model.states, "a state")
            case declared.Zone():
                _declare_stored(model, "noun", (d,), model.zones, "a zone")
            case declared.PlayerDeclaration():
                _declare_stored(model, "player", d.states, model.player_states, "a state")
                _declare_stored(model, "player", d.zones, model.player_zones, "a zone")
            case declared.Value():
                if d.subject is None:
                    if model.declare("noun", d.name, d.name_span, "a value"):
                        model.values[d.name] = d
                else:
                    assert d.subject is not None
                    of = f" of {d.subject.type.span.text}" if d.subject.type is not None else ""
                    if model.declare("value", f"{d.name}{of}", d.name_span, "a value"):
                        model.subject_values.setdefault(d.name, []).append(d)
            case declared.Side():
                if model.declare("section", "side of", d.span, "the sides"):
                    declare_sides(model, d)
            case declared.Position():
                if model.declare("noun", d.name, d.name_span, "a position"):
                    model.positions[d.name] = d
                    # its users depend on its parts, as they do for a value
                    model.values[d.name] = table_inputs.cached_result(partial(_as_value, d), (d,))
            case declared.OnAction() | declared.Whenever() | declared.OnMove():
                model.triggers.append((d, None))
            case declared.Power():
                if model.is_on(d.only_if):
                    model.powers.append(d)
                    model.triggers += [
                        (line, d)
                        for line in d.lines
                        if isinstance(line, declared.OnAction | declared.Whenever | declared.OnMove)
                    ]
            case declared.Effect():
                whose = d.type.name if d.type is not None else d.name
                if model.declare("effect", f"effect of {whose}", d.name_span, "an effect"):
                    model.effects.append(d)
            case declared.Anytime():
                model.anytimes.append(d)
            case declared.Section():
                if model.is_on(d.only_if):
                    (model.setups if d.what == "setup" else model.plays).append(d)
            case declared.Score():
                model.scores.append(d)
            case declared.Winner():
                if model.is_on(d.only_if):
                    model.winners.append(d)
            case declared.Invariant():
                model.invariants.append(d)
            case declared.Note():
                model.notes.append(d)
            case declared.Board():
                model.boards.append(d)
            case (
                declared.Game()
                | declared.Include()
                | declared.OptionDeclaration()
                | declared.KindList()
                | declared.Union()
                | declared.Record()
                | declared.Seat()
                | declared.Rule()
                | syntax.Broken()
            ):
                pass
    for power in model.powers:
        for line in power.lines:
            if isinstance(line, declared.Rule) and model.rules.get(line.name) is line:
                model.rules[line.name] = guard_action(model, line, power, table_inputs)
    for kind in [*model.pieces.values(), *model.spaces.values()]:
        parts: list[declared.State | declared.Zone] = [*kind.states, *kind.zones]
        for part in parts:
            model.declare(kind.name, part.name, part.name_span, "a part of it")


Stored = TypeVar("Stored", declared.State, declared.Zone, declared.Token)


def _declare_stored(
    model: Model, space: str, listed: Iterable[Stored], names: dict[str, Stored], what: str
) -> None:
    for d in listed:
        if model.declare(space, d.name, d.name_span, what):
            names[d.name] = d


def _list_faces(face: syntax.Expression) -> str:
    """Return help for a range among the faces of a die."""
    match face:
        case syntax.Binary(
            operator="..", left=syntax.Number(value=low), right=syntax.Number(value=high)
        ) if low <= high < low + _MOST_FACES:
            return f"list each face: `{', '.join(map(str, range(low, high + 1)))}`"
        case _:
            return ""


_MOST_FACES = 20
