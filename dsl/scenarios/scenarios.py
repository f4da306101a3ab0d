"""Define checked scenarios. The numbers in the scenarios refer to the program with which the
scenarios were compiled.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

from rulewright.dsl.ir import Program
from rulewright.dsl.lowering.emit.turns import Flow
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.scenario_syntax import ExpectPicture, Fault, NotPlayed, PlayOn


@frozen
class ShownValue:
    """A value to compute and show: a plain procedure without arguments, and the form in which its result is shown."""

    text: str
    procedure: int
    domain: int
    is_flag: bool = False


@frozen
class Condition:
    """A condition that must hold. `sides` contains the compared values; they are shown if the
    condition does not hold.
    """

    text: str
    procedure: int
    sides: tuple[ShownValue, ...] = ()


@frozen
class Words:
    """A message with values: its text, and a plain procedure that returns the message's
    arguments.
    """

    message: int
    procedure: int


@frozen
class OptionPattern:
    """An option: a name with arguments, or a bare value. A list of values means any of these values.

    An option whose name, arguments and value are all empty matches nothing.
    """

    text: str
    name: str | None = None
    arguments: tuple[ShownValue, ...] = ()
    value: ShownValue | None = None


@frozen
class Given(syntax.Node):
    """A step that runs a procedure at the current position."""

    procedure: int


@frozen
class ToMove(syntax.Node):
    """A step that begins the turn of a player."""

    player: int
    flow: Flow


@frozen
class Plays(syntax.Node):
    """A step in which a player takes an option."""

    player: int
    option: OptionPattern


@frozen
class Chance(syntax.Node):
    """The results of the next dice rolls and draws, in order."""

    values: tuple[ShownValue, ...]


@frozen
class Shuffle(syntax.Node):
    """The pieces that the next shuffle puts on top, the top piece first; None leaves the order to chance."""

    values: tuple[ShownValue, ...] | None


@frozen
class Because:
    """The reason that a value must have: the procedure that computes the value, the value's sources
    without their arguments, and the words of the reason.
    """

    value: int
    sources: tuple[int, ...]
    words: Words


@frozen
class Expect(syntax.Node):
    """An expectation that all conditions hold. A `reason` must explain the first compared value."""

    conditions: tuple[Condition, ...]
    reason: Because | None = None


@frozen
class Offered(syntax.Node):
    """An expectation that a player may take an option."""

    player: int
    option: OptionPattern


@frozen
class Refused(syntax.Node):
    """An expectation that a player may not take an option, for a reason."""

    player: int
    option: OptionPattern
    reason: Words | None


@frozen
class OfferedExactly(syntax.Node):
    """An expectation that the open decision offers only these options. If `is_rest` is true, the
    options are the ones that earlier `offered` lines name.
    """

    options: tuple[OptionPattern, ...]
    is_rest: bool = False


@frozen
class ExpectWords(syntax.Node):
    """An expectation that the log, prompt or view contains, or does not contain, these texts in
    order.
    """

    where: Literal["log", "prompt", "view"]
    holds: bool
    player: int | None
    words: tuple[Words, ...]


@frozen
class ExpectOption(syntax.Node):
    """An expectation that an offered option contains these words."""

    option: OptionPattern
    words: Words


@frozen
class ExpectAsked(syntax.Node):
    """An expectation about whether a given player must decide now, or about whether anybody
    must.
    """

    player: int | None
    holds: bool


@frozen
class ExpectRunning(syntax.Node):
    """An expectation that a rule or action is, or is not, running for a given player or for any
    player.
    """

    name: str
    player: int | None
    holds: bool


@frozen
class Same(syntax.Node):
    """An expectation that the current state equals the one that these steps would produce."""

    text: str
    steps: tuple[Step, ...]


@frozen
class Sees(syntax.Node):
    """An expectation that all conditions hold, and that the player can know this."""

    player: int
    conditions: tuple[Condition, ...]


@frozen
class CannotSee(syntax.Node):
    """An expectation that the player cannot know the value."""

    player: int
    value: ShownValue


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
    """A scenario. Its first `shared` steps come from openings that it has in common with other scenarios."""

    text: str
    clauses: tuple[str, ...]
    steps: tuple[Step, ...]
    shared: int = 0


@frozen
class ScenarioProgram:
    """Those scenarios of a file that have the same players and options."""

    program: Program
    scenes: tuple[Scene, ...]
    options: tuple[tuple[str, str], ...] = ()

    def of(self, scenes: tuple[Scene, ...]) -> ScenarioProgram:
        """Return the program with only these scenarios."""
        return ScenarioProgram(self.program, scenes, self.options)
