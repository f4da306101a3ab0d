"""Results of long measurements in a file, line by line, so that they can be stopped and continued later."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

Row = dict[str, object]


@attrs.define
class Kept:
    """The rows of a file; without a file nothing is kept."""

    path: Path | None = None

    def rows(self, what: str) -> list[Row]:
        """The stored rows of a measurement, in order."""
        if self.path is None or not self.path.exists():
            return []
        found = [json.loads(line) for line in self.path.read_text().splitlines()]
        return [row for row in found if row["what"] == what]

    def growing(self, what: str, most: int, make: Callable[[int], Row]) -> Iterator[list[Row]]:
        """The rows so far, then each time with one more row; the caller stops when it has enough."""
        rows = self.rows(what)[:most]
        while True:
            yield rows
            if len(rows) == most:
                return
            row = {"what": what, **make(len(rows))}
            if self.path is not None:
                with self.path.open("a") as file:
                    file.write(json.dumps(row) + "\n")
            rows.append(row)

    def whole(self, what: str, make: Callable[[], list[Row]]) -> list[Row]:
        """The rows of a measurement that is stored only when it is complete."""
        *_, [row] = self.growing(what, 1, lambda _: {"rows": make()})
        rows: list[Row] = row["rows"]  # type: ignore[assignment]  # created above, or read from JSON
        return rows
