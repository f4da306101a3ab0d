"""Problems as values: their messages, places, reasons and remedies.

This module is independent of printing (see `rulewright.dsl.diagnostics.render`) and of the stages that find
problems.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import partialmethod

import attrs

from rulewright.dsl.diagnostics.advice import Help, advice
from rulewright.dsl.diagnostics.codes import CODES
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean


class Severity(Enum):
    """Whether a problem prevents a program from running."""

    ERROR = "error"
    WARNING = "warning"


@attrs.frozen
class Label:
    """A note about another place that is part of a problem."""

    span: Span
    text: str


@attrs.frozen
class Fix:
    """A change to a part of a text; the change solves a problem."""

    span: Span
    text: str
    title: str = ""
    """The name of the change. If the name is empty, the text is used instead."""
    is_sure: bool = True
    """Whether an editor may make the change without asking the author."""


@attrs.frozen
class Diagnostic:
    """A problem.

    `message` is one sentence, in lower case and without a full stop, with user text in backticks.
    `text` contains the few words at the caret, `labels` show other places, `notes` say why, and
    `help` says what to do. `fixes` are the text changes that the help describes.
    """

    code: str
    message: str
    span: Span
    text: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    severity: Severity = Severity.ERROR
    fixes: tuple[Fix, ...] = ()
    """If there are several fixes, the author must choose one of them, because they mean different rules."""

    def with_help(self, help: Help, *fixes: Fix) -> Diagnostic:
        """Return a copy of the problem with this help. Its fixes are the changes in the help,
        unless `fixes` are given.
        """
        said = advice(help)
        fixes = fixes or tuple(
            Fix(one.where(self.span), one.indented_text(self.span)) for one in said.changes
        )
        return attrs.evolve(self, help=said.words, fixes=fixes)


def _place(diagnostic: Diagnostic) -> tuple[Span, bool, str]:
    return diagnostic.span, diagnostic.severity is Severity.WARNING, diagnostic.code


@attrs.define(eq=False)
class Problems:
    """Collects the problems of a stage. Of several reports with the same code at the same place,
    only the first is stored.
    """

    _found: dict[tuple[str, Span], Diagnostic] = attrs.field(init=False, factory=dict)

    def add(self, diagnostic: Diagnostic) -> None:
        """Store a problem, unless its code has been reported at the same span."""
        if diagnostic.code not in CODES:
            raise ValueError(
                f"the code {diagnostic.code!r} is not in rulewright.dsl.diagnostics.codes"
            )
        self._found.setdefault((diagnostic.code, diagnostic.span), diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Store several problems, as `add` does."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        at: str = "",
        labels: Sequence[Label] = (),
        notes: Sequence[str] = (),
        help: Help = "",
        fix: Fix | None = None,
        choices: Sequence[Fix] = (),
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Report a problem that prevents the program from running, unless `severity` says otherwise.

        Its fixes are the changes in the help, unless a fix or choices are given.
        """
        found = Diagnostic(code, message, span, at, tuple(labels), tuple(notes), severity=severity)
        own = (fix,) if fix is not None else (attrs.evolve(each, is_sure=False) for each in choices)
        self.add(found.with_help(help, *own))

    def none_called(
        self,
        what: str,
        name: str,
        span: Span,
        names: Iterable[str],
        otherwise: Help = "",
        *,
        code: str = "unknown-name",
        end: str = "",
    ) -> None:
        """Report that nothing of a sort has the given name.

        The help is a similar name out of `names`; without one, it is `otherwise`.
        """
        help = did_you_mean(name, names) or otherwise
        self.error(code, f"there is no {what} `{name}`{end}", span, help=help)

    warning = partialmethod(error, severity=Severity.WARNING)
    """Report a problem that the author should check, although the program can run."""

    @property
    def has_errors(self) -> bool:
        """Whether any problem prevents the program from running."""
        return self.errors > 0

    @property
    def errors(self) -> int:
        """The number of problems that prevent the program from running."""
        return sum(found.severity is Severity.ERROR for found in self._found.values())

    def __len__(self) -> int:
        return len(self._found)

    def in_order(self) -> tuple[Diagnostic, ...]:
        """Return all problems, errors first, each group sorted by place. The order of the reports
        makes no difference.
        """
        return tuple(sorted(self._found.values(), key=_place))
