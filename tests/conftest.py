"""Settings for all tests: hypothesis profiles, no coverage for the slowest tests, no notes of earlier runs."""

import gc
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from rulewright.dsl.loading import collection
from rulewright.interpreter.engines.native import engine as native_engine
from rulewright.interpreter.engines.native import for_browsers, llvm
from tests.browser import chromium
from tests.postgres import has_postgres

settings.register_profile("fast", derandomize=True, deadline=None, max_examples=50, database=None)
settings.register_profile("deep", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile("fast")

gc.set_threshold(50_000, 20, 1_000_000)
"""Only new objects are searched for garbage in the middle of a file; all of them at its end."""


WHOLE = [Path(__file__).parent / folder for folder in ("bench", "games", "properties")]


@cache
def _is_whole(file: Path) -> bool:
    return any(file.is_relative_to(folder) for folder in WHOLE)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None]:
    without = None if chromium() else pytest.mark.skip(reason="there is no chromium")
    for item in items:
        if without is not None and item.get_closest_marker("browser"):
            item.add_marker(without)
        if item.get_closest_marker("postgres") and not has_postgres():
            item.add_marker(pytest.mark.skip(reason="there is no postgresql"))
        if _is_whole(item.path):
            item.add_marker("whole")
        if item.get_closest_marker("slow") or item.get_closest_marker("deep"):
            item.add_marker("no_cover")
    yield
    items[:] = _by_worker(items, getattr(config, "workerinput", {}).get("workercount", 1))


def _by_worker(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """The tests that each worker runs first, one worker after the other. Long tests come first for each, so that no
    worker waits at the end.

    All tests of a game, or of a file, belong to one worker, so only one compiles the game."""
    groups: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        groups[_group(item)].append(item)
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    weights = [0] * workers
    weighed = [(sum(map(_weight, group)), group) for group in groups.values()]
    for weight, group in sorted(weighed, key=lambda pair: -pair[0]):
        at = weights.index(min(weights))
        parts[at].extend(group)
        weights[at] += weight
    # Each worker gets the same number of tests, whatever their lengths: who has more of them gives short ones away.
    left = len(items)
    sizes = []
    for waiting in range(workers, 0, -1):
        sizes.append(left // waiting)
        left -= sizes[-1]
    spare: list[pytest.Item] = []
    for part, size in zip(parts, sizes, strict=True):
        part.sort(key=_is_short)
        spare += part[size:]
        del part[size:]
    for part, size in zip(parts, sizes, strict=True):
        missing = size - len(part)
        part.extend(spare[:missing])
        del spare[:missing]
    return [item for part in parts for item in part]


def _group(item: pytest.Item) -> str:
    """The game of a test in the folders for whole games, otherwise the file of the test; one group for all pages.

    Tests of pages share the files that are written once and the code compiled for browsers; other workers compute while
    they wait for a browser."""
    compiles = item.path.parent.name == "playground" or item.path.stem == "test_wasm"
    if compiles or item.get_closest_marker("browser"):
        return "browser"
    call = getattr(item, "callspec", None)
    game = call.params.get("game") if call is not None and _is_whole(item.path) else None
    return game if isinstance(game, str) else str(item.path)


def _weight(item: pytest.Item) -> int:
    """A rough estimate of the length of a test, relative to others."""
    return (20, 5, 1)[_is_short(item)]


def _is_short(item: pytest.Item) -> int:
    return 0 if item.get_closest_marker("slow") else 1 if item.get_closest_marker("whole") else 2


@pytest.fixture(scope="session", autouse=True)
def _own_cache() -> Iterator[None]:
    """No test uses results of earlier runs or leaves results for later runs."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
            patch.setitem(os.environ, name, folder)
        collection.freeze()
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_native_code(request: pytest.FixtureRequest) -> Iterator[None]:
    """Native code is compiled without LLVM's optimisations where a test names no level: that takes a tenth of the time.
    The code for browsers is optimised, and compiled once for all pages.

    `make deep` optimises it as for users."""
    with pytest.MonkeyPatch.context() as patch:
        once = cache(llvm.compile_for_browsers)
        patch.setattr(for_browsers, "compile_for_browsers", once)
        if request.config.getoption("hypothesis_profile") != "deep":
            patch.setattr(native_engine, "BEST", 0)
            patch.setattr(native_engine, "SHORT", sys.maxsize)  # nothing is compiled again later
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """The objects left by a file are not searched for garbage again: most of them are games that later files use."""
    yield
    if nextitem is not None and nextitem.path != item.path:
        gc.collect()
        collection.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Lists the tests that did not run without a browser, and the ten slowest files."""
    left = [
        one
        for one in terminalreporter.stats.get("skipped", ())
        if "no chromium" in str(one.longrepr)
    ]
    if left:
        terminalreporter.write_line(
            f"NOT RUN: {len(left)} tests in a browser, for there is no chromium (apt-get install chromium)",
            yellow=True,
        )
    left = [
        one
        for one in terminalreporter.stats.get("skipped", ())
        if "no postgresql" in str(one.longrepr)
    ]
    if left:
        terminalreporter.write_line(
            f"NOT RUN: {len(left)} tests with PostgreSQL, for there is none (pip install --group dev)",
            yellow=True,
        )
    spent: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                spent[report.nodeid.partition("::")[0]] += report.duration
    if sum(spent.values()) > 60:
        terminalreporter.section("slowest files")
        for file, seconds in sorted(spent.items(), key=lambda pair: -pair[1])[:10]:
            terminalreporter.line(f"{seconds:7.1f} s  {file}")
