"""List all types of problems: one line for each code.

The list contains only titles. Messages are in the code that finds the problem, and explanations are
in `docs/errors/`. To add a code, add a line below the other codes of its stage, and a page.
"""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

import attrs


class Stage(Enum):
    """The stage that finds a problem; in lists, the value is the heading above the codes of the stage."""

    WRITTEN = "How it is written"
    NAMES = "Names"
    TYPES = "Types and numbers"
    POSSIBILITY = "Steps that may be impossible"
    FLOW = "The course of the game"
    KNOWLEDGE = "Who knows what"
    DATA = "Tables"
    CLAUSES = "The rulebook"
    SCENARIO = "Scenarios"
    PLAY = "Faults in play"


@attrs.frozen
class Code:
    """A type of problem."""

    name: str
    stage: Stage
    title: str


_ALL: Final = (
    Code("not-utf8", Stage.WRITTEN, "the file is not UTF-8 text"),
    Code("binary-file", Stage.WRITTEN, "the file is not text"),
    Code("file-too-large", Stage.WRITTEN, "the file is larger than a rules file may be"),
    Code("line-too-long", Stage.WRITTEN, "a line is longer than a line may be"),
    Code("bad-character", Stage.WRITTEN, "a character that the language does not use"),
    Code("tab-indent", Stage.WRITTEN, "a tab where spaces belong"),
    Code("bad-indent", Stage.WRITTEN, "a line with a wrong indentation"),
    Code("unexpected-word", Stage.WRITTEN, "an unexpected word or symbol"),
    Code("unexpected-end", Stage.WRITTEN, "the line or the file ends too early"),
    Code("unclosed-text", Stage.WRITTEN, "a text without its closing quote"),
    Code("unclosed-bracket", Stage.WRITTEN, "a bracket without its partner"),
    Code("nested-too-deep", Stage.WRITTEN, "blocks or brackets nested deeper than allowed"),
    Code("reserved-name", Stage.WRITTEN, "a word of the language used as a name"),
    Code("bad-number", Stage.WRITTEN, "a malformed number"),
    Code("no-game-line", Stage.WRITTEN, "a game without its `game` line"),
    Code("no-such-include", Stage.WRITTEN, "an included file that is not there"),
    Code("outside-folder", Stage.WRITTEN, "a file outside the folder of the game"),
    Code("include-cycle", Stage.WRITTEN, "files that include each other in a circle"),
    Code("unknown-name", Stage.NAMES, "a name that is declared nowhere"),
    Code("unknown-type", Stage.NAMES, "a type that is declared nowhere"),
    Code("unknown-action", Stage.NAMES, "an action or rule that is declared nowhere"),
    Code("unknown-attribute", Stage.NAMES, "an attribute that a value does not have"),
    Code("duplicate-name", Stage.NAMES, "a name declared twice"),
    Code("unused-name", Stage.NAMES, "a name that nothing uses"),
    Code("shadowed-name", Stage.NAMES, "a local name that hides another"),
    Code("cyclic-value", Stage.NAMES, "values that need each other to be computed"),
    Code("cyclic-rule", Stage.NAMES, "rules that call each other without end"),
    Code("not-open-value", Stage.NAMES, "a power changes a value that is not declared open"),
    Code("missing-effect", Stage.NAMES, "a row without an effect to run"),
    Code("wrong-type", Stage.TYPES, "a value of a different type from the one needed here"),
    Code("wrong-arguments", Stage.TYPES, "arguments that do not match the declaration"),
    Code("out-of-range", Stage.TYPES, "a number outside its range"),
    Code("may-be-nothing", Stage.TYPES, "a value that may be nothing where something is needed"),
    Code("not-storable", Stage.TYPES, "a value that a state cannot hold"),
    Code("may-be-impossible", Stage.POSSIBILITY, "a step that may turn out to be impossible"),
    Code("empty-choice", Stage.POSSIBILITY, "a choice that may have no option"),
    Code("too-many-options", Stage.POSSIBILITY, "a choice with more options than can be listed"),
    Code("equal-options", Stage.POSSIBILITY, "two options of a decision with one name"),
    Code("silent-tie", Stage.POSSIBILITY, "a tie that nothing decides"),
    Code("together-shared", Stage.FLOW, "a block done together touches shared things"),
    Code("unreachable-action", Stage.FLOW, "an action that no decision offers"),
    Code("unreachable-rule", Stage.FLOW, "a rule that nothing calls"),
    Code("unreachable-code", Stage.FLOW, "steps that can never be reached"),
    Code("endless-loop", Stage.FLOW, "a loop that nothing ends"),
    Code("missing-result", Stage.FLOW, "a rule that may end without its result"),
    Code("invariant-broken", Stage.FLOW, "an invariant that the tables do not keep"),
    Code("no-ending", Stage.FLOW, "a game that nothing ends or that nobody can win"),
    Code("never-played", Stage.FLOW, "`never` lines that exclude every variant"),
    Code("piece-not-placed", Stage.FLOW, "pieces without a place after setup"),
    Code("placed-twice", Stage.FLOW, "pieces that setup puts into two places"),
    Code("zone-does-not-fit", Stage.FLOW, "a piece in a zone of another type"),
    Code("secret-leak", Stage.KNOWLEDGE, "hidden knowledge shown to somebody who may not have it"),
    Code("unknown-file", Stage.DATA, "a table file that is not there"),
    Code("table-empty", Stage.DATA, "a table without rows"),
    Code("table-missing-column", Stage.DATA, "a table without a column that is needed"),
    Code("table-duplicate-column", Stage.DATA, "two columns with the same name"),
    Code("table-missing-cell", Stage.DATA, "a row with fewer cells than columns"),
    Code("table-extra-cell", Stage.DATA, "a row with more cells than columns"),
    Code("table-bad-cell", Stage.DATA, "a cell whose value its column cannot take"),
    Code("table-duplicate-row", Stage.DATA, "two rows with the same key"),
    Code("table-sum-row", Stage.DATA, "a last row that looks like the sums of the others"),
    Code("unknown-clause", Stage.CLAUSES, "a citation of a clause that is not listed"),
    Code("uncited-clause", Stage.CLAUSES, "a clause that no rule cites and no note explains"),
    Code(
        "waived-clause",
        Stage.CLAUSES,
        "a clause that a rule cites although a note says it has no rule",
    ),
    Code("duplicate-clause", Stage.CLAUSES, "two clauses of a rulebook with the same id"),
    Code(
        "unreadable-clause",
        Stage.CLAUSES,
        "an item that looks like a clause of a rulebook but is not one",
    ),
    Code("no-such-game", Stage.SCENARIO, "scenarios without the game they are about"),
    Code("wrong-players", Stage.SCENARIO, "players of a scenario that the game cannot have"),
    Code("unknown-option", Stage.SCENARIO, "an option that no decision and no game offers"),
    Code("misplaced-line", Stage.SCENARIO, "a line of a scenario where it cannot be"),
    Code("surely-not", Stage.PLAY, "a step after `surely` was impossible"),
    Code("nothing-there", Stage.PLAY, "`sure(x)`, and x was nothing"),
    Code("not-the-only-one", Stage.PLAY, "`the(...)` found none or several"),
    Code("no-table-row", Stage.PLAY, "a table has no row for this key"),
    Code("powers-disagree", Stage.PLAY, "two powers set a value to different amounts"),
    Code("division-by-zero", Stage.PLAY, "a division by 0"),
    Code("place-taken", Stage.PLAY, "a move to a place without room"),
    Code("grid-full", Stage.PLAY, "too many cells of a growing grid in use"),
    Code("too-deep", Stage.PLAY, "rules called each other more deeply than `depth` allows"),
    Code("search-too-long", Stage.PLAY, "a search of more than `lookahead` positions"),
    Code("no-progress", Stage.PLAY, "the rules ran too long without a decision"),
    Code("impossible-step", Stage.PLAY, "a step that could not be foreseen was impossible"),
)

CODES: Final[Mapping[str, Code]] = MappingProxyType({code.name: code for code in _ALL})
"""All codes, keyed by name, in the order of the stages."""
