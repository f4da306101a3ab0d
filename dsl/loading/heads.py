"""Parse the head of a game: number of players, options, and words in quotes.

Errors in the head are reported. The declarations below the head are not parsed here.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl.diagnostics.advice import Help, form, line_of, write
from rulewright.dsl.diagnostics.diagnostics import Fix, Problems
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import near_names
from rulewright.dsl.loading.combinations import MOST_OPTIONS, MOST_VALUES
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.model.declaring import option_word
from rulewright.dsl.tree import declared, syntax

MOST_PLAYERS = 12


def players_of(game: declared.Game, problems: Problems) -> tuple[int, int]:
    """Return the minimum and the maximum number of players."""
    for setting in game.settings:
        if setting.name != "players":
            continue
        value = setting.value
        low = high = None
        if (
            isinstance(value, syntax.Binary)
            and value.operator == ".."
            and isinstance(value.left, syntax.Number)
            and isinstance(value.right, syntax.Number)
        ):
            low, high = value.left.value, value.right.value
        elif isinstance(value, syntax.Number):
            low = high = value.value
        if low is None or high is None or not 1 <= low <= high <= MOST_PLAYERS:
            problems.error(
                "out-of-range",
                f"`players` takes a range between 1 and {MOST_PLAYERS}, such as 2..4",
                value.span,
                help=_players_help(value),
            )
            return 2, 2
        return low, high
    if is_broken("players", problems):
        return 2, 2
    problems.error(
        "no-game-line",
        "the number of players is missing",
        game.span,
        help="write `players 2..4` below the `game` line",
        fix=Fix(Span(game.span.source, game.span.end, game.span.end), "\n    players 2..4"),
    )
    return 2, 2


def _players_help(value: syntax.Expression) -> Help:
    """Return help for a wrong number of players. An author who writes `2-5` means a range."""
    match value:
        case syntax.Binary(
            operator="-", left=syntax.Number(value=low), right=syntax.Number(value=high)
        ) if 1 <= low <= high <= MOST_PLAYERS:
            return write(f"players {low}..{high}", line_of(value.span))
        case _:
            one, several = (
                form(text, line_of(value.span)) for text in ("players 2", "players 2..4")
            )
            return "write " + one + ", or " + several


def clauses_of_options(
    declarations: Iterable[declared.Declaration], options: Iterable[tuple[str, tuple[str, ...]]]
) -> tuple[tuple[str, ...], ...]:
    """Return the clauses on the line of each option, in the order of `options`."""
    found = {
        d.name: tuple(tag.first for tag in d.tags)
        for d in declarations
        if isinstance(d, declared.OptionDeclaration)
    }
    return tuple(found.get(name, ()) for name, _ in options)


def options_of(
    declarations: Iterable[declared.Declaration], problems: Problems
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the options of the game, each paired with the words for its values."""
    found: dict[str, tuple[str, ...]] = {}
    for d in declarations:
        if not isinstance(d, declared.OptionDeclaration):
            continue
        words: dict[str, None] = {}
        for value in d.values:
            word = option_word(value)
            if word in words:
                message = f"`{word}` appears twice in this option"
                problems.error("duplicate-name", message, value.span, help="remove one of the two")
            words[word] = None
        _check_one_type(d, problems)
        if len(words) > MOST_VALUES:
            problems.error(
                "out-of-range",
                f"an option has at most {MOST_VALUES} values, but `{d.name}` has {len(words)}",
                d.name_span,
                help="write a range of fewer, or an option for each part of it",
            )
        found.setdefault(d.name, tuple(words))
        if len(found) == MOST_OPTIONS + 1:
            message = f"a game has at most {MOST_OPTIONS} options"
            problems.error(
                "out-of-range",
                message,
                d.name_span,
                help="combine related options into one option with several values",
            )
    return tuple(found.items())


def _check_one_type(d: declared.OptionDeclaration, problems: Problems) -> None:
    """Report an error for an option whose values mix numbers, names, and `yes` and `no`, because
    each type has its own comparison.
    """
    first, *others = d.values
    for value in others:
        if value.__class__ is not first.__class__:
            problems.error(
                "wrong-type",
                f"`{option_word(value)}` has another type than `{option_word(first)}`, the first value of `{d.name}`",
                value.span,
                help="write only numbers, only `yes` and `no`, or only names: `never, sometimes, always`",
            )
            return


def is_broken(word: str, problems: Problems) -> bool:
    """Return whether an unreadable line begins with this word, or with a similar word."""
    for found in problems.in_order():
        text, at = found.span.source.text, found.span.start
        start = text.rfind("\n", 0, at) + 1
        first = text[start:].split(None, 1)[:1]
        if first == [word]:
            return True
        if found.code == "unexpected-word" and first and near_names(first[0], [word]):
            return True
    return False


def words_of(e: syntax.Expression) -> str:
    """Return the words of a text in quotes, or "" for any other expression."""
    return "".join(p for p in e.parts if isinstance(p, str)) if isinstance(e, syntax.Text) else ""


def in_quotes(setting: declared.Setting | None, problems: Problems) -> declared.Setting | None:
    """Return the value of a setting if the value consists of words in quotes. If the quotes are missing, report an
    error and return None.
    """
    if setting is None or isinstance(setting.value, syntax.Text):
        return setting
    problems.error(
        "unexpected-word",
        f"`{setting.name}` is followed by words in quotes",
        setting.value.span,
        help=write(f'"{setting.value.span.text}"'),
    )
    return None


def why_never(never: declared.Setting) -> str:
    """Return why variants are never played: the reason in a `never` line with its clauses, or the
    line itself if it has no reason.
    """
    if never.reason is None:
        return f"`{' '.join(never.span.text.split())}`"
    clauses = clause_ids(never.tags)
    return never.reason + (f" [{', '.join(clauses)}]" if clauses else "")
