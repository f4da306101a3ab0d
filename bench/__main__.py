"""`python -m bench`: all parts, or the named ones."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.answers import LATE
from bench.growth import SIZES
from bench.keeping import Kept

Rows = list[dict[str, object]]
TITLES = {
    "playouts": "Random games a second, compared with OpenSpiel and handwritten C",
    "results": "Decisions of game.results in native code, per game of Connect Four in OpenSpiel's Python loop",
    "vectors": "Steps of game.vector compared with single states: alike (numbers in, masks out), by names, bare",
    "environments": "Vectors as learners drive them: draw, step, observe or encode (million steps a second)",
    "learners": "Draw, step and observe, beside Pgx, EnvPool and OpenSpiel (million steps a second of one core)",
    "large": "Random matches of the large games in the time of 1,000 of Connect Four, for each interface",
    "engines": "Generated Python and native code compared with the reference (the same playouts)",
    "search": "Search trials a second, compared with OpenSpiel's in C++ or with random games in native code",
    "solvers": "A round of regret minimisation, compared with OpenSpiel's in C++ (milliseconds)",
    "answers": "The time until a bot such as `normal` answers, in a new process (seconds)",
    "duels": "Matches against OpenSpiel's MCTSBot with equal CPU time (--seconds 10 plays 100 of each game)",
    "perfect": "Connect Four against a perfect player (--seconds 10 plays 50 matches)",
    "ladder": "Levels of bots against each other in the large games, each with an eighth of its usual time",
    "strength": "Bots against bots: the share of victories with its interval (--seconds 10 plays all matches)",
    "views": "Views of all seats after a choice: milliseconds of CPU time per choice, all seats together",
    "pages": "Pages of all seats after a choice, without network: milliseconds of CPU time, kB, MB per table",
    "browser": "A page that plays, and the playground, in Chromium: MB sent, seconds until the first content, moves",
    "wasm": "The search of bots in WebAssembly compared with native code (trials a second of one thread)",
    "copies": "A copy of a state",
    "growth": "Reading, checking and compiling a generated game",
    "commands": "Commands in a new process",
    "keystrokes": "A check of all of Through the Ages after an edit in an editor (seconds of CPU time)",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and show the results."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(TITLES))
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--seconds",
        type=float,
        default=10.0,
        help="measure each candidate for this long (default 10)",
    )
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, help="numbers of lines, for growth"
    )
    parser.add_argument(
        "--games",
        nargs="+",
        default=(),
        help="for answers, browser, engines, environments, learners, results, vectors, views, wasm and copies",
    )
    parser.add_argument(
        "--engine", choices=LATE, default="native", help="for answers (default native)"
    )
    parser.add_argument(
        "--keep",
        type=Path,
        help="store finished matches of duels, perfect and ladder in this file, so that a later run continues",
    )
    asked = parser.parse_args(arguments)
    kept = Kept(asked.keep)
    unknown = [part for part in asked.parts if part not in TITLES]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(TITLES)}")
    given: dict[str, tuple[object, ...]] = {
        "playouts": (asked.seconds,),
        "results": (asked.seconds, asked.games),
        "vectors": (asked.seconds / 5, asked.games),
        "environments": (asked.seconds / 10, asked.games),
        "learners": (asked.seconds / 10, asked.games),
        "large": (asked.seconds,),
        "engines": (asked.seconds / 2, asked.games),
        "search": (asked.seconds,),
        "solvers": (asked.seconds,),
        "answers": (max(0.01, asked.seconds / 10), asked.games, asked.engine),
        "duels": (max(2, round(10 * asked.seconds)), kept),
        "perfect": (max(2, round(5 * asked.seconds)), kept),
        "ladder": (asked.seconds / 10, kept),
        "strength": (asked.seconds / 10,),
        "views": (tuple(asked.games),),
        "pages": (tuple(asked.games),),
        "browser": (asked.games,),
        "wasm": (asked.seconds, asked.games),
        "copies": (asked.seconds, asked.games),
        "growth": (asked.sizes,),
        "commands": (max(1, round(asked.seconds)),),
        "keystrokes": (max(3, round(asked.seconds * 1.5)),),
    }
    found: dict[str, Rows] = {}
    for part in asked.parts or TITLES:
        found[part] = _measure(part)(*given[part])
        if asked.format == "text":
            print(f"{TITLES[part]}\n\n{table(found[part])}\n", flush=True)
    if asked.format == "json":
        print(json.dumps(found, indent=2))
    return 0


def _measure(part: str) -> Any:
    """The function of a part; other parts may need packages that are not installed."""
    return getattr(import_module(f"bench.{part}"), part)


def table(rows: Rows) -> str:
    """Rows as text, with the numbers in columns."""
    heads = list(rows[0])
    cells = [[head.replace("_", " ") for head in heads]]
    cells += [["-" if row[head] is None else str(row[head]) for head in heads] for row in rows]
    widths = [max(len(line[n]) for line in cells) for n in range(len(heads))]
    left = [isinstance(rows[0][head], str) for head in heads]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if is_text else cell.rjust(width)
            for cell, width, is_text in zip(line, widths, left, strict=True)
        ).rstrip()
        for line in cells
    )


if __name__ == "__main__":
    sys.exit(main())
