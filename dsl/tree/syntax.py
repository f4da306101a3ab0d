"""The syntax tree of rules: tags, expressions, types and statements.

The tree is independent of names, types and meaning. Every node has the span of its text; a statement with a
block has the span of its header line. Declarations are in `declared`, the syntax of scenarios in
`scenario_syntax`.
"""

from __future__ import annotations

from typing import Final, Literal

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import frozen


@frozen
class Node:
    """A part of the tree."""

    span: Span


# ---- clause tags ------------------------------------------------------------------------------------


@frozen
class Tag(Node):
    """A clause id or a range of ids: `[GK-065]` or `[GK-065..GK-071]` (`last` is set)."""

    first: str
    last: str | None = None


Tags = tuple[Tag, ...]


@frozen
class Tagged(Node):
    """A line that can cite clauses."""

    tags: Tags


@frozen
class Giving(Tagged):
    """A line that declares a name."""

    name: str
    name_span: Span


# ---- expressions ------------------------------------------------------------------------------------


# Classes without fields of their own are groups: a match names the group if it treats all its members alike.


@frozen
class WrittenValue(Node):
    """A literal value, or all values of a type."""


@frozen
class Reference(Node):
    """A name: alone, with arguments, or after a dot."""


@frozen
class Operation(Node):
    """An expression whose value is computed from the values of its parts."""


ONWARD: Final = 2**31 - 1
"""The upper end of the range for a key such as `17+`. No number in a text is so large."""


@frozen
class Number(WrittenValue):
    """`12`"""

    value: int


@frozen
class Text(WrittenValue):
    """`"words with {expression} in them"`; `parts` alternates between plain strings and expressions."""

    parts: tuple[str | Expression, ...]


@frozen
class Word(Reference):
    """A single name, such as a local, a row, a zone or a value without arguments."""

    name: str


@frozen
class Fixed(WrittenValue):
    """A fixed value: `yes`, `no`, `nothing`, `empty`."""

    word: Literal["yes", "no", "nothing", "empty"]


@frozen
class TypeWord(WrittenValue):
    """`Cell` without brackets: all cells."""

    name: str


@frozen
class Call(Reference):
    """`name(a, b)`"""

    name: str
    arguments: tuple[Expression, ...]


@frozen
class Lookup(Operation):
    """`Cell(3, 4)`, `Counts(player_count)`"""

    name: str
    arguments: tuple[Expression, ...]


@frozen
class Dot(Reference):
    """`subject.name` or `subject.name(a, b)`; `arguments` is None without brackets."""

    subject: Expression
    name: str
    name_span: Span
    arguments: tuple[Expression, ...] | None


@frozen
class Unary(Operation):
    """`not x`, `-x`"""

    operator: Literal["not", "-"]
    operand: Expression


Operator = Literal[
    "or", "and", "is", "is not", "<", ">", "<=", ">=", "in", "not in", "+", "-", "*", "/", ".."
]


@frozen
class Binary(Operation):
    """`a + b`, `a is b`, `a .. b` or another operation on two values."""

    operator: Operator
    left: Expression
    right: Expression


@frozen
class IfElse(Operation):
    """`if c then a else b`"""

    condition: Expression
    then: Expression
    otherwise: Expression


@frozen
class Case(Node):
    """`1..4 then 7`: a line of a small table; `last` is None for a single label."""

    first: Expression
    last: Expression | None
    value: Expression


@frozen
class By(Operation):
    """`by(x: 1..4 then 7, 5 then 2, else 0)`"""

    subject: Expression
    cases: tuple[Case, ...]
    otherwise: Expression | None


@frozen
class ListOf(Operation):
    """`(a, b, c)`: a list of two or more values."""

    items: tuple[Expression, ...]


@frozen
class Possible(Operation):
    """`possible(floor(card, tile))`: whether an action is possible now; `action` is a Word, Call or Dot."""

    action: Expression


@frozen
class Stretch(Node):
    """`while C` (as long as C holds) or `until C` (up to and including the first member for which C holds)."""

    word: Literal["while", "until"]
    condition: Expression


@frozen
class Binder(Node):
    """`x in source`, `x: Type in source`, `x in source from start`, `x in source until C`."""

    name: str
    name_span: Span
    type: TypeWord | None
    source: Expression
    start: Expression | None = None
    stretch: Stretch | None = None


@frozen
class Key(Node):
    """A key of an order; the highest value comes first unless `lowest` is set."""

    value: Expression
    lowest: bool = False


QueryWord = Literal[
    "count",
    "sum",
    "any",
    "all",
    "largest",
    "smallest",
    "most",
    "fewest",
    "first",
    "list",
    "groups",
    "ranking",
    "the",
]


@frozen
class Query(Operation):
    """`count(x in A, y in B where C by K lowest then order: E)`"""

    word: QueryWord
    binders: tuple[Binder, ...]
    where: Expression | None = None
    keys: tuple[Key, ...] = ()
    then_order: bool = False
    body: Expression | None = None


Expression = (
    Number
    | Text
    | Word
    | Fixed
    | TypeWord
    | Call
    | Lookup
    | Dot
    | Unary
    | Binary
    | IfElse
    | By
    | ListOf
    | Possible
    | Query
)

# ---- types as written -------------------------------------------------------------------------------


@frozen
class NamedType(Node):
    """`Color`, `Player`, `Flag`, `Action`"""

    name: str


@frozen
class RangeType(Node):
    """`0..9` or `-3..3`; each bound may be the name of a constant value"""

    low: Expression
    high: Expression


@frozen
class ListType(Node):
    """`list of 0..9 up to 6`"""

    of: Type
    limit: Expression


@frozen
class SetType(Node):
    """`set of Marker`"""

    of: Type


@frozen
class OptionalType(Node):
    """`Player or nothing`"""

    of: Type


Type = NamedType | RangeType | ListType | SetType | OptionalType

# ---- statements -------------------------------------------------------------------------------------


@frozen
class Change(Node):
    """`more E`, `less E`, `is E`, `at least E`, `at most E` of an open value."""

    word: Literal["more", "less", "is", "at least", "at most"]
    amount: Expression


@frozen
class WithChange(Node):
    """`me.build_price less 1` after `with`"""

    value: Expression
    changes: tuple[Change, ...]


@frozen
class Let(Giving):
    """`let due: -5..60 = n`"""

    type: Type | None
    value: Expression


@frozen
class Give(Tagged):
    """`give yes`: the result of a rule; the rule ends with this step"""

    value: Expression


@frozen
class SetTo(Tagged):
    """`set me.passed to yes`"""

    place: Expression
    value: Expression


@frozen
class Amount(Tagged):
    """`add 1 to x`, `lose 1 from x`, `pay 1 from x`"""

    verb: Literal["add", "lose", "pay"]
    amount: Expression
    place: Expression


@frozen
class Move(Tagged):
    """`move E [from A] to|under B`: exactly E things (E is a number or names pieces), up to E
    things, or all things in a place.

    `move 3 from deck to hand`: how "exactly", amount 3, source deck.   `move up to 1 from ...`: how "up to".
    `move all from hand to discard`: how "all", amount None.            `move card to hand`: source None.
    """

    how: Literal["exactly", "up to", "all"]
    amount: Expression | None
    source: Expression | None
    target: Expression
    under: bool = False


@frozen
class Shuffle(Tagged):
    """`shuffle deck`"""

    place: Expression


@frozen
class Reverse(Tagged):
    """`reverse deck`"""

    place: Expression


@frozen
class Sort(Tagged):
    """`sort c in deck.cards by c.rank lowest`"""

    binder: Binder
    keys: tuple[Key, ...]


@frozen
class Roll(Tagged):
    """`roll x in 1..6` (a member of a list, equally likely) or `roll x = 3 of success` (sum of dice; `die` is set)."""

    place: Expression
    source: Expression | None
    count: Expression | None
    die: str | None
    die_span: Span | None


@frozen
class Do(Tagged):
    """`do build(t) with me.action_price is 0 prompt "what do you build?"`, `do effect of card(rival)`

    `call` is a Word, Call or Dot."""

    call: Expression
    effect: bool
    changes: tuple[WithChange, ...]
    surely: bool = False
    prompt: Text | None = None


@frozen
class LetDo(Giving):
    """`let agreed = do ask(rival)`: the result of a rule"""

    type: Type | None
    call: Do


@frozen
class Quantity(Node):
    """`exactly E`, `up to E`, `at least E`, `any number` (amount None)"""

    word: Literal["exactly", "up to", "at least", "any number"]
    amount: Expression | None


@frozen
class Named(Node):
    """`named march(unit, goal)`: the name of each option of a line, as records and scenarios write this name"""

    name: str
    name_span: Span
    arguments: tuple[Expression, ...]


@frozen
class Choose(Giving):
    """`choose card in me.hand where C`, `choose x or none in S` or `choose cells in S where C, exactly 3`

    Also `choose card: Spell in me.hand` or `choose goal in cell.ray(d) until C`. `say` contains the
    words of each option. `reason` contains the words after `else`; they say why something cannot be
    chosen.
    """

    or_none: bool
    source: Expression
    where: Expression | None
    quantity: Quantity | None
    prompt: Text | None = None
    type: TypeWord | None = None
    stretch: Stretch | None = None
    say: Text | None = None
    reason: Text | None = None
    named: Named | None = None

    @property
    def binder(self) -> Binder:
        """The name together with its source."""
        return Binder(
            self.source.span,
            self.name,
            self.name_span,
            self.type,
            self.source,
            stretch=self.stretch,
        )


@frozen
class OptionArm(Tagged):
    """`option "take {x}" for x in S where C` with its block"""

    text: Text
    binder: Binder | None
    where: Expression | None
    body: Block
    reason: Text | None = None
    named: Named | None = None


@frozen
class ChooseOf(Tagged):
    """`choose one of`, `choose at least 1 of`, `choose up to 2 of` or `choose all of`, with options and `do` lines.

    `quantity` None means one option. `all_of` means each option once, in an order that the player
    chooses. `prompt "WORDS"` may follow.
    """

    quantity: Quantity | None
    all_of: bool
    arms: tuple[OptionArm | Do, ...]
    prompt: Text | None = None


@frozen
class May(Tagged):
    """`may "words"` with a block, or `may do action`"""

    text: Text | None
    body: Block


@frozen
class If(Tagged):
    """`if`, `else if`, `else`: pairs of condition and block, then the block of `else` (empty if there is none)"""

    cases: tuple[tuple[Expression, Block], ...]
    otherwise: Block


@frozen
class IfPossible(Tagged):
    """`if possible` block `otherwise` block"""

    body: Block
    otherwise: Block


@frozen
class Repeat(Tagged):
    """`repeat`, `repeat 3 times`, `repeat while C`, `repeat until C`"""

    how: Literal["forever", "times", "while", "until"]
    value: Expression | None
    body: Block


@frozen
class ForEach(Tagged):
    """`for each x in S where C, any order`"""

    binder: Binder
    where: Expression | None
    any_order: bool
    body: Block


@frozen
class EachPlayer(Tagged):
    """`each player [there and back|backwards] [from p] [where C]`, or `together each player ...` if `together`."""

    together: bool
    direction: Literal["forward", "backwards", "there and back"]
    start: Expression | None
    where: Expression | None
    body: Block


@frozen
class AsPlayer(Tagged):
    """`as p`"""

    player: Expression
    body: Block


@frozen
class AtOnce(Tagged):
    """`at once`: several steps count as one step, and no trigger runs between them."""

    body: Block


@frozen
class Phase(Tagged):
    """`phase "words"`"""

    text: Text
    body: Block


@frozen
class Needs(Tagged):
    """`needs C else "reason"`"""

    condition: Expression
    reason: Text | None


@frozen
class Say(Tagged):
    """`say "words of the option"`"""

    text: Text


@frozen
class Log(Tagged):
    """`log "words" [to p]`"""

    text: Text
    to: Expression | None


@frozen
class Show(Tagged):
    """`show piece to player`"""

    what: Expression
    to: Expression


@frozen
class Limit(Tagged):
    """`limit 1 per turn`"""

    count: Expression
    per: str
    per_span: Span


@frozen
class Simple(Tagged):
    """`stop` (leave the loop), `skip` (continue with the next iteration) or `end game`"""

    word: Literal["stop", "skip", "end game"]


@frozen
class Win(Tagged):
    """`win p`"""

    player: Expression


@frozen
class Eliminate(Tagged):
    """`eliminate p`"""

    player: Expression


@frozen
class Surely(Tagged):
    """`surely move 1 from deck to me.hand`: the author says that the step is always possible; if it
    is impossible, this is a fault.
    """

    step: Statement


@frozen
class Keep(Tagged):
    """`keep diagram`, `forget diagram`: store the current position, or forget all stored positions"""

    word: Literal["keep", "forget"]
    name: str
    name_span: Span


@frozen
class Broken(Node):
    """A line that could not be read. The line has been reported, so later stages skip it."""


Statement = (
    Let
    | LetDo
    | Give
    | SetTo
    | Amount
    | Move
    | Shuffle
    | Reverse
    | Sort
    | Roll
    | Do
    | Choose
    | ChooseOf
    | May
    | If
    | IfPossible
    | Repeat
    | ForEach
    | EachPlayer
    | AsPlayer
    | AtOnce
    | Phase
    | Needs
    | Say
    | Log
    | Show
    | Limit
    | Simple
    | Win
    | Eliminate
    | Surely
    | Keep
    | Broken
)
Block = tuple[Statement, ...]
