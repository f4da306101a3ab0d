"""Checked scenarios, with numbers from the program that they were compiled with."""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

from rulewright.dsl.ir import Program
from rulewright.dsl.lowering.emit.turns import Flow
from rulewright.dsl.tree import syntax


@frozen
class Asked:
    """A value to compute and show: a plain procedure without arguments, and the way to show its value."""

    text: str
    procedure: int
    domain: int
    is_flag: bool = False


@frozen
class Condition:
    """A condition that must hold; `sides` are the compared values, which are shown if it does not."""

    text: str
    procedure: int
    sides: tuple[Asked, ...] = ()


@frozen
class Words:
    """Words with values: a message, and a plain procedure that gives the list of its arguments."""

    message: int
    procedure: int


@frozen
class Sought:
    """An option: a name with arguments, or a bare value; a list of values means any one of them.

    If all three are empty, it is not an option of any decision."""

    text: str
    name: str | None = None
    arguments: tuple[Asked, ...] = ()
    value: Asked | None = None


@frozen
class Given(syntax.Node):
    """Runs a procedure at the current position."""

    procedure: int


@frozen
class ToMove(syntax.Node):
    """The turn of a player begins."""

    player: int
    flow: Flow


@frozen
class Plays(syntax.Node):
    """A player takes an option."""

    player: int
    option: Sought


@frozen
class Chance(syntax.Node):
    """The results of the next dice and draws, in their order."""

    values: tuple[Asked, ...]


@frozen
class Shuffle(syntax.Node):
    """The pieces that the next shuffle puts on top, the top first; None leaves it to chance."""

    values: tuple[Asked, ...] | None


@frozen
class PlayOn(syntax.Node):
    """Everybody chooses at random, for a number of decisions or to the end."""

    steps: int | None
    seed: int


@frozen
class Because:
    """The required reason of a value: the value by its procedure, its sources without arguments, and words."""

    value: int
    sources: tuple[int, ...]
    words: Words


@frozen
class Expect(syntax.Node):
    """All these conditions hold; a `reason` must explain the first compared value."""

    conditions: tuple[Condition, ...]
    reason: Because | None = None


@frozen
class Offered(syntax.Node):
    """A player may take an option."""

    player: int
    option: Sought


@frozen
class Refused(syntax.Node):
    """A player may not take an option, for a reason."""

    player: int
    option: Sought
    reason: Words | None


@frozen
class OfferedExactly(syntax.Node):
    """The open decision has these options and no others; `is_rest` if earlier `offered` lines name them."""

    options: tuple[Sought, ...]
    is_rest: bool = False


@frozen
class ExpectWords(syntax.Node):
    """The log, the prompt or the view contains these texts in order, or does not."""

    where: Literal["log", "prompt", "view"]
    holds: bool
    player: int | None
    words: tuple[Words, ...]


@frozen
class ExpectPicture(syntax.Node):
    """The cells of a grid are drawn with these texts, row by row from the top."""

    space: str
    rows: tuple[tuple[tuple[int, str], ...], ...]


@frozen
class ExpectOption(syntax.Node):
    """An option that is offered has these words in it."""

    option: Sought
    words: Words


@frozen
class ExpectAsked(syntax.Node):
    """A player, or nobody, must decide now; or the opposite."""

    player: int | None
    holds: bool


@frozen
class ExpectRunning(syntax.Node):
    """A rule or action is running, for a player or for anybody; or it is not."""

    name: str
    player: int | None
    holds: bool


@frozen
class Same(syntax.Node):
    """The state equals the state after these steps."""

    text: str
    steps: tuple[Step, ...]


@frozen
class NotPlayed(syntax.Node):
    """The game cannot be played with the refused terms; if it can, `found` tells how."""

    found: str | None


@frozen
class Sees(syntax.Node):
    """All these conditions hold, and the player can know that."""

    player: int
    conditions: tuple[Condition, ...]


@frozen
class CannotSee(syntax.Node):
    """The player cannot know the value."""

    player: int
    value: Asked


@frozen
class Fault(syntax.Node):
    """The previous step has failed with these words."""

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
    | ExpectPicture
    | ExpectOption
    | ExpectAsked
    | ExpectRunning
    | Same
    | NotPlayed
    | Fault
)


@frozen
class Scene(syntax.Node):
    """One scenario; its first `shared` steps belong to its beginnings."""

    text: str
    clauses: tuple[str, ...]
    steps: tuple[Step, ...]
    shared: int = 0


@frozen
class ScenarioProgram:
    """The scenarios of a file that are played by the same players with the same options."""

    program: Program
    scenes: tuple[Scene, ...]
    options: tuple[tuple[str, str], ...] = ()

    def of(self, scenes: tuple[Scene, ...]) -> ScenarioProgram:
        """The same program with only some of its scenarios."""
        return ScenarioProgram(self.program, scenes, self.options)
