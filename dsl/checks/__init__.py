"""The checks of a program, one module for each check; no check changes the program.

To add a check, write its module and add its function to one of the lists below.
"""

from collections.abc import Callable
from typing import Final

from rulewright.dsl.checks.check_clauses import check_clauses
from rulewright.dsl.checks.check_counted import check_counted
from rulewright.dsl.checks.check_endings import check_endings
from rulewright.dsl.checks.check_loops import check_loops
from rulewright.dsl.checks.check_modifiers import check_modifiers
from rulewright.dsl.checks.check_never_so import check_never_so
from rulewright.dsl.checks.check_placed_twice import check_placed_twice
from rulewright.dsl.checks.check_placing import check_placing
from rulewright.dsl.checks.check_possible import check_possible
from rulewright.dsl.checks.check_reached import check_reached
from rulewright.dsl.checks.check_recursion import check_recursion
from rulewright.dsl.checks.check_said import check_said
from rulewright.dsl.checks.check_secrets import check_secrets
from rulewright.dsl.checks.check_together import check_together
from rulewright.dsl.checks.check_unused import check_unused
from rulewright.dsl.checks.checked import Checked, Compiled

OF_PROGRAMS: Final[tuple[Callable[[Compiled], None], ...]] = (
    check_recursion,
    check_possible,
    check_loops,
    check_modifiers,
    check_together,
    check_secrets,
)
"""Checks of the program for each number of players and choice of options."""

OF_TEXTS: Final[tuple[Callable[[Checked], None], ...]] = (
    check_unused,
    check_said,
    check_counted,
    check_clauses,
)
"""Checks of the text alone: independent of players and options."""

OF_GAMES: Final[tuple[Callable[[Checked], None], ...]] = (
    *OF_TEXTS,
    check_reached,
    check_never_so,
    check_placing,
    check_placed_twice,
    check_endings,
)
"""Checks that run once for a game, if no program has other problems."""

__all__ = ["OF_GAMES", "OF_PROGRAMS", "OF_TEXTS", "Checked", "Compiled"]
