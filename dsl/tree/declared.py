"""The syntax tree of declarations in a game file: kinds, zones, values, rules, triggers, the score.

Independent of names, types and meaning. The span of a declaration that has a block is the span of its header line.
"""

from __future__ import annotations

from typing import Literal

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import frozen
from rulewright.dsl.tree import syntax


@frozen
class Param:
    """`card: Card` (given, `type` set) or `t in me.techs` / `t: Unit in me.techs where C` (offered, `source` set)"""

    span: Span
    name: str
    name_span: Span
    type: syntax.Type | None
    source: syntax.Expression | None
    where: syntax.Expression | None = None
    stretch: syntax.Stretch | None = None
    reason: syntax.Text | None = None


@frozen
class Game:
    """`game "Title"` with its settings"""

    span: Span
    tags: syntax.Tags
    title: str
    settings: tuple[Setting, ...]


@frozen
class Setting:
    """A line under `game`.

    Facts: players L..H, by "author", designer "name", publisher "name", minutes L..H, mechanisms "words, words",
    weight W, rulebook "file". Rules: depth N, never C else "why", ask if several, in random play OPTION is VALUE."""

    span: Span
    tags: syntax.Tags
    name: str
    value: syntax.Expression
    reason: str | None = None


@frozen
class Include:
    """`include "cards.game"`"""

    span: Span
    path: str


@frozen
class OptionDeclaration:
    """`option characters = draft, sets`; values are names or numbers; the first is the default."""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    values: tuple[syntax.Word | syntax.Number | syntax.Fixed, ...]


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
    tags: syntax.Tags
    name: str
    name_span: Span
    values: tuple[KindValue, ...]


@frozen
class Union:
    """`piece HandCard is BuildingCard or UrbanCard`, `space Box is ...`"""

    span: Span
    tags: syntax.Tags
    what: Literal["piece", "space"]
    name: str
    name_span: Span
    members: tuple[syntax.TypeWord, ...]


@frozen
class Grid:
    """`grid 7 by 6`, `grid hex 5 by 5`, `grid growing 54`, `grid column by row_number` (two columns give the place)

    `grid rhombus 11 by 11`, `grid hexagon 4`; `down` where rows are counted `from top`; `where` which cells there are.
    """

    span: Span
    shape: Literal["square", "hex", "rhombus", "hexagon", "growing"]
    width: syntax.Expression
    height: syntax.Expression | None
    down: bool = False
    where: syntax.Expression | None = None


@frozen
class ProductPart:
    """`suit in Suit`: a column that has each of these values in turn"""

    span: Span
    name: str
    name_span: Span
    source: syntax.Expression


@frozen
class Product:
    """`for suit in Suit, rank in 1..13 where C`: a row for each way to choose one value of each part"""

    span: Span
    parts: tuple[ProductPart, ...]
    where: syntax.Expression | None


@frozen
class Column:
    """`rank: 0..5 = 3 from value`: name, type, default for empty or missing cells, header where it differs."""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    type: syntax.Type
    default: syntax.Expression | None
    header: str | None


@frozen
class Copies:
    """`copies = EXPRESSION` over the row's columns"""

    span: Span
    value: syntax.Expression


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
    tags: syntax.Tags
    cells: tuple[syntax.Expression, ...]


@frozen
class Printed:
    """`text guard "Name a card"`: the words on the thing of a row"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    words: str


@frozen
class State:
    """`state used(d: Die): Flag = no, seen by owner`"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    params: tuple[Param, ...]
    type: syntax.Type
    start: syntax.Expression | None
    seen: Seen | None


@frozen
class ZoneType:
    """`pile of Card`, `set of Card`, `row of 13 Card`, `spot of Card`, `tokens of cube`"""

    span: Span
    shape: Literal["pile", "set", "row", "spot", "tokens"]
    of: str
    of_span: Span
    slots: syntax.Expression | None = None


@frozen
class Seen:
    """`, seen by owner|others|nobody [except size, level]`, `, unlisted` (then no view tells of it)"""

    span: Span
    by: str
    except_for: tuple[str, ...]
    unlisted: bool = False


@frozen
class Zone:
    """`zone deck(level: 0..3): pile of Card = 5, seen by nobody except size`"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    params: tuple[Param, ...]
    type: ZoneType
    start: syntax.Expression | None
    seen: Seen | None


@frozen
class Record:
    """`kind|piece|space|link|table Name [per player] [from "file.csv"] [key a, b] [grid ...]` with its lines"""

    span: Span
    tags: syntax.Tags
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
    product: Product | None = None
    printed: tuple[Printed, ...] = ()


@frozen
class PlayerDeclaration:
    """`player` with its states and zones"""

    span: Span
    tags: syntax.Tags
    states: tuple[State, ...]
    zones: tuple[Zone, ...]


@frozen
class Token:
    """`token resource per player`"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    per_player: bool


@frozen
class Die:
    """`die success = 0, 0, 1`"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    faces: tuple[syntax.Expression, ...]


@frozen
class Seat:
    """`seat hal_seat only if player_count is 1`: a seat that no person holds"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    only_if: syntax.Expression | None


@frozen
class Bound:
    """`at least E`, `at most E`, or `up to E` of a list, in the head of a value"""

    span: Span
    word: Literal["at least", "at most", "up to"]
    amount: syntax.Expression


@frozen
class Value:
    """`[open] value price of p: Player (card: Card) at least 0 = E`, `value is_near(c: Card) = E else "words"`"""

    span: Span
    tags: syntax.Tags
    open: bool
    name: str
    name_span: Span
    subject: Param | None
    params: tuple[Param, ...]
    bounds: tuple[Bound, ...]
    value: syntax.Expression
    reason: syntax.Text | None = None
    """Of a condition: the sentence that says that it does not hold."""


@frozen
class Side:
    """`side of p: Pair = by(p.number: 1 then north_south, ...)`: who plays with whom"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    type: syntax.Type
    value: syntax.Expression


@frozen
class Position:
    """`position diagram up to 100 = list(c in Cell: c.man), mover`: what of the game is kept to be known again"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    limit: syntax.Expression
    parts: tuple[syntax.Expression, ...]


@frozen
class Rule:
    """`rule name(params)` or `action name(params)`, with `named NAME(...)` for its options"""

    span: Span
    tags: syntax.Tags
    what: Literal["rule", "action"]
    name: str
    name_span: Span
    params: tuple[Param, ...]
    only_if: syntax.Expression | None
    body: syntax.Block
    named: syntax.Named | None = None


@frozen
class Pattern:
    """`take(card) as p`: the names bound by a trigger on an action or rule"""

    span: Span
    name: str
    name_span: Span
    params: tuple[syntax.Word, ...]
    actor: syntax.Word | None


@frozen
class OnAction:
    """`before|after|instead of pattern where C` with a block"""

    span: Span
    tags: syntax.Tags
    when: Literal["before", "after", "instead of"]
    pattern: Pattern
    where: syntax.Expression | None
    body: syntax.Block


@frozen
class Whenever:
    """`whenever C [for x in S]`, `whenever V changes by d [for x in S]` (then `change` is set)"""

    span: Span
    tags: syntax.Tags
    condition: syntax.Expression
    change: syntax.Word | None
    binder: syntax.Binder | None
    body: syntax.Block


@frozen
class OnMove:
    """`whenever x enters Z`, `whenever x leaves Z`; names in Z that are not bound yet are bound (p in p.colonies)"""

    span: Span
    tags: syntax.Tags
    how: Literal["enters", "leaves"]
    name: syntax.Word
    place: syntax.Expression
    where: syntax.Expression | None
    body: syntax.Block


@frozen
class Modify:
    """`modify p.take_price(card) less 1 where C`"""

    span: Span
    tags: syntax.Tags
    value: syntax.Expression
    changes: tuple[syntax.Change, ...]
    where: syntax.Expression | None


@frozen
class Anytime:
    """`anytime repay during use_card, answer [where C]`"""

    span: Span
    tags: syntax.Tags
    action: str
    action_span: Span
    during: tuple[syntax.Word, ...]
    where: syntax.Expression | None

    def is_open_in(self, rule: str) -> bool:
        """Whether it is permitted while this rule is running."""
        return any(word.name == rule for word in self.during)


@frozen
class Power:
    """`power moses in p.leader [where C]`, `power s: Special in p.techs where C` with modifiers, triggers, actions"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    type: syntax.TypeWord | None
    place: syntax.Expression
    where: syntax.Expression | None
    only_if: syntax.Expression | None
    lines: tuple[Modify | OnAction | Whenever | OnMove | Rule | Anytime, ...]


@frozen
class Effect:
    """`effect crusades`, `effect c: Territory`, `effect plunder(victim: Player)`"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    type: syntax.TypeWord | None
    params: tuple[Param, ...]
    body: syntax.Block


@frozen
class Section:
    """`setup` or `play` [only if C] with a block"""

    span: Span
    tags: syntax.Tags
    what: Literal["setup", "play"]
    only_if: syntax.Expression | None
    body: syntax.Block


@frozen
class Item:
    """`item "districts" = E only if C`"""

    span: Span
    tags: syntax.Tags
    text: str
    value: syntax.Expression
    only_if: syntax.Expression | None


@frozen
class Score:
    """`score of p` with its items"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    items: tuple[Item, ...]


@frozen
class Winner:
    """`winner p by KEYS [then shared] [only if C]`"""

    span: Span
    tags: syntax.Tags
    name: str
    name_span: Span
    keys: tuple[syntax.Key, ...]
    shared: bool
    only_if: syntax.Expression | None


@frozen
class Invariant:
    """`invariant "words" = C`"""

    span: Span
    tags: syntax.Tags
    text: str
    value: syntax.Expression


@frozen
class Note:
    """`note "words"`: why the tagged clauses have no rule"""

    span: Span
    tags: syntax.Tags
    text: str


@frozen
class BoardLine:
    """`show "words" for x in S where C`, `note "words" where C` in a `board` block."""

    span: Span
    text: syntax.Text
    binder: syntax.Binder | None
    where: syntax.Expression | None


@frozen
class Board:
    """`board Cell "title"` block: how a grid is drawn: `show "words"` lines in the order of preference, and
    `note "words"` lines that stand below it; `mark where C`: cells that stand out.
    `board "title" [for x in S]`: lines of words, one below the other; a board for each x."""

    span: Span
    tags: syntax.Tags
    space: syntax.TypeWord | None
    title: syntax.Text | None
    shows: tuple[BoardLine, ...]
    notes: tuple[BoardLine, ...]
    marks: tuple[syntax.Expression, ...] = ()
    binder: syntax.Binder | None = None


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
    | Position
    | Side
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
    | syntax.Broken
)


@frozen
class GameFile:
    """All declarations of one `.game` file, in order."""

    span: Span
    declarations: tuple[Declaration, ...]
