"""Draw changes of the rules of a game and judge them: `python -m tests.mutants GAME [NUMBER]`.

Writes a line for each as it is judged, into the list beside this file. With `--by FILE` only the changes of the list
that survive are judged, by the scenarios of one file; with `--play` those are played at random, beside the rules as
they are, of which nobody has said yet why they are harmless.
"""

from __future__ import annotations

import gc
import time
from argparse import ArgumentParser

import attrs

from tests.mutants.changes import drawn
from tests.mutants.judging import Judge
from tests.mutants.lists import DIFFERENT, NUMBER, SAME, SEED, Mutant, read_list, write_list


def main() -> None:
    """Do what the arguments say."""
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
    """Draw and judge; what was judged before stays in the list, also when this run is stopped."""
    judge.look()
    gc.freeze()
    known = {one.change: one for one in read_list(judge)}
    for one in known.values():
        judge.remember(one.change, one.by)
    found: list[Mutant] = []
    begun = time.time()
    for tight in drawn(judge.changes, SEED):
        change = tight.widened(judge.text(tight.file))
        if len(found) == number:
            break
        if change in known:
            found.append(known.pop(change))
            continue
        by = judge.judge(change)
        if by is None:
            continue
        found.append(Mutant(change, "noticed" if by else "survives", by, ""))
        write_list(judge, [*found, *known.values()])
        noticed = sum(one.verdict == "noticed" for one in found)
        where = f"{change.file}:{change.line}"
        print(len(found), noticed, round(time.time() - begun), where, by, flush=True)  # noqa: T201
    write_list(judge, [*found, *known.values()])


def judge_again(judge: Judge) -> None:
    """Judge what survives, by few scenarios."""
    judge.look()
    mutants = read_list(judge)
    for at, one in enumerate(mutants):
        by = judge.judge(one.change) if one.verdict == "survives" else ""
        if by:
            mutants[at] = Mutant(one.change, "noticed", by, "")
            write_list(judge, mutants)
            print(one.change.file, one.change.line, by, flush=True)  # noqa: T201


def play(judge: Judge) -> None:
    """Play with what survives."""
    mutants = read_list(judge)
    for at, one in enumerate(mutants):
        if one.verdict == "survives" and not one.reason:
            reason = DIFFERENT if judge.differs(one.change) else SAME
            mutants[at] = attrs.evolve(one, reason=reason)
            write_list(judge, mutants)
            print(one.change.file, one.change.line, reason, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
