"""Connect Four on seven columns of six: discs fall; four in a row win."""

from __future__ import annotations

Position = tuple[tuple[str, ...], int | None]  # the columns from the bottom up, and the winner

WIDTH, HEIGHT = 7, 6


def start() -> Position:
    """Seven empty columns."""
    return ("",) * WIDTH, None


def options(position: Position) -> list[str]:
    """Every column that is not full."""
    columns, won = position
    if won is not None:
        return []
    return [f"drop({n + 1})" for n, column in enumerate(columns) if len(column) < HEIGHT]


def after(position: Position, option: str) -> Position:
    """A disc of the player to move falls into the column."""
    columns, _ = position
    x = int(option[5]) - 1
    player = sum(map(len, columns)) % 2
    grown = (*columns[:x], columns[x] + "01"[player], *columns[x + 1 :])
    return grown, player if _four_through(grown, x, len(columns[x])) else None


def _four_through(columns: tuple[str, ...], x: int, y: int) -> bool:
    disc = columns[x][y]

    def run_length(dx: int, dy: int) -> int:
        length, a, b = 0, x + dx, y + dy
        while 0 <= a < WIDTH and 0 <= b < len(columns[a]) and columns[a][b] == disc:
            length, a, b = length + 1, a + dx, b + dy
        return length

    return any(
        1 + run_length(dx, dy) + run_length(-dx, -dy) >= 4
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def winner(position: Position) -> int | None:
    """The player, 0 or 1, who has four in a row."""
    return position[1]
