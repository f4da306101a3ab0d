"""Optional data of a picture besides the scene: positions of spaces, art, texts of clauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import attrs

_NONE: Mapping[str, Mapping[str, tuple[float, float]]] = MappingProxyType({})
_NO_ART: Mapping[tuple[str, str], str] = MappingProxyType({})


def _silent(clauses: Sequence[str]) -> str:
    return ""


@attrs.frozen(eq=False)
class Looks:
    """The look of one game.

    For a kind of spaces, `places` has the place of each row, in any unit. `art` has the address of the
    picture of a row, keyed by the row's kind and name, or by ("", name) if the name is enough. `said`
    returns the texts of rulebook clauses.
    """

    places: Mapping[str, Mapping[str, tuple[float, float]]] = _NONE
    art: Mapping[tuple[str, str], str] = _NO_ART
    said: Callable[[Sequence[str]], str] = _silent

    def picture(self, kind: str, row: str) -> str | None:
        """Return the address of a row's picture, or None if there is no picture."""
        return self.art.get((kind, row)) or self.art.get(("", row))


PLAIN = Looks()
