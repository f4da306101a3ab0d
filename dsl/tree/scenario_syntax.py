"""The syntax tree of scenarios: their beginnings and their lines."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.tree import syntax


@frozen
class OptionSet(syntax.Node):
    """`option characters is sets`"""

    name: str
    name_span: Span
    value: syntax.Expression


@frozen
class PlayersNamed(syntax.Node):
    """`player nell, faye`"""

    names: tuple[syntax.Word, ...]


@frozen
class StartFrom(syntax.Node):
    """`from "words"`: the scenario begins with the lines of the beginning that has this name"""

    text: str


@frozen
class Given(syntax.Node):
    """`given` with statements"""

    body: syntax.Block


@frozen
class ToMove(syntax.Node):
    """`to move bob`: it is the turn of bob"""

    player: syntax.Word


@frozen
class Plays(syntax.Node):
    """`nell plays tile_red_04`"""

    player: syntax.Word
    option: syntax.Expression


@frozen
class Chance(syntax.Node):
    """`chance gives 3`, `chance gives (1, 4)`"""

    value: syntax.Expression


@frozen
class ShuffleGives(syntax.Node):
    """`shuffle gives (guard, priest)`: the pieces that the next shuffle puts on top, the top piece first

    `shuffle gives nothing` leaves this shuffle to chance.
    """

    value: syntax.Expression


@frozen
class PlayOn(syntax.Node):
    """`play 10 steps` or `play to the end`, with or without `with seed 3`; `steps` is None for `to the end`"""

    steps: int | None
    seed: int


@frozen
class Expect(syntax.Node):
    """`expect C`, `expect ann.price(tea) is 2 because "1 less by paper lantern"`"""

    value: syntax.Expression
    reason: syntax.Text | None = None


@frozen
class Offered(syntax.Node):
    """`offered nell plays drop(4)`"""

    player: syntax.Word
    option: syntax.Expression


@frozen
class Refused(syntax.Node):
    """`refused nell plays drop(4) because "column 4 is full"`"""

    player: syntax.Word
    option: syntax.Expression
    reason: syntax.Text | None


@frozen
class OfferedExactly(syntax.Node):
    """`offered exactly drop(4), drop(5)`: these options are offered and no others"""

    options: tuple[syntax.Expression, ...]


@frozen
class NothingElse(syntax.Node):
    """`offered nothing else`: only the options of the `offered` lines above are offered"""


@frozen
class ExpectWords(syntax.Node):
    """`expect log "ann rests" before "bob rests"` or `expect no view of bob "hidden"`: the texts that people read"""

    where: Literal["log", "prompt", "view"]
    holds: bool
    player: syntax.Word | None
    words: tuple[syntax.Text, ...]


@frozen
class ExpectOption(syntax.Node):
    """`expect option buy(tea) "buy the tea for 3"`: an option contains these words"""

    option: syntax.Expression
    words: syntax.Text


@frozen
class ExpectAsked(syntax.Node):
    """`expect ann is asked`, `expect bob is not asked`, `expect nobody is asked`"""

    player: syntax.Word | None
    holds: bool


@frozen
class ExpectRunning(syntax.Node):
    """`expect turn of ann has ended`, `expect build goes on`: whether a rule is running"""

    rule: syntax.Word
    player: syntax.Word | None
    holds: bool


@frozen
class ExpectSame(syntax.Node):
    """`expect same as "words"`: the state equals the final state of another scenario or beginning

    The words are the name of that scenario or beginning.
    """

    text: str


@frozen
class SameAs(syntax.Node):
    """`expect same as "words"`, with the lines of the scenario or beginning called "words"."""

    text: str
    lines: tuple[MeantLine, ...]


@frozen
class NotPlayed(syntax.Node):
    """The answer to whether a game can be played with players and options that, according to a scenario, are refused.

    If so, `found` is a text that names them; otherwise `found` is None.
    """

    found: str | None


@frozen
class RefusedPlayers(syntax.Node):
    """`refused player ann, bob`: this number of players cannot play with the given options"""

    names: tuple[syntax.Word, ...]


@frozen
class RefusedOption(syntax.Node):
    """`refused option length is endless`: the game has no such option, or forbids it with the other options"""

    name: str
    name_span: Span
    value: syntax.Expression


@frozen
class Means(syntax.Node):
    """`x means set cell.mark to ann`, in a picture"""

    sign: str
    body: syntax.Block


@frozen
class Picture(syntax.Node):
    """`[expect] picture of Cell` with rows of characters and their meanings"""

    space: syntax.TypeWord
    is_expected: bool
    rows: tuple[tuple[tuple[str, Span], ...], ...] = ()
    means: tuple[Means, ...] = ()


@frozen
class ExpectPicture(syntax.Node):
    """An expected picture, after its cells are known: their numbers and texts, row by row from the top"""

    space: str
    rows: tuple[tuple[tuple[int, str], ...], ...]


@frozen
class Sees(syntax.Node):
    """`nell sees deck.size is 3`, `nell cannot see faye.hand`"""

    player: syntax.Word
    sees: bool
    value: syntax.Expression


@frozen
class Fault(syntax.Node):
    """`fault "words"`: the previous step fails with these words"""

    text: str


ScenarioLine = (
    OptionSet
    | PlayersNamed
    | StartFrom
    | Given
    | ToMove
    | Plays
    | Chance
    | ShuffleGives
    | PlayOn
    | Expect
    | Offered
    | Refused
    | OfferedExactly
    | NothingElse
    | ExpectWords
    | ExpectOption
    | ExpectAsked
    | ExpectRunning
    | ExpectSame
    | RefusedPlayers
    | RefusedOption
    | Picture
    | Sees
    | Fault
    | syntax.Broken
)


MeantLine = ScenarioLine | ExpectPicture | SameAs | NotPlayed
"""A line as it was written, or the node that replaces the line once its meaning is known."""


@frozen
class GameNamed(syntax.Node):
    """`game "file"`: the game of the scenarios of a file"""

    path: str


@frozen
class Included(syntax.Node):
    """`include "file"`: the scenarios of the including file can use the beginnings of the included scenario file"""

    path: str


@frozen
class Beginning(syntax.Node):
    """`beginning "words"` and the lines with which several scenarios begin"""

    text: str
    lines: tuple[ScenarioLine, ...] = field(factory=tuple)


@frozen
class Scenario(syntax.Tagged):
    """`scenario "words" [tags]` with its lines"""

    text: str
    lines: tuple[ScenarioLine, ...] = field(factory=tuple)


@frozen
class ScenarioFile(syntax.Node):
    """All scenarios of one `.scenario` file."""

    scenarios: tuple[Scenario | syntax.Broken, ...]
    game: GameNamed | None = None
    beginnings: tuple[Beginning, ...] = ()
    includes: tuple[Included, ...] = ()
