"""Format a comparison of two versions of a game, as text and as data; significant differences come first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isinf

from rulewright.cli.formats.words import percent, points_more, round_for_data
from rulewright.cli.jobs.pairing import Answer
from rulewright.cli.jobs.runs import About
from rulewright.interpreter.statistics.comparison import Change, WorthChange, worth_changes
from rulewright.interpreter.text.columns import table

_MOST = 20


def comparison_data(answer: Answer) -> dict[str, object]:
    """Return the comparison as data for other programs; `rulewright compare --help` describes the shape."""
    comparison, first, second = answer.compared
    return {
        "versions": [_about_data(about) for about in answer.abouts],
        "seed": answer.abouts[0].seed,
        "games": comparison.plays,
        "given_up": comparison.given_up,
        "looks": answer.look,
        "clear": answer.clear,
        "precision": answer.wanted,
        "figures": [_change_data(each) for each in comparison.changes(answer.look, answer.wanted)],
        "worth": [
            {
                "sort": each.thing.sort,
                "name": each.thing.name,
                "compared": each.how,
                "first": round_for_data(each.first.amount),
                "second": round_for_data(each.second.amount),
                "difference": round_for_data(each.amount),
                "interval": [round_for_data(edge) for edge in each.interval],
                "chance": round_for_data(each.chance),
                "stands_out": each.stands_out,
            }
            for each in worth_changes(first.uses, second.uses, answer.look)
        ],
        "seconds": round(answer.seconds, 3),
    }


def _about_data(about: About) -> dict[str, object]:
    return {
        "game": about.title,
        "players": about.variant.players,
        "options": dict(about.variant.options),
        "bots": list(about.bots),
    }


def _change_data(change: Change) -> dict[str, object]:
    more = change.more
    return {
        "group": change.figure.group,
        "name": change.figure.name,
        "share": change.figure.is_share,
        "main": change.figure.main,
        "first": round_for_data(change.first),
        "second": round_for_data(change.second),
        "difference": round_for_data(change.amount),
        "interval": None
        if isinf(change.half)
        else [round_for_data(edge) for edge in change.interval],
        "chance": round_for_data(change.chance),
        "stands_out": change.stands_out,
        "verdict": change.verdict,
        "more_games": None if isinf(more) else round(more),
    }


def comparison_text(answer: Answer, names: Sequence[str]) -> str:
    """Format the comparison as text for people."""
    comparison, first, second = answer.compared
    changes = comparison.changes(answer.look, answer.wanted)
    are_recorded = any(about.seed is None for about in answer.abouts)
    seeds = "" if are_recorded else " with the same seeds"
    lines = [
        f"A: {names[0]}",
        f"B: {names[1]}",
        f"{comparison.plays:,} games of each{seeds}, analysed {_times(answer.look)}",
    ]
    if comparison.given_up:
        lines.append(f"left out because they did not end: {comparison.given_up:,}")
    if not comparison.plays:
        return "\n".join(lines)
    lines += ["", *_differs(changes)]
    main = [each for each in changes if each.figure.main]
    same = [each for each in main if each.verdict == "same"]
    if same:
        lines += ["", f"the same, within {_margin_text(answer.wanted)}"]
        lines += [f"  {each.figure.text} {_pair(each)}" for each in same]
    lines += ["", *_open(answer, [each for each in main if each.verdict == "open"])]
    rest = [each for each in changes if not each.stands_out and not each.figure.main]
    lines += ["", *_rest(rest)]
    lines += _worth(worth_changes(first.uses, second.uses, answer.look))
    return "\n".join(lines)


def _times(look: int) -> str:
    return "once" if look == 1 else f"{look} times"


def _margin_text(wanted: float) -> str:
    hundredths = f"{100 * wanted:g}"
    return f"{hundredths} in 100 games, or {hundredths} % of a number"


def _differs(changes: Sequence[Change]) -> Iterator[str]:
    out = [each for each in changes if each.stands_out or _is_clearly_other(each)]
    if not out:
        yield "nothing differs beyond chance"
        return
    yield "beyond chance, B against A"
    for each in out[:_MOST]:
        yield f"  {each.figure.text} {_pair(each)}, {_words(each)}"
    if len(out) > _MOST:
        yield f"  and {len(out) - _MOST} more, listed by --format json"


def _is_clearly_other(change: Change) -> bool:
    return change.figure.main and change.verdict == "differs"


def _words(change: Change) -> str:
    low, high = sorted(map(abs, change.interval))
    low = 0.0 if change.interval[0] < 0 < change.interval[1] else low
    if change.figure.is_share:
        word = "more" if change.amount > 0 else "fewer"
        return f"in {_number(100 * abs(change.amount))} of 100 games {word} ({_edges(100 * low, 100 * high)})"
    word = "more" if change.amount > 0 else "less"
    return f"{_number(abs(change.amount))} {word} ({_edges(low, high)})"


def _edges(low: float, high: float) -> str:
    return f"{_number(low)} .. {_number(high)}"


def _number(number: float) -> str:
    return f"{number:.1f}" if number >= 1 else f"{number:.2g}"


def _pair(change: Change) -> str:
    if change.figure.is_share:
        return f"{percent(change.first)} -> {percent(change.second)}"
    return f"{change.first:.2f} -> {change.second:.2f}"


def _open(answer: Answer, changes: Sequence[Change]) -> Iterator[str]:
    if not changes:
        early = "; no more games were needed" if answer.clear else ""
        yield f"all main figures are clear{early}"
        return
    yield f"not decided yet within {_margin_text(answer.wanted)}; games still needed:"
    for each in changes:
        more = "" if isinf(each.more) else f", about {_round_up(each.more):,} more"
        yield f"  {each.figure.text} {_pair(each)} (A to B {_interval(each)}){more}"


def _round_up(number: float) -> int:
    """Round a number up to two significant digits, which are enough for planning."""
    step = int(10 ** max(0, len(str(int(number))) - 2))
    return max(step, -(-int(number) // step) * step)


def _interval(change: Change) -> str:
    low, high = change.interval
    if change.figure.is_share:
        return f"{points_more(low)} .. {points_more(high)}"
    return f"{low:+.2f} .. {high:+.2f}"


def _rest(changes: Sequence[Change]) -> Iterator[str]:
    if not changes:
        return
    other = [each for each in changes if each.amount]
    if other:
        yield "other figures, within chance"
        rows = [
            (each.figure.text, *_pair(each).split(" -> "), _interval(each))
            for each in other[:_MOST]
        ]
        yield from table([("", "A", "B", "A to B"), *rows])
    if len(other) > _MOST:
        yield f"and {len(other) - _MOST} more, listed by --format json"
    if len(other) < len(changes):
        yield f"{len(changes) - len(other)} other figures are identical"


def _worth(changes: Sequence[WorthChange]) -> Iterator[str]:
    if not changes:
        return
    yield ""
    yield "how much more often its takers win (* beyond chance)"
    rows = [
        (
            each.thing.text,
            each.how,
            points_more(each.first.amount),
            points_more(each.second.amount),
            f"{points_more(each.interval[0])} .. {points_more(each.interval[1])}"
            + (" *" if each.stands_out else "  "),
        )
        for each in changes[:_MOST]
    ]
    yield from table([("", "compared", "A", "B", "A to B"), *rows])
