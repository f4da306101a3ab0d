"""A match: turns and rounds, one decision after the other (chapters 4, 5 and the ends)."""

from __future__ import annotations

from tests.oracles.through_the_ages.ages import replenish
from tests.oracles.through_the_ages.attacks import resolve_wars
from tests.oracles.through_the_ages.cards import Tables
from tests.oracles.through_the_ages.military import make_common
from tests.oracles.through_the_ages.phases import action_phase, end_of_turn
from tests.oracles.through_the_ages.politics import politics_phase
from tests.oracles.through_the_ages.scoring import final_scoring
from tests.oracles.through_the_ages.setup import new_table
from tests.oracles.through_the_ages.state import (
    Decision,
    Flow,
    Mode,
    Option,
    Player,
    Shuffle,
    Table,
)


def turn(g: Table, p: Player) -> Flow[None]:
    """One turn (TA-044, TA-050)."""
    g.current = p.seat
    if g.round > 1:
        yield from replenish(g)
        yield from resolve_wars(g, p)
        make_common(g, p)
        yield from politics_phase(g, p)
        if p.resigned:  # TA-402
            return
    yield from action_phase(g, p)
    yield from end_of_turn(g, p)


def match(g: Table) -> Flow[None]:
    """Rounds until the last one is over (TA-051, TA-328)."""
    while True:
        for p in g.clockwise(g.starter):
            yield from turn(g, p)
            if g.winners:
                return
        if g.is_last_round:
            final_scoring(g)
            return
        g.round += 1


class Match:
    """A match: its open decision, and the answers to it."""

    def __init__(
        self,
        tables: Tables,
        players: int,
        mode: Mode,
        shuffle: Shuffle,
        *,
        global_conflict: bool = False,
        quiet_pacts: bool = False,
    ) -> None:
        self.table = new_table(
            tables,
            players,
            mode,
            shuffle,
            global_conflict=global_conflict,
            quiet_pacts=quiet_pacts,
        )
        self._flow = match(self.table)
        self._decision: Decision | None = next(self._flow, None)

    @property
    def decision(self) -> Decision | None:
        """The open decision; None when the game is over."""
        return self._decision

    def apply(self, option: Option) -> None:
        """Answer the question."""
        assert self._decision is not None
        if option not in self._decision.options:
            raise ValueError(f"{option} is not offered: {self._decision.options}")
        try:
            self._decision = self._flow.send(option)
        except StopIteration:
            self._decision = None
