"""Draws changes of the rules of a game and judges them: `python -m tests.mutants GAME [NUMBER]`.

Writes a line for each judged change into the list beside this file. With `--by FILE`, only the surviving changes are
judged, by all scenarios of one file. With `--play`, surviving changes without an explanation are compared with the
original rules in random matches.
"""

from __future__ import annotations

import gc
import time
from argparse import ArgumentParser
from itertools import islice

import attrs

from tests.mutants.changes import Change, draw_changes
from tests.mutants.judging import Judge
from tests.mutants.lists import DIFFERENT, NUMBER, SAME, SEED, Mutant, read_list, write_list
from tests.mutants.playing import differ
from tests.mutants.together import judge_all


def main() -> None:
    """Run the command with these arguments."""
    arguments = ArgumentParser(prog="python -m tests.mutants")
    arguments.add_argument("game")
    arguments.add_argument("number", nargs="?", type=int, default=NUMBER)
    arguments.add_argument("--by", metavar="FILE")
    arguments.add_argument("--play", action="store_true")
    given = arguments.parse_args()
    judge = Judge.of(given.game, given.by)
    if given.play:
        play(judge)
    elif given.by is not None:
        judge_again(judge)
    else:
        judge_new(judge, given.number)


def judge_new(judge: Judge, number: int) -> None:
    """Draw and judge changes; earlier verdicts stay in the list, also if this run is stopped."""
    judge.look()
    gc.freeze()
    known = {one.change: one for one in read_list(judge)}
    for one in known.values():
        judge.remember(one.change, one.by)
    order = [one.widen(judge.text(one.file)) for one in draw_changes(judge.changes, SEED)]
    place = {change: at for at, change in enumerate(order)}
    found: dict[Change, Mutant] = {}
    begun = time.time()
    left = iter(order)
    while some := list(islice(left, number - len(found))):
        found |= {change: known.pop(change) for change in some if change in known}
        for change, by in judge_all(judge, [one for one in some if one not in found]):
            if by is None:
                continue
            found[change] = Mutant(change, "noticed" if by else "survives", by, "")
            judge.remember(change, by)
            listed = sorted(found.values(), key=lambda one: place[one.change])
            write_list(judge, [*listed, *known.values()])
            where = f"{change.file}:{change.line}"
            print(len(found), round(time.time() - begun), where, by, flush=True)  # noqa: T201
    write_list(judge, sorted(found.values(), key=lambda one: place[one.change]))


def judge_again(judge: Judge) -> None:
    """Judge the surviving changes by all scenarios of a file; changes that no longer give a game leave the list."""
    mutants = {one.change: one for one in read_list(judge)}
    surviving = [one.change for one in mutants.values() if one.verdict == "survives"]
    for change, by in judge_all(judge, surviving, lambda _: judge.scenarios):
        if by == "":
            continue
        if by is None:
            del mutants[change]
        else:
            mutants[change] = Mutant(change, "noticed", by, "")
        write_list(judge, list(mutants.values()))
        print(change.file, change.line, by, flush=True)  # noqa: T201


def play(judge: Judge) -> None:
    """Play with the surviving changes."""
    mutants = {one.change: one for one in read_list(judge)}
    surviving = [one for one in mutants.values() if one.verdict == "survives" and not one.reason]
    for change, differs in differ(judge, [one.change for one in surviving]):
        reason = DIFFERENT if differs else SAME
        mutants[change] = attrs.evolve(mutants[change], reason=reason)
        write_list(judge, list(mutants.values()))
        print(change.file, change.line, reason, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
