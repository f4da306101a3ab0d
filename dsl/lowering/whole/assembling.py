"""Assembles the finished program: domains, tables, places, words, and the size of a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.code import ZERO
from rulewright.dsl.lowering.emit.core import Compiler, Procedure, Rules
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.lowering.steps import call_triggers
from rulewright.dsl.lowering.steps.parameters import param_type
from rulewright.dsl.lowering.whole.printed import words_and_clauses
from rulewright.dsl.model import types
from rulewright.dsl.model.model import Model, ThingKind
from rulewright.dsl.model.types import PLAYER, Type, item_of, length_of, range_of, shown_type


def assemble(
    rules: Rules,
    main: int,
    score: list[ir.ScoreItem],
    winners: tuple[int | None, list[ir.WinnerKey]],
    invariants: list[tuple[str, int]],
    boards: list[ir.BoardView],
) -> ir.Program:
    """Return the complete program."""
    c = rules.c
    model, layout = c.model, c.layout
    empty = ir.Plain("nothing", 0, 0, (ir.Return(ZERO),))
    nothing = ir.Block(-1, (), ir.Finish())
    suspending = tuple(
        s if s is not None else ir.Suspending("nothing", 0, 0, ir.HALT, None)
        for s in rules.suspending
    )
    stack = layout.size + layout.far
    size = stack + _stack_size(rules, main, suspending)
    kept, places, tokens = _words_of_layout(c)
    named: list[ir.NamedValue] = []
    for info in c.values.values():
        if info.type.known:
            listed = [type for _, type in info.parameters] + [PLAYER] * info.uses_me
            parameters = tuple(n for n, _ in info.parameters) + (("me",) if info.uses_me else ())
            named.append(
                ir.NamedValue(
                    info.declaration.name,
                    info.procedure,
                    parameters,
                    c.domain(shown_type(info.type)),
                    info.base,
                    tuple(info.sources),
                    info.declaration.name_span,
                    tuple(c.domain(shown_type(type)) for type in listed),
                    tuple(n for n, type in enumerate(listed) if not _is_single(type)),
                    isinstance(info.type, types.Flag),
                    clause_ids(info.declaration.tags),
                )
            )
    callables = []
    for name, rule in model.rules.items():
        suspends, number = call_triggers.called_procedure(rules, f"rule {name}")
        if suspends:
            probe = Writer(rules, Procedure("", suspending=False), None, -1)
            params = tuple(
                (p.name, c.domain(shown_type(param_type(probe, rule, n))))
                for n, p in enumerate(rule.params)
            )
            callables.append(
                ir.Callable(name, rule.what, number, (("me", c.domain(PLAYER)), *params))
            )
    row_cells = tuple(
        (zone, first, layout.zone_group[zone].slots)
        for zone, first in sorted(layout.row_base.items())
    )
    player_domain = c.domain(PLAYER)
    pieces = tuple(
        ir.PieceKind(
            k.name,
            k.first,
            k.count,
            tuple(k.rows),
            _columns(c, k),
            k.span,
            tuple(k.owner) if k.per_player else (),
            *words_and_clauses(model, k),
            tuple(k.absent),
        )
        for k in model.pieces.values()
    )
    spaces = tuple(
        ir.SpaceKind(
            k.name,
            k.first,
            k.count,
            tuple(k.rows),
            _columns(c, k),
            tuple(k.places),
            k.shape == "growing",
            k.span,
            k.shape,
            k.down,
            *words_and_clauses(model, k),
            k.of,
            k.grid.border.points(k.grid.elements) if k.of else (),
        )
        for k in model.spaces.values()
    )
    kinds = tuple(
        ir.ValueKind(
            k.name, tuple(k.rows), tuple(k.texts), _columns(c, k), *words_and_clauses(model, k)
        )
        for k in model.kinds.values()
        if k.columns or any(k.words)
    )
    return ir.Program(
        kinds=kinds,
        sources=tuple(_sources(model)),
        title=model.title,
        players=model.config.players,
        seats=len(model.seats),
        options=tuple(model.option_chosen.items()),
        size=size,
        stack=stack,
        together=layout.together,
        apart=tuple(rules.apart),
        far=layout.size if layout.far else 0,
        start=tuple(sorted(layout.start.items())),
        main=main,
        tables=tuple(c.tables),
        plain=tuple(p if p is not None else empty for p in c.plain),
        suspending=suspending,
        blocks=tuple(b if b is not None else nothing for b in rules.blocks),
        sites=tuple(rules.sites),
        chances=tuple(rules.chances),
        messages=tuple(c.messages),
        faults=tuple(c.faults),
        domains=tuple(c.domains),
        kept=kept,
        places=places,
        tokens=tokens,
        links=ir.PieceLinks(
            layout.pieces,
            layout.zones,
            layout.zone_of,
            layout.next,
            layout.previous,
            layout.head,
            layout.tail,
            layout.count,
            layout.slot_of,
            layout.known,
            row_cells,
        ),
        pieces=pieces,
        spaces=spaces,
        score=tuple(score),
        winners=winners[0],
        in_play=layout.in_play,
        values=tuple(named),
        invariants=tuple(invariants),
        marks=tuple(c.marks),
        callables=tuple(callables),
        boards=tuple(boards),
        winner_keys=tuple(winners[1]),
        sides=tuple(c.domains[c.domain(model.side_type)].names[side] for side in model.sides),
        player_domain=player_domain,
        lookahead=rules.lookahead,
    )


def _columns(c: Compiler, kind: ThingKind) -> tuple[tuple[str, int, int], ...]:
    return tuple(
        (name, c.domain(shown_type(info.type)), c.table(info.values))
        for name, info in kind.columns.items()
    )


def _is_single(type: Type) -> bool:
    return type.known and not isinstance(type, (types.Several, types.Tokens))


def _sources(model: Model) -> Iterator[ir.Sources]:
    """Yield, for each kind or table that names its sources, the sources of its rows."""
    for kind in (*model.pieces.values(), *model.spaces.values(), *model.kinds.values()):
        if any(kind.provenance):
            rows = dict(zip(kind.rows, kind.provenance, strict=True))
            file = kind.row_spans[0].source.name.rpartition("/")[2]
            yield ir.Sources(kind.name, kind.tag, tuple(rows.items()), file)
    for table in model.tables.values():
        if any(source for _, source in table.provenance):
            file = table.file.rpartition("/")[2]
            yield ir.Sources(table.name, "table", tuple(table.provenance), file)


def _words_of_layout(
    c: Compiler,
) -> tuple[tuple[ir.Kept, ...], tuple[ir.PlaceInfo, ...], tuple[ir.TokenPlace, ...]]:
    kept: list[ir.Kept] = []
    places: list[ir.PlaceInfo] = []
    tokens: list[ir.TokenPlace] = []
    for f in c.layout.groups:
        sizes = tuple(i.size for i in f.indices)
        domains = tuple(c.domain(i.type) for i in f.indices)
        lows = tuple(i.low for i in f.indices)
        owner, owners, cell_of = f.owner.name, f.owner.ids, -1
        listed = f.declaration.seen is None or not f.declaration.seen.unlisted
        if f.owner.slots:
            owners, cell_of = tuple(range(f.owner.slots)), c.layout.growing[owner].cell_of
        laid = (f.name, owner, owners, f.per_owner, sizes, domains, lows)
        shown = (f.except_for, f.span, cell_of, listed)
        match f.what:
            case "state":
                item, domain = range_of(item_of(f.type) or f.type), c.domain(shown_type(f.type))
                length = length_of(f.type)
                kept.append(
                    ir.Kept(
                        *laid, f.seen, *shown, f.base, domain, item.low, item.high, f.start, length
                    )
                )
            case "zone":
                shape = cast('Literal["pile", "set", "row", "spot"]', f.shape)
                zone = ir.PlaceInfo(
                    *laid, f.seen, *shown, f.as_begun, f.base, shape, f.slots, f.type.names
                )
                places.append(zone)
            case "tokens":
                place = ir.TokenPlace(
                    *laid, f.seen, *shown, f.as_begun, f.base, f.token, f.colours, f.own_colour
                )
                tokens.append(place)
    return tuple(kept), tuple(places), tuple(tokens)


def _stack_size(rules: Rules, main: int, suspending: tuple[ir.Suspending, ...]) -> int:
    """Return the maximum size of the stack.

    The longest chain of calls determines it; cycles are repeated as often as declared.
    """
    calls_of = {n: sorted(rules.calls.get(n, set())) for n in range(len(suspending))}
    for block in rules.blocks:
        if block is not None and isinstance(block.end, ir.CallThen):
            calls_of.setdefault(block.procedure, []).append(block.end.procedure)
    order, component = _components(calls_of)
    weight: dict[int, int] = {}
    for group in order:
        frames = sum(ir.FRAME + suspending[n].locals for n in group)
        inside = set(group)
        circular = len(group) > 1 or any(n in calls_of[n] for n in group)
        if circular:
            frames *= rules.depth
        below = max(
            (weight[component[m]] for n in group for m in calls_of[n] if m not in inside), default=0
        )
        weight[component[group[0]]] = frames + below
    needed = weight.get(component.get(main, 0), 0)
    extra = max(
        (ir.FRAME + s.locals + weight[component[n]] for n, s in enumerate(suspending)), default=0
    )
    return needed + extra + 8


def _components(calls_of: dict[int, list[int]]) -> tuple[list[list[int]], dict[int, int]]:
    """Return the groups of procedures that call each other, with callees first, and the group of each procedure."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    order: list[list[int]] = []
    component: dict[int, int] = {}
    for root in calls_of:
        if root in index:
            continue
        work: list[tuple[int, int]] = [(root, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            advanced = False
            targets = calls_of.get(node, [])
            for k in range(at, len(targets)):
                target = targets[k]
                if target not in index:
                    work.append((node, k + 1))
                    work.append((target, 0))
                    advanced = True
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            if advanced:
                continue
            if low[node] == index[node]:
                group: list[int] = []
                while True:
                    member = stack.pop()
                    on_stack.discard(member)
                    component[member] = len(order)
                    group.append(member)
                    if member == node:
                        break
                order.append(group)
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return order, component
