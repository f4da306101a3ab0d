"""Defines the core intermediate representation: the meaning of a checked game, in numbers.

A `Program` is one game for one number of players and one choice of options. Everything in a state
is a bounded integer in one flat array (`array('i')`); names, texts and sources are in separate
tables. The representation is independent of text files, of user interfaces and of how any engine
runs it. The reference interpreter in `rulewright.interpreter` defines its meaning.

State layout: `HEADER` cells, then globals and arrays as the program lays them out (the `far` arrays last), then the
stack up to `size`.

There are two types of procedures. *Plain* procedures run to their end without interruption (on the
host call stack; their locals belong to the host and may be lists). *Suspending* procedures can
reach a decision or a chance event, and are cut into numbered *blocks*. A frame of a suspending
procedure on the stack is `[resume block of the caller, frame pointer of the caller, locals...]`.

Invariants: cells at and above the stack pointer are zero; a frame is zeroed when its procedure
returns. During a run, RESUME is HALT, SITE and PLAYER are -1 and BOUND is 0; they also have these
values at the end. At a decision, these cells are set before the decision's enumerator runs. `main`
runs in a frame at `stack`; this frame returns to HALT, and its frame pointer of the caller is 0.
Locals start at 0. Everything is evaluated from left to right, but a value is evaluated before the
address to which it is written. A run that continues without a decision is eventually stopped
(`no-progress`), and so are plain procedures that call themselves endlessly (`too-deep`). The moment
at which they are stopped is not part of the meaning. A number that does not fit into a cell is a
compiler bug. Numbers are integers: division and modulo round down; comparison and logic return 0 or
1; "nothing" is -1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

from attrs import field

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import frozen

T = TypeVar("T")

# ---- header cells -----------------------------------------------------------------------------------

RESUME = 0  # The block to run next.
FP = 1  # Frame pointer: index of the running frame.
SP = 2  # Stack pointer: first free cell.
SITE = 3  # The open decision or, if BOUND is not 0, the open chance event; -1 during a run and after the game.
PLAYER = 4  # The player whose decision is open; -1 if a chance event or nothing is open.
BOUND = 5  # The number of results of the open chance event; 0 if none is open.
GUARD = 6  # The number of open possibility scopes.
OVER = 7  # 1 when the game has ended.
HEADER = 8
FRAME = 2  # cells of a frame before its locals
HALT = 0  # block 0: returning to it ends a run that was started by `Possible` or by the runner

# ---- expressions (no effects) -----------------------------------------------------------------------
# A value is an integer or a list (a tuple of values). Operands, addresses, conditions and the arguments of
# suspending procedures are numbers. Lists have value semantics: appending to a list in a local does
# not change copies of the list.


# Classes without fields are groups of classes: a `match` statement that treats all classes of a
# group alike names the group.


@frozen
class Leaf:
    """An expression without parts."""


@frozen
class Logic:
    """A condition that consists of other conditions."""


@frozen
class OfList:
    """An expression that makes a list, or reads something from a list."""


@frozen
class Const(Leaf):
    """A number or a constant list."""

    value: int | tuple[object, ...]


@frozen
class Local(Leaf):
    """A local of the running procedure.

    In a plain procedure this is a host local; in a suspending procedure it is `state[FP + FRAME +
    slot]`.
    """

    slot: int


@frozen
class LocalList(Leaf):
    """A list in the frame of a suspending procedure. It is stored as `[count, items...]`, beginning at `slot`."""

    slot: int


@frozen
class Load:
    """`state[address]`: a header cell, a global or an array element. Frames are read only through locals.

    If `far` is true, the address is relative to `Program.far`.
    """

    address: Expr
    far: bool = False


@frozen
class Table:
    """`tables[table][index]`. Elements are numbers or lists. An index outside the table is a compiler bug."""

    table: int
    index: Expr


BinaryWord = Literal["+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "min", "max"]


@frozen
class Binary:
    """`a + b` or another operation.

    If the divisor of `//` or `%` may be zero, the compiler emits a `Fault` before the operation.
    """

    operator: BinaryWord
    left: Expr
    right: Expr


@frozen
class Not(Logic):
    """1 if the operand is 0, and 0 otherwise."""

    operand: Expr


@frozen
class And(Logic):
    """1 if neither side is 0, and 0 otherwise. The right side is not evaluated if the left side is 0."""

    left: Expr
    right: Expr


@frozen
class Or(Logic):
    """0 if both sides are 0, and 1 otherwise. The right side is not evaluated if the left side is not 0."""

    left: Expr
    right: Expr


@frozen
class Choice:
    """`a if condition else b`. Only one side is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class CallValue:
    """The value that a plain procedure without effects returns; 0 if the procedure ends without `Return`."""

    procedure: int
    arguments: tuple[Expr, ...]


@frozen
class MakeList(OfList):
    """A list of the given items."""

    items: tuple[Expr, ...]


@frozen
class Length(OfList):
    """The number of items in a list."""

    of: Expr


@frozen
class At(OfList):
    """The item of a list at an index counted from 0; -1 (nothing) if the index is out of range."""

    of: Expr
    index: Expr


@frozen
class Has(OfList):
    """1 if the list contains the number, and 0 otherwise. The number is evaluated before the list."""

    of: Expr
    item: Expr


@frozen
class Possible:
    """1 if the suspending procedure, called on a copy of the state, can reach its end or the horizon; else 0.

    To compute this, copy the state (in the copy, nothing is open and OVER is 0), push a frame that
    returns to HALT, and increase GUARD by 1. Then search as described in `Site`.
    """

    procedure: int
    arguments: tuple[Expr, ...]
    actor: (
        Expr  # the player whose further decisions are searched; decisions of others are the horizon
    )


Expr = (
    Const
    | Local
    | LocalList
    | Load
    | Table
    | Binary
    | Not
    | And
    | Or
    | Choice
    | CallValue
    | MakeList
    | Length
    | At
    | Has
    | Possible
)

# ---- statements -------------------------------------------------------------------------------------


@frozen
class Loop:
    """A structured loop, with a body."""


@frozen
class Exit:
    """A statement after which the next statement never runs."""


@frozen
class Assignment:
    """A statement that changes a local or a cell of the state."""


@frozen
class Notice:
    """A statement that reports something and does not change the state."""


@frozen
class SetLocal(Assignment):
    """`local = value`"""

    slot: int
    value: Expr


@frozen
class SetLocalList(Assignment):
    """Store a list in the frame of a suspending procedure, as its length followed by its items.

    The other cells up to `capacity` become 0. If a list is longer than `capacity`, the compiler has
    a bug.
    """

    slot: int
    capacity: int
    value: Expr


@frozen
class Store(Assignment):
    """`state[address] = value`, in globals and arrays. If `far` is true, the address is relative to
    `Program.far`.
    """

    address: Expr
    value: Expr
    far: bool = False


@frozen
class If:
    """A structured choice. It contains no decision and no call of a suspending procedure."""

    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@frozen
class While(Loop):
    """A structured loop. If `counted` is true, the loop is not known to end, and its iterations are counted."""

    condition: Expr
    body: tuple[Stmt, ...]
    counted: bool = False
    span: Span | None = field(default=None, eq=False)


@frozen
class ForRange(Loop):
    """Run the body with `slot = low, low + 1, ..., high`, including both ends. The bounds are evaluated once."""

    slot: int
    low: Expr
    high: Expr
    body: tuple[Stmt, ...]


@frozen
class ForEach(Loop):
    """Run the body once for each item of a list, with the item in `slot`.

    The list is evaluated once. In plain procedures, items may be lists.
    """

    slot: int
    of: Expr
    body: tuple[Stmt, ...]


@frozen
class Break(Exit):
    """Leave the innermost structured loop."""


@frozen
class Continue(Exit):
    """Continue with the next iteration of the innermost structured loop."""


@frozen
class Append(Assignment):
    """Append an item to the list in a host local of a plain procedure.

    The procedure must first have set this local to an empty list.
    """

    slot: int
    value: Expr


@frozen
class CallPlain:
    """Call a plain procedure for its effects."""

    procedure: int
    arguments: tuple[Expr, ...]


@frozen
class Return(Exit):
    """End a plain procedure, and return `value` if it is given. This statement is never in blocks."""

    value: Expr | None = None


@frozen
class Offer(Notice):
    """Offer an option for the choice.

    This statement occurs only in enumerators, and in plain procedures that enumerators call to
    offer options.
    """

    option: Expr


@frozen
class Refuse(Notice):
    """Refuse an option, and give a reason. This statement is only in enumerators. An option is
    offered or refused at most once.

    The parts are evaluated only if reasons are requested, so they must not fail.
    """

    option: Expr
    message: int
    arguments: tuple[Expr, ...]


@frozen
class Log(Notice):
    """Write a log line for one player, or for all players if `audience` is -1.

    Without a log, the parts of the line are not evaluated, so evaluating them must never fail.
    """

    message: int
    arguments: tuple[Expr, ...]
    audience: Expr


@frozen
class Fail(Exit):
    """Fail, because this step is impossible.

    This ends a search branch; outside a search, it raises the fault `impossible-step`.
    """

    message: int
    arguments: tuple[Expr, ...]


@frozen
class Fault(Exit):
    """Raise a fault, with its location, for a runtime error that no checker can rule out; `fault`
    is an index into `Program.faults`.
    """

    fault: int


@frozen
class Mark(Notice):
    """For coverage, count one visit to the rule, action, branch or card effect with the number `mark`.

    The state does not change. If `row` is given, the number is `mark + row`, because some things
    have a mark for each card.
    """

    mark: int
    row: Expr | None = None


Stmt = (
    SetLocal
    | SetLocalList
    | Store
    | If
    | While
    | ForRange
    | ForEach
    | Break
    | Continue
    | Append
    | CallPlain
    | Return
    | Offer
    | Refuse
    | Log
    | Fail
    | Fault
    | Mark
)

# ---- blocks of suspending procedures ----------------------------------------------------------------


@frozen
class Goto:
    """Continue at a block of the same procedure."""

    block: int


@frozen
class Branch:
    """Continue at `then` if the condition is not 0, and at `otherwise` if it is 0."""

    condition: Expr
    then: int
    otherwise: int


@frozen
class CallThen:
    """Push a frame for a suspending procedure, with these arguments in its first locals. On its
    return, continue at `block`.

    If the frame does not fit below `size`, this raises the fault `too-deep`.
    """

    procedure: int
    arguments: tuple[Expr, ...]
    block: int


@frozen
class Choose:
    """Open the decision `site` for a player, store the chosen option in local `slot`, and continue at `block`.

    If no option is offered, this is a `Fail` with the `empty` message of the site. (To find this
    out, the enumerator runs to its first offer.) If every offered option turns out to be
    impossible, requesting the options raises the fault `impossible-step`.
    """

    site: int
    player: Expr
    slot: int
    block: int


@frozen
class Chance:
    """Open a chance event with the equally likely results 0..bound-1. Store the result in local
    `slot`, and continue at `block`.

    If the bound is 1 or less, the procedure does not suspend, and the result is 0.
    """

    site: int
    bound: Expr
    slot: int
    block: int


@frozen
class Finish:
    """Return from the procedure: set its frame to zero, pop the frame, and continue in the caller."""


@frozen
class Enter:
    """Open a possibility scope (GUARD + 1), and continue at `block`."""

    block: int


@frozen
class Leave:
    """Close a possibility scope (GUARD - 1), and continue at `block`."""

    block: int


@frozen
class Try:
    """`if possible`: search, on a copy of the state, for a run from block `body` that reaches the
    end of a scope, or the horizon.

    `body` begins with `Enter`, and the scope ends with its `Leave`. If the search succeeds, the run
    continues at `body`, and otherwise at `otherwise`. `actor` is the player whose decisions are
    searched. Inside another search, this search is separate and has its own copy.
    """

    body: int
    otherwise: int
    actor: Expr


@frozen
class EndGame:
    """End the game: OVER = 1, RESUME = HALT, SITE = PLAYER = -1. The stack stays as it is.

    `span` is the place of the `end game`; it is None at the end of `play`.
    """

    span: Span | None = field(default=None, eq=False)


Terminator = Goto | Branch | CallThen | Choose | Chance | Finish | Enter | Leave | Try | EndGame


@frozen
class Block:
    """Statements without jumps, and their terminator. The index in `Program.blocks` is the resume
    point; block 0 is HALT.

    `span` is the loop or rule that contains the statements.
    """

    procedure: int
    body: tuple[Stmt, ...]
    end: Terminator
    span: Span | None = field(default=None, eq=False)


@frozen
class Plain:
    """A plain procedure. Its parameters are its first locals."""

    name: str
    parameters: int
    locals: int
    body: tuple[Stmt, ...]
    span: Span | None = field(default=None, eq=False)


@frozen
class Suspending:
    """A suspending procedure. Its parameters are its first locals, and `entry` is its first block."""

    name: str
    parameters: int
    locals: int
    entry: int
    span: Span | None = field(default=None, eq=False)


# ---- words beside the numbers -----------------------------------------------------------------------


@frozen
class Domain:
    """The names of a range of values. The value `offset + i` has the name `names[i]`.

    If `names` is empty, values are shown as numbers. -1 is shown as `none`. `texts` contains the
    text that people see for each name; if `texts` is empty, people see the names. `owners` contains
    the seat to which each value belongs, or -1 for a value that belongs to nobody. `owners` is
    empty if no value has an owner.
    """

    name: str
    offset: int = 0
    names: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()


def nothing_message(word: str, *, is_done: bool) -> str:
    """Return the message for an action or thing with this name when nothing can be chosen.

    >>> nothing_message("declare_war", is_done=True), nothing_message("town", is_done=False)
    ('no way to declare war', 'no town can be chosen')
    """
    spaced = word.replace("_", " ")
    return f"no way to {spaced}" if is_done and word else f"no {spaced or 'option'} can be chosen"


ASKED = "what do you do?"
"""The default prompt of a decision."""


@frozen
class Shown:
    """A placeholder for the argument with the index `argument`. It is shown as one or several
    values of `domains[domain]`.
    """

    argument: int
    domain: int


@frozen
class Counted:
    """Words that depend on the argument with the index `argument`: `one` if the argument is 1, and `many` otherwise."""

    argument: int
    one: str
    many: str


@frozen
class Message:
    """Words with placeholders.

    `clauses` are the clauses that the message cites, and `span` is its place in the rules.
    """

    parts: tuple[str | Shown | Counted, ...]
    clauses: tuple[str, ...] = ()
    span: Span | None = field(default=None, eq=False)
    derived: bool = False  # computed from a condition, not written by the author

    @property
    def written(self) -> str:
        """Return the words and placeholders as the author wrote them.

        Without such a text, each placeholder becomes `{...}`.
        """
        if self.span is not None and self.span.text.startswith('"'):
            return self.span.text.strip('"')
        if self.derived and self.span is not None:
            return f"it needs {self.span.text.removeprefix('needs ')}"
        return "".join(part if isinstance(part, str) else "{...}" for part in self.parts)


@frozen
class Naming:
    """The name, such as `march(lon, yor)`, that an author gives to the options of an arm.

    `shown` contains the indices of the arguments in the brackets. `chosen` is the number of leading
    arguments that the player chooses. `values` is a plain procedure of (site arguments..., chosen
    arguments...) that computes the other arguments. It is None if there are no other arguments.
    """

    word: str
    shown: tuple[int, ...]
    chosen: int
    values: int | None = None


@frozen
class Arm:
    """An arm of a decision: the options `base` .. `base + product of sizes - 1`, which encode arguments in mixed radix.

    The last argument varies fastest. `name` is "" for a bare value (`tile_red_04`), and otherwise
    the word of an action or option (`drop(4)`, `pass`). The value of an argument is `low + digit`;
    its domain determines how this value is named. `words` is a plain procedure of (site
    arguments..., arguments...) that returns the list of arguments of `message`. `words` and
    `message` are None if the option has only its name. `reasons` is a plain procedure of the same
    arguments; it returns why a thing is not offered. Its result is empty if all conditions are met.
    Otherwise it contains the number of met conditions, a flag (1 if the author `says_why`), a
    message, and the arguments of the message. If `laid_open` is true, the following steps show the
    chosen thing to everybody immediately. If `aside` is true, the option does not answer the
    question, but is possible at any time. `named` is the name that the author gave to these
    options, if any; it has no other effect.
    """

    base: int
    name: str
    arguments: tuple[tuple[int, int, int], ...]  # (domain, low, size)
    message: int | None = None
    words: int | None = None
    span: Span | None = field(default=None, eq=False)
    reasons: int | None = None
    says_why: bool = False
    laid_open: bool = False
    aside: bool = False
    named: Naming | None = None

    @property
    def word(self) -> str:
        """Return the name of the options without the brackets; "" for a bare value."""
        return self.name if self.named is None else self.named.word

    def in_name(self, each: Sequence[T]) -> Sequence[T]:
        """`each` has one element for each argument. Return the elements for the arguments in the
        name, in the order of the name.
        """
        return each if self.named is None else [each[place] for place in self.named.shown]

    @property
    def least(self) -> int:
        """Return how many arguments a scenario must write.

        Computed arguments after the last chosen argument may be left out.
        """
        if self.named is None:
            return len(self.arguments)
        chosen = self.named.chosen
        leads = chosen > 0 and tuple(self.named.shown[:chosen]) == tuple(range(chosen))
        return chosen if leads else len(self.named.shown)

    @property
    def chosen(self) -> tuple[tuple[int, int, int], ...]:
        """Return the arguments that the player chooses."""
        return self.arguments if self.named is None else self.arguments[: self.named.chosen]


@frozen
class Site:
    """A numbered decision.

    `arguments` are expressions over the frame of the suspended procedure (`Local`, `LocalList`,
    `Load`...). `enumerator` is a plain procedure that takes these arguments. It offers and refuses
    options in a fixed order, without effects.

    If `search` is true, an offered option is possible only if a search succeeds. The search copies
    the state, takes the option and runs. A `Fail` or an empty choice refuses the option. The search
    succeeds when GUARD falls below 1, or at a chance event, another player's decision, the end of
    the game, or a return to HALT. At a later decision of the same player, at least one option must
    itself succeed. These options are tried in order; at a site without `search`, any option is
    enough. Equal states are not searched twice. A search tries at most `Program.lookahead` options,
    including the option in question; trying one more raises the fault `search-too-long`.

    `settled` has ranges (from, below) of options that are possible without a search. A further
    decision that offers such an option succeeds, too. If `always` is true, any further decision at
    this site succeeds. `sure` is a plain procedure of the same arguments. Of the options that
    normally need a search, it offers those that are possible without one in the current position;
    an engine need not use this procedure. If `own` is true, only `player` may know the options;
    other players see only that there is a decision.
    """

    procedure: int
    slot: int
    arguments: tuple[Expr, ...]
    enumerator: int
    arms: tuple[Arm, ...]
    search: bool
    prompt: int  # message
    prompt_arguments: tuple[Expr, ...]
    empty: int  # message of the failure when nothing is offered
    word: str = ""  # the noun for the chosen thing, from the file: `card`, `column`
    span: Span | None = field(default=None, eq=False)
    own: bool = False
    settled: tuple[tuple[int, int], ...] = ()
    always: bool = False
    sure: int | None = None


@frozen
class ChanceSite:
    """A numbered chance event, with the values to draw from.

    If `domain` is not None, it contains the names of the results. Result `i` is the value `low +
    i`, unless `values` is given. `values` is evaluated over the frame of the suspended procedure,
    and returns the list of the values of the results.
    """

    procedure: int
    slot: int
    purpose: Literal["shuffle", "roll", "random"]
    domain: int | None = None
    low: int = 0
    word: str = ""
    span: Span | None = field(default=None, eq=False)
    values: Expr | None = None


@frozen
class FaultText:
    """A fault that can occur during a match."""

    code: str
    message: str
    span: Span | None = field(default=None, eq=False)


Sight = Literal["all", "owner", "others", "nobody"]
"""The players who see a thing of a player: everybody, only this player, everybody except this player, or nobody."""


@frozen
class Laid:
    """The common base of the groups of cells that each owner has: states, zones and places for tokens.

    A growing grid stores the contents of its spaces in slots. If `cell_of` is not -1, `owners` are
    the numbers of the slots, and the cell `cell_of + slot` contains the space of the slot, or -1 if
    the slot is free.
    """

    name: str
    owner: str  # "" for the table, "player", or a kind of thing
    owners: tuple[int, ...]  # ids of the owners ((-1,) for the table)
    stride: int
    sizes: tuple[int, ...]  # the number of values of each index
    index_domains: tuple[int, ...]
    index_lows: tuple[int, ...]
    seen: Sight
    except_for: tuple[str, ...]  # "size", or columns that everybody sees in any case
    span: Span | None = field(eq=False)
    cell_of: int
    listed: bool  # whether views show it


@frozen
class Kept(Laid):
    """A stored value (a state): its cells, its meaning, and who sees it.

    The cell of owner `o` (its position in `owners`, 0 for the table) and indices i, j.. is `base +
    o * stride + mixed radix of the indices over sizes` (row-major).
    """

    base: int
    domain: int
    low: int
    high: int
    start: int
    list_capacity: int  # > 0: the cell is a count followed by this many items


@frozen
class PlaceInfo(Laid):
    """A group of zones with the ids `first + o * stride + index`, the pieces that the zones may
    contain, and the players who see the pieces.
    """

    as_begun: int  # see `Program.together`
    first: int
    shape: Literal["pile", "set", "row", "spot"]
    slots: int  # of a row; 0 for other shapes
    kinds: tuple[str, ...]


@frozen
class TokenPlace(Laid):
    """Places of interchangeable tokens, in the cells `base + o * stride + index * colours + colour`."""

    as_begun: int
    base: int
    token: str
    colours: int  # 1, or the number of players if tokens belong to players and the place does not
    own_colour: bool  # whether a player owns the place, and only this player's tokens are there


@frozen
class PieceLinks:
    """The cells of the engine's linked lists of pieces.

    For piece p in zone z, the cell `zone_of + p` contains z, or -1 if the piece is nowhere. `next +
    p` and `previous + p` contain the neighbours in the zone from bottom to top, or -1 at the ends.
    `head + z`, `tail + z` and `count + z` contain the ends and the length of the list. Sets are
    linked in the order of piece ids. In a row, `slot_of + p` contains the slot (1..), and elsewhere
    0; the slots of rows are in `row_cells`. The cell `known + p` has bit q set if player q has been
    shown the piece; `known` is -1 if there are no such cells.
    """

    pieces: int
    zones: int
    zone_of: int
    next: int
    previous: int
    head: int
    tail: int
    count: int
    slot_of: int
    known: int
    row_cells: tuple[tuple[int, int, int], ...] = ()  # (zone, first cell, slots)


@frozen
class PieceKind:
    """A kind of piece with the ids `first .. first + count - 1`. `rows[i]` is the name of the row
    of piece `first + i`.

    For pieces that belong to players, `owners[i]` is the seat; for all other pieces, `owners` is
    empty. `words[i]` are the words on the piece, or "" if there are none. `clauses[i]` are the
    clauses that the powers and effects of the piece cite. `absent` are rows without copies.
    """

    name: str
    first: int
    count: int
    rows: tuple[str, ...]
    columns: tuple[tuple[str, int, int], ...]  # (name, domain, table indexed by id - first)
    span: Span | None = field(default=None, eq=False)
    owners: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    clauses: tuple[tuple[str, ...], ...] = ()
    absent: tuple[str, ...] = ()


@frozen
class ValueKind:
    """A kind with columns. `texts[i]` is the name that people see for value `i`."""

    name: str
    rows: tuple[str, ...]
    texts: tuple[str, ...]
    columns: tuple[tuple[str, int, int], ...]
    words: tuple[str, ...] = ()
    clauses: tuple[tuple[str, ...], ...] = ()


@frozen
class Sources:
    """The sources of the rows of a table.

    Each row is given by its name and a word such as `seed` ("" if the row has no source).
    """

    name: str  # of the kind, piece, space or table
    what: Literal["kind", "piece", "space", "table"]
    rows: tuple[tuple[str, str], ...]
    file: str = ""


@frozen
class SpaceKind:
    """A kind of space or link with the ids `first .. first + count - 1`.

    On a grid, `places` contains the (x, y) of each space.
    """

    name: str
    first: int
    count: int
    rows: tuple[str, ...]
    columns: tuple[tuple[str, int, int], ...]
    places: tuple[tuple[int, int], ...] = ()
    growing: bool = False
    span: Span | None = field(default=None, eq=False)
    shape: str = ""  # of a grid: square, hex, rhombus, hexagon or growing; corners or edges
    down: bool = False  # whether its rows are counted from the top
    words: tuple[str, ...] = ()  # as for pieces
    clauses: tuple[tuple[str, ...], ...] = ()
    of: str = ""  # for corners and edges: the kind of their cells
    points: tuple[tuple[tuple[int, int], ...], ...] = ()
    """The points of each corner, or of the ends of each edge, in half cells and sixths of a row
    (see `borders.middle`).
    """


@frozen
class ScoreItem:
    """A line of the score sheet.

    A plain procedure of (player) computes its value. `is_open` is true if all players may see
    everything that the procedure reads.
    """

    text: str
    procedure: int
    clauses: tuple[str, ...] = ()
    is_open: bool = False


@frozen
class WinnerKey:
    """A key, computed by a plain procedure of (player), that helps to determine the winners.

    If `lowest` is true, the lowest value is best.
    """

    text: str
    procedure: int
    lowest: bool
    is_flag: bool = False


@frozen
class NamedValue:
    """A value that can be requested by name.

    A plain procedure of (subject and parameters) computes it. `sources` contains the powers that
    may change an open value, each as (words, clauses, plain procedure of the same arguments). The
    procedure returns a list [code, amount, card, ...] of the current changes, with three numbers
    for each change. The code is 0 for `more`, 1 for `less`, 2 for `is`, 3 for `at least`, and 4 for
    `at most`. The card is -1 if the words name it. `domains` contains the domains of the
    parameters, and `takes_lists` the indices of parameters that are lists. If the last parameter is
    `me`, it is the acting player. `clauses` are the clauses of the value itself.
    """

    name: str
    procedure: int
    parameters: tuple[str, ...]
    domain: int
    base: int | None = None
    sources: tuple[tuple[str, tuple[str, ...], int], ...] = ()
    span: Span | None = field(default=None, eq=False)
    domains: tuple[int, ...] = ()
    takes_lists: tuple[int, ...] = ()
    is_flag: bool = False
    clauses: tuple[str, ...] = ()


@frozen
class MarkInfo:
    """The meaning of a coverage mark, and where its clauses are cited.

    Marks of a `score` item, of the `winner` line and of a `refusal` are not in the code. The
    counter itself determines whether the item was not 0, whether anybody has won, and which options
    a decision refuses. The marks of score items are in the order of the items; the name of a
    refusal is `Message.written`.
    """

    # setup, play, phase, rule, action, effect, trigger, power, branch, option, step, value, score, winner, refusal
    word: str
    name: str
    clauses: tuple[str, ...]
    span: Span | None = field(default=None, eq=False)
    cited: tuple[Span, ...] = field(default=(), eq=False)  # the first bracket of each line


@frozen
class Callable:
    """A rule or action that scenarios can start by name: its suspending procedure and its parameters."""

    name: str
    word: str
    procedure: int
    parameters: tuple[tuple[str, int], ...]  # (name, domain); the first is `me`


@frozen
class BoardView:
    """The drawing of a position from the side of a player `me`, who need not be the viewer.

    If `space` is a grid, there are plain procedures of (cell, me) that return the list of arguments
    of the message for a cell. An empty list, or -1 in the list, means that the next procedure is
    used. If `space` is "", there are plain procedures of (me) that return members, and of (member,
    me) that return arguments. Consecutive lines with the same procedure `order`, of (me), are
    merged in the order that it returns. `spoken` contains the names of stored values and places
    that the words read. `of_players` contains those names that, in lines for all players, are read for each player.
    """

    space: str
    shows: tuple[tuple[int, int], ...] = ()  # (message, procedure)
    notes: tuple[tuple[int, int, int, int], ...] = ()  # as in `lines`
    lines: tuple[tuple[int, int, int, int], ...] = ()  # (message, procedure, members, order or -1)
    title: tuple[int, int] | None = None  # (message, procedure of (me))
    spoken: frozenset[str] = frozenset()
    of_player: bool = False  # whether the board may differ from player to player
    marks: tuple[int, ...] = ()  # plain procedures of (cell, me): whether a cell is highlighted
    of_players: frozenset[str] = frozenset()


@frozen(repr=False)
class Program:
    """A game, for one number of players and one choice of options, in numbers."""

    title: str
    players: int  # persons
    seats: int  # persons, and seats without a person
    options: tuple[tuple[str, str], ...]
    size: int  # cells of a state
    stack: int  # where the stack begins
    start: tuple[tuple[int, int], ...]  # (cell, value) of all cells that do not start at 0
    main: int  # suspending procedure: setup, then play
    tables: tuple[tuple[object, ...], ...]
    plain: tuple[Plain, ...]
    suspending: tuple[Suspending, ...]
    blocks: tuple[Block, ...]
    sites: tuple[Site, ...]
    chances: tuple[ChanceSite, ...]
    messages: tuple[Message, ...]
    faults: tuple[FaultText, ...]
    domains: tuple[Domain, ...]
    kept: tuple[Kept, ...]
    places: tuple[PlaceInfo, ...]
    tokens: tuple[TokenPlace, ...]
    links: PieceLinks
    pieces: tuple[PieceKind, ...]
    spaces: tuple[SpaceKind, ...]
    score: tuple[ScoreItem, ...]
    winners: (
        int | None
    )  # plain procedure without arguments: list of the winning players (empty: a draw)
    in_play: int  # first of `seats` cells: 1 while the player is in the game
    values: tuple[NamedValue, ...]
    invariants: tuple[tuple[str, int], ...]  # (words, plain procedure without arguments)
    marks: tuple[MarkInfo, ...] = ()
    callables: tuple[Callable, ...] = ()
    boards: tuple[BoardView, ...] = ()
    sources: tuple[Sources, ...] = ()
    winner_keys: tuple[WinnerKey, ...] = ()  # if there are several
    player_domain: int = 0
    # The cell that contains n while `together` block number n runs, and 0 otherwise; -1 if there
    # are no such blocks. `apart[n - 1]` names things of players that may change in this block;
    # other players see them as they were when the block began. If `as_begun` of a place is not -1,
    # the cells from there on have the numbers of its pieces at that time. They are in the order of
    # its zones (for tokens, of its cells).
    together: int = -1
    apart: tuple[frozenset[str], ...] = ()
    meant: tuple[Span, ...] = field(default=(), eq=False)  # places that show things `openly`
    far: int = 0  # if not 0: the first of the many, seldom written cells before the stack; only `far` reaches them
    lookahead: int = 20000
    kinds: tuple[ValueKind, ...] = ()
    sides: tuple[str, ...] = ()  # for each seat, the name of its side, if there are sides

    def __repr__(self) -> str:
        """Return a short text, because the output of failing tests includes every object that contains a program."""
        return f"<Program of {self.title}>"
