"""The syntax tree of declarations in a game file: kinds, zones, values, rules, triggers, the score.

The tree is independent of names, types and meaning. A declaration with a block has the span of its header
line.
"""

from __future__ import annotations

from typing import Literal

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import frozen
from rulewright.dsl.tree import syntax


@frozen
class Param(syntax.Node):
    """`card: Card` (given: `type` is set), or `t in me.techs`, `t: Unit in me.techs where C` (offered:
    `source` is set)
    """

    name: str
    name_span: Span
    type: syntax.Type | None
    source: syntax.Expression | None
    where: syntax.Expression | None = None
    stretch: syntax.Stretch | None = None
    reason: syntax.Text | None = None

    @property
    def binder(self) -> syntax.Binder | None:
        """If the value is offered, the name together with its source; otherwise None."""
        if self.source is None:
            return None
        type = self.type
        of = syntax.TypeWord(type.span, type.name) if isinstance(type, syntax.NamedType) else None
        return syntax.Binder(
            self.span, self.name, self.name_span, of, self.source, stretch=self.stretch
        )


@frozen
class Game(syntax.Tagged):
    """`game "Title"` with its settings"""

    title: str
    settings: tuple[Setting, ...]


@frozen
class Setting(syntax.Tagged):
    """A line below `game`.

    Facts: players L..H, by "author", designer "name", publisher "name", minutes L..H, mechanisms
    "words, words", weight W, rulebook "file". Rules: depth N, never C else "why", ask if several,
    in random play OPTION is VALUE.
    """

    name: str
    value: syntax.Expression
    reason: str | None = None


@frozen
class Include(syntax.Node):
    """`include "cards.game"`"""

    path: str


@frozen
class OptionDeclaration(syntax.Giving):
    """`option characters = draft, sets`; the values are names or numbers, and the first value is the default."""

    values: tuple[syntax.Word | syntax.Number | syntax.Fixed, ...]


@frozen
class KindValue(syntax.Node):
    """A value of a kind; `text` is an alternative spelling of the value in tables."""

    name: str
    text: str | None = None


@frozen
class KindList(syntax.Giving):
    """`kind Color = red, blue, yellow`"""

    values: tuple[KindValue, ...]


@frozen
class Union(syntax.Tagged):
    """`piece HandCard is BuildingCard or UrbanCard`, `space Box is ...`"""

    what: Literal["piece", "space"]
    name: str
    name_span: Span
    members: tuple[syntax.TypeWord, ...]


@frozen
class Grid(syntax.Node):
    """`grid 7 by 6`, `grid hex 5 by 5`, `grid growing 54`, `grid column by row_number` (two columns give
    the place)

    Also `grid rhombus 11 by 11`, `grid hexagon 4`. `down` is true if rows are counted `from top`; `where`
    says which cells exist.
    """

    shape: Literal["square", "hex", "rhombus", "hexagon", "growing"]
    width: syntax.Expression
    height: syntax.Expression | None
    down: bool = False
    where: syntax.Expression | None = None


@frozen
class Border(syntax.Node):
    """`at corners of Hex`, `at edges of Hex`: the spaces are the corners or the edges of the cells of a grid"""

    elements: Literal["corners", "edges"]
    of: str
    of_span: Span


@frozen
class ProductPart(syntax.Node):
    """`suit in Suit`: a column that has each of these values in turn"""

    name: str
    name_span: Span
    source: syntax.Expression


@frozen
class Product(syntax.Node):
    """`for suit in Suit, rank in 1..13 where C`: a row for each combination that takes one value from each part"""

    parts: tuple[ProductPart, ...]
    where: syntax.Expression | None


@frozen
class Column(syntax.Giving):
    """`rank: 0..5 = 3 from value`: name, type, default for empty or missing cells, and a header
    that differs from the name.
    """

    type: syntax.Type
    default: syntax.Expression | None
    header: str | None


@frozen
class Copies(syntax.Node):
    """`copies = EXPRESSION`, where the expression may read the columns of the row"""

    value: syntax.Expression


@frozen
class Joins(syntax.Node):
    """`joins city_a, city_b` in a link"""

    first: str
    second: str


@frozen
class Row(syntax.Tagged):
    """`row name, 1, red, nothing`"""

    cells: tuple[syntax.Expression, ...]


@frozen
class Printed(syntax.Giving):
    """`text guard "Name a card"`: the words printed on this row's thing"""

    words: str


@frozen
class RowSigns(syntax.Giving):
    """`king "K" "k"` in a line of signs: a character for each player; in `player` there is no name"""

    signs: tuple[tuple[str, Span], ...]


@frozen
class Signs(syntax.Tagged):
    """`signs king "K", queen "Q"`"""

    rows: tuple[RowSigns, ...]


@frozen
class State(syntax.Giving):
    """`state used(d: Die): Flag = no, seen by owner`"""

    params: tuple[Param, ...]
    type: syntax.Type
    start: syntax.Expression | None
    seen: Seen | None


@frozen
class ZoneType(syntax.Node):
    """`pile of Card`, `set of Card`, `row of 13 Card`, `spot of Card`, `tokens of cube`"""

    shape: Literal["pile", "set", "row", "spot", "tokens"]
    of: str
    of_span: Span
    slots: syntax.Expression | None = None


@frozen
class Seen(syntax.Node):
    """`, seen by owner|others|nobody [except size, level]` or `, unlisted` (no view shows the place)"""

    by: str
    except_for: tuple[str, ...]
    unlisted: bool = False


@frozen
class Zone(syntax.Giving):
    """`zone deck(level: 0..3): pile of Card = 5, seen by nobody except size`"""

    params: tuple[Param, ...]
    type: ZoneType
    start: syntax.Expression | None
    seen: Seen | None


@frozen
class Record(syntax.Tagged):
    """`kind|piece|space|link|table Name [per player] [from "file.csv"] [key a, b] [grid ...]` with its lines.

    `at corners of Name` may follow `space Name`.
    """

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
    signs: tuple[Signs, ...] = ()
    border: Border | None = None


@frozen
class PlayerDeclaration(syntax.Tagged):
    """`player` with its states, zones and signs"""

    states: tuple[State, ...]
    zones: tuple[Zone, ...]
    signs: tuple[RowSigns, ...] = ()


@frozen
class Token(syntax.Giving):
    """`token resource per player`"""

    per_player: bool


@frozen
class Die(syntax.Giving):
    """`die success = 0, 0, 1`"""

    faces: tuple[syntax.Expression, ...]


@frozen
class Seat(syntax.Giving):
    """`seat hal_seat only if player_count is 1`: a seat without a person"""

    only_if: syntax.Expression | None


@frozen
class Bound(syntax.Node):
    """`at least E`, `at most E` or, for a list, `up to E`, in the head of a value"""

    word: Literal["at least", "at most", "up to"]
    amount: syntax.Expression


@frozen
class Value(syntax.Tagged):
    """`[open] value price of p: Player (card: Card) at least 0 = E`, `value is_near(c: Card) = E else "words"`"""

    open: bool
    name: str
    name_span: Span
    subject: Param | None
    params: tuple[Param, ...]
    bounds: tuple[Bound, ...]
    value: syntax.Expression
    reason: syntax.Text | None = None
    """For a condition, the sentence that says that the condition does not hold."""


@frozen
class Side(syntax.Giving):
    """`side of p: Pair = by(p.number: 1 then north_south, ...)`: which players play together"""

    type: syntax.Type
    value: syntax.Expression


@frozen
class Position(syntax.Giving):
    """`position diagram up to 100 = list(c in Cell: c.man), mover`: the parts of the game that form a position"""

    limit: syntax.Expression
    parts: tuple[syntax.Expression, ...]


@frozen
class Rule(syntax.Tagged):
    """`rule name(params) gives TYPE` or `action name(params)`, with `named NAME(...)` for its options"""

    what: Literal["rule", "action"]
    name: str
    name_span: Span
    params: tuple[Param, ...]
    only_if: syntax.Expression | None
    body: syntax.Block
    named: syntax.Named | None = None
    gives: syntax.Type | None = None
    """The type of the result of the rule."""


@frozen
class Pattern(syntax.Node):
    """`take(card) as p`: the names bound by a trigger on an action or rule"""

    name: str
    name_span: Span
    params: tuple[syntax.Word, ...]
    actor: syntax.Word | None


@frozen
class Unnamed(syntax.Tagged):
    """A declaration that has no name, so other declarations cannot refer to it."""


@frozen
class Trigger(Unnamed):
    """A trigger: steps that run when something happens."""


@frozen
class OnAction(Trigger):
    """`before|after|instead of pattern where C` with a block"""

    when: Literal["before", "after", "instead of"]
    pattern: Pattern
    where: syntax.Expression | None
    body: syntax.Block


@frozen
class Whenever(Trigger):
    """`whenever C [for x in S]`, `whenever V changes by d [for x in S]` (`change` is set)"""

    condition: syntax.Expression
    change: syntax.Word | None
    binder: syntax.Binder | None
    body: syntax.Block


@frozen
class OnMove(Trigger):
    """`whenever x enters Z`, `whenever x leaves Z`; each name in Z that is still unbound becomes
    bound (p in p.colonies)
    """

    how: Literal["enters", "leaves"]
    name: syntax.Word
    place: syntax.Expression
    where: syntax.Expression | None
    body: syntax.Block


@frozen
class Modify(syntax.Tagged):
    """`modify p.take_price(card) less 1 where C`"""

    value: syntax.Expression
    changes: tuple[syntax.Change, ...]
    where: syntax.Expression | None


@frozen
class Anytime(Unnamed):
    """`anytime repay during use_card, answer [where C]`"""

    action: str
    action_span: Span
    during: tuple[syntax.Word, ...]
    where: syntax.Expression | None

    def is_open_in(self, rule: str) -> bool:
        """Return whether the action may be taken while this rule is running."""
        return any(word.name == rule for word in self.during)


@frozen
class Power(syntax.Giving):
    """`power moses in p.leader [where C]`, `power s: Special in p.techs where C`, with modifiers, triggers, actions"""

    type: syntax.TypeWord | None
    place: syntax.Expression
    where: syntax.Expression | None
    only_if: syntax.Expression | None
    lines: tuple[Modify | OnAction | Whenever | OnMove | Rule | Anytime, ...]


@frozen
class Effect(syntax.Giving):
    """`effect crusades`, `effect c: Territory`, `effect plunder(victim: Player)`"""

    type: syntax.TypeWord | None
    params: tuple[Param, ...]
    body: syntax.Block


@frozen
class Section(Unnamed):
    """`setup` or `play` [only if C] with a block"""

    what: Literal["setup", "play"]
    only_if: syntax.Expression | None
    body: syntax.Block


@frozen
class Item(syntax.Tagged):
    """`item "districts" = E only if C`"""

    text: str
    value: syntax.Expression
    only_if: syntax.Expression | None


@frozen
class Score(syntax.Giving, Unnamed):
    """`score of p` with its items"""

    items: tuple[Item, ...]


@frozen
class Winner(syntax.Giving, Unnamed):
    """`winner p by KEYS [then shared] [only if C]`"""

    keys: tuple[syntax.Key, ...]
    shared: bool
    only_if: syntax.Expression | None


@frozen
class Invariant(Unnamed):
    """`invariant "words" = C`"""

    text: str
    value: syntax.Expression


@frozen
class Note(Unnamed):
    """`note "words"`: why the tagged clauses have no rule"""

    text: str


@frozen
class BoardLine(syntax.Node):
    """`show "words" for x in S, y in T where C`, `note "words" where C` in a `board` block."""

    text: syntax.Text
    binders: tuple[syntax.Binder, ...]
    where: syntax.Expression | None


@frozen
class Board(Unnamed):
    """`board Cell "title"` with a block that says how a grid is drawn.

    If several `show "words"` lines apply to a cell, the first is used. The `note "words"` lines are
    drawn below the grid, and `mark where C` highlights cells. `board "title" [for x in S]` contains
    lines of words, one below the other; there is a board for each x.
    """

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
class GameFile(syntax.Node):
    """All declarations of one `.game` file, in order."""

    declarations: tuple[Declaration, ...]
