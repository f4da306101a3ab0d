"""Represents the score sheet: the points of each player for each item."""

from __future__ import annotations

from collections.abc import Iterator

import attrs


@attrs.frozen
class PlayerScore:
    """The points of one player for each item, in the order of the rules."""

    name: str
    items: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """Return the sum of the items."""
        return sum(points for _, points in self.items)


@attrs.frozen
class Scores:
    """The points of all players, in the order of the seats. As text, they are a table."""

    players: tuple[PlayerScore, ...]

    def __iter__(self) -> Iterator[PlayerScore]:
        return iter(self.players)

    def __len__(self) -> int:
        return len(self.players)

    def __getitem__(self, player: int) -> PlayerScore:
        return self.players[player]

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the total of each player."""
        return tuple(player.total for player in self.players)

    def __str__(self) -> str:
        """Return a table with a line for each item and a column for each player."""
        if not any(player.items for player in self.players):
            return "no score is kept"
        items = [text for text, _ in self.players[0].items]
        rows = [
            (text, *(str(player.items[number][1]) for player in self.players))
            for number, text in enumerate(items)
        ]
        table = [("", *(player.name for player in self.players)), *rows]
        if len(items) > 1:
            table.append(("total", *map(str, self.totals)))
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        return "\n".join(_line(row, widths) for row in table)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    first, *rest = row
    cells = (text.rjust(width) for text, width in zip(rest, widths[1:], strict=True))
    return "  ".join((first.ljust(widths[0]), *cells)).rstrip()
