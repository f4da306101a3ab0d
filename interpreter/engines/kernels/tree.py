"""Defines the tree of a search, in arrays that native code also reads and writes.

Nodes and the options of nodes ("edges") are numbers. Each of their properties is an array. `Game`
is the interface of the search to a game. Full arrays grow between two trials.
"""

from __future__ import annotations

from array import array
from enum import Enum, auto
from typing import Final, Protocol, TypeAlias

import attrs

Cells: TypeAlias = "array[int]"  # 32 bits each
Ints: TypeAlias = "array[int]"  # 64 bits each
Words: TypeAlias = "array[int]"  # 64 bits each, unsigned
Flags: TypeAlias = "array[int]"  # 8 bits each
Reals: TypeAlias = "array[float]"
Floats: TypeAlias = "array[float]"  # 32 bits each
Bytes: TypeAlias = "array[int]"  # 8 bits each, unsigned

TYPES: Final = {
    "Cells": "i",
    "Ints": "q",
    "Words": "Q",
    "Flags": "b",
    "Reals": "d",
    "Floats": "f",
    "Bytes": "B",
}
"""The type code of each class of arrays."""

SAMPLE, HERE, FOUND, SEEN, PLAYED, LEVELS = range(6)
"""The numbers of stored states.

They are the start of trials, the current state of a trial, two samples in which options are tried,
and the start of random playouts. From the last number on, there is a state for each of several
consecutive decisions.
"""
DEEP: Final = 4
"""The maximum number of decisions in one move."""
TRUE: Final = LEVELS + DEEP
"""The state of the open decision, from which samples are drawn."""
TRIED: Final = TRUE + 1
"""A past state with other pieces in hidden places."""
STATES: Final = TRIED + 1
TIMES: Final = 3
"""The number of times in a playout at which leads are recorded."""


class Done(Enum):
    """The outcome of a task in native code."""

    ALL = auto()
    FULL = auto()
    """An array is full, so the trial must be undone and repeated."""
    IMPOSSIBLE = auto()
    """A trial has reached an impossible step, so its sample is wrong."""
    NOT = auto()
    """A trial was abandoned. It must be undone and repeated in Python."""


class FullError(Exception):
    """Raised if an array is full."""


def copy_cells(to: Cells, first: int, origin: Cells, begin: int, count: int) -> None:
    """Copy cells from one array to another. In native code, this is a single memory copy."""
    to[first : first + count] = origin[begin : begin + count]


class Game(Protocol):
    """The interface of a search to a game. `Tree.work` is the working state."""

    def load(self, t: Tree, state: int) -> int:
        """Copy a stored state to the working state."""
        ...

    def save(self, t: Tree, state: int) -> int:
        """Store a copy of the working state."""
        ...

    def advance(self, t: Tree, option: int) -> int:
        """Take an option or a result of chance in the working state."""
        ...

    def options(self, t: Tree, room: int) -> int:
        """Write the options of the open decision to `offers`. Return their number, even if they do not fit."""
        ...

    def possible_state(self, t: Tree, state: int, player: int) -> int:
        """Store as `state` a random state that looks the same to a player as the working state."""
        ...

    def has(self, t: Tree, option: int) -> int:
        """Return whether an option of the open decision can be chosen."""
        ...

    def tell(self, t: Tree, option: int) -> int:
        """Advance the state as `advance` does, and write the log lines to `log_lines` (see `lines`)."""
        ...

    def below(self, t: Tree, bound: int) -> int:
        """Draw a random number below a bound."""
        ...

    def begin_playout(self, t: Tree, seed: int) -> int:
        """Begin a random playout."""
        ...

    def play_on(self, t: Tree, decisions: int) -> int:
        """Continue the playout for at most `decisions` decisions. Return the number of decisions made."""
        ...

    def points(self, t: Tree, nothing: int) -> int:
        """Write the points of all seats to `totals`."""
        ...

    def ending(self, t: Tree, nothing: int) -> int:
        """Write the points of all seats to `totals`, and the winners to `won`. The match must be over."""
        ...

    def value_here(self, t: Tree) -> int:
        """Write the value of the working state for each seat to `gains`."""
        ...

    def guide(self, t: Tree, count: int) -> int:
        """Add the ratings of the caller's policy to `edge_better` for new options."""
        ...

    def place_key(self, t: Tree, player: int) -> int:
        """Return a hash of the view of a player, or of the whole state if nothing is hidden."""
        ...


@attrs.define(eq=False)
class Tree:
    """The search tree, its tables and its working arrays."""

    seats: int
    scored: int
    """Whether there are points."""
    by_points: int
    """Whether the aim is a lead in points instead of a victory."""
    hides: int
    certain: int
    """Whether certain results are stored. This requires that the game has no hidden information and no chance."""
    me: int
    key: int
    counter: int
    """The generator of random numbers."""
    rollouts: int = 3
    """The number of random playouts from each new position."""
    spread: float = 1.0
    decisions: int = 0
    """The number of decisions made in random playouts."""
    tells: int = 0
    """Whether leads predict the result."""
    tells_at_once: int = 0
    curious: float = 1.0
    mean: float = 0.0
    square: float = 0.0
    playouts: int = 0
    nodes: int = 0
    node_room: int = 0
    edges: int = 0
    edge_room: int = 0
    mask: int = 0
    """The size of the table of nodes, minus 1."""
    steps: int = 0
    """The length of the path."""
    touched: int = 0
    touched_room: int = 0
    width: int = 0
    """The maximum number of options of a decision for which there is space."""
    left: int = 0
    """The number of decisions that may still be examined for `rows`."""
    found: float = 0.0
    found_length: int = 0
    asides: int = 0
    size: int = 0
    """The number of cells of a state."""
    together: int = -1
    """The cell that stores the running simultaneous block, or -1 if there are no such blocks."""
    pieces: int = 0
    zones: int = 0
    zone_classes: int = 0
    backs: int = 0
    tie_values: int = 0
    tie_tests: int = 0
    row_places: int = 0
    profiles: int = 0
    needs: int = 0
    hidden: int = 0
    """The number of pieces that may be in other places, given what the player knows."""
    counter_before: int = 0
    """The counter before the current trial."""
    spread_before: float = 1.0
    decisions_before: int = 0
    steps_kept: int = 0
    """The number of past steps with which a sample must agree."""
    seen_size: int = 0
    """The length of an observation."""
    seen_at: int = 0
    """The index in `seen` of the next number of the observation."""
    coded_size: int = 0
    """The length of an encoding."""
    coded_at: int = 0
    """The index in `coded` of the next number of the encoding."""
    in_bytes: int = 0
    """Whether encodings are written as integers up to 255."""
    strayed: int = 0
    """Whether a replayed step of the past has a different outcome."""
    careful: int = 0
    """Whether players in playouts win at once if they can, and prevent other players from winning at once."""
    noted: int = 0
    """The number of entries in `noted_ends`."""
    ends_known: int = 0
    """The number of options that were taken in careful playouts."""
    waits: int = 0
    """Whether a new position is valued directly, before an option is taken."""
    leaf: int = -1
    """The node of a new position that waits for its value, or -1 if there is none."""
    merits: int = 0
    """The number of things of a player that have a weight, not counting points."""
    merit_of_point: int = 0
    full: int = 0
    """Whether an array of native code is full."""
    spaces: int = 0
    """The number of spaces that patterns can contain (see `patterns`)."""
    reads: int = 0
    """The number of cells that give the content of a space."""
    contents: int = 0
    """The number of different contents of a space."""
    patterns: int = 0
    pattern_length: int = 0
    """The number of spaces in a pattern."""
    pattern_size: int = 0
    """The number of weights of a pattern for each player."""
    logs_known: int = 0
    work: Cells = attrs.field(factory=lambda: array("i"))
    states: Cells = attrs.field(factory=lambda: array("i"))
    offers: Cells = attrs.field(factory=lambda: array("i"))
    listed: Cells = attrs.field(factory=lambda: array("i"))
    """The options that are not yet examined, for each decision of a sequence."""
    here: Ints = attrs.field(factory=lambda: array("q"))
    """The edge of each offered option."""
    fresh: Ints = attrs.field(factory=lambda: array("q"))
    """Whether each offered option is new."""
    rows: Ints = attrs.field(factory=lambda: array("q"))
    """The further decisions after each offered option."""
    row_length: Ints = attrs.field(factory=lambda: array("q"))
    aside: Ints = attrs.field(factory=lambda: array("q"))
    """The options that are always available, as triples: site, first option, and the end of the range."""
    sides: Ints = attrs.field(factory=lambda: array("q"))
    side_totals: Ints = attrs.field(factory=lambda: array("q"))
    totals: Ints = attrs.field(factory=lambda: array("q"))
    leads: Ints = attrs.field(factory=lambda: array("q"))
    now: Ints = attrs.field(factory=lambda: array("q"))
    met: Ints = attrs.field(factory=lambda: array("q"))
    """The leads of each seat at each time of a playout."""
    is_met: Ints = attrs.field(factory=lambda: array("q"))
    merit: Ints = attrs.field(factory=lambda: array("q"))
    """The weight of each thing. The next arrays contain its cell for the first seat, and the distance between seats."""
    merit_cell: Ints = attrs.field(factory=lambda: array("q"))
    merit_stride: Ints = attrs.field(factory=lambda: array("q"))
    won: Flags = attrs.field(factory=lambda: array("b"))
    result: Reals = attrs.field(factory=lambda: array("d"))
    gains: Reals = attrs.field(factory=lambda: array("d"))
    parts: Reals = attrs.field(factory=lambda: array("d"))
    usual: Reals = attrs.field(factory=lambda: array("d"))
    """For each time and seat, the mean result."""
    usual_lead: Reals = attrs.field(factory=lambda: array("d"))
    slope: Reals = attrs.field(factory=lambda: array("d"))
    """For each time, the gain in expected result for each point."""
    logs: Reals = attrs.field(factory=lambda: array("d"))
    table: Ints = attrs.field(factory=lambda: array("q"))
    node_key: Words = attrs.field(factory=lambda: array("Q"))
    node_taken: Ints = attrs.field(factory=lambda: array("q"))
    node_gained: Reals = attrs.field(factory=lambda: array("d"))
    node_first: Ints = attrs.field(factory=lambda: array("q"))
    node_last: Ints = attrs.field(factory=lambda: array("q"))
    node_edges: Ints = attrs.field(factory=lambda: array("q"))
    edge_option: Ints = attrs.field(factory=lambda: array("q"))
    edge_next: Ints = attrs.field(factory=lambda: array("q"))
    edge_there: Ints = attrs.field(factory=lambda: array("q"))
    edge_taken: Ints = attrs.field(factory=lambda: array("q"))
    edge_gained: Reals = attrs.field(factory=lambda: array("d"))
    edge_better: Reals = attrs.field(factory=lambda: array("d"))
    edge_aside: Flags = attrs.field(factory=lambda: array("b"))
    edge_certain: Flags = attrs.field(factory=lambda: array("b"))
    certainty: Reals = attrs.field(factory=lambda: array("d"))
    """For each edge and seat, the certain result."""
    path_node: Ints = attrs.field(factory=lambda: array("q"))
    path_edge: Ints = attrs.field(factory=lambda: array("q"))
    path_player: Ints = attrs.field(factory=lambda: array("q"))
    touched_edges: Ints = attrs.field(factory=lambda: array("q"))
    """The edges that were offered in this trial, so that the trial can be undone."""
    end_tries: Ints = attrs.field(factory=lambda: array("q"))
    """For each slot of options (`end_slot`): how often its options were taken in playouts, and how often they won."""
    end_wins: Ints = attrs.field(factory=lambda: array("q"))
    noted_ends: Ints = attrs.field(factory=lambda: array("q"))
    """The counts of the current trial: slots, and whether the option won at once."""
    best_worth: Reals = attrs.field(factory=lambda: array("d"))
    best_row: Ints = attrs.field(factory=lambda: array("q"))
    best_length: Ints = attrs.field(factory=lambda: array("q"))
    driven: Words = attrs.field(factory=lambda: array("Q"))
    """The parameters with which native code runs playouts."""
    links: Ints = attrs.field(factory=lambda: array("q"))
    """The starts of the cells of pieces and zones (see `hidden`)."""
    owner: Ints = attrs.field(factory=lambda: array("q"))
    piece_class: Ints = attrs.field(factory=lambda: array("q"))
    zone_class: Ints = attrs.field(factory=lambda: array("q"))
    apart_class: Ints = attrs.field(factory=lambda: array("q"))
    tie_value: Ints = attrs.field(factory=lambda: array("q"))
    """The cells that refer to pieces."""
    tie_test: Ints = attrs.field(factory=lambda: array("q"))
    """Triples: a piece, a cell, and the value that the cell has if nothing is on the piece."""
    row_start: Ints = attrs.field(factory=lambda: array("q"))
    """For each zone, the start of its part of `row_place`. The part is empty unless the zone is a row."""
    row_place: Ints = attrs.field(factory=lambda: array("q"))
    """The cells of rows."""
    grown: Ints = attrs.field(factory=lambda: array("q"))
    """For each zone, the cell of its space (-1 if it has none), and a number."""
    question: Ints = attrs.field(factory=lambda: array("q"))
    """For each site, the start of its part of `asked`."""
    asked: Ints = attrs.field(factory=lambda: array("q"))
    """The arguments in the text of questions: their indices, and whether they are cells, locals or lists."""
    plans: Ints = attrs.field(factory=lambda: array("q"))
    """For each block and seat, the start of its part of `plan`."""
    plan: Ints = attrs.field(factory=lambda: array("q"))
    """The steps that read a seat's observation."""
    sees: Flags = attrs.field(factory=lambda: array("b"))
    """For each zone and seat, whether the seat sees the contents of the zone."""
    apart: Flags = attrs.field(factory=lambda: array("b"))
    """For each block and zone, whether its owner may be changing the zone during the block."""
    back: Ints = attrs.field(factory=lambda: array("q"))
    """For each class of pieces and class of zones, a number for the columns that a zone of the
    class shows of a piece of the class."""
    fitting: Flags = attrs.field(factory=lambda: array("b"))
    """For each class of pieces and each number in `back`, whether a piece of the class may be in a
    place with that number."""
    is_set: Flags = attrs.field(factory=lambda: array("b"))
    is_row: Flags = attrs.field(factory=lambda: array("b"))
    profile: Ints = attrs.field(factory=lambda: array("q"))
    """For each profile of hidden pieces: its class, and the player with whom the pieces stay (-1 for none)."""
    need: Ints = attrs.field(factory=lambda: array("q"))
    """For each need of hidden places: the number in `back`, and the players who may be moving pieces there."""
    group: Ints = attrs.field(factory=lambda: array("q"))
    """The group of each need."""
    piece_profile: Ints = attrs.field(factory=lambda: array("q"))
    piece_need: Ints = attrs.field(factory=lambda: array("q"))
    """For each hidden piece, the need of its place; for a piece in a known place, -1."""
    zone_orders: Ints = attrs.field(factory=lambda: array("q"))
    """For each block and player, the start of its part of `zone_order`."""
    zone_order: Ints = attrs.field(factory=lambda: array("q"))
    """The zones that a player does not see, in the order that sampling uses."""
    may_move: Ints = attrs.field(factory=lambda: array("q"))
    """For each block, player and zone, the players who may be moving pieces in the zone, as bits."""
    in_order: Ints = attrs.field(factory=lambda: array("q"))
    """The hidden pieces, in the order of their places."""
    rank: Ints = attrs.field(factory=lambda: array("q"))
    """The key by which pieces are sorted within a zone."""
    by_number: Ints = attrs.field(factory=lambda: array("q"))
    """The pieces of a group in the order of their numbers."""
    at_place: Ints = attrs.field(factory=lambda: array("q"))
    """For each piece of a group, the place that has taken it, or -1 if no place has."""
    asked_place: Ints = attrs.field(factory=lambda: array("q"))
    """The places that may release their piece."""
    via: Ints = attrs.field(factory=lambda: array("q"))
    """For each piece of the group, the place that will receive it."""
    member: Ints = attrs.field(factory=lambda: array("q"))
    lying: Ints = attrs.field(factory=lambda: array("q"))
    swapped: Ints = attrs.field(factory=lambda: array("q"))
    old: Ints = attrs.field(factory=lambda: array("q"))
    tied: Ints = attrs.field(factory=lambda: array("q"))
    past: Cells = attrs.field(factory=lambda: array("i"))
    """The states before the last steps, the most recent first."""
    step_choice: Ints = attrs.field(factory=lambda: array("q"))
    step_is_known: Ints = attrs.field(factory=lambda: array("q"))
    """Whether the player may know the choice."""
    step_known: Flags = attrs.field(factory=lambda: array("b"))
    """For each step and piece, whether the player knew the place of the piece before the step."""
    step_key: Words = attrs.field(factory=lambda: array("Q"))
    """A hash of the player's observation before the step."""
    step_lines: Words = attrs.field(factory=lambda: array("Q"))
    """A hash of the log lines for the player."""
    step_drawn: Ints = attrs.field(factory=lambda: array("q"))
    """For each step, the start of its part of `drawn`."""
    drawn: Ints = attrs.field(factory=lambda: array("q"))
    """The site, result and value of each result of chance."""
    log_lines: Ints = attrs.field(factory=lambda: array("q"))
    """A buffer for the lines of a step."""
    log_key: Words = attrs.field(factory=lambda: array("Q"))
    """A hash of the lines of a step so far."""
    chance_how: Ints = attrs.field(factory=lambda: array("q"))
    """For each chance site, the way to read the values of its results (see `past`), and a number."""
    said_start: Ints = attrs.field(factory=lambda: array("q"))
    """For each message, the start of its part of `said`."""
    said: Ints = attrs.field(factory=lambda: array("q"))
    """For each argument of a message: the way to read it, and three numbers."""
    word_class: Ints = attrs.field(factory=lambda: array("q"))
    """For each value of a domain, the first value with the same text."""
    watched: Cells = attrs.field(factory=lambda: array("i"))
    """The states to observe, one after another."""
    watchers: Cells = attrs.field(factory=lambda: array("i"))
    """For each observed state, its observer."""
    seen: Cells = attrs.field(factory=lambda: array("i"))
    """The observations of the states."""
    site_own: Flags = attrs.field(factory=lambda: array("b"))
    """For each site, whether the choice is private to the player who chooses."""
    sights: Ints = attrs.field(factory=lambda: array("q"))
    """For each block and seat, the start of its part of `sight`."""
    sight: Ints = attrs.field(factory=lambda: array("q"))
    """The rows of observations (see `sight`)."""
    sight_group: Ints = attrs.field(factory=lambda: array("q"))
    """Pieces, and groups of equal pieces: the size of each group and its members."""
    sight_zone: Ints = attrs.field(factory=lambda: array("q"))
    """The numbers of each zone in each plan."""
    sight_question: Ints = attrs.field(factory=lambda: array("q"))
    """For each site, the start of its part of `sight_asked`."""
    sight_asked: Ints = attrs.field(factory=lambda: array("q"))
    """The steps that compute the numbers of questions, and tables (see `sight`)."""
    sight_slot: Ints = attrs.field(factory=lambda: array("q"))
    """A working array for the used slots of a growing grid."""
    sight_stack: Ints = attrs.field(factory=lambda: array("q"))
    """A working array for the numbers of a question."""
    left_out: Ints = attrs.field(factory=lambda: array("q"))
    """The states whose questions native code leaves to an engine."""
    codings: Ints = attrs.field(factory=lambda: array("q"))
    """For each player, the start of its part of `coding`."""
    coding: Ints = attrs.field(factory=lambda: array("q"))
    """The rows of encodings (see `coding`)."""
    coding_source: Ints = attrs.field(factory=lambda: array("q"))
    """Indices into observations, and other numbers to which rows refer."""
    coding_kind: Ints = attrs.field(factory=lambda: array("q"))
    """The numbers of each kind of pieces for each player."""
    coding_place: Ints = attrs.field(factory=lambda: array("q"))
    """The channels of places, and the numbers of channels."""
    code: Ints = attrs.field(factory=lambda: array("q"))
    """The numbers of each code."""
    code_value: Floats = attrs.field(factory=lambda: array("f"))
    """The tables of codes and of columns."""
    coded: Floats = attrs.field(factory=lambda: array("f"))
    """The encodings, one after another."""
    coded_bytes: Bytes = attrs.field(factory=lambda: array("B"))
    """The encodings as integers up to 255."""
    read_cell: Ints = attrs.field(factory=lambda: array("q"))
    """For each space, the cells that give its content."""
    read_low: Ints = attrs.field(factory=lambda: array("q"))
    """For each of these cells, the least value, the number of values, and the start of its part of `read_code`."""
    read_size: Ints = attrs.field(factory=lambda: array("q"))
    read_start: Ints = attrs.field(factory=lambda: array("q"))
    read_code: Ints = attrs.field(factory=lambda: array("q"))
    """For each value, a content. The content of a space is the greatest that its cells give."""
    space_content: Ints = attrs.field(factory=lambda: array("q"))
    pattern_space: Ints = attrs.field(factory=lambda: array("q"))
    """The spaces of each pattern."""
    pattern_here: Ints = attrs.field(factory=lambda: array("q"))
    """For positions, the index of the weight of each pattern."""
    pattern_weight: Floats = attrs.field(factory=lambda: array("f"))
    pattern_drift: Floats = attrs.field(factory=lambda: array("f"))
    """The sum of the moves of each weight in training, and the sum of their sizes."""
    pattern_moved: Floats = attrs.field(factory=lambda: array("f"))
    strays: Ints = attrs.field(factory=lambda: array("q"))
    """For each position of a match, whether the option after it was taken at random."""
