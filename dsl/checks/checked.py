"""The input of checks: the syntax tree, and the results of compiling each configuration."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TypeAlias

from attrs import field, frozen

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import declared
from rulewright.dsl.tree.memo import Memo

Similar: TypeAlias = tuple[Mapping[object, object], Set[str]]
"""The results about secrets of a similar configuration. They are paired with the parts that differ in more
than the contents of columns, or that call such parts.
"""


@frozen
class Compiled:
    """One configuration that compiled without problems."""

    model: Model
    analysis: Analysis
    problems: Problems
    shown_openly: list[Span] = field(factory=list)
    """The places that show things marked `openly`."""
    similar: tuple[Similar, ...] = ()
    """Similar variants without problems."""
    safe: dict[object, object] = field(factory=dict)
    """Results about secrets, for each way to call a body."""
    differing: frozenset[str] | None = None
    """The parts that differ from the parts of a configuration without problems; None means all parts."""
    memo: Memo = field(factory=Memo)
    touching: set[str] = field(factory=set)
    """The parts that may read or change a secret, directly or through their calls. The check for secrets finds them."""

    def is_new(self, key: str) -> bool:
        """Return whether a body differs from the same body in a configuration without problems."""
        return self.differing is None or key in self.differing


@frozen
class Checked:
    """A whole game: its declarations, its variants, and its list of clauses. Without a
    rulebook, the list is None.
    """

    declarations: tuple[declared.Declaration, ...]
    compiled: tuple[Compiled, ...]
    all_compiled: bool
    """Whether `compiled` contains all variants of the game."""
    clauses: Source | None
    problems: Problems
    memo: Memo = field(factory=Memo)
