"""Reversi on 8 by 8 (Othello's start): enclosed discs turn; a forced pass is a ply."""

from __future__ import annotations

Position = tuple[
    str, int
]  # 64 squares from a1 to h8, `x` (first player), `o` or `.`; who is to play

SIZE = 8
STEPS = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


def start() -> Position:
    """Two discs each, crosswise in the middle; the first player has d5 and e4 (black in print)."""
    board = ["."] * 64
    for x, y, disc in ((3, 3, "o"), (4, 4, "o"), (3, 4, "x"), (4, 3, "x")):
        board[y * SIZE + x] = disc
    return "".join(board), 0


def _turned_discs(board: str, n: int, player: int) -> list[int]:
    if board[n] != ".":
        return []
    own, other = ("x", "o") if player == 0 else ("o", "x")
    turned: list[int] = []
    for dx, dy in STEPS:
        x, y, line = n % SIZE + dx, n // SIZE + dy, []
        while 0 <= x < SIZE and 0 <= y < SIZE and board[y * SIZE + x] == other:
            line.append(y * SIZE + x)
            x, y = x + dx, y + dy
        if 0 <= x < SIZE and 0 <= y < SIZE and board[y * SIZE + x] == own:
            turned.extend(line)
    return turned


def _places(board: str, player: int) -> list[int]:
    return [n for n in range(64) if _turned_discs(board, n, player)]


def options(position: Position) -> list[str]:
    """The squares where a disc turns others; pass if there are none; the game ends if nobody can move."""
    board, player = position
    places = _places(board, player)
    if places:
        return [f"place({chr(97 + n % SIZE)}{n // SIZE + 1})" for n in places]
    return ["pass"] if _places(board, 1 - player) else []


def after(position: Position, option: str) -> Position:
    """A disc is placed, and the enclosed discs are turned."""
    board, player = position
    if option == "pass":
        return board, 1 - player
    n = ord(option[6]) - 97 + (int(option[7]) - 1) * SIZE
    squares = list(board)
    for turned in (n, *_turned_discs(board, n, player)):
        squares[turned] = "xo"[player]
    return "".join(squares), 1 - player


def winner(position: Position) -> int | None:
    """The player with more discs; called only at the end."""
    first, second = position[0].count("x"), position[0].count("o")
    return None if first == second else int(first < second)
