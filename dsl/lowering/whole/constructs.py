"""Loads every construct of the language, so that each construct registers how it is lowered.

To add a construct, name its module here.
"""

from __future__ import annotations

from typing import Final

from rulewright.dsl.lowering import builtins
from rulewright.dsl.lowering.decisions import any_order, calls, choosing, offering
from rulewright.dsl.lowering.steps import (
    changing,
    flow,
    giving,
    keeping,
    limits,
    ordering,
    rolling,
    statements,
    steps_as_one,
)
from rulewright.dsl.lowering.values import (
    attributes,
    calling,
    cases,
    names,
    operators,
    queries,
)

CONSTRUCTS: Final = (
    *builtins.TOPICS,
    names,
    calling,
    attributes,
    operators,
    cases,
    queries,
    statements,
    changing,
    giving,
    limits,
    keeping,
    ordering,
    rolling,
    flow,
    steps_as_one,
    any_order,
    calls,
    choosing,
    offering,
)
