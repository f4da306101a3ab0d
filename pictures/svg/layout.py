"""Compute places for spaces without a grid: a stable layout of a graph with few crossings, given only its
links.

Nodes that are near in the graph are placed near each other (stress majorization). Several initial layouts
are tried, and the result with the fewest crossings is used. The same graph always gets the same places.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import cos, hypot, pi, sin, sqrt

Point = tuple[float, float]

_LARGE_RING = 6
_TRIES = 4
_ROUNDS = 60
_GOLDEN = pi * (3 - sqrt(5))


@lru_cache(maxsize=64)
def places(count: int, edges: tuple[tuple[int, int], ...]) -> tuple[Point, ...]:
    """Return the places of the nodes 0 .. count - 1; linked nodes are about 1 apart."""
    found: list[Point] = [(0.0, 0.0)] * count
    left = 0.0
    alone: list[int] = []
    for part in _parts(count, edges):
        if len(part) == 1:
            alone += part
            continue
        at = {node: number for number, node in enumerate(part)}
        inner = tuple((at[a], at[b]) for a, b in edges if a in at and b in at)
        around = _around(len(part), inner)
        points = _frame(around) if around else _wide(_best(len(part), inner))
        least = min(x for x, _ in points)
        for node, (x, y) in zip(part, points, strict=True):
            found[node] = (x - least + left, y)
        left = max(found[node][0] for node in part) + 1.2
    top = min((y for _, y in found), default=0.0)
    for number, node in enumerate(alone):
        across = max(1, round(sqrt(len(alone) * 2)))
        found[node] = (left + number % across * 1.1, top + number // across * 1.1)
    return tuple(found)


@lru_cache(maxsize=64)
def spread(
    points: tuple[Point, ...], sizes: tuple[Point, ...], rounds: int = 80
) -> tuple[Point, ...]:
    """Push the places apart until boxes of the given widths and heights around them do not overlap."""
    found = [list(point) for point in points]
    for _ in range(rounds):
        moved = False
        for a, b in combinations(range(len(found)), 2):
            dx, dy = found[b][0] - found[a][0], found[b][1] - found[a][1]
            width, height = (
                (one + other) / 2 for one, other in zip(sizes[a], sizes[b], strict=True)
            )
            over_x, over_y = width - abs(dx), height - abs(dy)
            if over_x <= 0.01 or over_y <= 0.01:
                continue
            moved = True
            if over_x / width < over_y / height:
                step = over_x / 2 * (1 if dx > 0 or (dx == 0 and a < b) else -1)
                found[a][0] -= step
                found[b][0] += step
            else:
                step = over_y / 2 * (1 if dy > 0 or (dy == 0 and a < b) else -1)
                found[a][1] -= step
                found[b][1] += step
        if not moved:
            break
    return tuple((x, y) for x, y in found)


def crossings(points: Sequence[Point], edges: Sequence[tuple[int, int]]) -> int:
    """Return the number of crossings of two links without a common end."""
    return sum(
        _cross(points[a], points[b], points[c], points[d])
        for (a, b), (c, d) in combinations(edges, 2)
        if len({a, b, c, d}) == 4
    )


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _parts(count: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the connected parts of a graph, the largest first."""
    near = _near(count, edges)
    left, found = set(range(count)), []
    while left:
        first = min(left)
        part = sorted(_distances(near, first))
        left -= set(part)
        found.append(part)
    return sorted(found, key=len, reverse=True)


def _near(count: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    return near


def _distances(near: Sequence[Sequence[int]], start: int) -> dict[int, int]:
    found, waiting = {start: 0}, deque([start])
    while waiting:
        node = waiting.popleft()
        for other in near[node]:
            if other not in found:
                found[other] = found[node] + 1
                waiting.append(other)
    return found


def _around(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the nodes of a large ring in order, or an empty list for any other graph."""
    near = _near(count, edges)
    if count < _LARGE_RING or any(len(others) != 2 for others in near):
        return []
    found = [0, near[0][0]]
    while len(found) < count:
        found.append(next(node for node in near[found[-1]] if node != found[-2]))
    return found


def _frame(around: Sequence[int]) -> list[Point]:
    """Place a ring as the frame of a rectangle, which is smaller than a circle; linked nodes are 1 apart."""
    sides = -(-len(around) // 2)
    wide = -(-sides // 2)
    high = sides - wide
    frame = [
        *((x, 0) for x in range(wide)),
        *((wide, y) for y in range(high)),
        *((x, high) for x in range(wide, 0, -1)),
        *((0, y) for y in range(high, 0, -1)),
    ]
    found: list[Point] = [(0.0, 0.0)] * len(around)
    for node, (x, y) in zip(around, frame, strict=False):
        found[node] = float(x), float(y)
    return found


def _best(count: int, edges: Sequence[tuple[int, int]]) -> list[Point]:
    near = _near(count, edges)
    apart = [_distances(near, node) for node in range(count)]
    tried = []
    for number in range(_TRIES):
        points = _settle(_beginning(count, number), apart)
        tried.append((crossings(points, edges), number, points))
    return min(tried)[2]


def _beginning(count: int, number: int) -> list[Point]:
    """Return the initial places of the nodes: on a spiral, or on a circle in a different order for each
    `number`.
    """
    if number == 0:
        return [
            (sqrt(node + 0.5) * cos(node * _GOLDEN), sqrt(node + 0.5) * sin(node * _GOLDEN))
            for node in range(count)
        ]
    around = [2 * pi * (node * (2 * number - 1) % count) / count for node in range(count)]
    return [
        (count / 6 * cos(angle) + 0.01 * node, count / 6 * sin(angle))
        for node, angle in enumerate(around)
    ]


def _settle(points: list[Point], apart: Sequence[dict[int, int]]) -> list[Point]:
    """Move the nodes until their distances in the picture nearly equal their distances in the graph."""
    for _ in range(_ROUNDS):
        points = [_better_point(node, points, apart[node]) for node in range(len(points))]
    return points


def _better_point(node: int, points: Sequence[Point], apart: dict[int, int]) -> Point:
    x, y = points[node]
    sum_x = sum_y = weights = 0.0
    for other, steps in apart.items():
        if other == node:
            continue
        ox, oy = points[other]
        distance = hypot(x - ox, y - oy) or 0.01
        weight = 1 / (steps * steps)
        sum_x += weight * (ox + steps * (x - ox) / distance)
        sum_y += weight * (oy + steps * (y - oy) / distance)
        weights += weight
    return (sum_x / weights, sum_y / weights) if weights else (x, y)


def _wide(points: Sequence[Point]) -> list[Point]:
    """Rotate the places so that the picture is wider than high."""
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    best: list[Point] = list(points)
    least = None
    for degree in range(0, 180, 10):
        angle = degree * pi / 180
        turned = [
            (
                (x - middle_x) * cos(angle) - (y - middle_y) * sin(angle),
                (x - middle_x) * sin(angle) + (y - middle_y) * cos(angle),
            )
            for x, y in points
        ]
        height = max(y for _, y in turned) - min(y for _, y in turned)
        if least is None or height < least - 1e-9:
            least, best = height, turned
    return best
