"""What checks are given: the written tree, and what compiling found out about each configuration."""

from __future__ import annotations

from attrs import field, frozen

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.model.model import World
from rulewright.dsl.tree import declared
from rulewright.dsl.tree.noted import Noted


@frozen
class Compiled:
    """One configuration that compiled without problems."""

    world: World
    analysis: Analysis
    problems: Problems
    meant: list[Span] = field(factory=list)
    """The places that tell what the rules say `openly`."""
    safe: dict[object, object] = field(factory=dict)
    """What was found out about secrets by how bodies are called; at first as is known from another configuration."""
    differing: frozenset[str] | None = None
    """The parts that are not as in another configuration, with which nothing is wrong; None for all."""
    telling: frozenset[str] | None = None
    """Those of them that differ in more than what stands in columns, or call such parts; None for all."""
    noted: Noted = field(factory=Noted)

    def is_new(self, key: str) -> bool:
        """Whether a body is not as it was in a configuration with which nothing is wrong."""
        return self.differing is None or key in self.differing

    def is_telling(self, key: str) -> bool:
        """Whether a body may tell what it does not tell in a configuration with which nothing is wrong."""
        return self.telling is None or key in self.telling


@frozen
class Checked:
    """A whole game: its declarations, its configurations, its list of clauses (None without a rulebook)."""

    declarations: tuple[declared.Declaration, ...]
    compiled: tuple[Compiled, ...]
    all_compiled: bool
    """Whether these are all configurations there are."""
    clauses: Source | None
    problems: Problems
    noted: Noted = field(factory=Noted)
