"""Checked scenarios, in the numbers of the program they were compiled with."""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.ir import Program
from rulewright.dsl.lowering.workshop.turns import Flow


@frozen
class Asked:
    """Something that is worked out and shown: a plain procedure without arguments, and how to show its value."""

    text: str
    procedure: int
    domain: int
    is_flag: bool = False


@frozen
class Condition:
    """A condition that must hold; `sides` are the compared values, to be shown if it does not."""

    text: str
    procedure: int
    sides: tuple[Asked, ...] = ()


@frozen
class Words:
    """Words with places: a message, and a plain procedure that gives the list of its arguments."""

    message: int
    procedure: int


@frozen
class Sought:
    """An option: a name with arguments, or a bare value; a list of values means any one of them.

    If all three are empty it is no option of any decision."""

    text: str
    name: str | None = None
    arguments: tuple[Asked, ...] = ()
    value: Asked | None = None


@frozen
class Given:
    """A procedure is run at the position at hand."""

    span: Span
    procedure: int


@frozen
class ToMove:
    """The turn of a player begins."""

    span: Span
    player: int
    flow: Flow


@frozen
class Plays:
    """A player takes an option."""

    span: Span
    player: int
    option: Sought


@frozen
class Chance:
    """The results of the next dice and draws, one after the other."""

    span: Span
    values: tuple[Asked, ...]


@frozen
class Shuffle:
    """The pieces that the next shuffle puts on top, the top first; None leaves it to chance."""

    span: Span
    values: tuple[Asked, ...] | None


@frozen
class PlayOn:
    """Everybody chooses at random, for so many decisions or to the end."""

    span: Span
    steps: int | None
    seed: int


@frozen
class Because:
    """The required reason of a value: the value by its procedure, its sources without arguments, and words."""

    value: int
    sources: tuple[int, ...]
    words: Words


@frozen
class Expect:
    """All these hold; a `reason` must explain the first compared value."""

    span: Span
    conditions: tuple[Condition, ...]
    reason: Because | None = None


@frozen
class Offered:
    """A player may take an option."""

    span: Span
    player: int
    option: Sought


@frozen
class Refused:
    """A player may not take an option, for a reason."""

    span: Span
    player: int
    option: Sought
    reason: Words | None


@frozen
class OfferedExactly:
    """The open decision has these options and no others; `is_rest` if earlier lines looked for them."""

    span: Span
    options: tuple[Sought, ...]
    is_rest: bool = False


@frozen
class ExpectWords:
    """The log, the prompt or the view contains these texts in order, or does not."""

    span: Span
    where: Literal["log", "prompt", "view"]
    holds: bool
    player: int | None
    words: tuple[Words, ...]


@frozen
class ExpectOption:
    """An option that is offered has these words in it."""

    span: Span
    option: Sought
    words: Words


@frozen
class ExpectAsked:
    """A player, or nobody, is to decide, or is not."""

    span: Span
    player: int | None
    holds: bool


@frozen
class ExpectRunning:
    """A rule or action goes on, for a player or for anybody, or does not."""

    span: Span
    name: str
    player: int | None
    holds: bool


@frozen
class Same:
    """The state equals that after these steps."""

    span: Span
    text: str
    steps: tuple[Step, ...]


@frozen
class NotPlayed:
    """The game cannot be played so; `found` says how it can be, where it can."""

    span: Span
    found: str | None


@frozen
class Sees:
    """All these hold, and the player can know it."""

    span: Span
    player: int
    conditions: tuple[Condition, ...]


@frozen
class CannotSee:
    """The player cannot know the value."""

    span: Span
    player: int
    value: Asked


@frozen
class Fault:
    """The step before has failed with these words."""

    span: Span
    text: str


Step: TypeAlias = (
    Given
    | ToMove
    | Plays
    | Chance
    | Shuffle
    | PlayOn
    | Expect
    | Offered
    | Refused
    | Sees
    | CannotSee
    | OfferedExactly
    | ExpectWords
    | ExpectOption
    | ExpectAsked
    | ExpectRunning
    | Same
    | NotPlayed
    | Fault
)


@frozen
class Scene:
    """One scenario; the first `shared` steps are those of its beginnings."""

    span: Span
    text: str
    clauses: tuple[str, ...]
    steps: tuple[Step, ...]
    shared: int = 0


@frozen
class SceneProgram:
    """The scenarios of a file that are played by the same players with the same options."""

    program: Program
    scenes: tuple[Scene, ...]
    options: tuple[tuple[str, str], ...] = ()

    def of(self, scenes: tuple[Scene, ...]) -> SceneProgram:
        """Some of the scenarios alone."""
        return SceneProgram(self.program, scenes, self.options)
