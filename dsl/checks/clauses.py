"""Compare the clauses of a rulebook with their citations.

A rulebook is a Markdown text whose items begin with `- **EN-034** ...`. A rule implements the clauses in
its square brackets. A `note` waives the clauses in its brackets and says why. The comparison does not
depend on how often rules are played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Label, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.text.invisible_characters import report_invisible
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import parts_of

_ITEM = re.compile(r"[ \t]*[-*+][ \t]+\*\*([A-Z]{2,}-[A-Z0-9]+)\*\*[ \t]*")
_LIKE_ITEM = re.compile(
    r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+[*_]*([A-Za-z]{2,}[-_–]\d+[A-Za-z0-9]*)(?![A-Za-z0-9]*[-–])"
)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_NO_TEXT = re.compile(r"[ \t]*(?:$|#|[-*+][ \t]|\d{1,9}[.)][ \t]|\||`{3}|~{3})")


@frozen
class Clause:
    """One item of a rulebook: its id, the place of the id, and its text as one line."""

    id: str
    span: Span
    text: str


@frozen
class Citation:
    """A citation: square brackets that name a clause. `reason` is the reason that a `note` gives;
    it is None for a rule.

    `at` is the first bracket of the line. If `outer` is true, a line inside the cited block also
    names the clause; a reader starts at the outer place and continues inside.
    """

    id: str
    span: Span
    at: Span
    reason: str | None = None
    outer: bool = False
    is_edge: bool = True


@frozen
class Account:
    """One clause of a rulebook, together with the rules and notes that cite it."""

    clause: Clause
    rules: tuple[Citation, ...]
    notes: tuple[Citation, ...]

    @property
    def is_missing(self) -> bool:
        """Whether the clause is neither implemented nor waived."""
        return not self.rules and not self.notes


# ---- the rulebook -----------------------------------------------------------------------------------


def read_clauses(source: Source, problems: Problems) -> tuple[Clause, ...]:
    """Return the clauses of a rulebook in order. Report items that look like clauses but are not."""
    clauses, found = clauses_and_problems(source)
    problems.extend(found)
    return clauses


def clauses_and_problems(source: Source) -> tuple[tuple[Clause, ...], tuple[Diagnostic, ...]]:
    """Return the clauses of a rulebook in order, and the problems of its text."""
    problems = Problems()
    report_invisible(source, problems)
    found: dict[str, Clause] = {}
    fence: tuple[str, Span] | None = None
    starts, count = source.line_starts, source.line_count
    for line in range(1, count + 1):
        text, start = source.line_text(line), starts[line - 1]
        mark = _FENCE.match(text)
        if fence is not None:
            if mark is not None and mark[1].startswith(fence[0]):
                fence = None
            continue
        if mark is not None:
            fence = mark[1], Span(source, start + mark.start(1), start + mark.end(1))
            continue
        item = _ITEM.match(text)
        if item is None:
            _report_likeness(source, start, text, problems)
            continue
        place = Span(source, start + item.start(1), start + item.end(1))
        clause = Clause(item[1], place, _clause_text(source, line, text[item.end() :]))
        first = found.setdefault(clause.id, clause)
        if first is not clause:
            problems.warning(
                "duplicate-clause",
                f"there are two clauses `{clause.id}`",
                place,
                labels=(Label(first.span, "first here"),),
                help="give one of them an id of its own",
            )
    if fence is not None:
        problems.warning(
            "unreadable-clause",
            "this block of code is never closed, so no clause after it counts",
            fence[1],
            help="close it with the same characters on a line of their own",
        )
    return tuple(found.values()), problems.in_order()


def _report_likeness(source: Source, start: int, text: str, problems: Problems) -> None:
    like = _LIKE_ITEM.match(text)
    if like is None:
        return
    head, number = re.split(r"[-_–]", like[1], maxsplit=1)
    problems.warning(
        "unreadable-clause",
        f"this item looks like a clause but does not begin like one: `{like[1]}`",
        Span(source, start + like.start(1), start + like.end(1)),
        help=f"write `- **{head.upper()}-{number.upper()}** ...`, with the id in bold and capital letters",
    )


def _clause_text(source: Source, line: int, first: str) -> str:
    words = [first.strip()]
    for further in range(line + 1, source.line_count + 1):
        text = source.line_text(further)
        if _NO_TEXT.match(text):
            break
        words.append(text.strip())
    return " ".join(words).strip()


# ---- citations ---------------------------------------------------------------------------------------


def citations(declarations: Iterable[declared.Declaration]) -> tuple[Citation, ...]:
    """Return all citations of a game in the order of its lines."""
    found: list[Citation] = []
    for declaration in declarations:
        found.extend(citations_in(declaration))
    return tuple(found)


def line_citations(tags: Sequence[syntax.Tag], reason: str | None = None) -> Iterator[Citation]:
    """Yield the citations in the brackets of one line."""
    for tag in tags:
        for id in clause_ids((tag,)):
            edge = id in (tag.first, tag.last)
            yield Citation(id, tag.span, tags[0].span, reason, False, edge)


def citations_in(node: object) -> list[Citation]:
    """Return the citations of a node and of its parts, in the order of the tree."""
    inside: list[Citation] = []
    tags: syntax.Tags = getattr(node, "tags", ())
    for value in parts_of(node):
        if value is None or value is tags:
            continue
        if isinstance(value, tuple):
            for each in _flatten(value):
                inside.extend(citations_in(each))
        else:
            inside.extend(citations_in(value))
    if not tags:
        return inside
    reason = node.text if isinstance(node, declared.Note) else None
    # The brackets of a line with `surely` or `may` also belong to the step inside it.
    starts = {tag.span for tag in tags}
    inside = [each for each in inside if each.span not in starts]
    named = {each.id for each in inside}
    own = [
        Citation(each.id, each.span, each.at, reason, each.id in named, each.is_edge)
        for each in line_citations(tags)
    ]
    return [*own, *inside]


def _flatten(values: Iterable[object]) -> Iterator[object]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flatten(value)
        else:
            yield value


# ---- accounts ----------------------------------------------------------------------------------------


def report_unknown(
    citations: Iterable[Citation], clauses: Sequence[Clause], problems: Problems
) -> None:
    """Report an error for each citation of a clause that is not in the rulebook."""
    listed = [clause.id for clause in clauses]
    known = frozenset(listed)
    for citation in citations:
        if citation.is_edge and citation.id not in known:
            problems.warning(
                "unknown-clause",
                f"the rulebook has no clause `{citation.id}`",
                citation.span,
                help=did_you_mean(citation.id, listed),
            )


def accounts(
    clauses: Sequence[Clause], found: Sequence[Citation], problems: Problems
) -> tuple[Account, ...]:
    """Return the account of each clause of a rulebook, in the order of the rulebook.

    `found` contains the citations of the game. Report clauses that no citation accounts for,
    clauses that are both implemented and waived, and citations of unknown clauses.
    """
    report_unknown(found, clauses, problems)
    by_id: dict[str, list[Citation]] = {}
    for citation in found:
        by_id.setdefault(citation.id, []).append(citation)
    result: list[Account] = []
    for clause in clauses:
        mine = by_id.get(clause.id, [])
        account = Account(
            clause,
            tuple(each for each in mine if each.reason is None),
            tuple(each for each in mine if each.reason is not None),
        )
        result.append(account)
        _report(account, problems)
    return tuple(result)


def _report(account: Account, problems: Problems) -> None:
    id = account.clause.id
    if account.is_missing:
        problems.warning(
            "uncited-clause",
            f"`{id}` is cited by no rule and explained by no note",
            account.clause.span,
            help=f"write `[{id}]` after the rule, or a `note` that says why there is none",
        )
    elif account.rules and account.notes:
        problems.warning(
            "waived-clause",
            f"a note says why `{id}` has no rule, but a rule cites it",
            account.notes[0].span,
            labels=(Label(account.rules[0].span, "implemented here"),),
            help="keep the one that is right",
        )
