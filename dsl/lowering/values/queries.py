"""Queries: `count(x in A where C)` and the like, each a plain procedure with a bounded loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Help, write
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    choice,
    negated,
)
from rulewright.dsl.lowering.emit.core import BAD, Env, Facts, Typed
from rulewright.dsl.lowering.emit.paths import count_path, path_of
from rulewright.dsl.lowering.emit.recursion import lowers
from rulewright.dsl.lowering.emit.routines import Inline, steps
from rulewright.dsl.lowering.values import assuming, expressions, iterating, places
from rulewright.dsl.lowering.values.arithmetic import LEAST_NUMBER, MOST_NUMBER, checked, edges
from rulewright.dsl.model import types
from rulewright.dsl.model.types import (
    FLAG,
    UNKNOWN,
    Type,
    are_comparable,
    describe,
    item_of,
    join,
    list_of,
    range_of,
    whole,
)
from rulewright.dsl.tree import syntax

CAP = 1_000_000  # the maximum number of turns of a search over several names


@lowers(syntax.Query)
def query(env: Env, e: syntax.Query, expect: Type | None) -> Typed:
    """A query: its procedure is called with the local names it uses."""
    return members(env, e, expect)[0]


def members(env: Env, e: syntax.Query, expect: Type | None = None) -> tuple[Typed, Facts]:
    """A query, and the facts about each member that fulfils its condition."""
    c = env.c
    for binder in e.binders:
        if binder.name in env.scope:
            env.not_hidden(binder.name, binder.name_span)
    inner, arguments, index = c.closure(env, [e], f"{e.word} in line {e.span.line}")
    parameters = inner.procedure.locals
    problem_count = len(c.problems)
    writer = _Writer(inner, e, expect)
    inner.procedure.met = []
    body = writer.write()
    if writer.sources:
        _not_a_row(env, e, writer.sources[0].type)
    if writer.size > CAP and e.word not in _ENDS_EARLY:
        c.problems.error(
            "too-many-options",
            f"this goes through up to {writer.size:,} combinations",
            e.span,
            help="narrow the ranges",
        )
    if writer.type is None or not writer.type.known:
        if len(c.problems) == problem_count and writer.type is None:
            c.problems.error(
                "wrong-type",
                "this query has no value",
                e.span,
                help=f"write `{e.word}(x in ... : VALUE)`",
            )
        c.put_plain(index, inner.procedure, parameters, [ir.Return(ZERO)])
        return BAD, {}
    c.put_plain(index, inner.procedure, parameters, body, e.span)
    is_any = e.word == "any" and len(e.binders) == 1
    so = assuming.some(e.binders[0], e.where, 1) if is_any else {}
    inside = tuple(inner.procedure.met)
    found = Typed(writer.type, ir.CallValue(index, tuple(arguments)), so=so, inside=inside)
    return found, writer.known


def _not_a_row(env: Env, e: syntax.Query, among: Type) -> None:
    """Report `count(knight in hand)`, which makes the name of a card the name of each member."""
    binder = e.binders[0]
    rows = env.c.model.row_names.get(binder.name)
    if not rows or len(e.binders) > 1 or e.where is not None or e.body is not None or e.keys:
        return
    for type, _ in rows:
        kinds = [
            kind for kind_name in type.names if (kind := env.c.model.thing(kind_name)) is not None
        ]
        is_one = (
            isinstance(among, types.Several)
            and are_comparable(among.of, type)
            and set(among.of.names) & set(type.names)
        )
        if is_one and any(len(set(kind.rows)) > 1 for kind in kinds):
            meant = f"{e.word}(x in {binder.source.span.text} where x is {binder.name})"
            env.c.problems.error(
                "shadowed-name",
                f"`{binder.name}` is one of these, and would be a name for each of them here",
                binder.name_span,
                help=write(meant, e.span),
            )
            return


_ENDS_EARLY = ("any", "all", "first", "the")
"""Queries that seldom use all turns of their loop."""
_OF_NUMBERS = ("sum", "largest", "smallest", "most", "fewest")
_IN_ORDER = {"list": "ranking", "the": "first"}
"""Ordered queries to suggest instead of unordered ones."""


def _for_by(e: syntax.Query) -> str:
    """The suggestion for a query that accepts no `by`; "" if there is none."""
    text = e.span.text
    if e.body is not None:
        return ""
    if e.word in _IN_ORDER:
        return f"{_IN_ORDER[e.word]}{text.removeprefix(e.word)}"
    key = e.keys[0].value.span
    before = text[: key.start - e.span.start].rstrip().removesuffix("by").rstrip()
    if e.word not in _OF_NUMBERS:
        return f"{before})"
    return f"{before}: {key.text})"


def _number_after_where(e: syntax.Query) -> str:
    """The suggestion for a number instead of the condition of a query."""
    if not isinstance(e.where, syntax.Dot | syntax.Word) or "\n" in e.span.text:
        return ""
    before = (
        e.span.text[: e.where.span.start - e.span.start].rstrip().removesuffix("where").rstrip()
    )
    return f"{before}: {e.where.span.text})"


def _without_value(e: syntax.Query) -> str:
    """The suggestion for a query of members with a value of each: `first(x in A: x.n)` for `first(x in A).n`."""
    assert e.body is not None
    text = e.span.text
    members = text[: e.body.span.start - e.span.start].rstrip().removesuffix(":").rstrip()
    value, name = e.body.span.text, e.binders[0].name
    if "\n" in text:
        return ""
    if e.word in ("first", "the") and value.startswith(f"{name}."):
        return f"{members}){value.removeprefix(name)}"
    if e.word == "ranking" and e.keys == ():
        return f"{members} by {value})"
    if e.word == "count" and e.where is None:
        return f"{members} where {value})"
    return ""


def _condition_of_all(text: str) -> Help:
    """The suggestion for `all` with a condition after `where` only."""
    picked, where, asked = " ".join(text.split()).partition(" where ")
    if where and " where " not in asked:
        return write(f"{picked}: {asked}") + ": `where` only picks the ones that are looked at"
    return "`where` only picks the ones that are looked at"


class _Writer:
    """Writes the procedure of one query."""

    def __init__(self, env: Env, e: syntax.Query, expect: Type | None) -> None:
        self.env, self.e, self.expect = env, e, expect
        self.type: Type | None = None
        self.member: Type = UNKNOWN
        """The type of the last binder."""
        self.sources: list[Typed] = []
        """The sources of the binders that have been reached."""
        self.known: Facts = {}
        """The facts about a member that follow from the condition."""
        self.size = 1
        """The largest number of turns."""
        self.c, self.p = env.c, env.procedure

    def write(self) -> Stmts:
        """The statements of the procedure; sets `type`."""
        e = self.e
        problems = self.c.problems
        if e.keys and e.word not in ("first", "ranking"):
            cure = _for_by(e)
            problems.error(
                "unexpected-word",
                f"`{e.word}` takes no `by`",
                e.keys[0].span,
                help=write(cure, e.span) if cure else "leave it out: the order makes no difference",
            )
            if cure and e.word in _OF_NUMBERS:
                return []
        needs_body = e.word in _OF_NUMBERS
        if needs_body and e.body is None:
            problems.error(
                "wrong-arguments",
                f"`{e.word}` needs a value after a colon: `{e.word}(x in ... : ...)`",
                e.span,
                help=write(_number_after_where(e) or f"{e.word}(x in A: NUMBER)"),
            )
            return []
        if e.body is not None and e.word in ("count", "first", "the", "ranking"):
            cure = _without_value(e)
            problems.error(
                "unexpected-word",
                f"`{e.word}` takes nothing after a colon",
                e.body.span,
                help=write(cure, e.span) if cure else "put a condition after `where`",
            )
            return []
        if (
            len(e.binders) > 1
            and e.word
            not in (
                "count",
                "sum",
                "any",
                "all",
                "largest",
                "smallest",
            )
            and (e.word != "list" or e.body is None)
        ):
            problems.error(
                "wrong-arguments",
                f"`{e.word}` goes through one source",
                e.binders[1].span,
                help="name the value to list: `list(x in A, y in x.things: y)`"
                if e.word == "list"
                else f"list it first: `{e.word}(z in list(x in A, y in x.things: y))`",
            )
        match e.word:
            case "count":
                return self._count()
            case "sum":
                return self._sum()
            case "any":
                return self._any()
            case "all":
                return self._all()
            case "largest" | "smallest":
                return self._extreme()
            case "most" | "fewest":
                return self._tied()
            case "first":
                return self._first()
            case "the":
                return self._the()
            case "list":
                return self._listing()
            case "ranking":
                return self._ranking()
            case "groups":
                return self._groups()

    # ---- walking ------------------------------------------------------------------------------------

    def _walk(self, body: Callable[[Env], Stmts]) -> Stmts:
        """All binders, one inside the other, then the condition, then `body`."""

        def level(env: Env, binders: Sequence[syntax.Binder]) -> Stmts:
            if binders:
                return iterating.iterate(
                    env,
                    binders[0],
                    lambda inner: level(inner, binders[1:]),
                    met=lambda source: self._met(binders[0], source),
                )
            self.member = env.scope[self.e.binders[-1].name].type
            if self.e.where is None:
                return body(env)
            test = expressions.condition(env, self.e.where)
            inner = env.child()
            inner.learn(test.so)
            self.known = test.so
            stmts = body(inner)
            if test.code == ONE:
                return stmts
            return [ir.If(test.code, tuple(stmts))]

        return level(self.env, self.e.binders)

    def _met(self, binder: syntax.Binder, source: Typed) -> None:
        self.sources.append(source)
        self.size *= max(1, self._length(binder, source))

    def _length(self, binder: syntax.Binder, source: Typed) -> int:
        """The largest number of members of a binder."""
        if isinstance(source.type, types.List):
            return source.type.length
        if not isinstance(source.type, types.Zone) or source.slot is not None:
            return 1
        shape = source.group.shape if source.group is not None else ""
        if shape == "spot":
            return 1
        if shape == "row" and source.group is not None:
            return source.group.slots
        wanted = self.c.model.type_named(binder.type.name) if binder.type is not None else None
        of = wanted or item_of(source.type) or source.type
        return self.c.model.size_of(types.Piece(names=of.names))

    def _item(self, env: Env) -> tuple[Type, Expr]:
        """The value of the only binder."""
        variable = env.scope[self.e.binders[0].name]
        path = variable.name
        type = variable.type
        if path in env.facts and are_comparable(env.facts[path], type):
            type = env.facts[path]
        return type, variable.read()

    def _body_number(self, env: Env) -> Typed:
        assert self.e.body is not None
        return expressions.number(env, self.e.body)

    # ---- the words ----------------------------------------------------------------------------------

    def _count(self) -> Stmts:
        n = self.p.slot()
        loop = self._walk(lambda env: [ir.SetLocal(n, binary("+", ir.Local(n), ONE))])
        self.type = whole(0, self.size)
        return [ir.SetLocal(n, ZERO), *loop, ir.Return(ir.Local(n))]

    def _sum(self) -> Stmts:
        n = self.p.slot()
        found: Type = whole(0, 0)

        def body(env: Env) -> Stmts:
            nonlocal found
            value = self._body_number(env)
            found = value.type
            if (
                edges(found)[0] * self.size >= LEAST_NUMBER
                and edges(found)[1] * self.size <= MOST_NUMBER
            ):
                return [ir.SetLocal(n, binary("+", ir.Local(n), value.code))]
            more = ir.CallValue(checked(self.c, "+", self.e.span), (ir.Local(n), value.code))
            return [ir.SetLocal(n, more)]

        loop = self._walk(body)
        self.type = whole(
            min(0, range_of(found).low * self.size), max(0, range_of(found).high * self.size)
        )
        return [ir.SetLocal(n, ZERO), *loop, ir.Return(ir.Local(n))]

    def _any(self) -> Stmts:
        def body(env: Env) -> Stmts:
            if self.e.body is None:
                return [ir.Return(ONE)]
            return [ir.If(expressions.condition(env, self.e.body).code, (ir.Return(ONE),))]

        loop = self._walk(body)
        self.type = FLAG
        return [*loop, ir.Return(ZERO)]

    def _all(self) -> Stmts:
        if self.e.body is None:
            self.c.problems.error(
                "wrong-arguments",
                "`all` needs a condition after a colon: `all(x in A: C)`",
                self.e.span,
                help=_condition_of_all(self.e.span.text),
            )
            return []

        def body(env: Env) -> Stmts:
            assert self.e.body is not None
            asked = negated(expressions.condition(env, self.e.body).code)
            return [ir.If(asked, (ir.Return(ZERO),))]

        loop = self._walk(body)
        self.type = FLAG
        return [*loop, ir.Return(ONE)]

    def _extreme(self) -> Stmts:
        best, seen = self.p.slot(), self.p.slot()
        found: Type = whole(0, 0)
        operator: ir.BinaryWord = ">" if self.e.word == "largest" else "<"
        value_slot = self.p.slot()

        def body(env: Env) -> Stmts:
            nonlocal found
            value = self._body_number(env)
            found = value.type
            better = ir.Or(
                negated(ir.Local(seen)), ir.Binary(operator, ir.Local(value_slot), ir.Local(best))
            )
            return [
                ir.SetLocal(value_slot, value.code),
                ir.If(better, (ir.SetLocal(best, ir.Local(value_slot)), ir.SetLocal(seen, ONE))),
            ]

        loop = self._walk(body)
        self.type = whole(min(0, range_of(found).low), max(0, range_of(found).high))
        return [ir.SetLocal(best, ZERO), ir.SetLocal(seen, ZERO), *loop, ir.Return(ir.Local(best))]

    def _tied(self) -> Stmts:
        best, out, value_slot = self.p.slot(), self.p.slot(), self.p.slot()
        operator: ir.BinaryWord = ">" if self.e.word == "most" else "<"
        of: Type = UNKNOWN

        def body(env: Env) -> Stmts:
            nonlocal of
            value = self._body_number(env)
            of, item = self._item(env)
            empty = binary("==", ir.Length(ir.Local(out)), ZERO)
            return [
                ir.SetLocal(value_slot, value.code),
                ir.If(
                    ir.Or(empty, ir.Binary(operator, ir.Local(value_slot), ir.Local(best))),
                    (ir.SetLocal(out, ir.MakeList(())), ir.SetLocal(best, ir.Local(value_slot))),
                ),
                ir.If(binary("==", ir.Local(value_slot), ir.Local(best)), (ir.Append(out, item),)),
            ]

        loop = self._walk(body)
        self.type = list_of(of, self.size)
        return [
            ir.SetLocal(out, ir.MakeList(())),
            ir.SetLocal(best, ZERO),
            *loop,
            ir.Return(ir.Local(out)),
        ]

    def _first(self) -> Stmts:
        of: Type = UNKNOWN
        if not self.e.keys:

            def body(env: Env) -> Stmts:
                nonlocal of
                of, item = self._item(env)
                return [ir.Return(item)]

            loop = self._walk(body)
            self.type = self._found_type(of)
            return [*loop, ir.Return(ir.Const(()) if isinstance(of, types.List) else NONE)]
        best, begun = self.p.slot(), self.p.slot()
        keys = [self.p.slot() for _ in self.e.keys]
        values = [self.p.slot() for _ in self.e.keys]

        def keyed(env: Env) -> Stmts:
            nonlocal of
            of, item = self._item(env)
            stmts: Stmts = []
            for slot, key in zip(values, self.e.keys, strict=True):
                stmts.append(ir.SetLocal(slot, _key(env, key)))
            better: Expr = ZERO
            for value, kept, key in reversed(list(zip(values, keys, self.e.keys, strict=True))):
                ahead: ir.BinaryWord = "<" if key.lowest else ">"
                stronger = ir.Binary(ahead, ir.Local(value), ir.Local(kept))
                equal = ir.Binary("==", ir.Local(value), ir.Local(kept))
                better = stronger if better == ZERO else ir.Or(stronger, ir.And(equal, better))
            keep: Stmts = [ir.SetLocal(best, item)]
            keep.extend(
                ir.SetLocal(kept, ir.Local(value)) for value, kept in zip(values, keys, strict=True)
            )
            none = binary("<", ir.Local(best), ZERO)
            if isinstance(of, types.List):
                none = negated(ir.Local(begun))
                keep.append(ir.SetLocal(begun, ONE))
            stmts.append(ir.If(ir.Or(none, better), tuple(keep)))
            return stmts

        loop = self._walk(keyed)
        self._check_tie()
        self.type = self._found_type(of)
        start: Stmts = [ir.SetLocal(best, NONE), *(ir.SetLocal(k, ZERO) for k in keys)]
        if isinstance(of, types.List):
            start[0] = ir.SetLocal(best, ir.Const(()))
            start.append(ir.SetLocal(begun, ZERO))
        if isinstance(of, types.Number) and of.low < 0:
            self.c.problems.error(
                "not-storable",
                "`first` goes only through numbers from 0 on, because `nothing` counts as less than 0",
                self.e.span,
                help="go through numbers from 0 on, and subtract: `first(n in 0..9 where n - 5 ...)`",
            )
        return [*start, *loop, ir.Return(ir.Local(best))]

    def _found_type(self, of: Type) -> Type:
        """The type of `first`: it may be nothing, unless the source is never empty and no member is left out."""
        if not of.known:
            return UNKNOWN
        if isinstance(of, types.List):
            return of  # a missing list is empty
        binder = self.e.binders[0]
        source = binder.source
        stops = binder.stretch is not None and binder.stretch.word == "while"
        if self.e.where is None and binder.type is None and not stops:
            if (
                isinstance(source, syntax.Word)
                and source.name == "players"
                and source.name not in self.env.scope
            ):
                return of.surely()
            if (
                isinstance(source, (syntax.TypeWord, syntax.ListOf))
                and self.c.model.size_of(of) > 0
            ):
                return of.surely()
            if _has_members(source):
                return of.surely()
            known = self.env.facts.get(f"{path_of(source)}.size")
            if known is not None and range_of(known).low >= 1:
                return of.surely()
        counted = self.env.facts.get(count_path(binder, self.e.where) or "")
        if counted is not None and range_of(counted).low >= 1:
            return of.surely()
        return of.maybe()

    def _check_tie(self) -> None:
        """Report a query whose text does not decide a tie on all keys."""
        e = self.e
        if e.then_order:
            return
        binder = e.binders[0]
        if binder.start is not None:
            return
        tied, type = True, self.member
        paths = {path_of(key.value) for key in e.keys}
        cells = places.kinds_of(self.env, type)
        if (
            len(cells) == 1
            and cells[0].places
            and {f"{binder.name}.x", f"{binder.name}.y"} <= paths
        ):
            tied = False  # no two cells have the same place
        for key in e.keys:
            if _is_unique(self.env, key.value, binder.name, type):
                tied = False
        if tied and type.known:
            self.c.problems.error(
                "silent-tie",
                "these keys can tie, and no rule breaks the tie",
                e.keys[-1].span,
                help="add a key that decides, or `then order` where the order of the source is the rule",
            )

    def _the(self) -> Stmts:
        of: Type = UNKNOWN
        found, begun = self.p.slot(), self.p.slot()
        fault = self.c.fault("not-the-only-one", "`the` found none or more than one", self.e.span)

        def body(env: Env) -> Stmts:
            nonlocal of
            of, item = self._item(env)
            if isinstance(of, types.List):
                again = ir.If(ir.Local(begun), (ir.Fault(fault),))
                return [again, ir.SetLocal(begun, ONE), ir.SetLocal(found, item)]
            return [
                ir.If(binary(">=", ir.Local(found), ZERO), (ir.Fault(fault),)),
                ir.SetLocal(found, item),
            ]

        loop = self._walk(body)
        self.type = of.surely() if of.known else UNKNOWN
        if isinstance(of, types.List):
            return [
                ir.SetLocal(found, ir.Const(())),
                ir.SetLocal(begun, ZERO),
                *loop,
                ir.If(negated(ir.Local(begun)), (ir.Fault(fault),)),
                ir.Return(ir.Local(found)),
            ]
        return [
            ir.SetLocal(found, NONE),
            *loop,
            ir.If(binary("<", ir.Local(found), ZERO), (ir.Fault(fault),)),
            ir.Return(ir.Local(found)),
        ]

    def _listing(self) -> Stmts:
        out = self.p.slot()
        of: Type = UNKNOWN
        ordered = True

        def body(env: Env) -> Stmts:
            nonlocal of
            if self.e.body is not None:
                value = recursion.expression(env, self.e.body)
                value = places.counted(env, value, self.e.body)
                of = value.type
                return [ir.Append(out, value.code)]
            of, item = self._item(env)
            return [ir.Append(out, item)]

        loop = self._walk(body)
        if not of.known:
            self.type = UNKNOWN
            return []
        self.type = list_of(of, self.size, ordered=ordered)
        return [ir.SetLocal(out, ir.MakeList(())), *loop, ir.Return(ir.Local(out))]

    def _ranking(self) -> Stmts:
        if not self.e.keys:
            self.c.problems.error(
                "wrong-arguments",
                "`ranking` needs keys: `ranking(x in A by K)`",
                self.e.span,
                help=f"write `ranking(... by {self.e.binders[0].name}.NUMBER)`, with `then` for ties",
            )
            return []
        items, keys = self.p.slot(), [self.p.slot() for _ in self.e.keys]
        of: Type = UNKNOWN

        def body(env: Env) -> Stmts:
            nonlocal of
            of, item = self._item(env)
            stmts: Stmts = [ir.Append(items, item)]
            for slot, key in zip(keys, self.e.keys, strict=True):
                code = _key(env, key)
                stmts.append(ir.Append(slot, binary("-", ZERO, code) if not key.lowest else code))
            return stmts

        loop = self._walk(body)
        self._check_tie()
        self.type = list_of(of, self.size, ordered=True) if of.known else UNKNOWN
        start: Stmts = [ir.SetLocal(s, ir.MakeList(())) for s in (items, *keys)]

        def is_ahead(m: Expr, best: Expr) -> Expr:
            ahead: Expr = ZERO
            for slot in reversed(keys):
                a, b = ir.At(ir.Local(slot), m), ir.At(ir.Local(slot), best)
                less = ir.Binary("<", a, b)
                ahead = less if ahead == ZERO else ir.Or(less, ir.And(ir.Binary("==", a, b), ahead))
            return ahead

        pick = """
            taken = []
            out = []
            for n in range(len(items)):
                best = -1
                for m in range(len(items)):
                    if m not in taken and (best < 0 or is_ahead(m, best)): best = m
                taken.append(best)
                out.append(items[best])
            return out
        """
        picked = steps(self.c, self.p, pick, items=ir.Local(items), is_ahead=Inline(is_ahead))
        return [*start, *loop, *picked]

    def _groups(self) -> Stmts:
        """Connected groups of neighbours with equal values."""
        items, keys = self.p.slot(), self.p.slot()
        of: Type = UNKNOWN

        def body(env: Env) -> Stmts:
            nonlocal of
            of, item = self._item(env)
            code: Expr = ZERO
            if self.e.body is not None:
                value = recursion.expression(env, self.e.body)
                value = places.counted(env, value, self.e.body)
                if isinstance(value.type, types.Several):
                    self.c.problems.error(
                        "wrong-type",
                        "neighbours are grouped by a single value",
                        self.e.body.span,
                        help="write one value after the colon: a number, a player or a value of a kind",
                    )
                code = value.code
            return [ir.Append(items, item), ir.Append(keys, code)]

        loop = self._walk(body)
        if not of.known:
            self.type = UNKNOWN
            return []
        if not isinstance(of, types.Space):
            self.c.problems.error(
                "wrong-type",
                f"groups are made of spaces, not of {describe(of)}",
                self.e.span,
                help="go through spaces: `groups(c in Cell where ... : ...)`",
            )
            return []
        neighbours = places.neighbour_table(self.c, of)
        grow = """
            out = []
            done = []
            for n in range(len(items)):
                if items[n] not in done:
                    group = []
                    group.append(items[n])
                    done.append(items[n])
                    at = 0
                    while at < len(group):
                        for m in neighbours(group[at]):
                            if m in items and m not in done and keys[place(items, m)] == keys[n]:
                                group.append(m)
                                done.append(m)
                        at += 1
                    out.append(group)
            return out
        """
        self.type = list_of(list_of(of, self.size), self.size, ordered=True)
        return [
            *[ir.SetLocal(s, ir.MakeList(())) for s in (items, keys)],
            *loop,
            *steps(
                self.c,
                self.p,
                grow,
                items=ir.Local(items),
                keys=ir.Local(keys),
                neighbours=Inline(neighbours),
                place=iterating.place_in(self.env),
            ),
        ]


def _key(env: Env, key: syntax.Key) -> Expr:
    typed = recursion.expression(env, key.value)
    typed = places.counted(env, typed, key.value)
    if isinstance(typed.type, (types.Several, types.Text, types.Empty)):
        env.c.problems.error(
            "wrong-type",
            f"things are ordered by a number, not by {describe(typed.type)}",
            key.value.span,
            help=f"write a number: `{key.value.span.text}.size`",
        )
        return ZERO
    return choice(typed.code, ONE, ZERO) if isinstance(typed.type, types.Flag) else typed.code


def _has_members(source: syntax.Expression) -> bool:
    """Whether a source is a range of two written numbers that is not empty: `1..9`."""
    match source:
        case syntax.Binary(
            operator="..", left=syntax.Number(value=low), right=syntax.Number(value=high)
        ):
            return low <= high
        case _:  # all others: their members may change
            return False


def _is_unique(env: Env, key: syntax.Expression, name: str, type: Type) -> bool:
    """Whether two different members never have the same value of a key."""
    path = path_of(key)
    if path == name:
        return True
    if path is None:
        return (
            isinstance(key, syntax.Dot)
            and path_of(key.subject) == name
            and key.name == "number_from"
        )
    if path in (f"{name}.position", f"{name}.number", f"{name}.slot"):
        return True
    if path.startswith(f"{name}.number_from("):
        return True
    attribute = path.removeprefix(f"{name}.")
    if "." in attribute or "(" in attribute:
        return False
    for value in env.c.model.subject_values.get(attribute, ()):
        own = value.subject
        # a value that only renames an attribute that distinguishes them
        if own is not None and not value.params and isinstance(value.value, syntax.Dot):
            renamed = path_of(value.value) == f"{own.name}.{value.value.name}"
            other = syntax.Dot(
                key.span, syntax.Word(key.span, name), value.value.name, key.span, None
            )
            if renamed and value.value.name != attribute and _is_unique(env, other, name, type):
                return True
    columns = [k.columns.get(attribute) for k in places.kinds_of(env, type)]
    found = [v for column in columns if column is not None for v in column.values]
    complete = bool(columns) and all(column is not None for column in columns)
    return complete and len(set(found)) == len(found)


def joined(a: Type, b: Type) -> Type:
    """The common type, or unknown."""
    return join(a, b) or UNKNOWN
