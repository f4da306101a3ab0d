"""The syntax tree of rules: tags, expressions, types and statements.

Independent of names, types and meaning. Every node has the span of its text; the span of a
statement that has a block is the span of its header line. Declarations are in
`declared`, the syntax of scenarios in `scene_syntax`.
"""

from __future__ import annotations

from typing import Final, Literal

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import frozen

# ---- clause tags ------------------------------------------------------------------------------------


@frozen
class Tag:
    """One clause id or a range of them: `[GK-065]` or `[GK-065..GK-071]` (then `last` is set)."""

    span: Span
    first: str
    last: str | None = None


Tags = tuple[Tag, ...]

# ---- expressions ------------------------------------------------------------------------------------


ONWARD: Final = 2**31 - 1
"""The upper end of the range that `17+` stands for, in a key; no written number is so large."""


@frozen
class Number:
    """`12`"""

    span: Span
    value: int


@frozen
class Text:
    """`"words with {expression} in them"`; `parts` are plain strings and expressions in turn."""

    span: Span
    parts: tuple[str | Expression, ...]


@frozen
class Word:
    """A name standing alone: a local, a row, a zone, a value without arguments ..."""

    span: Span
    name: str


@frozen
class Fixed:
    """One of the fixed values: `yes`, `no`, `nothing`, `empty`."""

    span: Span
    word: Literal["yes", "no", "nothing", "empty"]


@frozen
class TypeWord:
    """`Cell` standing alone: all of them."""

    span: Span
    name: str


@frozen
class Call:
    """`name(a, b)`"""

    span: Span
    name: str
    arguments: tuple[Expression, ...]


@frozen
class Lookup:
    """`Cell(3, 4)`, `Counts(player_count)`"""

    span: Span
    name: str
    arguments: tuple[Expression, ...]


@frozen
class Dot:
    """`subject.name` or `subject.name(a, b)`; `arguments` is None where no bracket stands."""

    span: Span
    subject: Expression
    name: str
    name_span: Span
    arguments: tuple[Expression, ...] | None


@frozen
class Unary:
    """`not x`, `-x`"""

    span: Span
    operator: Literal["not", "-"]
    operand: Expression


Operator = Literal[
    "or", "and", "is", "is not", "<", ">", "<=", ">=", "in", "not in", "+", "-", "*", "/", ".."
]


@frozen
class Binary:
    """`a + b`, `a is b`, `a .. b` and the like."""

    span: Span
    operator: Operator
    left: Expression
    right: Expression


@frozen
class IfElse:
    """`if c then a else b`"""

    span: Span
    condition: Expression
    then: Expression
    otherwise: Expression


@frozen
class Case:
    """`1..4 then 7`: one line of a small table; `last` is None for a single label."""

    span: Span
    first: Expression
    last: Expression | None
    value: Expression


@frozen
class By:
    """`by(x: 1..4 then 7, 5 then 2, else 0)`"""

    span: Span
    subject: Expression
    cases: tuple[Case, ...]
    otherwise: Expression | None


@frozen
class ListOf:
    """`(a, b, c)`: a short list of two or more."""

    span: Span
    items: tuple[Expression, ...]


@frozen
class Possible:
    """`possible(floor(card, tile))`: asks whether an action could be done now; `action` is a Word, Call or Dot."""

    span: Span
    action: Expression


@frozen
class Stretch:
    """`while C` (as long as C holds) or `until C` (up to the first for which C holds, and with it)."""

    span: Span
    word: Literal["while", "until"]
    condition: Expression


@frozen
class Binder:
    """`x in source`, `x: Type in source`, `x in source from start`, `x in source until C`."""

    span: Span
    name: str
    name_span: Span
    type: TypeWord | None
    source: Expression
    start: Expression | None = None
    stretch: Stretch | None = None


@frozen
class Key:
    """One key of an order; highest first unless `lowest`."""

    span: Span
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
class Query:
    """`count(x in A, y in B where C by K lowest then order: E)`"""

    span: Span
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
class NamedType:
    """`Color`, `Player`, `Flag`, `Action`"""

    span: Span
    name: str


@frozen
class RangeType:
    """`0..9`, `-3..3`; an edge may be a name of a constant value"""

    span: Span
    low: Expression
    high: Expression


@frozen
class ListType:
    """`list of 0..9 up to 6`"""

    span: Span
    of: Type
    limit: Expression


@frozen
class SetType:
    """`set of Marker`"""

    span: Span
    of: Type


@frozen
class OptionalType:
    """`Player or nothing`"""

    span: Span
    of: Type


Type = NamedType | RangeType | ListType | SetType | OptionalType

# ---- statements -------------------------------------------------------------------------------------


@frozen
class Change:
    """`more E`, `less E`, `is E`, `at least E`, `at most E` of an open value."""

    span: Span
    word: Literal["more", "less", "is", "at least", "at most"]
    amount: Expression


@frozen
class WithChange:
    """`me.build_price less 1` behind `with`"""

    span: Span
    value: Expression
    changes: tuple[Change, ...]


@frozen
class Let:
    """`let due: -5..60 = n`"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    type: Type | None
    value: Expression


@frozen
class SetTo:
    """`set me.passed to yes`"""

    span: Span
    tags: Tags
    place: Expression
    value: Expression


@frozen
class Amount:
    """`add 1 to x`, `lose 1 from x`, `pay 1 from x`"""

    span: Span
    tags: Tags
    verb: Literal["add", "lose", "pay"]
    amount: Expression
    place: Expression


@frozen
class Move:
    """`move E [from A] to|under B`; how: exactly E things (a number or pieces), up to E, or all of `what`'s place.

    `move 3 from deck to hand`: how "exactly", amount 3, source deck.   `move up to 1 from ...`: how "up to".
    `move all from hand to discard`: how "all", amount None.            `move card to hand`: source None.
    """

    span: Span
    tags: Tags
    how: Literal["exactly", "up to", "all"]
    amount: Expression | None
    source: Expression | None
    target: Expression
    under: bool = False


@frozen
class Shuffle:
    """`shuffle deck`"""

    span: Span
    tags: Tags
    place: Expression


@frozen
class Reverse:
    """`reverse deck`"""

    span: Span
    tags: Tags
    place: Expression


@frozen
class Sort:
    """`sort c in deck.cards by c.rank lowest`"""

    span: Span
    tags: Tags
    binder: Binder
    keys: tuple[Key, ...]


@frozen
class Roll:
    """`roll x in 1..6` (one of a list, equally likely) or `roll x = 3 of success` (sum of dice; `die` is then set)."""

    span: Span
    tags: Tags
    place: Expression
    source: Expression | None
    count: Expression | None
    die: str | None
    die_span: Span | None


@frozen
class Do:
    """`do build(t) with me.action_price is 0 prompt "what do you build?"`, `do effect of card(rival)`

    `call` is a Word, Call or Dot."""

    span: Span
    tags: Tags
    call: Expression
    effect: bool
    changes: tuple[WithChange, ...]
    surely: bool = False
    prompt: Text | None = None


@frozen
class Quantity:
    """`exactly E`, `up to E`, `at least E`, `any number` (amount None)"""

    span: Span
    word: Literal["exactly", "up to", "at least", "any number"]
    amount: Expression | None


@frozen
class Named:
    """`named march(unit, goal)`: the name of each option of a line, as records and scenarios write it"""

    span: Span
    name: str
    name_span: Span
    arguments: tuple[Expression, ...]


@frozen
class Choose:
    """`choose card in me.hand where C`, `choose x or none in S`, `choose cells in S where C, exactly 3`

    `choose card: Spell in me.hand`, `choose goal in cell.ray(d) until C`; `say` are the words of each option,
    `reason` those behind `else` that say why something cannot be chosen."""

    span: Span
    tags: Tags
    name: str
    name_span: Span
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


@frozen
class OptionArm:
    """`option "take {x}" for x in S where C` with its block"""

    span: Span
    tags: Tags
    text: Text
    binder: Binder | None
    where: Expression | None
    body: Block
    reason: Text | None = None
    named: Named | None = None


@frozen
class ChooseOf:
    """`choose one of` / `choose at least 1 of` / `choose up to 2 of` / `choose all of` with options and `do` lines.

    quantity None means one; word "all" means each of them once, in an order chosen by the player.
    Behind it may stand `prompt "WORDS"`.
    """

    span: Span
    tags: Tags
    quantity: Quantity | None
    all_of: bool
    arms: tuple[OptionArm | Do, ...]
    prompt: Text | None = None


@frozen
class May:
    """`may "words"` with a block, or `may do action`"""

    span: Span
    tags: Tags
    text: Text | None
    body: Block


@frozen
class If:
    """`if` / `else if` / `else`: pairs of condition and block, then the else block (empty where none)"""

    span: Span
    tags: Tags
    cases: tuple[tuple[Expression, Block], ...]
    otherwise: Block


@frozen
class IfPossible:
    """`if possible` block `otherwise` block"""

    span: Span
    tags: Tags
    body: Block
    otherwise: Block


@frozen
class Repeat:
    """`repeat`, `repeat 3 times`, `repeat while C`, `repeat until C`"""

    span: Span
    tags: Tags
    how: Literal["forever", "times", "while", "until"]
    value: Expression | None
    body: Block


@frozen
class ForEach:
    """`for each x in S where C, any order`"""

    span: Span
    tags: Tags
    binder: Binder
    where: Expression | None
    any_order: bool
    body: Block


@frozen
class EachPlayer:
    """`each player [there and back|backwards] [from p] [where C]`; `together each player ...` when together."""

    span: Span
    tags: Tags
    together: bool
    direction: Literal["forward", "backwards", "there and back"]
    start: Expression | None
    where: Expression | None
    body: Block


@frozen
class AsPlayer:
    """`as p`"""

    span: Span
    tags: Tags
    player: Expression
    body: Block


@frozen
class AtOnce:
    """`at once`: several steps are one; nothing is looked at in between."""

    span: Span
    tags: Tags
    body: Block


@frozen
class Phase:
    """`phase "words"`"""

    span: Span
    tags: Tags
    text: Text
    body: Block


@frozen
class Needs:
    """`needs C else "reason"`"""

    span: Span
    tags: Tags
    condition: Expression
    reason: Text | None


@frozen
class Say:
    """`say "words of the option"`"""

    span: Span
    tags: Tags
    text: Text


@frozen
class Log:
    """`log "words" [to p]`"""

    span: Span
    tags: Tags
    text: Text
    to: Expression | None


@frozen
class Show:
    """`show piece to player`"""

    span: Span
    tags: Tags
    what: Expression
    to: Expression


@frozen
class Limit:
    """`limit 1 per turn`"""

    span: Span
    tags: Tags
    count: Expression
    per: str
    per_span: Span


@frozen
class Simple:
    """`stop` (leave the loop), `skip` (go to its next turn), `end game`"""

    span: Span
    tags: Tags
    word: Literal["stop", "skip", "end game"]


@frozen
class Win:
    """`win p`"""

    span: Span
    tags: Tags
    player: Expression


@frozen
class Eliminate:
    """`eliminate p`"""

    span: Span
    tags: Tags
    player: Expression


@frozen
class Surely:
    """`surely move 1 from deck to me.hand`: the author says it is always possible; if not, a located fault."""

    span: Span
    tags: Tags
    step: Statement


@frozen
class Keep:
    """`keep diagram`, `forget diagram`: note the position as it is now, or none any more"""

    span: Span
    tags: Tags
    word: Literal["keep", "forget"]
    name: str
    name_span: Span


@frozen
class Broken:
    """A line that could not be read; already reported, later stages pass over it."""

    span: Span


Statement = (
    Let
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
