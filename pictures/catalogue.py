"""Make a page with everything that a game can show, a typical position and all cards; and make pages to
print.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal

from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.scene import Board, Scene, scene
from rulewright.interpreter.views.scene_faces import Face, faces_of
from rulewright.interpreter.views.view import ALL_SEEING
from rulewright.pictures import print_styles, styles
from rulewright.pictures.beside import Beside
from rulewright.pictures.cards import face_up
from rulewright.pictures.looks import Looks
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.page import arrange_sections, document, sections
from rulewright.pictures.pen import Pen
from rulewright.pictures.rights import unofficial
from rulewright.pictures.svg import alone
from rulewright.pictures.words import say

Paper = Literal["a4", "letter"]

_TYPICAL = 60  # the number of choices from the start to the shown position
_SIZES = {"a4": "A4", "letter": "letter"}


def typical(game: Game) -> State:
    """Return a position in the middle of a match, which is always the same for a game."""
    random = Random(1)
    state = game.start(seed=1, remember=True)
    for _ in range(_TYPICAL):
        if state.over:
            break
        after = state.take(random.choice(state.option_ids))
        if after.over:
            break
        state = after
    return state


def thumbnail(shown: Scene, looks: Looks) -> alone.Drawn:
    """Draw the largest board of a position for lists of games, or the whole position if it has no board."""
    boards = [
        alone.board(shown, number, looks)
        for number, one in enumerate(shown.boards)
        if isinstance(one, Board) and not one.of
    ]
    best = max(boards, key=lambda one: min(one.width, one.height), default=None)
    return best or alone.position(shown, looks)


def look_page(game: Game, name: str, beside: Beside, script: str = "") -> str:
    """Return a page with everything that a game can show, and with the problems in the files beside the
    game.
    """
    state = typical(game)
    viewer = max(0, state.player)
    pen = Pen(scene(state, ALL_SEEING), beside.looks, is_live=False)
    body = inner(
        _problems(beside),
        tag("h1", game.title, class_="rw-head"),
        Markup(
            arrange_sections(
                sections(scene(state, viewer, state.previous), looks=beside.looks), name
            )
        ),
        tag(
            "div",
            tag("div", *_every_card(pen, game), class_="rw-main"),
            class_="rw-game rw-all",
            data_game=name,
        ),
        _foot(name),
    )
    return document(
        say("picture-look", title=game.title), body, f"{styles()}\n{beside.css}", script
    )


def _problems(beside: Beside) -> Markup | None:
    lines = [tag("li", str(problem)) for problem in beside.problems]
    return tag("ul", *lines, class_="rw-problems", role="alert") if lines else None


def _foot(name: str) -> Markup | None:
    text = unofficial(name)
    return tag("p", text, class_="rw-rights") if text else None


def _every_card(pen: Pen, game: Game) -> Iterator[Markup]:
    """Yield the faces of each kind of piece, with the number of each."""
    kinds: dict[str, list[tuple[Face, int]]] = {}
    for face, copies in faces_of(game.compiled(game.variant(None))).every_piece():
        kinds.setdefault(face.kind, []).append((face, copies))
    for kind, faces in kinds.items():
        cards = [
            tag(
                "span",
                face_up(pen, face),
                tag("small", say("picture-copies", count=copies)) if copies > 1 else None,
                class_="rw-one",
            )
            for face, copies in faces
        ]
        yield tag(
            "section",
            tag("h3", f"{kind} ({len(faces)})"),
            tag("div", *cards, class_="rw-pieces"),
            class_="rw-section",
        )


def print_page(
    game: Game, name: str, beside: Beside, paper: Paper, players: int | None = None
) -> str:
    """Return one file ready to print: all copies of every card with lines to cut along, then the boards."""
    state = game.start(players, seed=1)
    shown = scene(state, ALL_SEEING)
    pen = Pen(shown, beside.looks, is_live=False)
    cards = []
    for face, copies in faces_of(state.compiled).every_piece():
        if not face.columns and not face.words and face.owner >= 0:
            continue
        card = face_up(pen, face)
        tile = " rw-of-tile" if "rw-tile" in card else ""
        cards += [tag("div", card, class_=f"rw-cut{tile}")] * copies
    grids = [number for number, board in enumerate(shown.boards) if isinstance(board, Board)]
    ids = {f"board-{number}" for number in grids}
    boards = [
        Markup(part.html)
        for part in sections(shown, looks=beside.looks, is_live=False)
        if part.id in ids
    ]
    body = tag(
        "div",
        tag("h1", game.title),
        _foot(name),
        tag("div", *cards, class_="rw-sheet-of-cards") if cards else None,
        tag("div", *boards, class_="rw-boards-to-print") if boards else None,
        _foot(name),
        class_="rw-game",
        data_game=name,
    )
    css = f"{styles()}\n{beside.css}\n{print_styles()}\n@page {{ size: {_SIZES[paper]}; margin: 10mm; }}"
    return document(say("picture-print", title=game.title), body, css)
