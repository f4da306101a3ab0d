"""Defines the arms of a decision, at a stage when their options have no numbers yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from attrs import define, field, frozen

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit.code import Expr, Stmts
from rulewright.dsl.lowering.emit.core import Env, Facts, Variable
from rulewright.dsl.lowering.values.texts import MessageText
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import syntax

CAP = 4096  # the maximum number of options of a decision


Refuse = Callable[[int, tuple[Expr, ...]], Stmts]


Settle = Callable[[Refuse, Stmts], Stmts]
"""Returns the conditions of the following steps.

The first argument is a function that returns the steps for a failed condition. The second argument
contains the steps for a position in which later steps cannot be predicted.
"""


Innermost = Callable[[Env, list[tuple[Type, Expr]], Settle], Stmts]


Offer = Callable[[Env, Innermost], Stmts]


@frozen
class Filter:
    """A restriction on one argument of an option: it must be a member of `source` and meet the condition `where`.

    `reason` is the author's text for a member that fails the condition.
    """

    name: str
    place: int
    source: syntax.Expression
    where: syntax.Expression | None
    reason: syntax.Text | None
    tags: tuple[str, ...] = ()


@frozen
class Part:
    """A name that a choice binds, with the place of its source in the text and the maximum number of its values."""

    name: str
    source: Span
    most: int


@frozen
class Preconditions:
    """Conditions, as statements of the enumerator. If `complete` is true, they determine whether an
    option can be completed.

    If `settles` is true, the conditions determine this only in positions in which the statements
    run to their end. `asked` contains the expressions that the conditions read.
    """

    statements: Stmts
    complete: bool
    asked: tuple[object, ...] = ()
    settles: bool = False


@define
class ArmPlan:
    """An arm of a decision: options of the same form that differ in their arguments. They have no numbers yet.

    `offer` returns loops for the enumerator that run over the arguments. In the innermost loop, `offer`
    calls its second argument with the environment, the types and values of the arguments, and the
    function that returns the conditions. `then` emits the following steps, given the locals of the
    arguments.
    """

    name: str
    nodes: list[object]
    span: Span
    offer: Offer = lambda env, k: []
    types: Sequence[Type] = ()
    then: Callable[[list[Variable]], None] = lambda variables: None
    named: syntax.Named | None = None
    tags: syntax.Tags = ()
    above: syntax.Tags = ()  # clauses of the line that offers an action
    complete: bool = True
    settles: bool = True
    """Whether the conditions are incomplete only in some positions."""
    parts: tuple[Part, ...] = ()
    asked: list[object] = field(factory=list)
    """The expressions that the conditions of the following steps read."""
    say: Callable[[Env], tuple[int, tuple[Expr, ...]] | None] | None = None
    sure: bool = False  # whether an option can always be chosen
    has_some: Callable[[Env], bool] | None = None
    """Returns whether there is always something to choose, given the facts at a place.

    The function assumes that later steps are possible.
    """
    fewer: str = ""
    """The change to suggest if several members must be chosen but there may be too few."""
    known: Facts = field(factory=dict)
    """The facts about an offered member that follow from the condition."""
    laid_open: bool = False  # Whether the next steps show the chosen thing to everybody.
    aside: bool = False  # Whether the options accompany a question without answering it.
    filters: list[Filter] = field(factory=list)
    filter_env: Callable[[Env], tuple[Env, Stmts]] | None = None
    """Returns the environment that filters see, if it differs from the environment of the site."""
    turn_tests: Callable[[Env], tuple[Stmts, list[tuple[Expr, MessageText]]]] | None = None
    """If several members are chosen one after the other, returns steps and tests. A test excludes,
    for the next choice only, a member that meets all filters. Each test has a message.
    """

    @property
    def word(self) -> str:
        """Return the name of the options without the arguments in brackets."""
        return self.name if self.named is None else self.named.name

    @property
    def estimate(self) -> int:
        """Return the maximum number of options."""
        return prod(part.most for part in self.parts)

    def learn(self, facts: Facts) -> None:
        """Record the facts about an offered member."""
        self.known = facts

    def take(self, found: Preconditions) -> Stmts:
        """Record whether the collected conditions determine everything, and return their statements.

        If they do not, the option is searched.
        """
        self.complete = self.complete and found.complete
        self.settles = self.settles and (found.complete or found.settles)
        self.asked += found.asked
        return found.statements
