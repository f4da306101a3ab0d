"""Records games: `python -m tests.recorded` rewrites `digests.txt`, `library.txt` and `versions.txt`.

With paths of games or folders it prints their digests.

To compare two versions of the compiler on other games: `python -m tests.recorded FOLDER > before.txt`, then again and
`diff`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.recorded.games import DIGESTS, IN_LIBRARY, VERSIONS, games, library_lines, versions
from tests.recorded.record import lines


def main(paths: list[str]) -> None:
    """Record the games of the repository, or print the records of the games below some paths."""
    if paths:
        for top in map(Path, paths):
            for path in [top] if top.is_file() else sorted(top.rglob("*.game")):
                for line in lines(str(path.relative_to(top.parent)), path):
                    print(line, flush=True)  # noqa: T201
        return
    recorded = [line for name, path in games().items() for line in lines(name, path)]
    DIGESTS.write_text("\n".join(recorded) + "\n", encoding="utf-8")
    IN_LIBRARY.write_text("\n".join(library_lines()) + "\n", encoding="utf-8")
    VERSIONS.write_text("\n".join(versions()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
