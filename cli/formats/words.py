"""Format statistics as words and as data: proportions, spreads, significance."""

from __future__ import annotations

from rulewright.interpreter.matches.game import Variant
from rulewright.interpreter.statistics.contrast import Difference
from rulewright.interpreter.statistics.distribution import Spread
from rulewright.interpreter.statistics.intervals import SURE
from rulewright.interpreter.statistics.tally import Tally

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def variant_words(variant: Variant) -> str:
    """Describe a variant in words, as in `3 players, characters draft`."""
    options = [f"{name} {value}".replace("_", " ") for name, value in variant.options]
    players = "1 player" if variant.players == 1 else f"{variant.players} players"
    return ", ".join([players, *options])


def round_for_data(number: float) -> float:
    """Round a number for data, so that it has no more digits than are significant."""
    return round(number, 6)


def percent(share: float) -> str:
    """Format a proportion as in `12.3 %`."""
    return f"{100 * share:.1f} %"


def points_more(share: float) -> str:
    """Format a difference of proportions in hundredths, with its sign."""
    return with_sign(100 * share)


def with_sign(number: float) -> str:
    """Format a difference with its sign."""
    text = f"{number:+.1f}"
    return "0.0" if text == "-0.0" else text


def plain(number: float) -> str:
    """Format a number with one decimal, and without a sign if it is rounded to 0."""
    text = f"{number:.1f}"
    return "0.0" if text == "-0.0" else text


def spread_data(spread: Spread) -> dict[str, object]:
    """Return a spread as data: the mean with its interval, the deviation and the range.

    `quantiles` are the quantiles at 5, 25, 50, 75 and 95 in 100.
    """
    interval = spread.interval
    return {
        "mean": round_for_data(spread.mean),
        "interval": None if interval is None else [round_for_data(edge) for edge in interval],
        "deviation": round_for_data(spread.deviation),
        "low": spread.low,
        "high": spread.high,
        "quantiles": spread.quantiles(QUANTILES),
    }


def spread_text(spread: Spread) -> str:
    """Format a spread as `mean (lowest .. highest)`."""
    if spread.low is None:
        return "-"
    return f"{plain(spread.mean)} ({spread.low} .. {spread.high})"


def difference_data(found: Difference | None) -> dict[str, object] | None:
    """Return a difference as data, with its interval and its probability by chance."""
    if found is None:
        return None
    return {
        "with": round_for_data(found.first),
        "without": round_for_data(found.second),
        "difference": round_for_data(found.amount),
        "interval": [round_for_data(edge) for edge in found.interval],
        "chance": round_for_data(found.chance),
    }


def chance_words(chance: float) -> str:
    """Say how often chance alone gives a result with this probability."""
    if chance < 0.001:
        return "in less than 1 of 1,000 cases"
    if chance < 0.095:
        return f"in {max(1, round(1000 * chance))} of 1,000 cases"
    return f"in {round(100 * chance)} of 100 cases"


def seats_words(tally: Tally) -> str:
    """Say whether the chances of the seats differ."""
    chance = tally.equal_seats_chance
    if len(tally.side_wins) < 2:
        return "there is only one side"
    if chance is None:
        return "too few wins to say whether the seats differ"
    said = f"chance alone gives this {chance_words(chance)}"
    if chance < 1 - SURE:
        return f"the seats differ: {said}"
    return f"no sign that any seat is favoured: {said}"
