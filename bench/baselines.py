"""Baselines for papers: `python -m bench.baselines` plays, learns, and writes `docs/baselines.csv` and `.svg`.

Three games; against a random bot: a greedy bot, a searching one, and a policy that a small numpy network learns in
self-play. Each line has its seeds, so that a run repeats it. `docs/generate.py` makes the table of `docs/citing.md`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.learner import Matches, Network, against_random, train
from bench.strength import WHOLE, Match, Outcome, outcome
from rulewright import load_game
from rulewright.interpreter.statistics.intervals import mean_interval

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "baselines.csv"
CURVES = ROOT / "docs" / "baselines.svg"
GAMES = ("connect_four", "kalah", "love_letter")
BOTS = {"random": 400, "greedy": 200, "easy": 100}
"""How many matches each bot plays against a random one."""
COLUMNS = ("game", "player", "learned_from", "matches", "first_seed", "share", "low", "high")
MATCHES = 400
SEEDS = (1, 2)
"""A network is trained from each of these."""
FIRST = 100_000
"""The seed of the first match of an evaluation."""
TOGETHER, STEPS, POINTS = 256, 200, 5
"""How many matches at once, so many steps between two evaluations, and so many evaluations after the first."""

Row = tuple[object, ...]


def _row(game: str, player: str, learned: int, found: Outcome) -> Row:
    figures = (f"{number:.3f}" for number in (found.part, found.low, found.high))
    return (game, player, learned, found.plays, FIRST, *figures)


def rows() -> Iterator[Row]:
    """All lines of the table."""
    for game in GAMES:
        for bot, matches in BOTS.items():
            against = Match(game, 2, bot, "random", matches)
            yield _row(game, bot, 0, outcome(against, matches, FIRST))
        for seed in SEEDS:
            yield from _learned(game, seed)


def _learned(name: str, seed: int) -> Iterator[Row]:
    game = load_game(name)
    matches = Matches.of(game, TOGETHER, seed)
    network = Network.of(matches.seen.shape[1], matches.masks.shape[1], seed)
    random = np.random.default_rng(seed)
    for point in range(POINTS + 1):
        if point:
            train(network, matches, STEPS, random)
        shares = against_random(network, game, MATCHES, FIRST)
        yield _row(name, f"learned, seed {seed}", point * STEPS * TOGETHER, _outcome(shares))


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
        "<title>The part of the victories that learned policies take from a random bot</title>\n"
        f"<style>{style}</style>\n"
        '<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def main() -> None:
    """Write the table and the curves."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows():
        writer.writerow(row)
        print(*row, flush=True)
    TABLE.write_text(text.getvalue(), encoding="utf-8")
    CURVES.write_text(curves([*csv.DictReader(io.StringIO(text.getvalue()))]), encoding="utf-8")


if __name__ == "__main__":
    main()
