"""Cache the different ways to call each body, so that the body is visited only once for each way."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from rulewright.dsl.checks.secrecy.labels import Label
from rulewright.dsl.checks.secrecy.revealed import Before, Earlier, Reveals
from rulewright.dsl.immutable import frozen


@frozen(cache_hash=True)
class Way:
    """A way to call a body: the arguments, the label of the call, and the player who decides. Equal
    ways have equal results.
    """

    key: str
    given: object
    control: Label
    asker: bool = False
    by_rule: bool = False
    together: bool = False
    is_hook: bool = False


@define
class Ways:
    """The ways visited so far. For a way whose results depend on earlier reveals, the previously
    revealed secrets are stored too.
    """

    earlier: Earlier
    _met: dict[Way, bool] = field(factory=dict)
    """Whether the results of each way depend on earlier reveals."""
    _after: dict[Way, list[Reveals]] = field(factory=dict)
    """For each way that depends on earlier reveals, the secrets that were revealed before each walk through
    it.
    """
    _going: set[Way] = field(factory=set)
    _cut: set[Way] = field(factory=set)
    """The ways whose results depend on where a recursive walk or search began."""
    _open: list[tuple[list[bool], int]] = field(factory=list)
    """For each open call, whether its results depend on earlier reveals, and the number of cut
    searches before it.
    """

    def import_results(self, safe: Mapping[object, object]) -> None:
        """Import the ways that show nothing in another configuration."""
        for way, after in safe.items():
            if isinstance(way, Way):
                self._met[way] = bool(after)
                self._after[way] = [*after]  # type: ignore[misc]  # as `export_results` stores them

    def export_results(self, safe: dict[object, object]) -> None:
        """Export the ways that show nothing in any configuration."""
        for way, uses_earlier in self._met.items():
            if not (way.is_hook or way.by_rule or way in self._cut):
                safe[way] = tuple(self._after[way]) if uses_earlier else ()

    def forget(self) -> None:
        """Forget all ways, because places store more secrets than were known previously."""
        self._met.clear()
        self._after.clear()
        self._cut.clear()

    def is_known(self, way: Way, before: Before | None) -> bool:
        """Return whether an earlier walk through the body is valid at this point.

        It is valid if everything revealed before that walk is also revealed now. If no earlier walk
        is valid, record that a new walk begins.
        """
        uses_earlier = self._met.get(way)
        if way in self._cut:
            self.earlier.opening.cuts += 1
        if uses_earlier:
            self.note_earlier()
            opened = self.earlier.reveals_before(before)
            if any(one <= opened for one in self._after.get(way, ())):
                return True
            if way in self._going:
                self.earlier.opening.cuts += 1
                return True
        elif uses_earlier is not None:
            return True
        self._met[way] = True  # ends the walk of recursive calls
        self._going.add(way)
        return False

    def begin(self) -> None:
        """Begin to record on what the results of a call depend."""
        self._open.append(([False], self.earlier.opening.cuts))

    def end(self, way: Way, before: Before | None, *, is_earlier: bool = False) -> None:
        """Record the end of a walk that `begin` has begun. If `is_earlier` is true, assume that its
        results depend on earlier reveals.
        """
        (uses_earlier,), cuts = self._open.pop()
        self._met[way] = uses_earlier or is_earlier
        self._going.discard(way)
        if self.earlier.opening.cuts != cuts:
            self._cut.add(way)
        if self._met[way]:
            self._after.setdefault(way, []).append(self.earlier.reveals_before(before))

    def note_earlier(self) -> None:
        """Record that the results of all open calls depend on earlier reveals."""
        for uses_earlier, _ in self._open:
            uses_earlier[0] = True
