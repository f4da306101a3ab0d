"""Parse the options for random play: `in random play turn_limit is 25 and resigning is no`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_or
from rulewright.dsl.model.declaring import option_word
from rulewright.dsl.tree import declared, syntax

SETTING = "in random play"

Options = Sequence[tuple[str, tuple[str, ...]]]
"""The options of a game, each with the words for its values."""


def random_play_of(
    settings: Mapping[str, declared.Setting], options: Options, problems: Problems
) -> tuple[tuple[str, str], ...]:
    """Return the options that random play sets, with their values."""
    if SETTING not in settings:
        return ()
    known = dict(options)
    found: dict[str, str] = {}
    for part in _parts(settings[SETTING].value):
        match part:
            case syntax.Binary(
                operator="is",
                left=syntax.Word(name=option) as name,
                right=(syntax.Word() | syntax.Number() | syntax.Fixed()) as value,
            ):
                word = option_word(value)
                if option not in known:
                    problems.error(
                        "unknown-option",
                        f"there is no option `{option}`",
                        name.span,
                        help=did_you_mean(option, known)
                        or "declare it: `option turn_limit = 0, 25`",
                    )
                elif word not in known[option]:
                    problems.error(
                        "unknown-option",
                        f"the option `{option}` has no value `{word}`",
                        value.span,
                        help=f"write {listed_or([*known[option]])}",
                    )
                elif found.setdefault(option, word) != word:
                    problems.error(
                        "duplicate-name",
                        f"the option `{option}` has two values here",
                        part.span,
                        help="remove one of the two",
                    )
            case _:
                problems.error(
                    "wrong-type",
                    f"`{SETTING}` needs options with their values after it",
                    part.span,
                    help=f"write `{SETTING} OPTION is VALUE and OPTION is VALUE`",
                )
    return tuple((name, found[name]) for name, _ in options if name in found)


def _parts(e: syntax.Expression) -> Iterator[syntax.Expression]:
    if isinstance(e, syntax.Binary) and e.operator == "and":
        yield from _parts(e.left)
        yield from _parts(e.right)
    else:
        yield e
