"""Write scenes as plain data: nodes with the name of their class, for clients that draw positions
themselves.

The number of a piece is its place in the scene, and does not distinguish equal copies. So positions that a
viewer cannot distinguish give equal data. A piece that the viewer does not know has no number, and no
option refers to such a piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import attrs

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views import scene, scene_faces

NODES: Final[tuple[type, ...]] = (
    scene.Scene,
    scene.Player,
    scene.Things,
    scene.Zone,
    scene.Piece,
    scene.Tokens,
    scene.Counter,
    scene.Board,
    scene.Sheet,
    scene.Space,
    scene.Part,
    scene_faces.Edge,
    scene_faces.Face,
    scene_faces.Column,
    scene.Decision,
    scene.Option,
)
"""The classes of nodes, in the order in which the documents list them."""
_LEFT_OUT: Final = frozenset({"kept", "is_changed", "changed"})
"""The fields that only the drawing of pictures uses."""


def fields_of(kind: type) -> list[str]:
    """Return the names of the fields that a node of this class may have."""
    return [field.name for field in attrs.fields(kind) if field.name not in _LEFT_OUT]


def scene_of(state: State, viewer: int) -> dict[str, Any]:
    """Write the scene of a position as plain data. `faces` lists each face once, and nodes refer to faces
    by number.
    """
    writer = _Writer()
    nodes: dict[str, Any] = writer.plain(scene.scene(state, viewer))
    return {**nodes, "faces": [writer.node(face) for face in writer.faces]}


@attrs.define
class _Writer:
    """Turns the nodes of one scene into plain data."""

    pieces: dict[int, int] = attrs.field(factory=dict)
    """The numbers in the scene of known pieces, keyed by their ids in the match."""
    faces: dict[scene_faces.Face, int] = attrs.field(factory=dict)

    def plain(self, value: object) -> Any:
        """Convert the value of a field to plain data."""
        match value:
            case str() | int() | None:
                return value
            case scene.Option():
                return self.node(attrs.evolve(value, touches=tuple(self.touched_things(value))))
            case scene.Piece() if value.face is not None:
                number = self.pieces.setdefault(value.id, len(self.pieces))
                return self.node(attrs.evolve(value, id=number))
            case scene_faces.Face():
                return self.faces.setdefault(value, len(self.faces))
            case tuple():
                return [self.plain(item) for item in value]
            case frozenset():
                return sorted(value)
            case _ if attrs.has(type(value)):
                return self.node(value)
            case _:
                return value

    def touched_things(self, option: scene.Option) -> Iterator[scene.Touched]:
        """Yield the things to which an option refers, without pieces that have no number."""
        for sort, number in option.touches:
            if sort != "piece":
                yield sort, number
            elif number in self.pieces:
                yield sort, self.pieces[number]

    def node(self, value: Any) -> dict[str, Any]:
        """Convert a node to plain data. Fields with their default value are left out."""
        kind: Any = type(value)
        found: dict[str, Any] = {"is": kind.__name__}
        for name, usual in _fields_with_defaults(kind):
            part = getattr(value, name)
            if part != usual:
                is_hidden = isinstance(value, scene.Piece) and name == "id" and part < 0
                if not is_hidden:
                    found[name] = self.plain(part)
        return found


@cache
def _fields_with_defaults(kind: Any) -> tuple[tuple[str, object], ...]:
    fields = attrs.fields(kind)
    return tuple((field.name, field.default) for field in fields if field.name not in _LEFT_OUT)
