"""Makes views of the states of a program: a player's knowledge of a state, given the visibility of places and values.

A view depends only on information that its viewer may know. So if states differ only in secrets,
their views are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import attrs

from rulewright.interpreter.views.secrecy import Secrecy, members_of
from rulewright.interpreter.views.view import PublicView, View, whose
from rulewright.interpreter.views.view_groups import Places, Tokens, Values, Zones


@attrs.frozen(eq=False, slots=False)
class Viewer(Secrecy):
    """Makes the views of one program."""

    def public(self, cells: Sequence[int]) -> PublicView:
        """Return the part of a state that is the same for all viewers."""
        program = self.program
        return PublicView(
            tuple(bool(cells[program.in_play + seat]) for seat in range(program.seats)),
            tuple(each.public(cells) if each.is_public else None for each in self._values),
            tuple(each.public(cells) if each.is_public else None for each in self._zones),
            tuple(each.public(cells) if each.is_public else None for each in self._tokens),
        )

    def view(self, cells: Sequence[int], viewer: int, public: PublicView | None = None) -> View:
        """Return the view of a state for a player or `EVERYBODY`.

        `public` is the public part of the state, if the caller has it.
        """
        if public is None:
            public = self.public(cells)
        values = (
            group.own(cells, viewer) if seen is None else seen
            for group, seen in zip(self._values, public.values, strict=True)
        )
        zones = (
            group.own(cells, viewer, public.lying) if seen is None else seen
            for group, seen in zip(self._zones, public.zones, strict=True)
        )
        tokens = (
            group.own(cells, viewer) if seen is None else seen
            for group, seen in zip(self._tokens, public.tokens, strict=True)
        )
        chained = chain.from_iterable
        return View(
            viewer,
            public.in_play,
            tuple(chained(values)),
            tuple(chained(zones)),
            tuple(chained(tokens)),
        )

    @cached_property
    def _values(self) -> tuple[Values, ...]:
        return tuple(Values(self, kept) for kept in self.program.kept if kept.listed)

    @cached_property
    def _zones(self) -> tuple[Zones, ...]:
        return tuple(Zones(self, info) for info in self.program.places if info.listed)

    @cached_property
    def _tokens(self) -> tuple[Tokens, ...]:
        return tuple(Tokens(self, info) for info in self.program.tokens if info.listed)

    def where_lies(self, cells: Sequence[int], piece: int) -> str:
        """Return a description of the place where a piece is."""
        zone = cells[self.program.links.zone_of + piece]
        for info in self.program.places if zone >= 0 else ():
            for each, owner, number in members_of(info, info.first, info.stride, cells=cells):
                if each == zone:
                    return whose(Places(self, info).of(owner, number))
        return "no place"
