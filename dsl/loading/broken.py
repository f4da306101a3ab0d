"""Find the referents of names and the types of expressions in a game with unreadable lines. No
problems are reported.
"""

from __future__ import annotations

from attrs import define, field

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.loading.loading import Loaded
from rulewright.dsl.loading.reuse import (
    Declarations,
    Earlier,
    Places,
    declarations_around,
    reuse_nodes,
)
from rulewright.dsl.lowering.whole.program import lower_all, lower_some, prepare
from rulewright.dsl.model.declaring import build_model
from rulewright.dsl.model.model import Configuration, Model
from rulewright.dsl.model.unvisited_names import resolve_names


@define
class Broken:
    """A game with lines that cannot be read. If there is an `earlier` check, only the changes since
    then are processed.
    """

    loaded: Loaded
    earlier: Earlier | None
    model: Model | None = None
    """The numbered declarations, with the default players and options."""
    now: Places = field(factory=Places)
    """The current place of each place in the earlier check."""

    def find_facts(self) -> None:
        """Find all facts that can be known, and add them to the facts of the game."""
        settings = self.loaded.checked_variants()
        if not settings:
            return
        declarations: Declarations = self.loaded.declarations
        new = declarations
        table_inputs = None
        if self.earlier is not None:
            found = reuse_nodes(self.earlier.declarations, declarations, self.earlier.paired)
            declarations, self.now = found.declarations, found.places
            new = [declarations[n] for n in sorted(found.new)]
            table_inputs = self.earlier.common.table_inputs.copy()
        model = self.model = build_model(
            declarations,
            Configuration(*settings[0]),
            self.loaded.read_table,
            Problems(),
            self.loaded.memo,
            table_inputs=table_inputs,
        )
        changed = None if self.earlier is None else self.earlier.common.changed_parts(model)
        if changed is None:
            lower_all(model, prepare(model))
            resolve_names(model, declarations)
            return
        lower_some(model, changed.analysis, changed.parts.__contains__, changed.known)
        resolve_names(model, declarations_around(declarations, [*new, *changed.written]))
