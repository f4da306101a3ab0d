"""The context of every drawing: colours and signs of the players, texts of options, the looks of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import Protocol, TypeVar

import attrs

from rulewright.interpreter.views.scene import Board, Counter, Part, Scene, Space
from rulewright.interpreter.views.scene_faces import Face
from rulewright.pictures.colours import SEATS, colour_of, name_of
from rulewright.pictures.looks import PLAIN, Looks
from rulewright.pictures.markup import Markup, tag
from rulewright.pictures.words import say

FORM = "choose"
"""The id of the form that sends a choice."""
_CONTEXTS = count()
T = TypeVar("T")


class Touchable(Protocol):
    """A part of a scene that options can be about."""

    @property
    def is_touched(self) -> bool: ...


@attrs.frozen(eq=False)
class Pen:
    """Draws the parts of one scene. With `is_live`, options are drawn as buttons."""

    scene: Scene
    looks: Looks = PLAIN
    is_live: bool = True

    def draw(self, what: object, node: Touchable, make: Callable[[], T], *more: object) -> T:
        """Draw a node, perhaps together with `more` nodes; cache the drawing for the next picture unless it
        can be chosen.

        Texts of options change with each decision, so nothing with a button is cached.
        """
        if self._has_buttons and node.is_touched:
            return make()
        return self.keep(what, node, make, *more)

    def keep(self, what: object, node: object, make: Callable[[], T], *more: object) -> T:
        """Draw as `draw` does, for a node without options, so that the drawing is always cached."""
        key = what, id(node), self._context, *map(id, more)
        return self.scene.kept.of(key, make, node, *more)

    @cached_property
    def _has_buttons(self) -> bool:
        decision = self.scene.decision
        return self.is_live and decision is not None and bool(decision.options)

    @cached_property
    def _context(self) -> int:
        """A number for everything except the node that drawings depend on."""
        classes = tuple(self.seat_class(player.seat) for player in self.scene.players)
        key = "context", id(self.looks), classes, self.seats, self.seat_symbols, self.is_live
        return self.scene.kept.of(key, lambda: next(_CONTEXTS), self.looks)

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The colour of each seat: the colour named by the rules, if these colours differ, and otherwise a
        colour from `SEATS`.
        """
        named = [colour_of(player.colour) for player in self.scene.players]
        if len({*named} - {None}) == len(named):
            return tuple(colour or "" for colour in named)
        return tuple(SEATS[player.seat % len(SEATS)] for player in self.scene.players)

    def seat_class(self, seat: int) -> str:
        """Return the class of elements in the colour of a seat."""
        colour = self.scene.players[seat].colour
        if colour_of(colour) == self.seats[seat]:
            return f"rw-c-{name_of(colour)}"
        return f"rw-seat-{seat % len(SEATS)}"

    @cached_property
    def seat_symbols(self) -> tuple[str, ...]:
        """A sign for each seat: the first letter of its name if these letters differ, otherwise its number."""
        letters = [player.name[:1].upper() for player in self.scene.players]
        if len({*letters}) == len(letters) and all(letter.isalpha() for letter in letters):
            return tuple(letters)
        return tuple(str(player.seat + 1) for player in self.scene.players)

    @cached_property
    def _standing(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """The players who stand on a space, keyed by the kind and the row of the space."""
        found: dict[tuple[str, str], tuple[int, ...]] = {}
        boards = [board for board in self.scene.boards if isinstance(board, Board)]
        kinds = {board.kind for board in boards} - {board.kind for board in boards if board.me >= 0}
        for player in self.scene.players:
            named = [each for each in player.has.counters if each.space is not None]
            if len(named) == 1 and named[0].space in kinds and not named[0].is_list:
                at = named[0].space, named[0].value
                found[at] = *found.get(at, ()), player.seat
        return found

    def standing_on(self, space: Space) -> tuple[int, ...]:
        """Return the players who stand on a space. A player stands on the space that the player's only
        stored value of a space names.
        """
        return self._standing.get((space.face.kind, space.face.row), ())

    def standing(self, kind: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return the rows of a kind of spaces on which players stand, with the seats of these players."""
        return tuple((row, seats) for (of, row), seats in self._standing.items() if of == kind)

    def name(self, seat: int) -> str:
        """Return the name of a player."""
        return self.scene.players[seat].name

    def words_of(self, options: Sequence[int]) -> str:
        """Return the options at a place, in words."""
        if len(options) == 1:
            return self.scene.option(options[0]).text
        first = "; ".join(self.scene.option(number).text for number in options[:4])
        return say("picture-choices", count=len(options), choices=first)

    def choosable(
        self, options: Sequence[int], *content: Markup | str, **attributes: object
    ) -> Markup:
        """Return content that can be chosen: a button of the form, or a link to the first of several
        options in the list.
        """
        if not options or not self.is_live:
            return tag("span", *content, **attributes)
        label = attributes.pop("aria_label", None)
        words = self.words_of(options)
        shown = f"{label}: {words}" if label else words
        if len(options) == 1:
            return tag(
                "button",
                *content,
                type="submit",
                form=FORM,
                name="option",
                value=options[0],
                data_option=options[0],
                aria_label=shown,
                title=words,
                **attributes,
            )
        return tag(
            "a",
            *content,
            href=f"#option-{options[0]}",
            data_options=" ".join(map(str, options)),
            aria_label=shown,
            title=words,
            **attributes,
        )

    def over(
        self, options: Sequence[int], label: str, box: tuple[float, float, float, float]
    ) -> Markup:
        """Return a button over a part of an SVG picture; `box` is a left edge, an upper edge, a width and a
        height.
        """
        if not options or not self.is_live:
            return Markup("")
        x, y, width, height = box
        button = self.choosable(options, class_="rw-hit", aria_label=label)
        return tag("foreignObject", button, x=x, y=y, width=width, height=height, class_="rw-over")


def seat_of(thing: Part | Counter) -> int:
    """Return the player that a value names, or -1."""
    if isinstance(thing, Part):
        return thing.seat
    return thing.seats[0] if len(thing.seats) == 1 else -1


def band(face: Face) -> str | None:
    """Return the word for the colour of a row: from the first column that names a colour, or else from the
    row's own name.
    """
    for column in face.columns:
        if column.sort == "name" and colour_of(column.value):
            return column.value
    return face.row if colour_of(face.row) else None
