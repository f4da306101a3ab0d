"""Answers `why`: explains why an option cannot be chosen, or gives the reasons of a value.

The answers contain nothing that the player may not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from rulewright.interpreter.knowledge.filtered import (
    Unmet,
    names_of,
    ways_named,
    why_filtered,
    why_nothing,
)
from rulewright.interpreter.knowledge.reasons import NoSuchValueError, SecretValueError
from rulewright.interpreter.matches.state import Decision, State
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.text.names import option_number
from rulewright.interpreter.text.tags import tags
from rulewright.interpreter.text.typed import (
    about_it,
    labels_of,
    number_of,
    options_with,
    plain,
)

_SHORT = 60
"""The maximum length of an option's text before a reason."""
_NAMED = 6
"""The maximum number of options that are named if several are refused for the same reason."""


def spoken(state: State, name: str) -> str:
    """Return the name of an option in words, as a person may type it: `drop 4`, not `drop(4)`."""
    if state.over:
        return name
    words = state.compiled.words
    for arm, values in ways_named(state, name):
        things = (
            words.text(domain, value)
            for (domain, _, _), value in zip(
                arm.in_name(arm.arguments), arm.in_name(values), strict=True
            )
        )
        return " ".join([arm.word.replace("_", " "), ", ".join(things)]).strip()
    return name.replace("_", " ")


def _displayed_name(state: State, name: str, refused: Mapping[str, str]) -> str:
    """Return the name of an option that is not offered.

    If the option is refused under the given name and its text is short, the text is returned, so
    that no name from the rules appears.
    """
    if name in refused and (arm := next((arm for arm, _ in ways_named(state, name)), None)):
        text = _text(state, name) if arm.message is not None else ""
        if text and ": " not in text and len(text) <= _SHORT:
            return text
    return spoken(state, name)


def why(state: State, name: str) -> list[str]:
    """Explain why an option cannot be chosen, or give the reasons of a value. Without a name, explain all refusals."""
    return _why_this(state, name) if name else _why_all(state)


def refusal(decision: Decision, typed: str) -> str | None:
    """Explain why the typed option cannot be chosen, or return None.

    An explanation is returned only if the rules have a reason for the typed name or words.
    """
    state, reasons = decision.state, decision.refused
    names = decision.names
    in_order = [str(place) for place in range(1, len(names) + 1)]
    by_number = labels_of(names) != in_order or all(map(number_of, names))
    meant = [
        name
        for name in reasons
        if plain(name) == plain(typed) or (by_number and number_of(name) == typed)
    ]
    if not meant and not typed.isdecimal():
        known = list(reasons)
        meant = about_it(typed, known) or _in_words(state, typed, known)
    if not meant and not state.at_chance:
        meant = _describe_refused(state, typed)
        reasons = {name: decision.why(name) or "" for name in meant}
    said = {reasons[name] for name in meant}
    if not said:
        no_way = _no_way(state, typed)
        return _elsewhere(state, typed) if no_way is None else no_way.text
    if len(said) > 1:
        return f"nothing with `{typed}` can be chosen now: `why {typed}` tells the reasons"
    what = _displayed_name(state, meant[0], decision.refused) if len(meant) == 1 else typed
    return f"`{what}` cannot be chosen: {said.pop()}"


def _why_all(state: State) -> list[str]:
    """List the reasons for refusals, each with the options that it refuses."""
    found = refused_options(state)
    lines = [f"{_list_text(options)}: {reason}" if options else reason for options, reason in found]
    return lines or ["every option here is available"]


def refused_options(state: State) -> list[tuple[list[str], str]]:
    """Group the refused options by reason.

    If reasons are left out, a line without options says how to ask for them.
    """
    decision = state.decision
    by_reason: dict[str, list[str]] = {}
    refused = decision.refused
    for option, reason in refused.items():
        said = f"{reason}{tags(decision.clauses(option))}"
        by_reason.setdefault(said, []).append(option)
    found: list[tuple[list[str], str]] = []
    met: Counter[str] = Counter()
    for reason, names in by_reason.items():
        options = [_displayed_name(state, name, refused) for name in names]
        word = names[0].partition("(")[0].replace("_", " ") if "(" in names[0] else options[0]
        met[word] += 1
        if met[word] <= _NAMED:
            found.append((options, reason))
    more = [f"`why {word}` tells more of {word}" for word, count in met.items() if count > _NAMED]
    return [*found, *(([], line) for line in more)]


def _list_text(options: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(options))
    more = len(distinct) - _NAMED
    return ", ".join(distinct[:_NAMED]) + (f" and {more} more" if more > 0 else "")


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
        about = about or _options_with_text(state, name, known)
    if not about:
        filtered = _describe_refused(state, name, {spoken(state, one) for one in known})
        about = list(dict.fromkeys([*about_it(name, known), *filtered])) if filtered else []
    if not about:
        about = about_it(name, known)
        value = _why_value(state, name, bool(about))
        if value:
            return value
    if not about:
        texts = [_text(state, one) for one in known]
        about = [known[place] for place in options_with(name, known, texts)]
    no_way = None if about else _no_way(state, name)
    if no_way is not None:
        return [f"{no_way.text}{tags(no_way.clauses)}"]
    elsewhere = None if about else _elsewhere(state, name)
    if elsewhere is not None:
        return [elsewhere]
    by_reason: dict[str, list[str]] = {}
    can: list[str] = []
    for option in about or [name]:
        reason = decision.why(option)
        if reason:
            said = f"{reason}{tags(decision.clauses(option))}"
            by_reason.setdefault(said, []).append(_displayed_name(state, option, decision.refused))
        else:
            can.append(f"`{decision.option(option).text}`")
    found = [f"{_list_text(can)} can be chosen"] if can else []
    if len(by_reason) == 1 and not can:
        return list(by_reason)
    return found + [f"{_list_text(options)}: {reason}" for reason, options in by_reason.items()]


def _elsewhere(state: State, name: str) -> str | None:
    """Name the other questions of the rules that have options with the given name. If there are none, return None."""
    words, program = state.compiled.words, state.compiled.program
    meant = plain(name.partition("(")[0])
    asked = dict.fromkeys(
        f'"{words.message_without(site.prompt)}"'
        for number, site in enumerate(program.sites)
        if number != state.decision.number
        and any(arm.word and plain(arm.word) == meant for arm in site.arms)
    )
    if not asked:
        return None
    return f"`{name}` is not part of this decision; it is offered at {', '.join([*asked][:_FEW])}"


_FEW = 3  # the maximum number of questions that are named


def _text(state: State, name: str) -> str:
    """Return the text of an option, or the text that it would have if it were not refused.

    If several copies have the same name, the text is that of the refused copy, because other copies
    may be elsewhere.
    """
    if state.at_chance:
        return name
    compiled, cells = state.compiled, state.cells
    ways = [option_number(arm, values) for arm, values in ways_named(state, name)]
    refused = compiled.engine.refusals(cells)
    way = next((way for way in ways if way in refused), ways[0] if ways else None)
    if way is None:
        return name
    try:
        return compiled.option_text(cells, way)
    except RuleFault:  # the text is not meant for readers
        return name


def _options_with_text(state: State, words: str, names: Sequence[str]) -> list[str]:
    """Return the options whose displayed text is exactly `words`."""
    return [name for name in names if plain(_text(state, name)) == plain(words)]


def _in_words(state: State, words: str, names: Sequence[str]) -> list[str]:
    """Return the options whose displayed text contains `words`."""
    texts = [_text(state, name) for name in names]
    found = about_it(words, texts)
    return [name for name, text in zip(names, texts, strict=True) if text in found]


def _describe_refused(state: State, name: str, said: Set[str] = frozenset()) -> list[str]:
    """Describe the options about a thing that are refused because of the thing. `name` is the thing
    or a part of an option's text.

    Options with the same text as options in `said` are left out, because they are further copies.
    """
    if state.at_chance:
        return []
    typed = plain(name)
    meant = list(dict.fromkeys(names_of(state, lambda known: plain(known) == typed)))
    if not meant:
        about = dict.fromkeys(names_of(state, lambda known: bool(about_it(known, [typed]))))
        meant = [one for one in about if about_it(typed, [spoken(state, one), _text(state, one)])]
    new = (option for option in meant if spoken(state, option) not in said)
    return [option for option in new if why_filtered(state, option) is not None]


def _no_way(state: State, name: str) -> Unmet | None:
    """Explain why an arm of the open decision that has the given name has no options."""
    if state.at_chance:
        return None
    return why_nothing(state, lambda known: plain(known) == plain(name))


def _why_value(state: State, asked: str, is_option: bool) -> list[str]:
    """Return the reasons of a value, or the values that may have been meant. If there are none, return no lines."""
    try:
        first, *more = state.why_value(asked, state.player).lines
    except NoSuchValueError as failure:
        return [str(failure)] if failure.is_near and not is_option else []
    except SecretValueError as failure:
        return [str(failure)]
    return [first, *(f"  {line}" for line in more)]
