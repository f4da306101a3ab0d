"""Baselines for papers: `python -m bench.baselines` plays, learns, and writes `docs/baselines.csv` and `.svg`.

In each of three games, a greedy bot, the weakest level, and a policy that a small numpy network learns in self-play
play against a random bot. Each stronger level plays against the one below it. Each line has its seeds, so that a run
repeats it. `--keep FILE` stores finished parts, so that a run can be stopped and continued later. `docs/generate.py`
makes the table of `docs/citing.md`.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from bench.keeping import Kept
from bench.learner import Matches, Network, against_random, train
from bench.strength import WHOLE, Match, Outcome, outcome
from rulewright import load_game
from rulewright.interpreter.statistics.intervals import mean_interval

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "baselines.csv"
CURVES = ROOT / "docs" / "baselines.svg"
GAMES = ("connect_four", "kalah", "love_letter")
BOTS = (
    ("random", "random", 400),
    ("greedy", "random", 200),
    ("easy", "random", 100),
    ("normal", "easy", 100),
    ("hard", "normal", 40),
)
"""Which bot plays against which, and how many matches."""
COLUMNS: tuple[str, ...] = (
    "game",
    "player",
    "against",
    "learned_from",
    "matches",
    "first_seed",
    "share",
    "low",
    "high",
)
MATCHES = 400
SEEDS = (1, 2)
"""A network is trained from each of these."""
FIRST = 100_000
"""The seed of the first match of an evaluation."""
TOGETHER, STEPS, POINTS = 256, 200, 5
"""How many matches run at once, how many steps lie between two evaluations, and how many evaluations follow the
first."""

Row = dict[str, object]


def _row(game: str, player: str, against: str, learned: int, found: Outcome) -> Row:
    figures = (f"{number:.3f}" for number in (found.part, found.low, found.high))
    cells = (game, player, against, learned, found.plays, FIRST, *figures)
    return dict(zip(COLUMNS, cells, strict=True))


def rows(kept: Kept) -> Iterator[Row]:
    """All lines of the table."""
    for game in GAMES:
        for bot, against, matches in BOTS:
            match = Match(game, 2, bot, against, matches)
            yield from kept.whole(f"{game}: {bot}", partial(_bot_rows, match))
        for seed in SEEDS:
            yield from kept.whole(
                f"{game}: learned, seed {seed}", partial(_learner_rows, game, seed)
            )


def _bot_rows(match: Match) -> list[Row]:
    found = outcome(match, match.plays, FIRST)
    return [_row(match.game, match.bot, match.against, 0, found)]


def _learner_rows(name: str, seed: int) -> list[Row]:
    game = load_game(name)
    matches = Matches.of(game, TOGETHER, seed)
    network = Network.of(matches.seen.shape[1], matches.masks.shape[1], seed)
    random = np.random.default_rng(seed)
    found = []
    for point in range(POINTS + 1):
        if point:
            train(network, matches, STEPS, random)
        shares = against_random(network, game, MATCHES, FIRST)
        learned = point * STEPS * TOGETHER
        found.append(_row(name, f"learned, seed {seed}", "random", learned, _outcome(shares)))
    return found


def _outcome(shares: list[float]) -> Outcome:
    parts = [round(WHOLE * share) for share in shares]
    found = mean_interval(len(parts), sum(parts), sum(part * part for part in parts))
    low, high = found or (0.0, float(WHOLE))
    lost = sum(not part for part in parts)
    share = sum(parts) / len(parts) / WHOLE
    return Outcome(share, max(0.0, low / WHOLE), min(1.0, high / WHOLE), lost, len(parts))


def curves(found: list[dict[str, str]]) -> str:
    """The curves of the learned policies as SVG, one picture for each game."""
    wide, high, left, top = 260, 180, 44, 30
    most = STEPS * TOGETHER * POINTS
    parts = []
    for number, game in enumerate(GAMES):
        x0 = number * (wide + left) + left
        parts.append(f'<text x="{x0}" y="18">{game.replace("_", " ")}</text>')
        for share in (0.5, 0.75, 1.0):
            y = top + high * (1 - share) * 2
            parts.append(f'<path d="M{x0} {y:.1f}h{wide - 20}" class="grid"/>')
            parts.append(f'<text x="{x0 - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
        parts.append(f'<text x="{x0}" y="{top + high + 24}">0</text>')
        x = x0 + wide - 20
        label = f"{most:,} decisions"
        parts.append(f'<text x="{x}" y="{top + high + 24}" text-anchor="end">{label}</text>')
        for place, seed in enumerate(SEEDS):
            mine = [r for r in found if (r["game"], r["player"]) == (game, f"learned, seed {seed}")]
            points = " ".join(
                f"{x0 + (wide - 20) * int(r['learned_from']) / most:.1f},"
                f"{top + high * (1 - max(0.45, float(r['share']))) * 2:.1f}"
                for r in mine
            )
            parts.append(f'<polyline points="{points}" class="line{place}"/>')
    width, height = len(GAMES) * (wide + left) + 10, top + high + 36
    style = (
        "text{font:13px sans-serif;fill:#333}.grid{stroke:#ddd}"
        "polyline{fill:none;stroke-width:2}.line0{stroke:#1f5fa8}.line1{stroke:#c05a1f}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">\n'
        "<title>The share of victories of learned policies against a random bot</title>\n"
        f"<style>{style}</style>\n"
        '<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def main() -> None:
    """Write the table and the curves."""
    parser = argparse.ArgumentParser(prog="python -m bench.baselines", description=__doc__)
    parser.add_argument(
        "--keep", type=Path, help="store finished parts in this file, so that a later run continues"
    )
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows(Kept(parser.parse_args().keep)):
        writer.writerow(row)
        print(*row.values(), flush=True)
    TABLE.write_text(text.getvalue(), encoding="utf-8")
    CURVES.write_text(curves([*csv.DictReader(io.StringIO(text.getvalue()))]), encoding="utf-8")


if __name__ == "__main__":
    main()
