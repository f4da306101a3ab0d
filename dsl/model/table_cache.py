"""Reuses the numbered records of a variant in other variants with the same inputs.

The inputs are the declarations, the texts of tables, the seats, the actions, and the options and
values that were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar

from attrs import define, field

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.model.facts import Facts, Referent
from rulewright.dsl.model.model import CellRead, Model
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.memo import Recent, recent
from rulewright.dsl.tree.nesting import walk

Numbering: TypeAlias = Callable[[Model, Sequence[declared.Declaration]], None]
NumberingAgain: TypeAlias = Callable[[Model, Sequence[declared.Declaration], Set[str]], bool]
"""Numbers the records of the given tables in a model that already contains all other records.

Returns False if other records must be numbered too.
"""
T = TypeVar("T")

READ = (
    declared.KindList,
    declared.OptionDeclaration,
    declared.Record,
    declared.Seat,
    declared.Union,
)
"""The declarations that determine the numbers of rows."""


Records: TypeAlias = Mapping[str, Mapping[str, Any]]
"""The numbered records of a model, keyed by the attributes of the model that hold them."""
_RECORDS = ("kinds", "pieces", "spaces", "unions", "tables", "row_names", "kind_rows")


def _records_of(model: Model) -> dict[str, Mapping[str, Any]]:
    return {what: {**getattr(model, what)} for what in _RECORDS}


def _set_records(model: Model, records: Records) -> None:
    for what, held in records.items():
        setattr(model, what, {**held})


@frozen(eq=False)
class _TableInput:
    """The numbered records of a model, and everything that was read while they were numbered."""

    declarations: tuple[declared.Declaration, ...]
    players: int
    seats: tuple[str, ...]
    actions: tuple[str, ...] | None
    """The names of actions, if a record has a column of actions; None otherwise."""
    files: dict[str, Source | None]
    options: dict[str, str]
    """The chosen values of the options that were read."""
    words: dict[str, syntax.Expression | None]
    """Maps the names that were read to the expressions of values. Names that are not values are mapped to None."""
    cells: dict[CellRead, int | None]
    """The contents of the cells that were read."""
    records: Records
    referents: Mapping[Span, Referent]
    """The referents of names in the declarations and the tables."""
    has_lost_rows: bool = False
    problems: tuple[Diagnostic, ...] = ()

    @property
    def is_right(self) -> bool:
        """Return whether the records have no problems."""
        return not (self.has_lost_rows or self.problems)

    def is_of(self, model: Model, declarations: Sequence[declared.Declaration]) -> bool:
        """Return whether another model has the same inputs, apart from the texts of tables."""
        return (
            self.players == model.config.players
            and self.seats == tuple(model.seats)
            and self.actions in (None, tuple(model.action_names))
            and self.options.items() <= model.option_chosen.items()
            and len(self.declarations) == len(declarations)
            and all(
                one is other for one, other in zip(self.declarations, declarations, strict=True)
            )
            and all(model.fixed_values.get(name) is value for name, value in self.words.items())
        )

    def changed_tables(self, model: Model) -> dict[str, Source | None]:
        """Return the tables whose text differs in another model."""
        now = {name: model.read(name) for name in self.files}
        return {name: source for name, source in now.items() if source is not self.files[name]}

    def put_into(self, model: Model) -> None:
        """Copy the records into a model, together with the facts about places."""
        _set_records(model, self.records)
        model.used_options |= self.options.keys()
        model.has_lost_rows = self.has_lost_rows
        model.problems.extend(self.problems)
        _add_referents(self.referents, model.facts)


@define
class TableInputs:
    """Numbered records that several models of a game share, even across an edit."""

    _known: list[_TableInput] = field(factory=list, alias="known")
    """The entries. The most recently used entry is the last."""
    _used: list[_TableInput] = field(factory=list)
    """The entries that were used in this check."""
    _made: Recent[tuple[object, ...], tuple[tuple[object, ...], object]] = field(factory=recent)

    def number(
        self,
        model: Model,
        listed: Sequence[declared.Declaration],
        numbering: Numbering,
        again: NumberingAgain,
    ) -> None:
        """Number the records of a model, or reuse records with the same inputs.

        After an edit of tables, number only the records of these tables.
        """
        declarations = [d for d in listed if isinstance(d, READ)]
        like = [one for one in reversed(self._known) if one.is_of(model, declarations)]
        for ground in like:
            if not ground.changed_tables(model):
                ground.put_into(model)
                self._mark_used(ground)
                return
        # An entry with problems does not outlive an edit, so it has the current texts.
        new = _number_again(model, listed, like[0], again) if like else None
        self._mark_used(
            _number_records(model, listed, declarations, numbering) if new is None else new
        )

    def copy(self) -> TableInputs:
        """Return a copy for a check whose results are not stored."""
        return TableInputs([*self._known])

    def _mark_used(self, ground: _TableInput) -> None:
        for known in (self._known, self._used):
            if ground in known:
                known.remove(ground)
            known.append(ground)

    def cached_result(self, how: Callable[[], T], nodes: tuple[object, ...], *else_: object) -> T:
        """For the given nodes, return the result of `how` from a cache.

        `else_` contains everything else on which the result depends.
        """
        key = (*map(id, nodes), *else_)
        known = self._made.get(key)
        if known is None:
            known = self._made.put(key, (nodes, how()))
        result: T = known[1]  # type: ignore[assignment]  # a call with this key made the result
        return result

    def drop_wrong(self) -> None:
        """Drop the entries with problems. They may depend on other files in the folder of the game."""
        self._known = [one for one in self._known if one.is_right]
        self._used = [one for one in self._used if one.is_right]

    def end(self) -> None:
        """End a check. In addition to the entries that the check used, keep an equal number of
        older entries, in case an edit is undone.
        """
        self.drop_wrong()
        if self._used:
            del self._known[: -2 * len(self._used)]
            self._used.clear()
        self._made.end()


@define
class _Reads:
    """Everything that was read while records were numbered."""

    files: dict[str, Source | None]
    options: set[str]
    words: set[str]
    cells: dict[CellRead, int | None]
    facts: Facts
    problems: Problems


@contextmanager
def _recording(model: Model) -> Iterator[_Reads]:
    """Record everything that is read for the records of a model."""
    options, words, cells = model.used_options, model.used_words, model.used_cells
    facts, reads, problems = model.facts, model.read, model.problems
    found = _Reads({}, set(), set(), {}, Facts(), Problems())

    def read(name: str) -> Source | None:
        found.files[name] = reads(name)
        return found.files[name]

    model.used_options, model.used_words, model.used_cells = found.options, found.words, found.cells
    model.facts, model.problems, model.read = found.facts, found.problems, read
    try:
        yield found
    finally:
        model.used_options, model.used_words = options | found.options, words | found.words
        model.used_cells = cells
        model.facts, model.problems, model.read = facts, problems, reads


def _number_records(
    model: Model,
    listed: Sequence[declared.Declaration],
    declarations: Sequence[declared.Declaration],
    numbering: Numbering,
) -> _TableInput:
    """Number the records of a model, and return them with their inputs."""
    with _recording(model) as found:
        numbering(model, listed)
    problems = found.problems.in_order()
    model.problems.extend(problems)
    _add_referents(found.facts.referents, model.facts)
    parts = (part for d in declarations for part in walk(d))
    names_actions = any(getattr(part, "name", "") == "Action" for part in parts)
    return _TableInput(
        tuple(declarations),
        model.config.players,
        tuple(model.seats),
        tuple(model.action_names) if names_actions else None,
        found.files,
        {name: model.option_chosen[name] for name in found.options},
        {name: model.fixed_values.get(name) for name in found.words},
        found.cells,
        _records_of(model),
        found.facts.referents,
        model.has_lost_rows,
        problems,
    )


def _number_again(
    model: Model,
    listed: Sequence[declared.Declaration],
    before: _TableInput,
    again: NumberingAgain,
) -> _TableInput | None:
    """Number only the records of tables whose text has changed. Return None if this is not sufficient."""
    changed = before.changed_tables(model)
    hold, options, words = _records_of(model), {*model.used_options}, {*model.used_words}
    facts = {**model.facts.referents}
    before.put_into(model)
    with _recording(model) as found:
        is_done = again(model, listed, changed.keys())
    if is_done and not len(found.problems) and model.has_cells(before.cells):
        new = evolve(
            before,
            files={**before.files, **changed},
            options=before.options | {name: model.option_chosen[name] for name in found.options},
            words=before.words | {name: model.fixed_values.get(name) for name in found.words},
            cells=before.cells | found.cells,
            records=_records_of(model) | {"row_names": before.records["row_names"]},
            referents=_move_referents(before, model, changed.keys(), found.facts),
        )
        model.facts.referents = facts
        _add_referents(new.referents, model.facts)
        return new
    _set_records(model, hold)
    model.used_options, model.used_words = options, words
    model.facts.referents = facts
    model.has_lost_rows = False
    return None


def _move_referents(
    before: _TableInput, model: Model, changed: Set[str], found: Facts
) -> Mapping[Span, Referent]:
    """Return the referents after the text of tables has changed. Referents that are rows have their current places."""
    gone = [before.files[name] for name in changed]
    rows: dict[Span, Span] = {}
    for what, things in (
        ("kinds", model.kinds),
        ("pieces", model.pieces),
        ("spaces", model.spaces),
    ):
        for name, kind in before.records[what].items():
            if things[name] is not kind:
                rows.update(zip(kind.row_spans, things[name].row_spans, strict=True))
    referents = {span: one for span, one in before.referents.items() if span.source not in gone}
    return {
        span: evolve(one, declared=rows[one.declared]) if one.declared in rows else one
        for span, one in (referents | found.referents).items()
    }


def _add_referents(referents: Mapping[Span, Referent], facts: Facts) -> None:
    facts.referents = {**referents, **facts.referents}
