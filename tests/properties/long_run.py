"""Makes many twisted games, and does everything possible with each that checks clean.

`python -m tests.properties.long_run 1 500 found`: the numbers are those of the first and the last program. The
findings go into the folder, with the programs that caused them.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

from tests.properties.commands import TooLongError, hold_in_all
from tests.properties.mutants import HangError
from tests.properties.twists import Known, Subject, subjects, twist


def run_twists(first: int, last: int, results: Path) -> Counter[str]:
    """Test some programs; returns the number of programs for each outcome."""
    found = subjects()
    counts: Counter[str] = Counter()
    known: dict[str, Known] = {}
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_CACHE_HOME"] = home
        for seed in range(first, last + 1):
            random = Random(seed)
            subject = random.choice(found)
            with tempfile.TemporaryDirectory() as folder:
                counts[_one(random, subject, known, Path(folder), seed, results)] += 1
    return counts


def _one(
    random: Random,
    subject: Subject,
    known: dict[str, Known],
    folder: Path,
    seed: int,
    results: Path,
) -> str:
    if subject.name not in known:
        known[subject.name] = Known.of(subject, folder)
    for name, text in subject.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / "twisted.game"
    text = twist(random, subject, known[subject.name])
    path.write_text(text, encoding="utf-8")
    try:
        leaks = hold_in_all(path, random, native=random.randrange(4) == 0)
    except (TooLongError, HangError):
        outcome, reported = "late", traceback.format_exc()
    except BaseException as failure:
        if isinstance(failure, KeyboardInterrupt):
            raise
        outcome, reported = "found", traceback.format_exc()
    else:
        if leaks is None:
            return "refused"
        if not leaks:
            return "clean"
        outcome, reported = "leaking", "\n".join(map(str, leaks))
    name = f"{outcome}-{seed}"
    (results / f"{name}.game").write_text(text, encoding="utf-8")
    (results / f"{name}.txt").write_text(f"{subject.name}\n{reported}", encoding="utf-8")
    return outcome


if __name__ == "__main__":
    low, high = int(sys.argv[1]), int(sys.argv[2])
    kept = Path(sys.argv[3] if len(sys.argv) > 3 else "twisted")
    kept.mkdir(parents=True, exist_ok=True)
    begun = time.process_time()
    tally = run_twists(low, high, kept)
    sys.stdout.write(f"{low} {high} {dict(tally)} {time.process_time() - begun:.0f} s\n")
