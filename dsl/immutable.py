"""Provides `frozen` and `evolve` like those of attrs, but two to three times as fast.

Type checkers prevent writes to frozen objects; nothing prevents such writes at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

if TYPE_CHECKING:
    from attrs import evolve, frozen
else:

    def frozen(kind=None, /, *, eq=True, **how):
        """Return a class of immutable data. Its objects are created by plain assignments."""
        if kind is None:
            return lambda found: frozen(found, eq=eq, **how)
        return attrs.define(kind, eq=eq, unsafe_hash=eq or None, **how)

    def evolve(one, /, **changes):
        """Return a copy of an object, with the given attributes changed in the copy."""
        kind = one.__class__
        known = _KNOWN.get(kind)
        if known is None:
            known = _KNOWN[kind] = _find_parts(kind)
        parts_of, places = known
        parts = list(parts_of(one))
        for name, part in changes.items():
            parts[places[name]] = part
        return kind(*parts)


Known: TypeAlias = tuple[Callable[[Any], tuple[Any, ...]], dict[str, int]]
"""A function that returns the parts of an object of a class, and the index of each part among these parts."""
_KNOWN: dict[type, Known] = {}


def _find_parts(kind: type) -> Known:
    parts = attrs.fields(kind)
    assert all(part.init and not part.kw_only for part in parts), kind
    names = [part.name for part in parts]
    only = names[0]
    parts_of: Any = attrgetter(*names) if len(names) > 1 else lambda one: (getattr(one, only),)
    return parts_of, {part.alias: n for n, part in enumerate(parts)}


__all__ = ["evolve", "frozen"]
