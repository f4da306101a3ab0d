"""The tables of one process: read on request, changed by commands, shown to their streams, dropped when
idle.

Any process may serve any table. A command becomes events, and these are stored. Only then are they applied,
shown, and announced to the other processes. If another process was faster, its events are read first, and
the command is tried again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic, time
from weakref import WeakSet

import attrs

from rulewright.dsl.deep_calls import call_deeply
from rulewright.interpreter.engines.codegen.python import PythonEngine
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.replay import DifferenceError
from rulewright.interpreter.text.errors import RequestError
from rulewright.interpreter.text.faults import RuleFault
from rulewright.web.serving.bots import LEVELS, Bots, Position, StoppingError, steps_of
from rulewright.web.serving.homes import Home
from rulewright.web.serving.library import Library, NoRulesError
from rulewright.web.storage.store import Listed, NoSuchTableError, Row, Store, TakenError
from rulewright.web.tables.course import Course
from rulewright.web.tables.events import (
    Created,
    Event,
    RulesMoved,
    Stopped,
    from_text,
    to_text,
    without_people,
)
from rulewright.web.tables.table import RefusedError, Table
from rulewright.web.words import say

LOG = logging.getLogger("rulewright.web")
MOST_TABLES = 2_000
"""The maximum number of tables that are kept in memory; the least recently used are dropped."""
MOST_COURSES = 600
"""The maximum number of tables in memory whose states are kept as well."""
_TRIES = 20
_STEP, _REST = 0.005, 0.02
"""The time for writing functions ahead, and the pause after it, in seconds."""
BOT_WAITS = 5.0
"""How many seconds a process leaves the choice of a bot to the process that last changed the table."""

Command = Callable[[Table, Game], Sequence[Event]]
Shown = Callable[["Live"], None]


@attrs.define(eq=False)
class Live:
    """A table in memory, and the game whose rules it uses."""

    table: Table
    game: Game
    lock: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    watchers: int = 0
    """How many streams show the table."""
    bot: asyncio.Task[None] | None = None
    leads: bool = True
    """Whether the newest event comes from this process. If so, this process runs the table's bots at once,
    and other processes only later.

    After a table is read, this is true only in its home.
    """
    shown: int = 0
    """The number of the last event that streams have shown."""
    is_gone: bool = False
    """Whether the table was deleted or rewritten, so that it must be read again."""


@attrs.define(eq=False)
class Hub:
    """All tables that this process has in memory."""

    store: Store
    library: Library
    bots: Bots
    home: Home = attrs.field(factory=Home)
    tell: Callable[[str, int, Sequence[Row]], None] = lambda table, number, rows: None
    """Tells the other processes that a table has events up to a number, of which the given rows are the
    newest.
    """
    changed: list[Shown] = attrs.field(factory=list)
    """Listeners to changes of tables."""
    _tables: dict[str, Live] = attrs.field(factory=dict)
    _reading: dict[str, asyncio.Lock] = attrs.field(factory=dict)
    _tasks: set[asyncio.Task[None]] = attrs.field(factory=set)
    _stored: dict[str, int] = attrs.field(factory=dict)
    """For each table that other processes have changed, the number of its last event, until this event is
    read.
    """
    _sent: dict[str, list[Row]] = attrs.field(factory=dict)
    """The events that came with such notices, until they are applied."""

    _written: WeakSet[PythonEngine] = attrs.field(factory=WeakSet)
    """The engines whose functions are being written ahead, or are written."""
    _bots_ready: set[tuple[str, Variant]] = attrs.field(factory=set)
    """The rules and variants for which the code of bots has been compiled, or is being compiled."""

    async def get(self, id: str) -> Live:
        """Return a table with all events that other processes are known to have stored; read it if it is
        not in memory.
        """
        live = self._tables.pop(id, None)
        if live is not None:
            self._tables[id] = live  # most recently used
            await self._read_new_events(live)
            return live
        async with self._reading.setdefault(id, asyncio.Lock()):
            live = self._tables.get(id)
            if live is None:
                live = await asyncio.to_thread(call_deeply, self._load_table, id)
                self._tables[id] = live
                self._begin(self._write_ahead(live))
                self._let_go()
                await self._settle(live)
        self._reading.pop(id, None)
        await self._read_new_events(live)
        return live

    async def create(self, name: str, made: Callable[[Game], Sequence[Event]], id: str) -> Live:
        """Create a new table and return it."""
        game = await asyncio.to_thread(call_deeply, self.library.offered_game, name)
        events = await asyncio.to_thread(call_deeply, made, game)
        first = events[0]
        assert isinstance(first, Created)
        await asyncio.to_thread(self.library.pin, name, game)
        now = now_in_ms()
        await asyncio.wrap_future(
            self.store.create(Listed(id, first.title, now, now, False), [*map(to_text, events)])
        )
        live = await self.get(id)
        if not self.home.is_of(id):
            del self._tables[id]
        return live

    async def run(self, id: str, command: Command) -> Live:
        """Carry out a command, or raise its refusal; when this method returns, all its events are stored."""
        live = await self.get(id)
        async with live.lock:
            for _ in range(_TRIES):
                asked = command(live.table, live.game)
                events = live.table.with_only_options(live.game, asked)
                if not events or await self._store(live, events):
                    break
            else:
                raise TakenError(f"another process was faster {_TRIES} times")
            if events:
                await self._follow_up(live)
        self.show(live)
        return live

    def hear(self, id: str, number: int, rows: Sequence[Row] = ()) -> None:
        """Handle a notice of another process that a table has events up to a number; all later requests see
        these events.

        The process may include the newest events, which then need not be read. Number 0 means that the
        table was deleted or rewritten.
        """
        if not number:
            self.forget(id)
            return
        live = self._tables.get(id)
        if live is not None or id in self._reading:
            self._stored[id] = max(number, self._stored.get(id, 0))
            self._sent.setdefault(id, []).extend(rows)
        if live is not None:
            self._begin(self._read_new_events(live))

    def hear_all(self) -> None:
        """Check all tables in memory, because notices may have been missed."""
        for id, live in self._tables.items():
            self.hear(id, live.table.number + 1)

    async def _read_new_events(self, live: Live) -> None:
        """Read the events that other processes have stored, unless they have been read."""
        number = self._stored.get(live.table.id, 0)
        if number <= live.table.number:
            self._forget_notices(live.table.id)
            return
        async with live.lock:
            if live.table.number < number:
                await self._catch_up(live)
                if live.table.number < number:  # there were no new events
                    self._forget_notices(live.table.id)
        self.show(live)

    def _forget_notices(self, id: str) -> None:
        self._stored.pop(id, None)
        self._sent.pop(id, None)

    def move_rules(self, table: Table) -> Sequence[Event]:
        """Switch to the current rules of the game if replaying the match under them gives the same result."""
        game = self.library.offered_game(table.created.game)
        made, steps = table.created, table.course(self.library.pinned_game(table.rules)).steps
        at = 0
        try:
            course = Course.begin(game, table.variant, made.seed, made.start, table.names)
            for at, step in enumerate(steps, start=1):  # noqa: B007  # the failure reports this step
                course.follow(0, step)
        except (DifferenceError, RuleFault) as parted:
            said = say("rules-cannot", step=at, message=parted.message)
            raise RefusedError("not-allowed", said) from None
        self.library.pin(made.game, game)
        return (RulesMoved(game.hash),)

    def show(self, live: Live) -> None:
        """Show the current state of a table to all streams that have not seen it."""
        if live.shown != live.table.number:
            live.shown = live.table.number
            for show in self.changed:
                show(live)
        self._think(live)

    def forget(self, id: str) -> None:
        """Drop a table that was deleted or rewritten; open pages request it again."""
        live = self._tables.pop(id, None)
        self._sent.pop(id, None)
        if live is not None:
            live.is_gone = True
            if live.bot is not None:
                live.bot.cancel()
            for show in self.changed:
                show(live)

    async def forget_people(self, id: str) -> None:
        """Delete the names and addresses of a table."""
        await asyncio.wrap_future(self.store.forget(id, without_people))
        self.forget(id)
        self.tell(id, 0, ())

    @property
    def in_memory(self) -> int:
        """The number of tables in memory."""
        return len(self._tables)

    # ---- reading and storing ----

    def _load_table(self, id: str) -> Live:
        rows = self.store.read(id)
        table = Table.of(id, ((row.number, row.at, from_text(row.data)) for row in rows))
        try:
            game = self.library.pinned_game(table.rules)
            game.compiled(table.variant)
        except (NoRulesError, RequestError):  # the rules were written for an older program
            if not self._moves_to_present_rules(table):
                raise
            return self._load_table(id)
        live = Live(table, game, leads=self.home.is_of(id))
        try:
            table.course(game)
        except (DifferenceError, RuleFault) as failure:
            table.stopped = f"the events of this table do not fit its rules: {failure}"
        return live

    def _moves_to_present_rules(self, table: Table) -> bool:
        """Move a table whose rules can no longer be read, if its match is the same under the current rules."""
        game = self.library.now(table.created.game)
        if game is None or game.hash == table.rules:
            return False
        try:
            table.course(game)
        except (DifferenceError, RuleFault, RequestError):
            return False
        self.library.pin(table.created.game, game)
        texts = [to_text(RulesMoved(game.hash))]
        now = max(now_in_ms(), table.asked_at)
        with suppress(TakenError):  # another process was faster
            self.store.append(table.id, table.number + 1, now, texts).result()
        return True

    async def _write_ahead(self, live: Live) -> None:
        """Generate the functions of a variant a few at a time, before a choice needs many of them at once."""
        engine = live.game.compiled(live.table.variant).engine
        if isinstance(engine, PythonEngine) and engine not in self._written:
            self._written.add(engine)
            while engine.write_ahead(partial(_is_past, monotonic() + _STEP)):
                await asyncio.sleep(_REST)

    async def course_ready(self, live: Live) -> None:
        """Replay the match of a table from its events in a thread, if it is not in memory."""
        if not live.table.has_course and not live.table.stopped:
            await asyncio.to_thread(call_deeply, live.table.course, live.game)

    async def _store(self, live: Live, events: Sequence[Event]) -> bool:
        """Store events and apply them. If another process was faster, read its events and return False."""
        table = live.table
        first, now = table.number + 1, max(now_in_ms(), table.asked_at)  # a clock may be set back
        texts = [*map(to_text, events)]
        try:
            await asyncio.wrap_future(self.store.append(table.id, first, now, texts))
        except TakenError:
            await self._catch_up(live)
            return False
        except NoSuchTableError:
            self.forget(table.id)
            raise
        live.leads = True
        for number, event in enumerate(events, start=first):
            table.take(number, now, event)
        await self._with_its_rules(live)
        rows = [Row(number, now, text) for number, text in enumerate(texts, start=first)]
        self.tell(table.id, table.number, rows)
        return True

    async def _catch_up(self, live: Live) -> None:
        table = live.table
        rows = self._sent_to(table)
        if not rows:
            rows = await asyncio.to_thread(self.store.read, table.id, table.number)
        for row in rows:
            if row.number == live.table.number + 1:
                live.leads = False
                live.table.take(row.number, row.at, from_text(row.data))
        await self._with_its_rules(live)

    def _sent_to(self, table: Table) -> list[Row]:
        """Return all events up to the last stored number known here, if the notices contained them;
        otherwise an empty list.
        """
        rows = {row.number: row for row in self._sent.pop(table.id, ())}
        wanted = range(table.number + 1, self._stored.get(table.id, 0) + 1)
        return [rows[number] for number in wanted] if rows.keys() >= {*wanted} else []

    async def _with_its_rules(self, live: Live) -> None:
        if live.table.rules != live.game.hash:
            live.game = await asyncio.to_thread(
                call_deeply, self.library.pinned_game, live.table.rules
            )

    async def _settle(self, live: Live) -> None:
        """Complete the work that a process may have left undone when it ended."""
        async with live.lock:
            await self._follow_up(live)
        self.show(live)

    async def _follow_up(self, live: Live) -> None:
        """Take each decision that has only one option, and store the end of a match."""
        table = live.table
        if table.stopped:
            return
        try:
            await self.course_ready(live)
            while (further := table.next_by_itself(live.game)) is not None:
                await self._store(live, (further,))
            is_over = table.course(live.game).state.over
        except RuleFault as fault:
            await self._store(live, (Stopped(f"fault in play: {fault.message}"),))
            is_over = True
        if is_over:
            await asyncio.wrap_future(self.store.mark_over(table.id))

    def _let_go(self) -> None:
        idle = [live for live in self._tables.values() if not live.watchers and live.bot is None]
        for live in idle[: max(0, len(self._tables) - MOST_TABLES)]:
            self._tables.pop(live.table.id, None)
        for live in idle[: max(0, len(self._tables) - MOST_COURSES)]:
            live.table.forget_course()

    # ---- bots ----

    def _think(self, live: Live) -> None:
        """Let the bot choose, if it is a bot's turn."""
        table = live.table
        if live.bot is not None or not table.has_course:
            return
        bot = table.bot_to_move(live.game)
        if bot and live.leads:
            live.bot = self._begin(self._bot_turn(live, bot, table.decision))
        elif bot:
            loop = asyncio.get_running_loop()
            loop.call_later(BOT_WAITS, self._lead, live, table.decision)
        elif live.leads and any(seat.bot in LEVELS for seat in table.seats):
            rules = table.rules, table.variant
            if rules not in self._bots_ready:
                self._bots_ready.add(rules)
                self._begin(self._get_bots_ready(live))

    async def _get_bots_ready(self, live: Live) -> None:
        """Compile what the bots of a table need, while a person thinks."""
        with suppress(StoppingError):
            await self.bots.get_ready(await self.position(live))

    def _lead(self, live: Live, decision: int) -> None:
        """Run the bot here if the process that last changed the table does not."""
        if live.table.decision == decision and not live.is_gone:
            live.leads = True
            self._think(live)

    async def _bot_turn(self, live: Live, bot: str, decision: int) -> None:
        try:
            position = await self.position(live)
            if live.table.decision == decision:
                option = await self.bots.choose(position, bot)
                await self.run(live.table.id, partial(_bot_choice, bot, decision, option))
        except RuleFault as fault:
            message = f"fault in play: {fault.message}"
            await self.run(live.table.id, lambda table, game: (Stopped(message),))
        except asyncio.CancelledError:
            raise
        except StoppingError:
            return
        except Exception:
            LOG.exception("a bot could not choose at table %s", live.table.id)
        finally:
            live.bot = None
        if live.table.decision != decision:
            self._think(live)

    async def position(self, live: Live) -> Position:
        """Return the match in the form that is sent to another process."""
        table = live.table
        path = await asyncio.to_thread(self.library.path, table.rules)
        course = table.course(live.game)
        made = table.created
        return Position(
            table.id,
            tuple(table.names),
            path,
            table.variant,
            made.seed,
            made.start,
            tuple(steps_of(course)),
        )

    def _begin(self, work: Awaitable[None]) -> asyncio.Task[None]:
        async def run() -> None:
            await work

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """End running tasks."""
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.bots.close()


def _bot_choice(bot: str, decision: int, option: str, table: Table, game: Game) -> Sequence[Event]:
    """Return the choice of a bot, or nothing if its decision is no longer open."""
    if table.decision != decision or table.bot_to_move(game) != bot:
        return ()
    course = table.course(game)
    seat = course.state.player
    return table.choose(game, seat, course.decision(seat), option)


def _is_past(until: float) -> bool:
    return monotonic() > until


def now_in_ms() -> int:
    """Return the current time in milliseconds, the unit used by events."""
    return int(time() * 1000)
