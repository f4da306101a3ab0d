"""`python -m bench`: all parts, or those that are named."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.answers import answers
from bench.browser import browser
from bench.commands import commands
from bench.copies import copies
from bench.duels import duels
from bench.engines import engines
from bench.environments import environments
from bench.growth import SIZES, growth
from bench.keeping import Kept
from bench.keystrokes import keystrokes
from bench.ladder import MOST, ladder
from bench.large import large
from bench.learners import learners
from bench.pages import pages
from bench.playouts import playouts
from bench.results import results
from bench.search import search
from bench.solvers import solvers
from bench.strength import strength
from bench.vectors import vectors
from bench.views import views
from bench.wasm import wasm

Rows = list[dict[str, object]]
TITLES = {
    "playouts": "Random games here, in OpenSpiel and by hand in C, beside OpenSpiel's Python loop (games a second)",
    "results": "Decisions of game.results, native, for each game of Connect Four in OpenSpiel's Python loop",
    "vectors": "Steps of game.vector beside states one by one: alike (numbers in, masks out), by names, bare",
    "environments": "Vectors as learners drive them: draw, step, observe or encode (million steps a second)",
    "learners": "Draw, step and observation beside Pgx, EnvPool and OpenSpiel (million steps a second of one core)",
    "large": "Random games of the large games beside 1,000 of Connect Four, played in each way",
    "engines": "Generated Python and native code beside the reference (the same playouts)",
    "search": "Trials of the search a second beside OpenSpiel's in C++, or beside random games in native code",
    "solvers": "A round of regret minimisation beside OpenSpiel's in C++ (milliseconds)",
    "answers": "The time until a bot like `normal` has answered, in a new process (seconds)",
    "duels": "Matches against OpenSpiel's MCTSBot at equal time of the processor (--seconds 10 plays 100 of each game)",
    "ladder": "Levels of bots against each other in the large games, at an eighth of their times",
    "strength": "Bots against bots: the part of the victories with its interval (--seconds 10 plays all of it)",
    "views": "What all seats see after a choice: milliseconds of the processor a choice, all seats together",
    "pages": "Pages of all seats after a choice, without network: milliseconds of the processor, kB, MB a table",
    "browser": "A page that plays, and the playground, in Chromium: MB sent, seconds until something is there, moves",
    "wasm": "The search of bots in WebAssembly beside native code (trials a second of one thread)",
    "copies": "A copy of a state",
    "growth": "Reading, checking and compiling a generated game",
    "commands": "Commands in a new process",
    "keystrokes": "A look at all of Through the Ages after an edit in an editor (seconds of the processor)",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and show."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(TITLES))
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="for each thing that is compared (default 10)"
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="lines to grow to")
    parser.add_argument(
        "--games",
        nargs="+",
        default=(),
        help="for answers, browser, engines, environments, learners, results, vectors, views, wasm and copies",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        help="a file of results, for duels and ladder: stop them, and go on later",
    )
    asked = parser.parse_args(arguments)
    kept = Kept(asked.keep)
    unknown = [part for part in asked.parts if part not in TITLES]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(TITLES)}")
    measure: dict[str, Callable[[], Rows]] = {
        "playouts": lambda: playouts(asked.seconds),
        "results": lambda: results(asked.seconds, asked.games),
        "vectors": lambda: vectors(asked.seconds / 5, asked.games),
        "environments": lambda: environments(asked.seconds / 10, asked.games),
        "learners": lambda: learners(asked.seconds / 10, asked.games),
        "large": lambda: large(asked.seconds),
        "engines": lambda: engines(asked.seconds / 2, asked.games),
        "search": lambda: search(asked.seconds),
        "solvers": lambda: solvers(asked.seconds),
        "answers": lambda: answers(max(0.01, asked.seconds / 10), asked.games),
        "duels": lambda: duels(max(2, round(10 * asked.seconds)), kept),
        "ladder": lambda: ladder(max(2, round(MOST * asked.seconds / 10)), kept),
        "strength": lambda: strength(part=asked.seconds / 10),
        "views": lambda: views(tuple(asked.games)),
        "pages": lambda: pages(tuple(asked.games)),
        "browser": lambda: browser(asked.games),
        "wasm": lambda: wasm(asked.seconds, asked.games),
        "copies": lambda: copies(asked.seconds, asked.games),
        "growth": lambda: growth(asked.sizes),
        "commands": lambda: commands(max(1, round(asked.seconds))),
        "keystrokes": lambda: keystrokes(max(3, round(asked.seconds * 1.5))),
    }
    found: dict[str, Rows] = {}
    for part in asked.parts or TITLES:
        found[part] = measure[part]()
        if asked.format == "text":
            print(f"{TITLES[part]}\n\n{table(found[part])}\n", flush=True)
    if asked.format == "json":
        print(json.dumps(found, indent=2))
    return 0


def table(rows: Rows) -> str:
    """Rows as text, with the numbers below one another."""
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
