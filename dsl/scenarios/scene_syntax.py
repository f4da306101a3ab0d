"""The syntax tree of scenarios: their beginnings and their lines."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.tree import syntax


@frozen
class SceneOption:
    """`option characters is sets`"""

    span: Span
    name: str
    name_span: Span
    value: syntax.Expression


@frozen
class ScenePlayers:
    """`player nell, faye`"""

    span: Span
    names: tuple[syntax.Word, ...]


@frozen
class SceneFrom:
    """`from "words"`: begins as the beginning of that name does"""

    span: Span
    text: str


@frozen
class Given:
    """`given` with statements"""

    span: Span
    body: syntax.Block


@frozen
class ToMove:
    """`to move bob`: it is his turn"""

    span: Span
    player: syntax.Word


@frozen
class Plays:
    """`nell plays tile_red_04`"""

    span: Span
    player: syntax.Word
    option: syntax.Expression


@frozen
class Chance:
    """`chance gives 3`, `chance gives (1, 4)`"""

    span: Span
    value: syntax.Expression


@frozen
class ShuffleGives:
    """`shuffle gives (guard, priest)`: what the next shuffle puts on top, the top first

    `shuffle gives nothing` leaves that shuffle to chance."""

    span: Span
    value: syntax.Expression


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
    value: syntax.Expression
    reason: syntax.Text | None = None


@frozen
class Offered:
    """`offered nell plays drop(4)`"""

    span: Span
    player: syntax.Word
    option: syntax.Expression


@frozen
class Refused:
    """`refused nell plays drop(4) because "column 4 is full"`"""

    span: Span
    player: syntax.Word
    option: syntax.Expression
    reason: syntax.Text | None


@frozen
class OfferedExactly:
    """`offered exactly drop(4), drop(5)`: these options and no others"""

    span: Span
    options: tuple[syntax.Expression, ...]


@frozen
class NothingElse:
    """`offered nothing else`: no options but those of the `offered` lines above"""

    span: Span


@frozen
class ExpectWords:
    """`expect log "ann rests" before "bob rests"`, `expect no view of bob "hidden"`: what people read"""

    span: Span
    where: Literal["log", "prompt", "view"]
    holds: bool
    player: syntax.Word | None
    words: tuple[syntax.Text, ...]


@frozen
class ExpectOption:
    """`expect option buy(tea) "buy the tea for 3"`: an option has these words"""

    span: Span
    option: syntax.Expression
    words: syntax.Text


@frozen
class ExpectAsked:
    """`expect ann is asked`, `expect bob is not asked`, `expect nobody is asked`"""

    span: Span
    player: syntax.Word | None
    holds: bool


@frozen
class ExpectRunning:
    """`expect turn of ann has ended`, `expect build goes on`: whether a rule is in the middle of what it does"""

    span: Span
    rule: syntax.Word
    player: syntax.Word | None
    holds: bool


@frozen
class ExpectSame:
    """`expect same as "words"`: everything is as at the end of the scenario or beginning of that name"""

    span: Span
    text: str


@frozen
class SameAs:
    """`expect same as "words"` with the lines of what is meant."""

    span: Span
    text: str
    lines: tuple[MeantLine, ...]


@frozen
class Settled:
    """Whether a game is played so, once that is known: `found` says how it is, or nothing."""

    span: Span
    found: str | None


@frozen
class RefusedPlayers:
    """`refused player ann, bob`: so many cannot play, with the options that are said"""

    span: Span
    names: tuple[syntax.Word, ...]


@frozen
class RefusedOption:
    """`refused option length is endless`: the game has no such option, or not with the others"""

    span: Span
    name: str
    name_span: Span
    value: syntax.Expression


@frozen
class Means:
    """`x means set cell.mark to ann`, in a picture"""

    span: Span
    sign: str
    body: syntax.Block


@frozen
class Picture:
    """`picture of Cell` with rows of signs and what they mean"""

    span: Span
    space: syntax.TypeWord
    rows: tuple[tuple[tuple[str, Span], ...], ...]
    means: tuple[Means, ...]


@frozen
class Sees:
    """`nell sees deck.size is 3`, `nell cannot see faye.hand`"""

    span: Span
    player: syntax.Word
    sees: bool
    value: syntax.Expression


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
    | SceneFault
    | syntax.Broken
)


MeantLine = SceneLine | SameAs | Settled
"""A line, or its replacement once its meaning is known."""


@frozen
class SceneGame:
    """`game "file"`: the game the scenarios of a file are about"""

    span: Span
    path: str


@frozen
class SceneInclude:
    """`include "file"`: the beginnings of another file of scenarios are those of this one, too"""

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
    tags: syntax.Tags
    text: str
    lines: tuple[SceneLine, ...] = field(factory=tuple)


@frozen
class ScenarioFile:
    """All scenarios of one `.scenario` file."""

    span: Span
    scenarios: tuple[Scenario | syntax.Broken, ...]
    game: SceneGame | None = None
    beginnings: tuple[Beginning, ...] = ()
    includes: tuple[SceneInclude, ...] = ()
