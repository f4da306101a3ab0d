"""The written tree: what stands in a file, before anybody knows what its names mean.

Refuses to know names, types and meaning. Every node has the span of its text; the span of a declaration or a statement
that has a block is the span of its header line.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rulewright.dsl.source import Span

# ---- clause tags ------------------------------------------------------------------------------------


@frozen
class Tag:
    """One clause id or a range of them: `[GK-065]` or `[GK-065..GK-071]` (then `last` is set)."""

    span: Span
    first: str
    last: str | None = None


Tags = tuple[Tag, ...]

# ---- expressions ------------------------------------------------------------------------------------


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
class Binder:
    """`x in source`, `x: Type in source`, `x in source from start`."""

    span: Span
    name: str
    name_span: Span
    type: TypeWord | None
    source: Expression
    start: Expression | None = None


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
    """`do build(t) with me.action_price is 0`, `do effect of card(rival)`; `call` is a Word, Call or Dot."""

    span: Span
    tags: Tags
    call: Expression
    effect: bool
    changes: tuple[WithChange, ...]
    surely: bool = False


@frozen
class Quantity:
    """`exactly E`, `up to E`, `at least E`, `any number` (amount None)"""

    span: Span
    word: Literal["exactly", "up to", "at least", "any number"]
    amount: Expression | None


@frozen
class Choose:
    """`choose card in me.hand where C`, `choose x or none in S`, `choose cells in S where C, exactly 3`"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    or_none: bool
    source: Expression
    where: Expression | None
    quantity: Quantity | None
    prompt: Text | None = None


@frozen
class OptionArm:
    """`option "take {x}" for x in S where C` with its block"""

    span: Span
    tags: Tags
    text: Text
    binder: Binder | None
    where: Expression | None
    body: Block


@frozen
class ChooseOf:
    """`choose one of` / `choose at least 1 of` / `choose up to 2 of` / `choose all of` with options and `do` lines.

    quantity None means one; word "all" means each of them once, in an order chosen by the player.
    """

    span: Span
    tags: Tags
    quantity: Quantity | None
    all_of: bool
    arms: tuple[OptionArm | Do, ...]


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
class Broken:
    """A line that could not be read; already reported, later stages pass over it."""

    span: Span


Statement = (
    Let
    | SetTo
    | Amount
    | Move
    | Shuffle
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
    | Broken
)
Block = tuple[Statement, ...]

# ---- declarations -----------------------------------------------------------------------------------


@frozen
class Param:
    """`card: Card` (given, `type` set) or `t in me.techs` / `t: Unit in me.techs where C` (offered, `source` set)"""

    span: Span
    name: str
    name_span: Span
    type: Type | None
    source: Expression | None
    where: Expression | None = None


@frozen
class Game:
    """`game "Title"` with its settings"""

    span: Span
    tags: Tags
    title: str
    settings: tuple[Setting, ...]


@frozen
class Setting:
    """A line under `game`: players LOW..HIGH, rulebook "file", depth N, lookahead N, by "author"."""

    span: Span
    tags: Tags
    name: str
    value: Expression


@frozen
class Include:
    """`include "cards.game"`"""

    span: Span
    path: str


@frozen
class OptionDeclaration:
    """`option characters = draft, sets`; values are names or numbers; the first is the default."""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    values: tuple[Word | Number | Fixed, ...]


@frozen
class KindValue:
    """One value of a kind; `text` is another way tables write it."""

    span: Span
    name: str
    text: str | None = None


@frozen
class KindList:
    """`kind Color = red, blue, yellow`"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    values: tuple[KindValue, ...]


@frozen
class Union:
    """`piece HandCard is BuildingCard or UrbanCard`, `space Box is ...`"""

    span: Span
    tags: Tags
    what: Literal["piece", "space"]
    name: str
    name_span: Span
    members: tuple[TypeWord, ...]


@frozen
class Grid:
    """`grid 7 by 6`, `grid hex 5 by 5`, `grid growing 54`, `grid column by row_number` (two columns give the place)"""

    span: Span
    shape: Literal["square", "hex", "growing"]
    width: Expression
    height: Expression | None


@frozen
class Column:
    """`rank: 0..5 = 3 from value`: name, type, default for empty or missing cells, header where it differs."""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    type: Type
    default: Expression | None
    header: str | None


@frozen
class Copies:
    """`copies = EXPRESSION` over the row's columns"""

    span: Span
    value: Expression


@frozen
class Joins:
    """`joins city_a, city_b` in a link"""

    span: Span
    first: str
    second: str


@frozen
class Row:
    """`row name, 1, red, nothing`"""

    span: Span
    tags: Tags
    cells: tuple[Expression, ...]


@frozen
class State:
    """`state used(d: Die): Flag = no, seen by owner`"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    params: tuple[Param, ...]
    type: Type
    start: Expression | None
    seen: Seen | None


@frozen
class ZoneType:
    """`pile of Card`, `set of Card`, `row of 13 Card`, `spot of Card`, `tokens of cube`"""

    span: Span
    shape: Literal["pile", "set", "row", "spot", "tokens"]
    of: str
    of_span: Span
    slots: Expression | None = None


@frozen
class Seen:
    """`, seen by owner|nobody [except size, level]`"""

    span: Span
    by: str
    except_for: tuple[str, ...]


@frozen
class Zone:
    """`zone deck(level: 0..3): pile of Card = 5, seen by nobody except size`"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    params: tuple[Param, ...]
    type: ZoneType
    start: Expression | None
    seen: Seen | None


@frozen
class Record:
    """`kind|piece|space|link|table Name [per player] [from "file.csv"] [key a, b] [grid ...]` with its lines"""

    span: Span
    tags: Tags
    what: Literal["kind", "piece", "space", "link", "table"]
    name: str
    name_span: Span
    per_player: bool
    path: str | None
    path_span: Span | None
    keys: tuple[str, ...]
    grid: Grid | None
    columns: tuple[Column, ...] = ()
    copies: Copies | None = None
    joins: Joins | None = None
    rows: tuple[Row, ...] = ()
    states: tuple[State, ...] = ()
    zones: tuple[Zone, ...] = ()


@frozen
class PlayerDeclaration:
    """`player` with its states and zones"""

    span: Span
    tags: Tags
    states: tuple[State, ...]
    zones: tuple[Zone, ...]


@frozen
class Token:
    """`token resource per player`"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    per_player: bool


@frozen
class Die:
    """`die success = 0, 0, 1`"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    faces: tuple[Expression, ...]


@frozen
class Seat:
    """`seat hal_seat only if player_count is 1`: a seat that no person holds"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    only_if: Expression | None


@frozen
class Bound:
    """`at least E` or `at most E` in the head of a value"""

    span: Span
    word: Literal["at least", "at most"]
    amount: Expression


@frozen
class Value:
    """`[open] value price of p: Player (card: Card) at least 0 = E`"""

    span: Span
    tags: Tags
    open: bool
    name: str
    name_span: Span
    subject: Param | None
    params: tuple[Param, ...]
    bounds: tuple[Bound, ...]
    value: Expression


@frozen
class Rule:
    """`rule name(params)` or `action name(params)`"""

    span: Span
    tags: Tags
    what: Literal["rule", "action"]
    name: str
    name_span: Span
    params: tuple[Param, ...]
    only_if: Expression | None
    body: Block


@frozen
class Pattern:
    """`take(card) as p`: the names bound by a trigger on an action or rule"""

    span: Span
    name: str
    name_span: Span
    params: tuple[Word, ...]
    actor: Word | None


@frozen
class OnAction:
    """`before|after|instead of pattern where C` with a block"""

    span: Span
    tags: Tags
    when: Literal["before", "after", "instead of"]
    pattern: Pattern
    where: Expression | None
    body: Block


@frozen
class Whenever:
    """`whenever C [for x in S]`, `whenever V changes by d [for x in S]` (then `change` is set)"""

    span: Span
    tags: Tags
    condition: Expression
    change: Word | None
    binder: Binder | None
    body: Block


@frozen
class OnMove:
    """`whenever x enters Z`, `whenever x leaves Z`; names in Z that are not bound yet are bound (p in p.colonies)"""

    span: Span
    tags: Tags
    how: Literal["enters", "leaves"]
    name: Word
    place: Expression
    where: Expression | None
    body: Block


@frozen
class Modify:
    """`modify p.take_price(card) less 1 where C`"""

    span: Span
    tags: Tags
    value: Expression
    changes: tuple[Change, ...]
    where: Expression | None


@frozen
class Anytime:
    """`anytime repay during use_card [where C]`"""

    span: Span
    tags: Tags
    action: str
    action_span: Span
    during: str
    during_span: Span
    where: Expression | None


@frozen
class Power:
    """`power moses in p.leader [where C]`, `power s: Special in p.techs where C` with modifiers, triggers, actions"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    type: TypeWord | None
    place: Expression
    where: Expression | None
    only_if: Expression | None
    lines: tuple[Modify | OnAction | Whenever | OnMove | Rule | Anytime, ...]


@frozen
class Effect:
    """`effect crusades`, `effect c: Territory`, `effect plunder(victim: Player)`"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    type: TypeWord | None
    params: tuple[Param, ...]
    body: Block


@frozen
class Section:
    """`setup` or `play` [only if C] with a block"""

    span: Span
    tags: Tags
    what: Literal["setup", "play"]
    only_if: Expression | None
    body: Block


@frozen
class Item:
    """`item "districts" = E only if C`"""

    span: Span
    tags: Tags
    text: str
    value: Expression
    only_if: Expression | None


@frozen
class Score:
    """`score of p` with its items"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    items: tuple[Item, ...]


@frozen
class Winner:
    """`winner p by KEYS [then shared] [only if C]`"""

    span: Span
    tags: Tags
    name: str
    name_span: Span
    keys: tuple[Key, ...]
    shared: bool
    only_if: Expression | None


@frozen
class Invariant:
    """`invariant "words" = C`"""

    span: Span
    tags: Tags
    text: str
    value: Expression


@frozen
class Note:
    """`note "words"`: why the tagged clauses have no rule"""

    span: Span
    tags: Tags
    text: str


@frozen
class BoardLine:
    """`show "words" for x in S where C` in a `board` block."""

    span: Span
    text: Text
    binder: Binder | None
    where: Expression | None


@frozen
class Board:
    """`board Cell "title"` block: how a grid is drawn: `show "words"` lines in the order of preference, and
    `note "words"` lines that stand below it. `board "title"`: lines of words, one below the other."""

    span: Span
    tags: Tags
    space: TypeWord | None
    title: Text | None
    shows: tuple[BoardLine, ...]
    notes: tuple[str, ...]


Declaration = (
    Game
    | Include
    | OptionDeclaration
    | KindList
    | Union
    | Record
    | PlayerDeclaration
    | Token
    | Die
    | Seat
    | State
    | Zone
    | Value
    | Rule
    | OnAction
    | Whenever
    | OnMove
    | Power
    | Effect
    | Anytime
    | Section
    | Score
    | Winner
    | Invariant
    | Note
    | Board
    | Broken
)


@frozen
class GameFile:
    """All declarations of one `.game` file, in order."""

    span: Span
    declarations: tuple[Declaration, ...]


# ---- scenarios --------------------------------------------------------------------------------------


@frozen
class SceneOption:
    """`option characters is sets`"""

    span: Span
    name: str
    name_span: Span
    value: Expression


@frozen
class ScenePlayers:
    """`player nell, faye`"""

    span: Span
    names: tuple[Word, ...]


@frozen
class SceneFrom:
    """`from "words"`: begins as the beginning of that name does"""

    span: Span
    text: str


@frozen
class Given:
    """`given` with statements"""

    span: Span
    body: Block


@frozen
class Plays:
    """`nell plays tile_red_04`"""

    span: Span
    player: Word
    option: Expression


@frozen
class Chance:
    """`chance gives 3`, `chance gives (1, 4)`"""

    span: Span
    value: Expression


@frozen
class ShuffleGives:
    """`shuffle gives (guard, priest)`: what the next shuffle puts on top, the top first"""

    span: Span
    value: Expression


@frozen
class PlayOn:
    """`play 10 steps`, `play to the end`, with or without `with seed 3`; `steps` is None for the end"""

    span: Span
    steps: int | None
    seed: int


@frozen
class Expect:
    """`expect C`, `expect ann.price(tea) is 2 because "1 less by paper lantern"`"""

    span: Span
    value: Expression
    reason: Text | None = None


@frozen
class Offered:
    """`offered nell plays drop(4)`"""

    span: Span
    player: Word
    option: Expression


@frozen
class Refused:
    """`refused nell plays drop(4) because "column 4 is full"`"""

    span: Span
    player: Word
    option: Expression
    reason: Text | None


@frozen
class Sees:
    """`nell sees deck.size is 3`, `nell cannot see faye.hand`"""

    span: Span
    player: Word
    sees: bool
    value: Expression


@frozen
class SceneFault:
    """`fault "words"`: the step before cannot be done"""

    span: Span
    text: str


SceneLine = (
    SceneOption
    | ScenePlayers
    | SceneFrom
    | Given
    | Plays
    | Chance
    | ShuffleGives
    | PlayOn
    | Expect
    | Offered
    | Refused
    | Sees
    | SceneFault
    | Broken
)


@frozen
class SceneGame:
    """`game "file"`: the game the scenarios of a file are about"""

    span: Span
    path: str


@frozen
class Beginning:
    """`beginning "words"` with the lines that several scenarios begin with"""

    span: Span
    text: str
    lines: tuple[SceneLine, ...] = field(factory=tuple)


@frozen
class Scenario:
    """`scenario "words" [tags]` with its lines"""

    span: Span
    tags: Tags
    text: str
    lines: tuple[SceneLine, ...] = field(factory=tuple)


@frozen
class ScenarioFile:
    """All scenarios of one `.scenario` file."""

    span: Span
    scenarios: tuple[Scenario | Broken, ...]
    game: SceneGame | None = None
    beginnings: tuple[Beginning, ...] = ()
