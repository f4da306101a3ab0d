"""Distribute work to the machines of a cluster with Ray; if a worker is lost, its work is repeated.

This is the only module that uses Ray. Results are returned in order, so that they do not depend on the
speed of workers. Rules are sent as texts, so that no machine needs their files. Rulewright must be
installed on each machine.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

import click

from rulewright.cli.jobs.tasks import Key, Parcel, unpack

T = TypeVar("T")
R = TypeVar("R")

RETRIES = 10
"""How often a batch is retried; a batch that loses even more workers is assumed to crash them."""
AHEAD = 4
"""The number of batches per core that are submitted before the first result is read."""


@contextmanager
def cluster(jobs: int, parcels: Mapping[Key, Parcel]) -> Iterator[Cluster]:
    """Yield the cluster named by RAY_ADDRESS; without this variable, yield `jobs` processes of this machine."""
    if find_spec("ray") is None:
        raise click.UsageError("`--on ray` needs Ray; `pip install '.[ray]'` installs it")
    ray: Any = import_module("ray")
    there = "RAY_ADDRESS" in os.environ
    ray.init(
        num_cpus=None if there else jobs,
        include_dashboard=None if there else False,
        log_to_driver=False,
        logging_level="error",
    )
    try:
        processors = int(ray.cluster_resources().get("CPU", 1))
        yield Cluster(ray, processors, ray.put(dict(parcels)))
    finally:
        ray.shutdown()


class Cluster:
    """The workers of a cluster, with the interface of `processes.Workers`."""

    def __init__(self, ray: Any, jobs: int, parcels: Any) -> None:
        self._ray = ray
        self._parcels = parcels
        self.jobs = jobs

    def each(self, do: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
        """Yield the results of all parts, in the order of the parts."""
        task = self._ray.remote(max_retries=RETRIES)(_do_part)
        given: deque[Any] = deque()
        for part in parts:
            given.append(task.remote(self._parcels, do, part))
            if len(given) >= AHEAD * self.jobs:
                yield self._ray.get(given.popleft())
        while given:
            yield self._ray.get(given.popleft())


def _do_part(parcels: Mapping[Key, Parcel], do: Callable[[T], R], part: T) -> R:
    unpack(parcels)
    return do(part)
