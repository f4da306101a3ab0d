"""Find secrets that words, options, reasons or events show to players who must not know them.

The module turns the results of `secrecy` into messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import define, evolve, field

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.checks.secrecy.labels import ANYBODY, EVERYBODY, Atom, Label, Names, join
from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.showing import GIVEN, ROLL_KEPT, Disclosed
from rulewright.dsl.checks.secrecy.steps import Steps
from rulewright.dsl.checks.secrecy.stored import shows
from rulewright.dsl.diagnostics import diagnostics
from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.tree import declared, syntax

_WORDS = {
    "words": "the words of this option depend on",
    "options": "these options depend on",
    "condition": "the condition of this option depends on",
    "reason": "this reason depends on",
    "possible": "whether this can be done depends on",
}
_HAPPENS = {
    "asked": "is asked",
    "done": "is done",
    "line": "is written in the log",
    "needed": "is needed",
    "ended": "ends the game",
}
_CHANGES = {
    "value": "what this is changed to",
    "amount": "how many are moved",
    "place": "whose place this changes",
    "reader": "for whom this is",
    "leaver": "who leaves the game",
    "which": "which pieces these are",
    "order": "the new order",
}
_LONGEST = 60  # the maximum number of characters of an expression that a help text repeats


def check_secrets(compiled: Compiled) -> None:
    """Report an error for everything that shows a reader more than the reader is allowed to know."""
    if compiled.similar:
        found = evolve(compiled, problems=Problems())
        _report_secrets(found)
        if not len(found.problems):
            return
        # Check everything again, so that messages show the first path.
        compiled = evolve(compiled, similar=(), safe={})
    _report_secrets(compiled)


def _report_secrets(compiled: Compiled) -> None:
    """Report the secrets that bodies and boards show, except those already shown in another configuration."""
    reader = Reader.of(compiled)
    if not reader.has_secrets:
        return
    report = _Report(compiled)
    steps = Steps(compiled, reader, report.report)
    steps.visit_all()
    compiled.touching.update(reader.touching.parts())
    for board in compiled.model.boards if steps.is_reporting("boards") else ():
        names = Names()
        if board.binder is not None:
            names.own[board.binder.name] = reader.labels(board.binder.source, names)
        for line in (*board.shows, *board.notes):
            inner = names.inner()
            label: Label = ()
            for binder in line.binders:
                source = reader.labels(binder.source, inner)
                label = join((label, source.extent))
                inner.own[binder.name] = source
            for atom in (*label, *reader.label((line.where, line.text), inner)):
                report.report(Disclosed(atom, "board", atom.at.span, EVERYBODY))
        for atom in reader.label((board.title, board.marks), names):
            report.report(Disclosed(atom, "board", atom.at.span, EVERYBODY))


@define
class _Report:
    """Reports secrets that are shown, once for each expression that reads a hidden place."""

    compiled: Compiled
    _reported: set[Span] = field(factory=set)
    _shown: set[tuple[Atom, Span | None]] = field(factory=set)
    """The secrets that steps show. They include current and past contents of places."""

    def report(self, disclosed: Disclosed) -> None:
        """Report an error for a secret that is shown. If the rules show the secret on purpose, only
        record the place.
        """
        atom = disclosed.atom
        if atom.openly:
            self.compiled.shown_openly.extend(filter(None, (disclosed.span, disclosed.step)))
            return
        # One change at the declaration makes numbers public, however often they are shown.
        place = atom.secret.name_span if _is_count(disclosed, atom) else atom.place.span
        then = evolve(atom, past=not atom.past), disclosed.step
        if place in self._reported or (disclosed.step is not None and then in self._shown):
            return
        self._shown.add((atom, disclosed.step))
        self._reported.add(place)
        assert atom.secret.seen is not None
        who = {"nobody": "nobody", "others": "only the others"}.get(
            atom.secret.seen.by, "only its owner"
        )
        happens = _HAPPENS.get(disclosed.what)
        labels = [diagnostics.Label(atom.secret.name_span, "declared here")]
        labels += [diagnostics.Label(span, words) for span, words in atom.path]
        if happens is not None:
            labels.append(diagnostics.Label(atom.at.span, "decided by this"))
        elif atom.place.span != disclosed.span:
            labels.append(diagnostics.Label(atom.place.span, "it comes from here"))
        origin = f"`{atom.place.span.text}`, which {who} may see"
        reader = "everybody" if disclosed.to == EVERYBODY else _player_text(disclosed.to)
        match disclosed.what:
            case "log":
                message = f"the log tells {reader} {origin}"
            case "board":
                message = f"a board shows everybody {origin}"
            case "asked" | "done" | "line" | "needed" | "ended":
                message = f"{reader} sees whether this {happens}, and it depends on {origin}"
            case "value" | "amount" | "place" | "reader" | "leaver" | "which" | "order":
                message = f"{reader} sees {_CHANGES[disclosed.what]}, and it depends on {origin}"
            case "words" if disclosed.to == EVERYBODY:
                message = f"the words of this option tell everybody {origin}"
            case _:
                message = f"{_WORDS[disclosed.what]} {origin}"
        self.compiled.problems.error(
            "secret-leak",
            message,
            disclosed.span,
            labels=labels,
            help=_help(disclosed, atom),
            fix=_show_sizes(atom.secret.seen) if _is_count(disclosed, atom) else None,
            choices=() if _is_count(disclosed, atom) else [*self._choices(disclosed, atom)],
        )

    def _choices(self, disclosed: Disclosed, atom: Atom) -> Iterator[diagnostics.Fix]:
        """Yield suggested changes. Some keep the secret; others show it on purpose."""
        if (
            disclosed.what == "log"
            and disclosed.to == EVERYBODY
            and "me" in atom.knowers
            and disclosed.step
        ):
            end = disclosed.step.end
            yield diagnostics.Fix(Span(disclosed.step.source, end, end), " to me")
        heads = [power.place for power in self.compiled.model.powers]
        heads += [trigger.place for trigger, _ in self.compiled.analysis.move_triggers]
        if disclosed.what not in ("possible", "board") and atom.at not in heads:
            spans = [_span_to_mark(disclosed, atom)]
            words = [words for _, words in atom.path]
            if any(one.startswith(GIVEN) for one in words) and ROLL_KEPT not in words:
                spans.append(
                    atom.place.span
                )  # the rule may be called again with the same arguments
            for span in dict.fromkeys(spans):
                yield diagnostics.Fix(span, f"openly({span.text})")


def _span_to_mark(disclosed: Disclosed, atom: Atom) -> Span:
    """Return the whole value or condition that the suggested `openly` marks as shown.

    For a `let`, this is the value of the `let`, so that one change covers all uses.
    """
    if atom.let is not None:
        return atom.let.value.span
    is_whole = atom.decides is not None and disclosed.what in (*_HAPPENS, "value", "condition")
    return atom.decides.span if is_whole and atom.decides is not None else atom.at.span


def _is_count(disclosed: Disclosed, atom: Atom) -> bool:
    """Return whether the error would disappear if everybody could count the pieces of a zone."""
    hidden = disclosed.what not in _HAPPENS and isinstance(atom.secret, declared.Zone)
    is_number = atom.counts or disclosed.what == "possible"
    return hidden and is_number and not shows(atom.secret, "size")


def _show_sizes(seen: declared.Seen) -> diagnostics.Fix:
    end = seen.span.end
    more = ", size" if seen.except_for else " except size"
    return diagnostics.Fix(Span(seen.span.source, end, end), more)


def _player_text(player: str) -> str:
    name = re.sub(r"'[^.]*", "", player.lstrip("!").lstrip("^"))
    if name == ANYBODY:
        return "somebody else"
    return f"each player but `{name}`" if player.startswith("!") else f"`{name}`"


def _openly(text: str, let: syntax.Let | None) -> str:
    """Return the text of the suggested `openly`. It marks a value as shown on purpose; for a `let`,
    the text includes the name.
    """
    shown = " ".join((text if let is None else let.value.span.text).split())
    shown = f"openly({shown if len(shown) <= _LONGEST else '...'})"
    return shown if let is None else f"let {let.name} = {shown}"


def _help(disclosed: Disclosed, atom: Atom) -> str:
    is_state = isinstance(atom.secret, declared.State)
    if disclosed.what in _HAPPENS:
        first = "" if is_state else "show first the things it depends on, or "
        return f"{first}write `{_openly(_span_to_mark(disclosed, atom).text, atom.let)}` if the rules mean to reveal it"
    if _is_count(disclosed, atom):
        counted = "write `except size` after `seen by` if everybody may count the pieces there"
        assert isinstance(atom.secret, declared.Zone)
        if disclosed.what == "amount" and atom.secret.type.shape == "tokens":
            return f"{counted}, or move `{_openly(atom.at.span.text, None)}` of them if the rules mean to reveal it"
        return counted
    if disclosed.what == "board":
        assert atom.secret.seen is not None
        if atom.secret.seen.by == "nobody":
            return "a board is drawn for everybody: it must show nothing hidden"
        return "a board is drawn for everybody; players who may see this find it beside the boards"
    openly = f"write `{_openly(_span_to_mark(disclosed, atom).text, atom.let)}` if the rules mean to reveal it"
    reader = "" if disclosed.to == EVERYBODY else f" to {_player_text(disclosed.to)}"
    show = f"show the piece{reader} first, move it to an open zone"
    if disclosed.what == "log" and disclosed.to == EVERYBODY:
        ways = [] if is_state else [show]
        ways += ["add `to me`"] if "me" in atom.knowers else []
        return ", ".join((*ways, f"or {openly}" if ways else openly))
    if isinstance(atom.secret, declared.Zone):
        return f"{show}, or {openly}"
    return f"use only what {reader.removeprefix(' to ') or 'everybody'} may know, or {openly}"
