"""Lowers queries such as `count(x in A where C)`. Each query becomes a plain procedure with a bounded loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Help, write
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    Stmts,
    choice,
    negation,
)
from rulewright.dsl.lowering.emit.core import BAD, Env, Facts, Typed
from rulewright.dsl.lowering.emit.paths import count_path, path_of
from rulewright.dsl.lowering.emit.recursion import lowers
from rulewright.dsl.lowering.emit.routines import Given, Inline, TextWriter, routine
from rulewright.dsl.lowering.values import assuming, expressions, iterating, places
from rulewright.dsl.lowering.values.arithmetic import (
    LEAST_NUMBER,
    MOST_NUMBER,
    checked_operation,
    edges,
)
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

CAP = 1_000_000  # the maximum number of iterations of a search over several names


@lowers(syntax.Query)
def query(env: Env, e: syntax.Query, expect: Type | None) -> Typed:
    """Lower a query to a call of its procedure. The arguments are the local names that the query uses."""
    return query_and_facts(env, e)[0]


def query_and_facts(env: Env, e: syntax.Query) -> tuple[Typed, Facts]:
    """Return the lowered query and the facts that hold for each member that meets the query's condition."""
    c = env.c
    for binder in e.binders:
        if binder.name in env.scope:
            env.report_hiding(binder.name, binder.name_span)
    inner, arguments, index = c.closure(env, [e], f"{e.word} in line {e.span.line}")
    parameters = inner.procedure.locals
    problem_count = len(c.problems)
    writer = _Writer(inner, e)
    inner.procedure.lowered = []
    body = writer.write()
    if writer.sources:
        _check_not_row(env, e, writer.sources[0].type)
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
    so = assuming.at_least(e.binders[0], e.where, 1) if is_any else {}
    inside = tuple(inner.procedure.lowered)
    found = Typed(writer.type, ir.CallValue(index, tuple(arguments)), so=so, inside=inside)
    return found, writer.known


def _check_not_row(env: Env, e: syntax.Query, among: Type) -> None:
    """Report an error for a query such as `count(knight in hand)`, which uses the name of a card as a local name."""
    binder = e.binders[0]
    rows = env.c.model.row_names.get(binder.name)
    if not rows or len(e.binders) > 1 or e.where is not None or e.body is not None or e.keys:
        return
    for type, _ in rows:
        kinds = env.c.model.kinds_of(type)
        is_one = (
            isinstance(among, types.Several)
            and are_comparable(among.of, type)
            and set(among.of.names) & set(type.names)
        )
        if is_one and any(len(set(kind.rows)) > 1 for kind in kinds):
            meant = f"{e.word}(x in {binder.source.span.text} where x is {binder.name})"
            env.c.problems.error(
                "shadowed-name",
                f"`{binder.name}` is one of these, but here it would be a name for each of them",
                binder.name_span,
                help=write(meant, e.span),
            )
            return


_ENDS_EARLY = ("any", "all", "first", "the")
"""The query words whose loops usually stop before the last iteration."""
_OF_NUMBERS = ("sum", "largest", "smallest", "most", "fewest")
_IN_ORDER = {"list": "ranking", "the": "first"}
"""Maps the word of an unordered query to the word of the ordered query to suggest instead."""


def _by_help(e: syntax.Query) -> str:
    """Return help for a `by` in a query that accepts no `by`; "" if no help fits."""
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


def _where_help(e: syntax.Query) -> str:
    """Return help for a query with a number after `where` instead of a condition; "" if no help fits."""
    if not isinstance(e.where, syntax.Dot | syntax.Word) or "\n" in e.span.text:
        return ""
    before = (
        e.span.text[: e.where.span.start - e.span.start].rstrip().removesuffix("where").rstrip()
    )
    return f"{before}: {e.where.span.text})"


def _body_help(e: syntax.Query) -> str:
    """Return help for a query that wrongly gives a value for each member; "" if no help fits.

    The help suggests `first(x in A).n` for `first(x in A: x.n)`.
    """
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


def _all_help(text: str) -> Help:
    """Return help for an `all` whose only condition follows `where`."""
    picked, where, asked = " ".join(text.split()).partition(" where ")
    if where and " where " not in asked:
        return write(f"{picked}: {asked}") + ": `where` only selects the items to test"
    return "`where` only selects the items to test"


class _Writer:
    """Writes the procedure of one query."""

    def __init__(self, env: Env, e: syntax.Query) -> None:
        self.env, self.e = env, e
        self.type: Type | None = None
        self.member: Type = UNKNOWN
        """The type of the last binder."""
        self.of: Type = UNKNOWN
        """The type of the number after the colon. If there is no colon, this is the type of the member itself."""
        self.sources: list[Typed] = []
        """The lowered sources of the binders so far."""
        self.known: Facts = {}
        """The facts about each member that follow from the condition."""
        self.size = 1
        """The maximum number of iterations."""
        self.c, self.text = env.c, TextWriter(env.c, env.procedure)

    def write(self) -> Stmts:
        """Return the statements of the procedure, and set `type`."""
        e = self.e
        problems = self.c.problems
        if e.keys and e.word not in ("first", "ranking"):
            cure = _by_help(e)
            problems.error(
                "unexpected-word",
                f"`{e.word}` takes no `by`",
                e.keys[0].span,
                help=write(cure, e.span) if cure else "remove it: the order makes no difference",
            )
            if cure and e.word in _OF_NUMBERS:
                return []
        needs_body = e.word in _OF_NUMBERS
        if needs_body and e.body is None:
            problems.error(
                "wrong-arguments",
                f"`{e.word}` needs a value after a colon: `{e.word}(x in ... : ...)`",
                e.span,
                help=write(_where_help(e) or f"{e.word}(x in A: NUMBER)"),
            )
            return []
        if e.body is not None and e.word in ("count", "first", "the", "ranking"):
            cure = _body_help(e)
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
                return self._extreme_members()
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
        """Return nested loops over all binders. The innermost loop contains the condition and `body`."""

        def level(env: Env, binders: Sequence[syntax.Binder]) -> Stmts:
            if binders:
                return iterating.iterate(
                    env,
                    binders[0],
                    lambda inner: level(inner, binders[1:]),
                    note_source=lambda source: self._note_source(binders[0], source),
                )
            self.member = env.scope[self.e.binders[-1].name].type
            return iterating.members(env, None, self.e.where, body, self._record_facts)

        return level(self.env, self.e.binders)

    def _record_facts(self, facts: Facts) -> None:
        self.known = facts

    def _note_source(self, binder: syntax.Binder, source: Typed) -> None:
        self.sources.append(source)
        self.size *= max(1, self._length(binder, source))

    def _length(self, binder: syntax.Binder, source: Typed) -> int:
        """Return the maximum number of members of a binder's source."""
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

    def _item(self, env: Env) -> Expr:
        """Return code that reads the member of the only binder, and record the member's type."""
        variable = env.scope[self.e.binders[0].name]
        known = env.facts.get(variable.name)
        is_narrower = known is not None and are_comparable(known, variable.type)
        self.of = known if known is not None and is_narrower else variable.type
        return variable.read()

    def _number(self, env: Env) -> Typed:
        """Lower the number after the colon, and record its type."""
        assert self.e.body is not None
        found = expressions.number(env, self.e.body)
        self.of = found.type
        return found

    def _steps(self, text: str, /, **given: Given) -> Stmts:
        return self.text.steps(text, **given)

    def _loop_steps(
        self, begin: str, each: Callable[[Env], Stmts], end: str, /, **given: Given
    ) -> Stmts:
        """Return the steps before the first member, the steps for each member, and the steps at the end."""
        begun = self._steps(begin)
        return [*begun, *self._walk(each), *self._steps(end, **given)]

    # ---- the words ----------------------------------------------------------------------------------

    def _count(self) -> Stmts:
        found = self._loop_steps("n = 0", lambda env: self._steps("n += 1"), "return n")
        self.type = whole(0, self.size)
        return found

    def _sum(self) -> Stmts:
        def each(env: Env) -> Stmts:
            value = self._number(env)
            low, high = (edge * self.size for edge in edges(value.type))
            if low >= LEAST_NUMBER and high <= MOST_NUMBER:
                return self._steps("n += value", value=value.code)
            plus = checked_operation(self.c, "+", self.e.span)
            return self._steps("n = plus(n, value)", value=value.code, plus=plus)

        found = self._loop_steps("n = 0", each, "return n")
        low, high = range_of(self.of).low, range_of(self.of).high
        self.type = whole(min(0, low * self.size), max(0, high * self.size))
        return found

    def _any(self) -> Stmts:
        def each(env: Env) -> Stmts:
            if self.e.body is None:
                return [ir.Return(ONE)]
            return [ir.If(expressions.condition(env, self.e.body).code, (ir.Return(ONE),))]

        self.type = FLAG
        return [*self._walk(each), ir.Return(ZERO)]

    def _all(self) -> Stmts:
        wanted = self.e.body
        if wanted is None:
            self.c.problems.error(
                "wrong-arguments",
                "`all` needs a condition after a colon: `all(x in A: C)`",
                self.e.span,
                help=_all_help(self.e.span.text),
            )
            return []

        def each(env: Env) -> Stmts:
            asked = negation(expressions.condition(env, wanted).code)
            return [ir.If(asked, (ir.Return(ZERO),))]

        self.type = FLAG
        return [*self._walk(each), ir.Return(ONE)]

    def _extreme(self) -> Stmts:
        better = """
            value = given
            if not seen or value SIGN best:
                best = value
                seen = 1
        """.replace("SIGN", ">" if self.e.word == "largest" else "<")
        found = self._loop_steps(
            "best = 0; seen = 0",
            lambda env: self._steps(better, given=self._number(env).code),
            "return best",
        )
        self.type = whole(min(0, range_of(self.of).low), max(0, range_of(self.of).high))
        return found

    def _extreme_members(self) -> Stmts:
        better = """
            value = given
            if len(out) == 0 or value SIGN best:
                out = []
                best = value
            if value == best: out.append(item)
        """.replace("SIGN", ">" if self.e.word == "most" else "<")

        def each(env: Env) -> Stmts:
            given = self._number(env).code
            return self._steps(better, given=given, item=self._item(env))

        found = self._loop_steps("out = []; best = 0", each, "return out")
        self.type = list_of(self.of, self.size)
        return found

    def _first(self) -> Stmts:
        keys = self.e.keys
        if not keys:
            loop = self._walk(lambda env: [ir.Return(self._item(env))])
            self.type = self._found_type(self.of)
            return [*loop, ir.Return(self._nothing())]
        begun: Stmts = []

        def each(env: Env) -> Stmts:
            item = self._item(env)
            begin = f"{self._record_found('nothing')}; {for_each_key(keys, 'kept{0} = 0')}"
            begun.extend(self._steps(begin, nothing=self._nothing()))
            values = {f"key{n}": _key_value(env, key) for n, key in enumerate(keys)}
            better = f"""
                {for_each_key(keys, "value{0} = key{0}")}
                if not ({self._is_found()}) or {ahead_test(keys, "value{}", "kept{}")}:
                    {self._record_found("item")}
                    {for_each_key(keys, "kept{0} = value{0}")}
            """
            return self._steps(better, item=item, **values)

        loop = self._walk(each)
        self._check_tie()
        self.type = self._found_type(self.of)
        if not self.type.known:
            return []
        if isinstance(self.of, types.Number) and self.of.low < 0:
            self.c.problems.error(
                "not-storable",
                "`first` goes only through numbers from 0 up, because `nothing` counts as less than 0",
                self.e.span,
                help="go through numbers from 0 up, and subtract: `first(n in 0..9 where n - 5 ...)`",
            )
        return [*begun, *loop, *self._steps("return found")]

    def _nothing(self) -> Expr:
        """Return the value of a `first` or `the` query that finds no member."""
        return ir.Const(()) if isinstance(self.of, types.List) else NONE

    def _is_found(self) -> str:
        """Return the text of a test that checks whether a member has been found. (A member may
        itself be an empty list.)
        """
        return "begun" if isinstance(self.of, types.List) else "found >= 0"

    def _record_found(self, member: str) -> str:
        """Return the text of steps that record the found member; if the member is `nothing`, they
        record that none has been found.
        """
        begun = f"begun = {int(member != 'nothing')}; " if isinstance(self.of, types.List) else ""
        return f"{begun}found = {member}"

    def _found_type(self, of: Type) -> Type:
        """Return the type of a `first` query. The type is optional unless the query certainly finds a member."""
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
        """Report an error if the keys of a query may all be equal and the query does not say how to break the tie."""
        e = self.e
        if e.then_order:
            return
        binder = e.binders[0]
        if binder.start is not None:
            return
        tied, type = True, self.member
        paths = {path_of(key.value) for key in e.keys}
        cells = self.env.c.model.kinds_of(type)
        if (
            len(cells) == 1
            and cells[0].places
            and {f"{binder.name}.x", f"{binder.name}.y"} <= paths
        ):
            tied = False  # two cells never have the same place
        for key in e.keys:
            if _is_unique(self.env, key.value, binder.name, type):
                tied = False
        if tied and type.known:
            self.c.problems.error(
                "silent-tie",
                "these keys can tie, and no rule breaks the tie",
                e.keys[-1].span,
                help="add a key that breaks the tie, or `then order` if the order of the list is meant to decide",
            )

    def _the(self) -> Stmts:
        fault = self.c.fault("not-the-only-one", "`the` found none or more than one", self.e.span)
        begun: Stmts = []

        def each(env: Env) -> Stmts:
            item = self._item(env)
            begun.extend(self._steps(self._record_found("nothing"), nothing=self._nothing()))
            found = f"if {self._is_found()}: raise fault\n{self._record_found('item')}"
            return self._steps(found, item=item, fault=fault)

        loop = self._walk(each)
        self.type = self.of.surely() if self.of.known else UNKNOWN
        if not self.type.known:
            return []
        end = f"if not ({self._is_found()}): raise fault\nreturn found"
        return [*begun, *loop, *self._steps(end, fault=fault)]

    def _listing(self) -> Stmts:
        def each(env: Env) -> Stmts:
            if self.e.body is None:
                return self._steps("out.append(item)", item=self._item(env))
            value = places.value_or_count(env, self.e.body)
            self.of = value.type
            return self._steps("out.append(item)", item=value.code)

        found = self._loop_steps("out = []", each, "return out")
        if not self.of.known:
            self.type = UNKNOWN
            return []
        self.type = list_of(self.of, self.size, ordered=True)
        return found

    def _ranking(self) -> Stmts:
        keys = self.e.keys
        if not keys:
            self.c.problems.error(
                "wrong-arguments",
                "`ranking` needs keys: `ranking(x in A by K)`",
                self.e.span,
                help=f"write `ranking(... by {self.e.binders[0].name}.NUMBER)`, with `then` for ties",
            )
            return []

        def each(env: Env) -> Stmts:
            item = self._item(env)
            values = {f"key{n}": _key_value(env, key) for n, key in enumerate(keys)}
            text = f"items.append(item); {for_each_key(keys, 'keys{0}.append(key{0})')}"
            return self._steps(text, item=item, **values)

        is_ahead = ahead_test(keys, "keys{}[m]", "keys{}[best]")
        pick = f"""
            taken = []
            out = []
            for n in range(len(items)):
                best = -1
                for m in range(len(items)):
                    if m not in taken and (best < 0 or {is_ahead}): best = m
                taken.append(best)
                out.append(items[best])
            return out
        """
        begin = f"items = []; {for_each_key(keys, 'keys{0} = []')}"
        found = self._loop_steps(begin, each, pick)
        self._check_tie()
        self.type = list_of(self.of, self.size, ordered=True) if self.of.known else UNKNOWN
        return found

    def _groups(self) -> Stmts:
        """Return statements that find the connected groups of members with equal values."""

        def each(env: Env) -> Stmts:
            item = self._item(env)
            code: Expr = ZERO
            if self.e.body is not None:
                value = places.value_or_count(env, self.e.body)
                if isinstance(value.type, types.Several):
                    self.c.problems.error(
                        "wrong-type",
                        "neighbours are grouped by a single value",
                        self.e.body.span,
                        help="write one value after the colon: a number, a player or a value of a kind",
                    )
                code = value.code
            return self._steps("items.append(item); keys.append(key)", item=item, key=code)

        begun, loop, of = self._steps("items = []; keys = []"), self._walk(each), self.of
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
        neighbours = Inline(places.neighbour_table(self.c, of))
        place = routine(self.c, "place in list")
        return [*begun, *loop, *self._steps(grow, neighbours=neighbours, place=place)]


def for_each_key(keys: Sequence[syntax.Key], step: str) -> str:
    """Repeat the text of a step for each key, with the index of the key."""
    return "; ".join(step.format(n) for n, _ in enumerate(keys))


def ahead_test(keys: Sequence[syntax.Key], one: str, other: str) -> str:
    """Return code that tests whether one member comes before another. The result depends on the
    first key that differs.
    """
    test = ""
    for n, key in reversed([*enumerate(keys)]):
        mine, theirs, sign = one.format(n), other.format(n), "<" if key.lowest else ">"
        tie = f" or {mine} == {theirs} and ({test})" if test else ""
        test = f"{mine} {sign} {theirs}{tie}"
    return f"({test})"


def _key_value(env: Env, key: syntax.Key) -> Expr:
    typed = places.value_or_count(env, key.value)
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
    """Return whether a source is a range between two literal numbers, such as `1..9`, and is not empty."""
    match source:
        case syntax.Binary(
            operator="..", left=syntax.Number(value=low), right=syntax.Number(value=high)
        ):
            return low <= high
        case _:  # all others: their members may change
            return False


def _is_unique(env: Env, key: syntax.Expression, name: str, type: Type) -> bool:
    """Return whether different members always have different values of a key."""
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
        # a value that is just another name for an attribute that distinguishes the members
        if own is not None and not value.params and isinstance(value.value, syntax.Dot):
            renamed = path_of(value.value) == f"{own.name}.{value.value.name}"
            other = syntax.Dot(
                key.span, syntax.Word(key.span, name), value.value.name, key.span, None
            )
            if renamed and value.value.name != attribute and _is_unique(env, other, name, type):
                return True
    columns = [k.columns.get(attribute) for k in env.c.model.kinds_of(type)]
    found = [v for column in columns if column is not None for v in column.values]
    complete = bool(columns) and all(column is not None for column in columns)
    return complete and len(set(found)) == len(found)


def common_type(a: Type, b: Type) -> Type:
    """Return the smallest type that includes both types; `UNKNOWN` if there is none."""
    return join(a, b) or UNKNOWN
