"""Defines the core of the compiler: procedures being written, names in scope, and the tables and texts of the program.

The constructs of the language are in other modules; this module is independent of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TypeAlias, cast

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Help
from rulewright.dsl.diagnostics.codes import CODES
from rulewright.dsl.diagnostics.diagnostics import Fix, Label, Problems
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.written import free_words
from rulewright.dsl.lowering.emit.code import ZERO, Expr, binary
from rulewright.dsl.lowering.emit.layout import CellGroup, Layout
from rulewright.dsl.lowering.emit.memories import Memory
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.emit.turns import Turn
from rulewright.dsl.model import types
from rulewright.dsl.model.dependencies import recording_uses
from rulewright.dsl.model.model import DIRECTIONS, Model
from rulewright.dsl.model.types import UNKNOWN, Type, describe, is_wide, narrow
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import rewrite, walk


@define
class Procedure:
    """A procedure that is being written. A suspending procedure stores its locals in a frame."""

    name: str
    suspending: bool
    locals: int = 0
    types: dict[int, Type] = field(factory=dict)  # the types of the locals that have names
    lowered: list[Typed] | None = None
    """The parts of the current expression that have been lowered so far."""

    def slot(self, size: int = 1) -> int:
        """Reserve a local and return it.

        For a list in a frame, reserve `size` adjacent locals and return the first.
        """
        first = self.locals
        self.locals += size
        return first


_HALF = 2**32
"""The divisor for a number that may be too large for a cell: two cells store the quotient and the remainder."""


@define(eq=False)
class Variable:
    """A local name with its type and its location."""

    name: str
    type: Type
    slot: int
    procedure: Procedure
    span: Span | None = None
    capacity: int = 0  # the number of cells of a list in a frame; 0 for other values
    wide: bool = (
        False  # a number in two cells of a frame; a change of the number needs a third cell
    )
    has_written_type: bool = False
    """Whether the author has written the range. Any other range is an estimate."""

    def __attrs_post_init__(self) -> None:
        # the type of a slot is unknown if the slot stores values of different types one after the
        # other
        known = self.procedure.types.setdefault(self.slot, self.type)
        if known != self.type or self.wide:
            self.procedure.types[self.slot] = types.Unknown()

    def read(self) -> Expr:
        """Return code that reads the variable."""
        if self.capacity:
            return ir.LocalList(self.slot)
        if self.wide:
            left = binary("+", ir.Const(_HALF // 2), ir.Local(self.slot + 1))
            return ir.Binary("+", ir.Binary("*", ir.Local(self.slot), ir.Const(_HALF)), left)
        return ir.Local(self.slot)

    def set_to(self, code: Expr) -> list[ir.Stmt]:
        """Return steps that set the variable to a value. The variable must not be a list in a frame."""
        if not self.wide:
            return [ir.SetLocal(self.slot, code)]
        left = ir.Binary("-", ir.Binary("%", code, ir.Const(_HALF)), ir.Const(_HALF // 2))
        return [
            ir.SetLocal(self.slot + 2, left),
            ir.SetLocal(self.slot, ir.Binary("//", code, ir.Const(_HALF))),
            ir.SetLocal(self.slot + 1, ir.Local(self.slot + 2)),
        ]


Facts: TypeAlias = Mapping[str, Type]
"""The known types of values, keyed by the paths of the values."""
_NO_FACTS: Facts = {}


@frozen
class Typed:
    """A lowered expression: its code and its type.

    For a zone or a place for tokens, `group` contains its cells. For the name of a row, `ids`
    contains the ids of the copies. For a condition, `so` contains the facts that follow if it
    holds, and `otherwise` the facts that follow if it does not hold.
    """

    type: Type
    code: Expr
    group: CellGroup | None = None
    owner: Expr | None = None
    ids: tuple[int, ...] | None = None
    slot: Expr | None = None
    so: Facts = field(default=_NO_FACTS, eq=False)
    otherwise: Facts = field(default=_NO_FACTS, eq=False)
    e: syntax.Expression | None = field(default=None, eq=False)
    parts: tuple[Typed, ...] = field(default=(), eq=False)
    """The lowered parts of the expression, in the same procedure."""
    inside: tuple[Typed, ...] = field(default=(), eq=False)
    """The lowered parts of the expression, in the procedure that the code calls."""

    def of(self, e: syntax.Expression) -> Typed | None:
        """Return the lowered form of a part of this expression; None if the part has not been lowered."""
        if self.e is e:
            return self
        for part in reversed(self.parts):
            found = part.of(e)
            if found is not None:
                return found
        return next(
            (of for part in self.inside if (of := part.of(e)) and (of := self._in_caller(of))), None
        )

    def _in_caller(self, part: Typed) -> Typed | None:
        """For use in the caller, translate a part that was lowered in the called procedure.

        Return None if the part needs local names of the called procedure.
        """
        assert isinstance(self.code, ir.CallValue)
        given = self.code.arguments
        codes = part.code, part.owner, part.slot
        if any(isinstance(one, ir.Local) and one.slot >= len(given) for one in walk(codes)):
            return None
        moved = rewrite(codes, lambda one: given[one.slot] if isinstance(one, ir.Local) else None)
        code, owner, slot = cast(tuple[Expr, Expr | None, Expr | None], moved)
        return evolve(part, code=code, owner=owner, slot=slot, parts=(), inside=())

    def lowered_parts(self, *written: syntax.Expression) -> list[Typed]:
        """Return the lowered forms of these parts of this expression, without parts that have not been lowered."""
        return [found for e in written if (found := self.of(e)) is not None]

    @property
    def constant(self) -> int | None:
        """Return the value if it is a constant number; None otherwise."""
        return (
            self.code.value
            if isinstance(self.code, ir.Const) and isinstance(self.code.value, int)
            else None
        )


BAD = Typed(UNKNOWN, ZERO)


_NAME = re.compile(r"(\.?)(\w+)")


@lru_cache(maxsize=4096)
def _names_in(path: str) -> Sequence[tuple[str, str]]:
    """Return the names in a path. A name after a dot includes the dot."""
    return tuple(_NAME.findall(path))


@define
class Env:
    """The names in scope and the known facts at a place in the text."""

    c: Compiler
    procedure: Procedure
    scope: dict[str, Variable]
    facts: dict[str, Type]
    pure: bool = True

    def child(self) -> Env:
        """Return a copy. Adding names and facts to the copy does not change the original."""
        return Env(self.c, self.procedure, dict(self.scope), dict(self.facts), self.pure)

    def learn(self, facts: Facts) -> None:
        """Add facts. If a type is already known for a path, narrow this type."""
        for path, type in facts.items():
            known = self.facts.get(path)
            self.facts[path] = type if known is None else narrow(type, known)

    def declare(
        self,
        name: str,
        type: Type,
        span: Span | None,
        *,
        slot: int | None = None,
        is_parameter: bool = False,
    ) -> Variable:
        """Add a new local name. A parameter is never stored in two cells, because it receives only one argument."""
        capacity, wide = 0, False
        if slot is None:
            if self.procedure.suspending and isinstance(type, types.List):
                capacity = type.length + 1
                slot = self.procedure.slot(capacity)
            elif self.procedure.suspending and is_wide(type) and not is_parameter:
                wide, slot = True, self.procedure.slot(3)
            else:
                slot = self.procedure.slot()
        if span is not None:
            self.report_hiding(name, span)
        variable = Variable(name, type, slot, self.procedure, span, capacity, wide=wide)
        variable.has_written_type = is_parameter and span is not None
        if span is not None:
            self.c.model.facts.refers(span, "local", name, span)
            self.c.model.facts.has_type(span, type)
        self.scope[name] = variable
        for path in [p for p in self.facts if p == name or p.startswith((name + ".", name + "("))]:
            del self.facts[path]
        self.c.variables.append(variable)
        return variable

    def bind(
        self,
        name: str,
        type: Type,
        slot: int | None = None,
        span: Span | None = None,
        capacity: int = 0,
    ) -> Variable:
        """Bind a name without declaring it. Nothing is recorded or reported about the name."""
        slot = self.procedure.slot() if slot is None else slot
        variable = Variable(name, type, slot, self.procedure, span, capacity)
        self.scope[name] = variable
        return variable

    def report_hiding(self, name: str, span: Span) -> None:
        """Report an error for a new local name that would hide another name."""
        old = self.scope[name].span if name in self.scope else None
        if old is None and not self._has_brackets(name):
            old = self.c.model.first_declared.get(f"noun {name}")
        if old is not None and name != "me":
            is_let = old.source.text[: old.start].endswith("let ")
            again = _set_again(name, span) if is_let and name in self.scope else None
            other = "give one of them another name"
            self.c.problems.error(
                "shadowed-name",
                f"`{name}` hides another `{name}`",
                span,
                labels=(Label(old, "which is declared here"),),
                help=f"write `{again.text}` to change it, or {other}" if again else other,
                fix=again,
            )

    def _has_brackets(self, name: str) -> bool:
        """Return whether the uses of a declared name always have brackets."""
        model = self.c.model
        stored = model.states.get(name) or model.zones.get(name)
        return stored is not None and bool(stored.params)

    def forget(self, names: Iterable[str] | None) -> None:
        """Drop the facts about stored things with these names; if `names` is None, drop all such facts."""
        if names is None:
            self.facts = {
                path: type
                for path, type in self.facts.items()
                if "." not in path
                and "(" not in path
                and path not in self.c.stored
                and path not in self.c.model.values
            }
            return
        gone = frozenset(names)
        self.facts = {
            path: type
            for path, type in self.facts.items()
            if gone.isdisjoint(self._names_read(path))
        }

    def _names_read(self, path: str) -> set[str]:
        """Return the names of stored things and locals on which a path depends."""
        found: set[str] = set()
        for dot, name in _names_in(path):
            found |= self.c.names_read(name) if dot or name not in self.scope else {name}
        return found


@frozen
class Parameter:
    """The type of a rule's parameter, and the lowered source of the parameter."""

    type: Type
    source: Typed | None
    counted_kinds: set[str]
    """The kinds whose things were counted to find the type and the source."""


@define
class Compiler:
    """The parts of one program, collected while the program is compiled."""

    model: Model
    layout: Layout
    problems: Problems
    optimise: Callable[[Compiler, Procedure, Sequence[ir.Stmt]], tuple[ir.Stmt, ...]]
    """Optimises the statements of a complete plain procedure."""
    is_run: bool = True
    """Whether the program is to be run. Otherwise only its errors are reported."""
    tables: list[tuple[object, ...]] = field(factory=list)
    table_index: dict[tuple[object, ...], int] = field(factory=dict)
    table_numbers: dict[int, tuple[object, int]] = field(factory=dict)
    """Maps the `id` of each tuple that is a table to this tuple and the number of the table."""
    plain: list[ir.Plain | None] = field(factory=list)
    messages: list[ir.Message] = field(factory=list)
    faults: list[ir.FaultText] = field(factory=list)
    domains: list[ir.Domain] = field(factory=list)
    domain_index: dict[str, int] = field(factory=dict)
    values: dict[int, ValueInfo] = field(factory=dict)
    variables: list[Variable] = field(factory=list)
    helpers: dict[str, int] = field(factory=dict)
    stored: set[str] = field(factory=set)
    marks: list[ir.MarkInfo] = field(factory=list)
    turn_marks: dict[int, ir.Mark] = field(factory=dict)
    """Maps the `id` of the body of each loop that cites clauses to the mark that counts the iterations."""
    reads: set[str] = field(factory=set)
    clauses: tuple[str, ...] = ()
    eliminates: bool = False
    modifiers: dict[str, list[Modifier]] = field(factory=dict)
    overrides: dict[str, int] = field(factory=dict)
    values_in_progress: list[tuple[declared.Value, Span | None]] = field(factory=list)
    """The values being lowered, each paired with the place that needs the value. Each value needs
    the next value in the list.
    """
    cyclic: set[int] = field(factory=set)
    """The `id` of each value that depends on itself."""
    value_uses: set[int] = field(factory=set)
    during: dict[str, set[str]] = field(factory=dict)
    text_prelude: list[ir.Stmt] = field(factory=list)
    parameters: dict[tuple[int, int], Parameter] = field(factory=dict)
    """The parameters of rules that have been requested, keyed by the `id` of the rule and their index."""
    permitted: dict[tuple[Span, frozenset[tuple[str, Type]]], tuple[set[str], list[Type]]] = field(
        factory=dict
    )
    """A check lowers a standing permission once for each set of known facts. This maps the
    permission and the facts to the kinds whose things were counted, and to the types of the
    permission's arguments.
    """
    limit_words: dict[str, list[int]] = field(factory=dict)
    watched: dict[int, Watched] = field(factory=dict)
    rules: Rules | None = None
    names_read: Callable[[str], set[str]] = lambda name: {name}
    """Maps a name in an expression to all names that its value reads, and to itself."""
    wrong: set[str] = field(factory=set)
    """The names, as in `sharing.Common`, of the parts of the rules that have errors."""
    counted_kinds: dict[str, set[str]] = field(factory=dict)
    """Maps each lowered part to the kinds whose number of things affects the part."""
    _wrong_inside: int = 0
    """The number of errors in parts that were lowered because the current part needs them."""
    memories: dict[str, Memory] = field(factory=dict)
    results: dict[str, Result] = field(factory=dict)
    """Maps each rule to the cells that store its result from the end of the rule until its caller reads it."""
    columns: dict[tuple[object, ...], tuple[object, ...]] = field(factory=dict)
    """The computed contents of columns, keyed by the name of the column, whether it contains lists, and the kinds."""
    total: int = -1
    score_items: dict[str, int] = field(factory=dict)
    final_winners: int | None = None  # the procedure that lists the winners, outside the rules

    def __attrs_post_init__(self) -> None:
        self.total = self.reserve_plain()

    # ---- the score ----------------------------------------------------------------------------------

    def score_item(self, name: str) -> int | None:
        """Return the plain procedure that computes an item of the score; None if there is no such item.

        `name` consists of the words of the item.
        """
        if name not in self.score_items and name in self.score_item_names():
            self.score_items[name] = self.reserve_plain()
        return self.score_items.get(name)

    def score_item_names(self) -> list[str]:
        """Return the names of the items of the score in this variant."""
        return [
            as_name(item.text)
            for score in self.model.scores
            for item in score.items
            if self.model.is_on(item.only_if)
        ]

    # ---- parts of the rules -------------------------------------------------------------------------

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Inside a `with` block, lower a part of the rules, and record whether this part itself has errors."""
        inside, self._wrong_inside = self._wrong_inside, 0
        before = self.problems.errors
        try:
            with recording_uses(self.counted_kinds.setdefault(name, set())):
                yield
        finally:
            found = self.problems.errors - before
            if found > self._wrong_inside:
                self.wrong.add(name)
            self._wrong_inside = inside + found

    def type_of(self, word: syntax.TypeWord) -> Type | None:
        """Return the type with the given name. If there is none, report an error and return None."""
        found = self.model.type_named(word.name)
        if found is None:
            self.problems.error(
                "unknown-type",
                f"there is no type `{word.name}`",
                word.span,
                help=f"write `{small}`: it is a thing, not a type of things"
                if (small := word.name.lower()) in self.model.row_names
                else did_you_mean(word.name, self.model.type_names()),
            )
        return found

    def bad(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        at: str = "",
        labels: Sequence[Label] = (),
        help: Help = "",
        fix: Fix | None = None,
    ) -> Typed:
        """Report an error, and return the substitute for an expression with an error."""
        self.problems.error(code, message, span, at=at, labels=labels, help=help, fix=fix)
        return BAD

    def wrong_type(self, span: Span, expected: str, type: Type, help: Help = "") -> Typed:
        """Report an error for a value of a wrong type, and return the substitute for it."""
        return self.bad("wrong-type", f"{expected}, but this is {describe(type)}", span, help=help)

    # ---- tables, words, faults ----------------------------------------------------------------------

    def table(self, values: Sequence[object]) -> int:
        """Return the number of a constant table. Equal tables share a number."""
        known = self.table_numbers.get(id(values))
        if known is not None and known[0] is values:
            return known[1]
        key = tuple(values)
        number = self.table_index.get(key)
        if number is None:
            number = self.table_index[key] = len(self.tables)
            self.tables.append(key)
        if key is values:
            self.table_numbers[id(key)] = key, number
        return number

    def fault(self, code: str, message: str, span: Span | None) -> int:
        """Add a fault, and return its number."""
        if code not in CODES:
            raise ValueError(f"the code {code!r} is not in rulewright.dsl.diagnostics.codes")
        self.faults.append(ir.FaultText(code, message, span))
        return len(self.faults) - 1

    def message(
        self,
        parts: Sequence[str | ir.Shown | ir.Counted],
        span: Span | None,
        clauses: tuple[str, ...] = (),
        *,
        derived: bool = False,
    ) -> int:
        """Add a message, and return its number."""
        self.messages.append(ir.Message(tuple(parts), clauses or self.clauses, span, derived))
        return len(self.messages) - 1

    def domain(self, type: Type) -> int:
        """Return the number of the domain for values of a type. A domain determines how messages show the values."""
        # all others: the domain has the same name as the type
        if isinstance(type, types.List):
            return self.domain(type.of)
        name = {"int": "number", "zone": "piece"}.get(type.word, type.word)
        if isinstance(type, types.Kind):
            name = f"kind {type.names[0]}"
        is_below = (
            isinstance(type, types.Number) and type.low < 0
        )  # so that -1 is treated as a number, not as the value `nothing`
        key = f"{name} below 0" if is_below else name
        if key not in self.domain_index:
            self.domain_index[key] = len(self.domains)
            kinds = self.model.pieces.values() if name == "piece" else ()
            with recording_uses(set()):  # no part depends on how numbers are displayed
                names, texts = self._domain_names(type)
                owners = tuple(owner for kind in kinds for owner in kind.owner)
            self.domains.append(
                ir.Domain(
                    name,
                    -1 if is_below else 0,
                    names,
                    texts,
                    owners if any(o >= 0 for o in owners) else (),
                )
            )
        return self.domain_index[key]

    def _domain_names(self, type: Type) -> tuple[tuple[str, ...], tuple[str, ...]]:
        model = self.model
        match type:
            case types.Piece() | types.Zone():
                kinds = list(model.pieces.values())
            case types.Space():
                kinds = list(model.spaces.values())
            case types.Kind():
                name = type.names[0]
                if name in model.options:
                    return model.options[name], _texts(model.options[name], model.options[name])
                kinds = [model.kinds[name]]
            case types.Player():
                return tuple(model.seats), tuple(
                    _readable(s.replace("seat_", "player "))
                    if s.startswith("seat_")
                    else _readable(s)
                    for s in model.seats
                )
            case types.Flag():
                return ("no", "yes"), ()
            case types.Action():
                actions = tuple(model.action_names)
                return actions, _texts(actions, actions)
            case types.Direction():
                return DIRECTIONS, _texts(DIRECTIONS, DIRECTIONS)
            case types.Number() | types.Uncounted():
                return (), ()
        names = tuple(row for kind in kinds for row in kind.rows)
        return names, _texts(names, tuple(text for kind in kinds for text in kind.texts))

    def mark(
        self, word: str, name: str, tags: syntax.Tags, span: Span | None, above: syntax.Tags = ()
    ) -> ir.Mark:
        """Return a coverage mark.

        `tags` are the clauses of its line, and `above` are the clauses of an outer line.
        """
        cited = tuple(lines[0].span for lines in (above, tags) if lines)
        self.marks.append(ir.MarkInfo(word, name, clause_ids((*above, *tags)), span, cited))
        return ir.Mark(len(self.marks) - 1)

    def row_mark(
        self,
        word: str,
        name: str,
        tags: syntax.Tags,
        span: Span | None,
        row: tuple[Type, Expr],
        above: syntax.Tags = (),
        rows: Sequence[int] | None = None,
    ) -> ir.Mark:
        """Return a mark with a separate count for each row of a type, or for each row in `rows`."""
        if not self.is_run:
            return self.mark(word, name, tags, span, above)
        type, code = row
        ids = list(self.model.ids_of(type)) if rows is None else sorted(rows)
        names = self.domains[self.domain(type)].names
        if not ids or len(names) <= max(ids):
            return self.mark(word, name, tags, span, above)
        first, low = len(self.marks), min(ids)
        places: dict[str, int] = {}
        table = [0] * (max(ids) - low + 1)
        for id in ids:
            if names[id] not in places:
                places[names[id]] = len(places)
                self.mark(word, f"{name} ({names[id]})", tags, span, above)
            table[id - low] = places[names[id]]
        return ir.Mark(first, ir.Table(self.table(table), binary("-", code, ir.Const(low))))

    def refusal(self, message: int) -> None:
        """Record that a message is an author's reason for refusing something."""
        said = self.messages[message]
        self.marks.append(ir.MarkInfo("refusal", said.written, said.clauses, said.span))

    # ---- plain procedures ---------------------------------------------------------------------------

    def reserve_plain(self) -> int:
        """Reserve the number of a plain procedure that is written later."""
        self.plain.append(None)
        return len(self.plain) - 1

    def put_plain(
        self,
        index: int,
        procedure: Procedure,
        parameters: int,
        body: Sequence[ir.Stmt],
        span: Span | None = None,
    ) -> None:
        """Store a plain procedure that has been written."""
        self.plain[index] = ir.Plain(
            procedure.name,
            parameters,
            max(procedure.locals, parameters),
            self.optimise(self, procedure, body),
            span,
        )

    def helper(self, name: str, write: Callable[[Procedure], tuple[int, Sequence[ir.Stmt]]]) -> int:
        """Return the number of a helper procedure. The procedure is written when it is first needed."""
        if name not in self.helpers:
            index = self.reserve_plain()
            self.helpers[name] = index
            procedure = Procedure(name, suspending=False)
            parameters, body = write(procedure)
            self.put_plain(index, procedure, parameters, body)
        return self.helpers[name]

    def closure(self, env: Env, nodes: Iterable[object], name: str) -> tuple[Env, list[Expr], int]:
        """Begin a plain procedure that can use the local names in `nodes`.

        Return its environment, its arguments and its number.
        """
        assert self.rules is not None
        wanted = free_words(nodes, self.rules.a.written)
        procedure = Procedure(name, suspending=False)
        inner = Env(self, procedure, {}, dict(env.facts), True)
        arguments: list[Expr] = []
        for local, variable in env.scope.items():
            if local in wanted:
                arguments.append(variable.read())
                inner.bind(local, variable.type, span=variable.span)
        return inner, arguments, self.reserve_plain()


@lru_cache(maxsize=32)
def _texts(names: tuple[str, ...], written: tuple[str, ...]) -> tuple[str, ...]:
    """Return the display texts of names.

    If all texts equal the names, return an empty tuple, so that variants can share large grids.
    """
    texts = tuple(_readable(t) if t == n else t for t, n in zip(written, names, strict=True))
    return texts if texts != names else ()


def _readable(name: str) -> str:
    return name.replace("_", " ")


# ---- small pieces of code, folded if possible -----------------------------------------------------------


def new_env(c: Compiler, procedure: Procedure) -> Env:
    """Return an environment without names."""
    return Env(c, procedure, {}, {})


@define
class ValueInfo:
    """A named value that has been compiled."""

    declaration: declared.Value
    procedure: int
    type: Type
    parameters: list[tuple[str, Type]]
    uses_me: bool
    base: int | None = None
    sources: list[tuple[str, tuple[str, ...], int]] = field(factory=list)
    reason: tuple[tuple[str | ir.Shown | ir.Counted, ...], tuple[int, ...]] | None = None
    """The sentence for a condition that does not hold: the parts of a message, and a procedure for each argument.

    These procedures take the same arguments as the value.
    """


@frozen
class Result:
    """The cells that store the result of a rule until its caller reads it, and the type of the result."""

    first: int
    type: Type


@define
class Modifier:
    """A line that is in a power and changes an open value."""

    power: declared.Power
    line: declared.Modify


@define
class Watched:
    """The compiled form of a watched condition: the procedure that lists its instances, and the
    procedure that tests an instance.
    """

    instances: int
    holds: int
    type: Type
    low: int
    cells: int
    first: int
    number: Type | None = None
    """The type of the watched number; None if a condition is watched."""
    turned: int | None = None
    """The procedure that tests whether any instance has changed; None until it is needed."""
    things: tuple[int, int] = (0, 1)
    """For a condition in a power, the lowest id of a thing in the source, and the size of the range of these ids."""


@define
class Rules:
    """The procedures of a program.

    Their numbers are reserved first, and their bodies are added as they are written.
    """

    c: Compiler
    a: Analysis
    depth: int
    """The maximum depth of nested calls between rules."""
    lookahead: int
    """How many positions a search for possible options may try."""
    suspending: list[ir.Suspending | None] = field(factory=list)
    blocks: list[ir.Block | None] = field(factory=list)
    sites: list[ir.Site] = field(factory=list)
    chances: list[ir.ChanceSite] = field(factory=list)
    numbers: dict[str, tuple[bool, int]] = field(factory=dict)  # body key -> (suspending, number)
    wrappers: dict[str, int] = field(factory=dict)
    limits: dict[int, int] = field(factory=dict)  # id of a limit statement -> first cell
    running: dict[str, int] = field(
        factory=dict
    )  # rule name -> first cell of "is running for player"
    turns: list[Turn] | None = None
    """The turns of players that have been recorded; None if turns are not recorded."""
    awake: int = 0
    apart: list[frozenset[str]] = field(factory=list)
    """For each `together` block, the names that may change in it (see `ir.Program.apart`)."""
    calls: dict[int, set[int]] = field(
        factory=dict
    )  # suspending procedure -> suspending procedures that it calls
    helpers: dict[str, int] = field(factory=dict)
    checked: dict[int, int] = field(factory=dict)  # watched condition -> procedure that checks it
    wheres: dict[int, int] = field(factory=dict)
    """Maps the number of each trigger on moves to the procedure that tests its condition."""

    def where_of(self, n: int) -> int:
        """Return the number of the procedure that tests the condition of a trigger on moves."""
        if n not in self.wheres:
            self.wheres[n] = self.c.reserve_plain()
        return self.wheres[n]

    def block(self) -> int:
        """Reserve the number of a block that is written later."""
        self.blocks.append(None)
        return len(self.blocks) - 1

    def reserve(self) -> int:
        """Reserve the number of a suspending procedure that is written later."""
        self.suspending.append(None)
        return len(self.suspending) - 1


def _set_again(name: str, span: Span) -> Fix | None:
    """Return the suggested change for `let here = there` if `here` already exists: a step that sets `here`."""
    start = span.source.text.rfind("\n", 0, span.start) + 1
    line = span.source.text[start:].partition("\n")[0].partition("#")[0].strip()
    found = re.fullmatch(rf"let {name} = (.+)", line)
    if found is None:
        return None
    first = span.source.text.index("let", start)
    return Fix(Span(span.source, first, first + len(line)), f"set {name} to {found[1]}")
