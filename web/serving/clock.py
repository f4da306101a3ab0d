"""The clock of a server process, which runs notices and limits when they are due, and deletes the names of
old tables.

Times of events come from the wall clock. After a start, and after a jump of the clock, limits are not
enforced for a while, because people could not play in the meantime.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, time

import attrs

from rulewright.web.serving.hub import Hub, Live
from rulewright.web.serving.notices import Notices

LOG = logging.getLogger("rulewright.web")
_DAY = 86_400_000
_HOUR = 3_600_000
SWEPT = 5_000
"""The maximum number of open tables that are read after a start."""
RESTED = 60 * _DAY
"""The age in milliseconds of the last move above which a table is read only when somebody asks for it."""


@attrs.define(eq=False)
class Clock:
    """The tables of a process with due tasks, by time in milliseconds."""

    hub: Hub
    notices: Notices
    forget_after: int = 0
    """After how many days without a move names are deleted; 0 means never."""
    grace: float = 600.0
    """For how many seconds after a start or a jump no limit is enforced on decisions that were already open."""
    beat: float = 1.0
    wall: Callable[[], float] = time
    steady: Callable[[], float] = monotonic
    _due: list[tuple[float, str]] = attrs.field(factory=list)
    _spared: float = 0.0
    """The time until which no limit is enforced on decisions that were already open."""

    def __attrs_post_init__(self) -> None:
        """Subscribe to every change of a table."""
        self.hub.changed.append(self.plan)

    def plan(self, live: Live) -> None:
        """Store when the next task of a table is due."""
        table = live.table
        if live.is_gone or not table.has_course or table.person(live.game) < 0:
            return
        at = [self._limit(live)] if table.due and table.ran_out != table.decision else []
        if self.notices.settings.any:
            at.append(table.asked_at + self.notices.settings.after * 1000)
            if table.nudge is not None:
                at.append(table.nudged_at[table.nudge.seat])
        for one in at:
            self._push(table.id, one)

    def _limit(self, live: Live) -> float:
        is_new = live.table.asked_at > self._spared - self.grace * 1000
        return live.table.due if is_new else max(live.table.due, self._spared)

    def _push(self, id: str, at: float) -> None:
        heapq.heappush(self._due, (at, id))

    async def run(self) -> None:
        """Run due tasks until the process ends."""
        self._spared = self.wall() * 1000 + self.grace * 1000
        sweep = asyncio.get_running_loop().create_task(self._sweep())
        wall, steady, tidied = self.wall(), self.steady(), 0.0
        try:
            while True:
                await asyncio.sleep(self.beat)
                jump = (self.wall() - wall) - (self.steady() - steady)
                wall, steady = self.wall(), self.steady()
                if abs(jump) > max(30.0, 3 * self.beat):
                    LOG.warning("the clock has jumped by %.0f s; limits wait", jump)
                    self._spared = wall * 1000 + self.grace * 1000
                await self.tick()
                if self.forget_after and (not tidied or wall * 1000 - tidied > _HOUR):
                    tidied = wall * 1000
                    await self.tidy()
        finally:
            sweep.cancel()
            await asyncio.gather(sweep, return_exceptions=True)

    async def tick(self) -> None:
        """Run the tasks of the tables with due tasks."""
        now = self.wall() * 1000
        ids: dict[str, None] = {}
        while self._due and self._due[0][0] <= now:
            ids[heapq.heappop(self._due)[1]] = None
        for id in ids:
            try:
                await self._look(id, now)
            except asyncio.CancelledError:
                raise
            except (
                Exception
            ) as failure:  # deleted, damaged, or a full disk: the page of the table says so
                LOG.warning("table %s cannot be checked: %s", id, type(failure).__name__)

    async def _look(self, id: str, now: float) -> None:
        live = await self.hub.get(id)
        await self.hub.course_ready(live)
        table = live.table
        if table.due and now >= self._limit(live) and table.run_out(live.game, int(now)):
            live = await self.hub.run(id, lambda table, game: table.run_out(game, int(now)))
        elif table.due and table.due <= now and table.ran_out != table.decision:
            self._push(id, self._limit(live))
        seat, settings = table.person(live.game), self.notices.settings
        is_late = now >= table.asked_at + settings.after * 1000 or table.nudge is not None
        if seat >= 0 and settings.any and is_late:
            await self.notices.turn(live, seat)

    async def _sweep(self) -> None:
        """Read the open tables of this home, so that after a restart bots continue and no limit or notice
        is lost.
        """
        since = int(self.wall() * 1000) - RESTED
        ids = await asyncio.to_thread(self.hub.store.open_since, since, SWEPT)
        for id in filter(self.hub.home.is_of, ids):
            with suppress(Exception):  # a damaged table: its page says so
                self.plan(await self.hub.get(id))
            await asyncio.sleep(0.02)

    async def tidy(self) -> None:
        """Delete the names and addresses of tables that have had no move for a long time."""
        before = int(self.wall() * 1000) - self.forget_after * _DAY
        for id in await asyncio.to_thread(self.hub.store.with_names, before):
            try:
                await self.hub.forget_people(id)
            except Exception as failure:  # a damaged table stays as it is
                LOG.warning("names of table %s stay: %s", id, type(failure).__name__)
