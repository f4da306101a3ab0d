"""Why something cannot be chosen, and what made a value so: lines that answer `why`.

Refuses to tell a player what that player may not know.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.cli.playing.answers import about_it, labels_of, number_of, plain
from rulewright.interpreter.knowing.reasons import NoSuchValueError, SecretValueError
from rulewright.interpreter.plays.state import Decision, State

_NAMED = 6
"""How many options are named that are refused for one reason."""


def why(state: State, name: str) -> list[str]:
    """Why an option cannot be chosen, or a value is what it is; without a name, all that is refused."""
    return _why_this(state, name) if name else _why_all(state.decision)


def refusal(decision: Decision, typed: str) -> str | None:
    """Why what was typed cannot be chosen, if the rules say of one thing of this name why not."""
    reasons = decision.refused
    whole = [name for name in reasons if plain(name) == plain(typed) or number_of(name) == typed]
    meant = whole or about_it(typed, list(reasons))
    told = {reasons[name] for name in meant}
    if len(told) != 1:
        return None
    what = meant[0] if len(meant) == 1 else typed
    return f"`{what}` cannot be chosen: {told.pop()}"


def _why_all(decision: Decision) -> list[str]:
    """Reasons, each with the options it refuses."""
    by_reason: dict[str, list[str]] = {}
    for option, reason in decision.refused.items():
        by_reason.setdefault(f"{reason}{_tags(decision.clauses(option))}", []).append(option)
    lines = [f"{_listed(options)}: {reason}" for reason, options in by_reason.items()]
    return lines or ["nothing is refused here"]


def _listed(options: Sequence[str]) -> str:
    more = len(options) - _NAMED
    return ", ".join(options[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _why_this(state: State, name: str) -> list[str]:
    decision = state.decision
    names = decision.names
    known = [*decision.refused, *names]
    labels = labels_of(names)
    if name in labels:
        about = [names[labels.index(name)]]
    else:
        about = [one for one in known if plain(one) == plain(name)]
        about = about or [one for one in known if number_of(one) == name]
    if not about:
        about = about_it(name, known)
        value = _why_value(state, name, bool(about))
        if value:
            return value
    found = []
    for option in about or [name]:
        reason = decision.why(option)
        clauses = _tags(decision.clauses(option))
        found.append(f"{reason}{clauses}" if reason else f"`{option}` can be chosen")
    if len(about) > 1:
        found = [f"{option}: {line}" for option, line in zip(about, found, strict=True)]
    return found


def _why_value(state: State, asked: str, is_option: bool) -> list[str]:
    """What made a value so, or what value may have been meant; nothing where there is none."""
    try:
        first, *more = state.why_value(asked, state.player).lines
    except NoSuchValueError as failure:
        return [str(failure)] if failure.is_near and not is_option else []
    except SecretValueError as failure:
        return [str(failure)]
    return [first, *(f"  {line}" for line in more)]


def _tags(clauses: Sequence[str]) -> str:
    return f" [{', '.join(clauses)}]" if clauses else ""
