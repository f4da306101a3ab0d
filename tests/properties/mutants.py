"""Randomly damaged files, and the law for each: located problems, or a game that can be played.

Independent of the contents of the files: it cuts, doubles, swaps and replaces bytes, words, lines and cells.
"""

from __future__ import annotations

import gc
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity
from rulewright.dsl.diagnostics.render import render, to_json
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.text.faults import RuleFault

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "games" / "templates"
GAMES = (*sorted((ROOT / "games").glob("*.game")), *sorted(TEMPLATES.glob("*/*.game")))
PROBES = tuple(sorted((ROOT / "tests" / "corpus" / "probes").glob("*.game")))
# Tables of rules, which are beside a game with the same name.
TABLES = tuple(
    table
    for table in (*sorted((ROOT / "games").glob("*.csv")), *sorted(TEMPLATES.glob("*/*.csv")))
    if table.with_suffix(".game").exists()
)
RULEBOOKS = (
    *sorted((ROOT / "games").glob("*.rules.md")),
    *sorted(TEMPLATES.glob("*/*.rules.md")),
)
LONGEST = 5  # seconds

WORDS = re.compile(r'[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\.\.|[<>]=|\n *|"|[^\sA-Za-z0-9_]')
STRAY = (
    "is",
    "=",
    "==",
    "(",
    ")",
    ",",
    ":",
    ".",
    "..",
    '"',
    "{",
    "}",
    "[",
    "]",
    "#",
    "\t",
    "\n",
    "\n    ",
    "\x00",
    "\ufeff",
    "é",
    "\u2028",
    "-",
    "*",
    "0",
    "1",
    "99999999999999999999",
    "2147483648",
    "if",
    "else",
    "then",
    "for each x in",
    "where",
    "me",
    "nothing",
    "empty",
    "yes",
    "players",
    "Player",
    "Flag",
    "deck",
    "hand",
    "all",
    "count(",
    "the(",
    "first(",
    "by(",
    "sure(",
    "(1, 2)",
    "1..3",
    "choose",
    "do",
    "repeat",
    "end game",
    "surely",
    "move",
    "to",
    "from",
    "value",
    "zone",
    "state",
    "x",
    "of",
    "list of",
    "up to",
    "or nothing",
    " only if",
    "per player",
    "seen by owner",
    "under",
    "together",
)


def spoil_bytes(random: Random, data: bytes) -> bytes:
    """One to four bytes are changed, removed or inserted, or a part is cut out."""
    spoilt = bytearray(data)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(spoilt) + 1)
        match random.randrange(4):
            case 0:
                spoilt[at : at + 1] = bytes([random.randrange(256)])
            case 1:
                spoilt[at : at + random.randint(1, 40)] = b""
            case 2:
                spoilt[at:at] = bytes([random.randrange(32, 127)])
            case _:
                other = random.randrange(len(spoilt) + 1)
                spoilt[at:at] = spoilt[other : other + random.randint(1, 60)]
    return bytes(spoilt)


def spoil_words(random: Random, data: bytes) -> bytes:
    """One to three words are removed, doubled, swapped, or replaced by others of the file or of the language."""
    text = data.decode()
    for _ in range(random.randint(1, 3)):
        words = list(WORDS.finditer(text))
        if not words:
            return text.encode()
        one, other = random.choice(words), random.choice(words)
        match random.randrange(6):
            case 0:
                new = ""
            case 1:
                new = f"{one[0]} {one[0]}"
            case 2 | 3:
                new = other[0]
            case 4:
                new = random.choice(STRAY)
            case _:
                new = f"{one[0]} {random.choice(STRAY)}"
        text = text[: one.start()] + new + text[one.end() :]
    return text.encode()


def spoil_lines(random: Random, data: bytes) -> bytes:
    """One to three lines are removed, doubled, moved, cut, or indented more or less."""
    lines = data.decode().split("\n")
    for _ in range(random.randint(1, 3)):
        at, other = random.randrange(len(lines)), random.randrange(len(lines))
        match random.randrange(7):
            case 0:
                lines[at] = ""
            case 1:
                lines.insert(at, lines[at])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines[at] = lines[at][: random.randrange(len(lines[at]) + 1)]
            case 4:
                lines[at] = " " * random.randint(1, 9) + lines[at]
            case 5:
                lines[at] = lines[at][random.randint(1, 4) :]
            case _:
                lines.insert(at, lines[other])
    return "\n".join(lines).encode()


def spoil_cells(random: Random, data: bytes) -> bytes:
    """One to three cells of a table are emptied, replaced, quoted or doubled; or one row is damaged."""
    rows = [row.split(",") for row in data.decode().split("\n")]
    for _ in range(random.randint(1, 3)):
        row, other = random.choice(rows), random.choice(rows)
        at = random.randrange(len(row))
        match random.randrange(8):
            case 0:
                row[at] = ""
            case 1:
                row[at] = random.choice(other)
            case 2:
                row[at] = random.choice(STRAY)
            case 3:
                row[at] = f'"{row[at]}"'
            case 4:
                row.insert(at, row[at])
            case 5:
                del row[at:]
                row.append("")
            case 6:
                row[at] = '"' + row[at]
            case _:
                rows.insert(random.randrange(len(rows)), list(row))
    return "\n".join(",".join(row) for row in rows).encode()


Spoil = Callable[[Random, bytes], bytes]
OF_GAMES: tuple[Spoil, ...] = (spoil_bytes, spoil_words, spoil_words, spoil_lines)


class HangError(BaseException):
    """A run took too long."""


@contextmanager
def no_longer_than(seconds: float) -> Iterator[None]:
    """Raises `HangError` in a body that computes longer, whatever the load of the machine.

    Collecting the garbage of other tests does not count.
    """

    def stop(signal: int, frame: FrameType | None) -> None:
        raise HangError

    collects = gc.isenabled()
    gc.disable()
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        if collects:
            gc.enable()


def problems_of(path: Path) -> tuple[Diagnostic, ...]:
    """All problems of a file; each has a place and can be shown."""
    with no_longer_than(LONGEST):
        found = load(path).check()
        for problem in found:
            assert problem.message
            assert problem.span.line >= 1
            assert render(problem)
            assert to_json(problem)["file"]
    return found


def hold(path: Path, random: Random, steps: int = 12) -> bool:
    """Check a file; if it has no problems, play it. Whether it was accepted."""
    if any(problem.severity is Severity.ERROR for problem in problems_of(path)):
        return False
    rules = load(path)
    game = game_of(path.name, rules)
    for players in sorted({game.facts.low, game.facts.high}):
        with no_longer_than(8 * LONGEST):
            try:
                state = game.start(players=players, seed=random.randrange(100), engine="reference")
                for _ in range(steps):
                    if state.over:
                        break
                    options = state.decision.options
                    assert all(option.name and option.text for option in options)
                    state = state.choose(options[random.randrange(len(options))])
                    assert state.view(0) is not None
            except RuleFault:
                continue
    return True
