"""Tic-tac-toe: two players mark squares in turn; three in a row win."""

from __future__ import annotations

SQUARES = tuple(f"{column}{row}" for row in "123" for column in "abc")
ROWS = (
    *((n, n + 1, n + 2) for n in (0, 3, 6)),
    *((n, n + 3, n + 6) for n in (0, 1, 2)),
    (0, 4, 8),
    (2, 4, 6),
)


def start() -> str:
    """Nine dots: a position is the squares from a1 to c3, `x` (first player), `o` or `.`."""
    return "." * 9


def winner(board: str) -> int | None:
    """The player, 0 or 1, who has three in a row."""
    for a, b, c in ROWS:
        if board[a] == board[b] == board[c] != ".":
            return "xo".index(board[a])
    return None


def options(board: str) -> list[str]:
    """Every empty square."""
    if winner(board) is not None:
        return []
    return [f"mark({SQUARES[n]})" for n in range(9) if board[n] == "."]


def after(board: str, option: str) -> str:
    """The mark of the player to move."""
    n = SQUARES.index(option[5:7])
    mark = "xo"[(9 - board.count(".")) % 2]
    return board[:n] + mark + board[n + 1 :]


def complete_games() -> tuple[int, int, int]:
    """The number of complete games that the first player wins, the second player wins, and nobody wins."""
    results = [0, 0, 0]
    waiting = [start()]
    while waiting:
        board = waiting.pop()
        offered = options(board)
        if not offered:
            won = winner(board)
            results[2 if won is None else won] += 1
        waiting.extend(after(board, option) for option in offered)
    first, second, nobody = results
    return first, second, nobody
