"""Finds the bodies and values that need an acting player. The search uses only names and is independent of types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Final, get_args

from attrs import define

from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.analysis.calling import Calling
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import parts_of

_STATEMENTS: Final = frozenset(get_args(syntax.Statement))


@frozen
class Outside:
    """The parts of a node that are outside blocks in which another player acts."""

    names: frozenset[str]
    """The names, including `me`. A name after a dot begins with the dot."""
    calls: tuple[syntax.Do, ...]
    starting: tuple[syntax.Statement, ...]
    """The steps that may fire triggers."""
    asks: bool
    """Whether the acting player must decide, or whether the node names the acting player."""


@define
class Acting(Calling):
    """The part of the analysis that finds the bodies and values that need an acting player."""

    _needing: Set[str] | None = None

    def needs_me(self, key: str, *, is_awake: bool = True) -> bool:
        """Return whether a body needs an acting player when it runs. If `is_awake` is false, it fires no triggers."""
        met = [key] if key in self.bodies else []
        for at in met:
            if self._acts_for_owner(at):
                continue
            own = self._outside(at)
            if own.asks or self._mentions_me(own) or any(map(self.open_parameters, own.calls)):
                return True
            met += [other for other in self._run_outside(at, is_awake) if other not in met]
        return False

    def lacking_me(self, key: str) -> frozenset[str]:
        """Return the bodies that need an acting player, but are run by a section where there is none."""
        if not isinstance(self.bodies[key].node, declared.Section):
            return frozenset()
        is_awake = self.is_awake(key)
        run = self._run_outside(key, is_awake)
        return frozenset(other for other in run if self.needs_me(other, is_awake=is_awake))

    def is_awake(self, key: str) -> bool:
        """Return whether the steps of a body fire triggers. There are no triggers during setup."""
        return not key.startswith("setup")

    def says_me(self, node: object) -> bool:
        """Return whether a node mentions the acting player, directly or through values."""
        return self._mentions_me(self.written.of(_outside_turns, node))

    def _mentions_me(self, outside: Outside) -> bool:
        if self._needing is None:
            self._needing = self._find_needing()
        return not self._needing.isdisjoint(outside.names)

    def _acts_for_owner(self, key: str) -> bool:
        """Return whether `me` in a trigger is the owner of a place, as in `whenever c enters me.hand`."""
        word, _, rest = key.partition(" ")
        places: list[syntax.Expression] = []
        power: declared.Power | None = None
        if word == "trigger":
            _, power, _ = self.watchers[int(rest)]
        elif word == "mover":
            trigger, power = self.move_triggers[int(rest)]
            places.append(trigger.place)
        if power is not None:
            places.append(power.place)
        return any("me" in self.written.of(_outside_turns, place).names for place in places)

    def _outside(self, key: str) -> Outside:
        return self.written.of(_outside_turns, self.bodies[key].node)

    def _run_outside(self, key: str, is_awake: bool) -> Iterator[str]:
        """Yield the hooks of a body, and the bodies that it runs outside blocks in which another player acts."""
        name = key.removeprefix("rule ")
        yield from (f"hook {name} {n}" for n, _ in enumerate(self.hooks.get(name, ())))
        own = self._outside(key)
        for do in own.calls:
            yield from (other for other in self._calls(do) if other in self.bodies)
        for s in own.starting if is_awake else ():
            yield from self.triggers_of(s)

    def _find_needing(self) -> Set[str]:
        """Return `me`, and the names of the values that mention the acting player."""
        users: dict[str, set[str]] = {}
        for name, values in (
            *((name, (value,)) for name, value in self.model.values.items()),
            *((f".{name}", values) for name, values in self.model.subject_values.items()),
        ):
            for value in values:
                for word in self.written.of(_outside_turns, value).names:
                    users.setdefault(word, set()).add(name)
        found = ["me"]
        for name in found:
            found += users.get(name, set()).difference(found)
        return frozenset(found)


def _outside_turns(node: object) -> Outside:
    names, calls, asks = set[str](), list[syntax.Do](), False
    starting: list[syntax.Statement] = []
    for part in _parts(node):
        if part.__class__ in _STATEMENTS:
            starting.append(part)  # type: ignore[arg-type]  # it is a statement
        match part:
            case syntax.Word(name=name) | syntax.Call(name=name):
                names.add(name)
            case syntax.Dot(name=name):
                names.add(f".{name}")
            case syntax.Do():
                calls.append(part)
            case syntax.Choose() | syntax.ChooseOf() | syntax.May() | syntax.Possible():
                asks = True
            case syntax.ForEach(any_order=True) | declared.Pattern(actor=syntax.Word()):
                asks = True
            case _:  # all others: their parts show what they need
                pass
    if isinstance(node, declared.Value):
        own = (*node.params, *((node.subject,) if node.subject is not None else ()))
        names.difference_update(param.name for param in own)
    return Outside(frozenset(names), tuple(calls), tuple(starting), asks)


def _parts(node: object) -> Iterable[object]:
    """Yield all parts of a node except the blocks in which another player acts."""
    left = [node]
    while left:
        part = left.pop()
        if isinstance(part, tuple | list):
            left += part
            continue
        yield part
        match part:
            case syntax.EachPlayer(start=start):
                left.append(start)
            case syntax.AsPlayer(player=player):
                left.append(player)
            case _:  # all others: the same player acts in all their parts
                left += parts_of(part)
