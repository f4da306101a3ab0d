"""The written tree of scenarios: their beginnings and their lines.

Refuses to know whether what they say of a game makes sense.
"""

from __future__ import annotations

from attrs import field, frozen

from rulewright.dsl.problems.source import Span
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
    """`shuffle gives (guard, priest)`: what the next shuffle puts on top, the top first"""

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
    | Plays
    | Chance
    | ShuffleGives
    | PlayOn
    | Expect
    | Offered
    | Refused
    | Sees
    | SceneFault
    | syntax.Broken
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
