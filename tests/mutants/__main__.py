"""Draw changes of the rules of a game and judge them: `python -m tests.mutants GAME [NUMBER]`.

Writes a line for each as it is judged, into the list beside this file. With `--differ` those that no scenario
notices are played at random, beside the rules as they are.
"""

from __future__ import annotations

import sys
import time

from tests.mutants.changes import drawn
from tests.mutants.judging import Judge
from tests.mutants.lists import NUMBER, SEED, Mutant, read_list, write_list


def main(game: str, number: int, differ: bool) -> None:
    """Draw and judge."""
    judge = Judge.of(game)
    if differ:
        add_playouts(judge)
        return
    judge.look()
    known = {one.change: one for one in read_list(judge)}
    found: list[Mutant] = []
    begun = time.time()

    def keep() -> None:
        """Write the list; what was judged before stays in it, also when this run is stopped."""
        done = {one.change for one in found}
        write_list(judge, [*found, *(one for one in known.values() if one.change not in done)])

    for tight in drawn(judge.changes, SEED):
        change = tight.widened(judge.text(tight.file))
        if len(found) == number:
            break
        old = known.get(change)
        if old is not None and old.verdict != "survives":
            found.append(old)
            continue
        by = judge.judge(change)
        if by is None:
            continue
        kept = old.reason if old is not None else ""
        found.append(Mutant(change, "noticed" if by else "survives", by, "" if by else kept))
        keep()
        noticed = sum(one.verdict == "noticed" for one in found)
        print(len(found), noticed, round(time.time() - begun), flush=True)  # noqa: T201
    keep()


def add_playouts(judge: Judge) -> None:
    """Play with each change that survives."""
    plain = judge.results(judge.loaded)
    mutants = read_list(judge)
    for at, one in enumerate(mutants):
        if one.verdict == "survives" and not one.reason:
            game = judge.changed(one.change)
            assert game is not None
            same = judge.results(game) == plain
            mutants[at] = one.with_reason("the same in 500 playouts" if same else "playouts differ")
            write_list(judge, mutants)
            print(one.change.line, one.change.new, mutants[at].reason, flush=True)  # noqa: T201


if __name__ == "__main__":
    arguments = [one for one in sys.argv[1:] if one != "--differ"]
    main(arguments[0], int(arguments[1]) if len(arguments) > 1 else NUMBER, "--differ" in sys.argv)
