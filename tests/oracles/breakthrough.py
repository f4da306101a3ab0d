"""Breakthrough on 8 by 8: men step forward and take diagonally forward; the first man in the far row wins."""

from __future__ import annotations

Position = tuple[str, int]  # 64 squares from a1 to h8, `w`, `b` or `.`; who is to move

SIZE = 8
NAMES = tuple(f"{chr(97 + n % SIZE)}{n // SIZE + 1}" for n in range(SIZE * SIZE))


def start() -> Position:
    """Two rows of men each; white has the south and moves first."""
    return "w" * 16 + "." * 32 + "b" * 16, 0


def winner(position: Position) -> int | None:
    """The player who has a man in the far row, or has taken all men of the opponent."""
    board, _ = position
    if "w" in board[-SIZE:] or "b" not in board:
        return 0
    if "b" in board[:SIZE] or "w" not in board:
        return 1
    return None


def options(position: Position) -> list[str]:
    """Straight forward onto an empty square, diagonally onto a square without an own man."""
    board, player = position
    if winner(position) is not None:
        return []
    own, ahead = ("w", SIZE) if player == 0 else ("b", -SIZE)
    found = []
    for n, man in enumerate(board):
        if man != own:
            continue
        for side in (-1, 0, 1):
            to = n + ahead + side
            if not 0 <= n % SIZE + side < SIZE or not 0 <= to < SIZE * SIZE:
                continue
            if board[to] == "." or (side and board[to] != own):
                found.append(f"advance({NAMES[n]}, {NAMES[to]})")
    return found


def after(position: Position, option: str) -> Position:
    """The man moves, and takes a man on the new square."""
    board, player = position
    squares = list(board)
    n, to = NAMES.index(option[8:10]), NAMES.index(option[12:14])
    squares[to], squares[n] = squares[n], "."
    return "".join(squares), 1 - player
