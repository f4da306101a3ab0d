"""Run server processes: one, or several that share a port."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import signal
import socket
import sys
from asyncio import Protocol
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from threading import Thread
from time import sleep
from types import FrameType

import attrs
import uvicorn
from starlette.types import ASGIApp

from rulewright.dsl.loading.collection import freeze
from rulewright.web.serving.app import Options, make_app
from rulewright.web.serving.homes import CAN_PASS, Home, Passing, Way, protocol

if sys.platform != "win32":
    import resource

_FILES = 65_536
GARBAGE = 5_000, 10, 1_000_000
"""How many objects are allocated between two garbage collections.

The tables in memory consist of many objects, and none of them is garbage. With Python's default, 700,
collections take a quarter of the time for pages. A collection of all objects stops every page for a second,
so it is made only once an hour.
"""
_TENTH = 0.1
"""The time between two searches for garbage among new objects, in seconds.

Python counts by how much the number of objects grows, and a page frees about as many objects as it makes.
So without these searches Python would collect hundreds of thousands of objects at once, which takes 0.2 s.
"""
_HOUR = 36_000
"""The number of tenths of a second in an hour."""


_SWITCH = 0.0005
"""Seconds after which the thread that makes pages lets the thread that writes events go on. A transaction waits for
it at each statement, and meanwhile holds the lock of the database. Python's own value is 0.005."""


def run(options: Options, sockets: list[socket.socket], jobs: int) -> None:
    """Serve until stopped; if there are several jobs, a process that dies is restarted."""
    if jobs == 1:
        _serve(options, sockets)
        return
    ways = [Way.open() for _ in range(jobs)] if CAN_PASS else []
    homes = (Home(place, jobs, ways) for place in range(jobs))
    _run_all([attrs.evolve(options, home=home) for home in homes], sockets)


def _run_all(each: Sequence[Options], sockets: list[socket.socket]) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [_start_process(context, one, sockets) for one in each]
    is_stopped = False

    def stop(_: int, __: FrameType | None) -> None:
        nonlocal is_stopped
        is_stopped = True
        for process in processes:
            process.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    while not is_stopped:
        for place, process in enumerate(processes):
            process.join(0.2)
            if not process.is_alive() and not is_stopped:
                logging.getLogger("rulewright.web").error(
                    "a server process has ended; it is started again"
                )
                processes[place] = _start_process(context, each[place], sockets)
    for process in processes:
        process.join()


def _start_process(
    context: SpawnContext, options: Options, sockets: list[socket.socket]
) -> BaseProcess:
    process = context.Process(target=_serve, args=(options, sockets))
    process.start()
    return process


def _serve(options: Options, sockets: list[socket.socket]) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    _allow_many_streams()
    sys.setswitchinterval(_SWITCH)
    gc.set_threshold(*GARBAGE)
    Thread(target=_collect_garbage, daemon=True).start()
    guard = make_app(attrs.evolve(options, warmed=_keep_for_good))
    passing = Passing(options.home)
    config = uvicorn.Config(
        guard,
        http=protocol(passing),
        access_log=False,  # addresses contain secrets
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
        limit_concurrency=8_000,
        h11_max_incomplete_event_size=32_000,
        proxy_headers=bool(options.public),
    )
    _Server(config, guard.app, passing).run(sockets=sockets)


def _keep_for_good() -> None:
    """Exclude the games from later garbage collections, which would take seconds in which no page is
    answered.
    """
    gc.collect()
    freeze()


def _collect_garbage() -> None:
    for tenth in count(1):
        sleep(_TENTH)
        gc.collect(1 if tenth % _HOUR else 2)


def _allow_many_streams() -> None:
    """Allow this process thousands of open connections, if the machine permits it; the usual limit is 1,024."""
    if sys.platform != "win32":
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if most == resource.RLIM_INFINITY else min(most, _FILES)
        if now != resource.RLIM_INFINITY and now < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class _Server(uvicorn.Server):
    """A server that ends the streams of all pages when it stops; the pages then connect to the next server."""

    def __init__(self, config: uvicorn.Config, app: ASGIApp, passing: Passing) -> None:
        super().__init__(config)
        self._app = app
        self._passing = passing

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        made: Callable[..., Protocol] = self.config.http_protocol_class
        make = partial(made, self.config, self.server_state, self.lifespan.state)
        self._passing.receive(lambda first: make(first=first))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._passing.close()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        state = self._app.state  # type: ignore[attr-defined]  # of Starlette
        if hasattr(state, "site"):
            state.loop.call_soon_threadsafe(state.site.close)


def listening(host: str, port: int) -> list[socket.socket]:
    """Return a listening socket; port 0 takes any free port."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(2048)
        found.set_inheritable(True)
    except OSError:
        found.close()
        raise
    return [found]
