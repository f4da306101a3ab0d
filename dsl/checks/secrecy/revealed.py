"""Find the secrets that earlier steps have revealed before a given step runs."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from attrs import define, field

from rulewright.dsl.checks.secrecy.changing import Changing
from rulewright.dsl.checks.secrecy.labels import Acting, Names
from rulewright.dsl.checks.secrecy.opening import ALL_PLAYERS, Opening, Reveal, enter_reveal
from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.lowering.analysis.bodies import MOVES, PLACED
from rulewright.dsl.tree import syntax

Reveals: TypeAlias = frozenset[Reveal]
"""The secrets that have been revealed at one point of the rules."""
_NOTHING: Final[Reveals] = frozenset()
_NO_NAMES: Final = frozenset[str]()


@define(eq=False)
class Before:
    """An earlier step, or the beginning of a loop, of a body or of a block in which another player acts."""

    around: Before | None
    """The step or beginning that comes before this step."""
    names: Names
    step: syntax.Statement | None = None
    again: syntax.Block = ()
    """The steps of a loop that may have run in an earlier iteration."""
    gone: frozenset[str] = frozenset()
    """The names that refer to other players after this step."""
    acting: Acting | None = None
    reveals: Reveals | None = None
    """The secrets that are revealed after this step, if they have been computed."""


@define
class Earlier:
    """Searches earlier steps for the secrets that they reveal."""

    reader: Reader
    opening: Opening
    changing: Changing
    _deciding: dict[str, AbstractSet[str]] = field(factory=dict)

    def reveals_before(self, before: Before | None) -> Reveals:
        """Return the secrets that earlier steps have revealed, except secrets to which something
        has been added unseen since then.
        """
        left: list[Before] = []
        while before is not None and before.reveals is None:
            left.append(before)
            before = before.around
        found = before.reveals if before is not None and before.reveals is not None else _NOTHING
        for each in reversed(left):
            found = each.reveals = self._reveals_after(each, found)
        return found

    def _reveals_after(self, before: Before, found: Reveals) -> Reveals:
        """Return the secrets that are revealed after a further step, given the secrets revealed before it."""
        step = before.step
        steps = before.again if step is None else (step,)
        if found:
            changed = self.changing.gains(steps) | self.changing.losses(steps)
            gone = changed | before.gone
            found = frozenset(one for one in found if not self._is_gone(one, gone))
        if step is not None and not self.reader.is_clear(step, before.names):
            new = {*self.opening.reveals((step,), before.names)}
            filled = self.changing.gains(steps) if new else _NO_NAMES
            found |= {
                one
                for one in new
                if one.name not in filled
                and self._is_lasting(one.to)
                and self._is_lasting(one.whose)
            }
        if before.acting is not None:
            found = frozenset(enter_reveal(one, before.acting) for one in found)
        return found

    def _is_gone(self, reveal: Reveal, gone: frozenset[str]) -> bool:
        """Return whether a reveal is no longer valid after these places and names have changed."""
        players = (reveal.whose, reveal.to)
        return reveal.name in gone or any(
            not gone.isdisjoint(self._deciding_names(one)) for one in players
        )

    def _is_lasting(self, player: str) -> bool:
        """Return whether the name of a player refers to the same player as long as the names on
        which it depends do not change.
        """
        fleeting = {MOVES, PLACED, *(("players",) if self.reader.eliminates else ())}
        return player == ALL_PLAYERS or fleeting.isdisjoint(self._deciding_names(player))

    def _deciding_names(self, player: str) -> AbstractSet[str]:
        """Return the names that determine to which player, or list of players, a name refers."""
        found = self._deciding.get(player)
        if found is None:
            parts = [part for part in player.lstrip("!^*").split(".") if part]
            ways = (".".join(parts[:n]) for n in range(1, len(parts) + 1))
            looked_at = self.reader.touching.attribute_reads
            found = self._deciding[player] = {*parts, *ways}.union(*map(looked_at, parts))
        return found
