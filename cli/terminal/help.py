"""Write the help during play: the commands that have an effect in this game, with examples from the game."""

from __future__ import annotations

import re

from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.questions.look import names, symbols
from rulewright.interpreter.views.marked import wrap

_SIDE = 20
_TYPED = re.compile("`[^`]*`")
_JOINED = "\N{NO-BREAK SPACE}"
"""A space at which no line may break."""


def help_lines(
    match: Match, across: int, *, has_own_file: bool, can_undo: bool = True
) -> list[str]:
    """List the commands, each on its own line; wrap lines longer than `across` between words."""
    state = match.state
    program = state.compiled.program
    entries: list[tuple[str, str]] = []
    if not state.over:
        entries += [
            (
                "a number or name",
                "choose that option; a part of its name is enough if no other has it",
            ),
            ("options [WORD]", "list the options, all or those about something"),
            ("why [OPTION]", "why an option cannot be chosen, or all that cannot"),
        ]
        asked = next((value for value in program.values if value.base is not None), None)
        if asked is not None or program.values:
            named = asked or program.values[0]
            of = (
                " of me"
                if named.parameters[:1] and named.domains[0] == program.player_domain
                else ""
            )
            name = named.name.replace("_", " ")
            entries.append(("why VALUE", f"a value and the reasons for it: `why {name}{of}`"))
    known = names(state, max(state.player, 0))
    thing = next((name for name in known if name not in state.players), "")
    entries.append(("look", "show the whole position again"))
    entries.append(
        ("look NAME", f"show one thing, place, board or player{f': `look {thing}`' * bool(thing)}")
    )
    if symbols(state.compiled):
        entries.append(("look symbols", "the meaning of the symbols on boards"))
    if program.score:
        entries.append(("score", "the score so far (what you are allowed to know)"))
    entries += [
        ("log [N]", "the whole log, or its last N lines"),
        ("hint [5s]", "the best option of a bot that thinks this long"),
        ("hint bot", "the analysis of the last bot to decide: its best options, and the main line"),
        ("rules [WORD]", "the rules to read, or the part about something"),
        *([("undo", "take back your last choice")] if can_undo else []),
        ("save [FILE]" if has_own_file else "save FILE", "keep the match in a file"),
        ("load FILE", "continue another match of this game"),
        ("rematch", "begin another match with the same players"),
        (
            "quit",
            "leave; the match stays in its file, and `--load FILE` continues it"
            if has_own_file
            else "leave; the match is kept, and `--resume` continues it",
        ),
    ]
    pad = " " * (_SIDE + 1)
    lines = [
        line
        for word, what in entries
        for line in wrap(
            _TYPED.sub(lambda typed: typed[0].replace(" ", _JOINED), what),
            across,
            initial_indent=f"{word:<{_SIDE}} ",
            subsequent_indent=pad,
        )
    ]
    if program.boards or any(space.places for space in program.spaces):
        lines += [
            "",
            *wrap(
                "[x] on a grid and < after a line: changed since your last choice; *: the player who decides",
                across,
            ),
        ]
    return [line.replace(_JOINED, " ") for line in lines]
