"""Lowers names without a dot: locals, states, zones, values, options, rows, and all things of a type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.dsl import ir
from rulewright.dsl.diagnostics import foreign_words
from rulewright.dsl.diagnostics.advice import Help, form, line_of, one_of, write
from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_and
from rulewright.dsl.lowering.emit.code import NONE, ONE, ZERO, load
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.lowering.emit.recursion import lowers
from rulewright.dsl.lowering.values import calling, places, positions, rows, stored
from rulewright.dsl.lowering.values.rows import row_named
from rulewright.dsl.model import types
from rulewright.dsl.model.signs import is_sign
from rulewright.dsl.model.types import EMPTY, FLAG, NOTHING, PLAYER, Type, fits, list_of, whole
from rulewright.dsl.parsing import hints
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.dsl.tree import syntax

BUILT_IN: Final = ("players", "player_count", "game_over", "winners")


@lowers(syntax.Number)
def numeral(env: Env, e: syntax.Number, expect: Type | None) -> Typed:
    """Lower a number such as `3`."""
    return Typed(whole(e.value, e.value), ir.Const(e.value))


@lowers(syntax.Fixed)
def fixed_word(env: Env, e: syntax.Fixed, expect: Type | None) -> Typed:
    """Lower `yes`, `no`, `nothing` or `empty`."""
    match e.word:
        case "yes":
            return Typed(FLAG, ONE)
        case "no":
            return Typed(FLAG, ZERO)
        case "nothing":
            return Typed(NOTHING, NONE)
        case _:
            return Typed(EMPTY, ir.Const(()))


@lowers(syntax.Text)
def text(env: Env, e: syntax.Text, expect: Type | None) -> Typed:
    """Report an error for a text that is used as a value."""
    return env.c.bad(
        "wrong-type",
        "words cannot be used in a computation",
        e.span,
        help="write a name without quotes; words come after `log`, `option`, `say`, `prompt`, `item` and `else`",
    )


@lowers(syntax.Word)
def word(env: Env, e: syntax.Word, expect: Type | None) -> Typed:
    """Lower a name without a dot: a local, a state or zone of the table, a value, an option or a row."""
    c, name = env.c, e.name
    if name in env.scope:
        variable = env.scope[name]
        c.model.facts.refers(e.span, "local", name, variable.span)
        return Typed(variable.type, variable.read())
    if name == "me":
        return c.bad(
            "unknown-name",
            "nobody is acting here, so there is no `me`",
            e.span,
            help=_me_help(env, e.span),
        )
    found = row_named(env, name, expect)
    group = c.layout.of("", name)
    if group is not None and not (
        found is not None and expect is not None and fits(found.type, expect) and expect.is_thing
    ):
        c.model.facts.refers(e.span, group.what, name, group.span)
        return stored.group_value(env, group, None, (), e.span)
    if name in c.model.positions:
        return positions.report_bare_position(env, e)
    if name in c.model.values:
        c.model.facts.refers(e.span, "value", name, c.model.values[name].name_span)
        return calling.call_value(env, c.model.values[name], None, (), e.span, e.span)
    if name in BUILT_IN:
        c.model.facts.refers(e.span, "built-in", name, None)
    match name:
        case "players":
            return Typed(list_of(PLAYER, len(c.model.seats)), places.players_list(c))
        case "player_count":
            n = c.model.config.players
            return Typed(whole(n, n), ir.Const(n))
        case "game_over":
            return Typed(FLAG, load(ir.OVER))
        case "winners":
            return Typed(list_of(PLAYER, len(c.model.seats)), places.winners_list(c))
        case _:
            pass
    option = c.model.option(name)
    if option is not None:
        c.model.facts.refers(e.span, "option", name, c.model.first_declared.get(f"noun {name}"))
        return Typed(option[0], ir.Const(option[1]))
    if found is not None:
        rows.record_reference(c, e.span, name, found)
        named = rows.places_named(env, name, expect)
        if len(named) > 1:
            message = f"`{name}` is the name of {len(named)} places"
            return c.bad("duplicate-name", message, e.span, help="write " + one_of(named))
        return found
    if name in c.model.seats_absent:
        return Typed(PLAYER.maybe(), NONE)
    if name in c.layout.lost:
        return BAD
    if _is_reported_for_head(env, name, e.span):
        return BAD
    help: Help = (
        _chosen_argument_help(env, name, e.span)
        or _pronoun_help(env, name)
        or _board_help(env, name)
        or _owner_help(env, name, e.span)
        or rows.local_help(env, name)
        or _eliminated_help(name, e.span)
        or _tokens_help(env, name)
        or hints.of_name(name)
    )
    if name == "player":
        help = _player_help(e.span)
    if not help and (cells := _outside_grid(env, name)):
        return c.bad("unknown-name", f"{cells[0]} has no cell `{name}`", e.span, help=cells[1])
    help = help or did_you_mean(name, names_in_reach(env)) or _common_zone_help(env, name)
    help = help or _zone_help(env, name, e.span)
    if name == "p" and not help:
        line = _line_of(e.span)
        if line.startswith("whenever ") and " for " not in line:
            help = write(f"{line} for p in players", line_of(e.span))
    message = f"there is no `{name}`"
    help = help or _any_help(name, e.span)
    if not help and (owner := _score_player(name, e.span)):
        if any(problem.message == message for problem in c.problems.in_order()):
            return BAD  # already reported at the first line below the head
        help = write(owner) + ", as the head has it"
    if name == "p" and not help:
        players = [known for known, one in env.scope.items() if isinstance(one.type, types.Player)]
        value = "in a value, say whose it is: `value NAME of p: Player = ...`"
        help = write(players[0]) if len(players) == 1 else value
    if help or not c.model.has_lost_rows:
        help = help or (
            f"write `let {name} = ...` above, or for all rules `state {name}: 0..9` or `value {name} = ...`"
        )
        c.problems.error("unknown-name", message, e.span, help=help)
    return BAD


_CELL: Final = re.compile(r"[a-z]{1,2}\d{1,3}")


def _outside_grid(env: Env, name: str) -> tuple[str, str] | None:
    """For a name that looks like a cell, return two texts: one lists the grids without this cell,
    the other the cells of these grids.

    Return None for any other name, or if no grid uses such names.
    """
    named = [kind for kind in env.c.model.spaces.values() if kind.places and kind.rows]
    grids = [kind for kind in named if _CELL.fullmatch(kind.rows[0])]
    if not grids or _CELL.fullmatch(name) is None:
        return None
    ends = [f"{kind.rows[0]} to {kind.rows[-1]}" for kind in grids]
    if len(grids) == 1:
        return f"the grid `{grids[0].name}`", f"its cells are {ends[0]}"
    each = [f"{end} in `{kind.name}`" for kind, end in zip(grids, ends, strict=True)]
    return "no grid", f"there are {listed_and(each)}"


def _player_help(span: Span) -> Help:
    """Return help for `player`. In a loop or query it suggests all players; elsewhere it suggests the acting player."""
    source = span.source
    before = source.text[source.line_start(span.line) : span.start].rstrip()
    if before.endswith(" in") and not before.endswith((" is in", " not in")):
        return write("players") + ": all of them"
    return write("me") + " for the player whose turn it is; all of them are `players`"


def _board_help(env: Env, name: str) -> Help:
    """In a `board` block, return help for an unknown name that probably means the cell."""
    if env.procedure.name != "board":
        return ""
    cell = env.scope.get("cell")
    if cell is None and name == "cell":
        return 'a board with a title alone has no cells: write `board SPACE "TITLE"`'
    if cell is not None and name in (*(part.lower() for part in cell.type.names), "it", "this"):
        return write("cell") + ": the cell that is drawn"
    return ""


def _tokens_help(env: Env, name: str) -> str:
    """Return help for the use of a tokens type as a value: single tokens have no names."""
    if (
        next((one for one in (name, name.removesuffix("s")) if one in env.c.model.tokens), None)
        is None
    ):
        return ""
    return f"tokens are alike: write how many, such as `move 1 from ZONE to ZONE`, not `{name}`"


def _zone_help(env: Env, name: str, span: Span) -> Help:
    """For a move to an unknown place, return help that contains the declaration of a zone."""
    found = re.fullmatch(rf"\s*(?:surely )?move (.+) (?:to|under) {name}", _line_of(span))
    if found is None or not span.source.text[: span.start].rstrip().endswith((" to", " under")):
        return ""
    kind_names = [
        kind_name for kind_name in env.c.model.pieces if re.search(rf"\b{kind_name}\b", found[1])
    ]
    kind_names = kind_names or [*env.c.model.pieces]
    near = did_you_mean(name, [*env.c.model.zones, *env.c.model.player_zones])
    return (
        near
        or f"declare it: `zone {name}: set of {kind_names[0] if len(kind_names) == 1 else 'PIECE'}` at the left margin"
    )


def _pronoun_help(env: Env, name: str) -> Help:
    """Return help for an unknown name such as `this`: it suggests a name in scope."""
    if name not in ("this", "it", "that", "self", "thing", "item"):
        return ""
    names = [known for known in env.scope if known.isidentifier() and known != "me"]
    if not names:
        return ""
    also = ", or `me` for the player" if "me" in env.scope else ""
    return write(names[-1]) + f", the name that was given{also}"


def _me_help(env: Env, span: Span) -> Help:
    """Return the help for `me` if nobody is acting."""
    if span.source.name.endswith(SCENARIOS) and env.c.model.seats:
        return "name the player: " + write(env.c.model.seats[0])
    players = [name for name, known in env.scope.items() if isinstance(known.type, types.Player)]
    if len(players) == 1:
        return write(players[0])
    line = _line_of(span)
    asked = re.sub(r"\bme\b", "p", line.lstrip())
    if line.startswith("whenever ") and " for " not in line:
        return write(f"{asked} for p in players", line_of(span))
    if asked.startswith(("power ", "modify ")):
        return write(asked, line_of(span))
    return "use `each player`, or give the player as a parameter"


def _line_of(span: Span) -> str:
    """Return the line in which a span starts, without the comment of this line."""
    start = span.source.text.rfind("\n", 0, span.start) + 1
    return span.source.text[start:].partition("\n")[0].partition("#")[0].rstrip()


def _head_above(span: Span) -> str:
    """Return the nearest line above a span that starts in column 1."""
    text = span.source.text
    end = text.rfind("\n", 0, span.start)
    while end > 0:
        start = text.rfind("\n", 0, end) + 1
        if text[start : start + 1].strip():
            return text[start:end]
        end = start - 1
    return ""


def _any_help(name: str, span: Span) -> str:
    """Return help for a name that is declared inside `any(...)` in the head of a `whenever`, but used in the block."""
    asked = re.match(r"whenever any\((\w+) in players where (.+)\) *$", _head_above(span))
    if asked is None or asked[1] != name:
        return ""
    return f"it is known in the block below `whenever {asked[2]} for {name} in players`"


def _score_player(name: str, span: Span) -> str:
    """If an item calls the player `p`, return the name of the player in the head of the score; otherwise, return ""."""
    of = re.match(r"score of (\w+)", _head_above(span)) if name == "p" else None
    return of[1] if of is not None else ""


def _is_reported_for_head(env: Env, name: str, span: Span) -> bool:
    """Return whether this unknown name was already reported in the head of its block, as in
    `whenever p.hand is empty`.
    """
    text = span.source.text
    start = text.rfind("\nwhenever ", 0, span.start) + 1
    if not start or re.search(r"\n\S", text[start : span.start]) is not None:
        return False
    end = text.find("\n", start)
    return any(
        problem.span.source is span.source
        and start <= problem.span.start < end
        and problem.span.text == name
        for problem in env.c.problems.in_order()
    )


def _chosen_argument_help(env: Env, name: str, span: Span) -> Help:
    """Return the help for `do coup(target)` in case the target is chosen by the player who does the action."""
    found = re.fullmatch(r" *((?:may |surely )*do (\w+))\(([\w, ]+)\)", _line_of(span))
    rule = env.c.model.rules.get(found[2]) if found is not None else None
    if found is None or rule is None:
        return ""
    offered = [param.name for param in rule.params if param.source is not None]
    if name not in offered or [part.strip() for part in found[3].split(",")] != offered:
        return ""
    return write(found[1], line_of(span)) + f": `{name}` is chosen when it is done"


def _eliminated_help(name: str, span: Span) -> str:
    """Return the help for `expect cleo is eliminated`."""
    if name not in foreign_words.OUT:
        return ""
    start = span.source.text.rfind("\n", 0, span.start) + 1
    found = re.search(r"([a-z_][\w.]*) is (not )?$", span.source.text[start : span.start])
    who = found[1] if found is not None else "p"
    is_in = found is not None and found[2] is not None
    return f"an eliminated player is not in play: write `{'' if is_in else 'not '}{who}.in_play`"


def _owner_help(env: Env, name: str, span: Span) -> Help:
    """Return the help for an attribute of players that is written without a player."""
    if env.c.layout.of("player", name) is None:
        return ""
    seats = env.c.model.seats
    in_scenario = span.source.name.endswith(SCENARIOS)
    named = [
        known
        for known, one in env.scope.items()
        if isinstance(one.type, types.Player) and known != "me"
    ]
    who = seats[0] if in_scenario and seats else "me" if "me" in env.scope else "p"
    if named and not in_scenario:
        also = ", or " + form(f"me.{name}") if "me" in env.scope else ""
        return "every player has one: " + write(f"{named[-1]}.{name}") + also
    return "every player has one: " + write(f"{who}.{name}")


def _common_zone_help(env: Env, name: str) -> Help:
    """Return help that suggests a zone for a common name such as `hand`."""
    zones = [f for f in env.c.layout.groups if f.owner.name == "player" and f.what == "zone"]
    if name not in ("hand", "cards", "my_hand", "tableau") or not zones:
        return ""
    return write(f"{'me' if 'me' in env.scope else 'p'}.{zones[0].name}")


def names_in_reach(env: Env) -> list[str]:
    """Return all names that can be used here without a dot."""
    model = env.c.model
    return [
        *env.scope,
        *model.states,
        *model.zones,
        *model.values,
        *model.options,
        *(name for name in model.row_names if not is_sign(name)),
        "players",
        "player_count",
    ]


def _lookup_fix(e: syntax.TypeWord, columns: Sequence[str]) -> Fix | None:
    """Return the fix for `Penalty.points(slot)`, where the row must come before the column."""
    text = e.span.source.text
    found = re.match(r"\.(\w+)(\((?:[^()\n]|\([^()\n]*\))*\))(\.\w+)?", text[e.span.end :])
    if found is None:
        return None
    column = found[1] if found[1] in columns or not columns else columns[0]
    after = found[3] or ""
    if after[1:] in columns:
        column = after[1:]
    end = e.span.end + found.end()
    return Fix(Span(e.span.source, e.span.start, end), f"{e.name}{found[2]}.{column}")


@lowers(syntax.TypeWord)
def all_things(env: Env, e: syntax.TypeWord, expect: Type | None) -> Typed:
    """Lower the name of a kind, such as `Cell`, to the list of all things of this kind."""
    c = env.c
    type = c.model.type_named(e.name)
    if type is None:
        if e.name in c.model.tables:
            meant = _lookup_fix(e, [*c.model.tables[e.name].columns])
            return c.bad(
                "wrong-arguments",
                f"`{e.name}` is a table, and its rows are not things",
                e.span,
                fix=meant,
                help=f"write `{meant.text}`"
                if meant is not None
                else f"write `{e.name}(key).column`; declare a `kind` to go through its rows",
            )
        return c.bad(
            "unknown-type",
            f"there is no `{e.name}`",
            e.span,
            help=write(small) + ": it is a thing, not a type of things"
            if (small := e.name.lower()) in c.model.row_names
            else hints.of_name(e.name.lower())
            or did_you_mean(e.name, c.model.type_names())
            or f"write `kind {e.name} = first, second`, `piece {e.name}` or `space {e.name}` at the left margin",
        )
    c.model.refers_to_type(e.span, e.name)
    if not type.known:
        return BAD
    if isinstance(type, types.Player):
        return Typed(list_of(PLAYER, len(c.model.seats)), places.players_list(c))
    if len(type.names) == 1 and type.names[0] in c.layout.growing:
        return Typed(
            list_of(type, c.layout.growing[type.names[0]].slots),
            places.used_cells(c, type.names[0]),
        )
    ids = tuple(c.model.ids_of(type))
    return Typed(list_of(type, len(ids)), ir.Const(ids), ids=None)
