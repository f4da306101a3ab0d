"""Format the contents of a game, as text and as data: components, zones, values, rules, options, decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from rulewright.dsl.ir import PieceKind, Program, Site, SpaceKind
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.text.columns import table
from rulewright.interpreter.text.names import Words

_WIDTH = 80
GUESSED = "reconstructed"
"""The mark of a row that was derived and not read from a source."""
UNSAID = "not said"
NAMED = 8


def contents_data(game: Game, variant: Variant, program: Program) -> dict[str, object]:
    """Return the contents as data for other programs; `rulewright show --help` describes the shape."""
    words = Words(program)
    facts = game.facts
    return {
        "title": facts.title,
        "author": facts.author,
        "players": [facts.low, facts.high],
        "options": {name: list(values) for name, values in facts.options},
        "setting": {"players": variant.players, "options": dict(variant.options)},
        "seats": list(words.players),
        "pieces": [
            {
                "name": kind.name,
                "count": kind.count,
                "rows": {**Counter(kind.rows), **dict.fromkeys(kind.absent, 0)},
            }
            for kind in program.pieces
        ],
        "spaces": [
            {"name": kind.name, "count": kind.count, "grid": bool(kind.places)}
            for kind in program.spaces
        ],
        "sources": [
            {
                "name": table.name,
                "file": table.file,
                "rows": [{"row": row, "from": source or None} for row, source in table.rows],
            }
            for table in program.sources
        ],
        "tokens": [{"name": name, "count": count} for name, count in _tokens(program)],
        "zones": [
            {"name": name, "of": owner, "holds": holds, "seen": seen}
            for name, owner, holds, seen in _zones(program)
        ],
        "values": [
            {"name": name, "of": owner, "range": values, "seen": seen}
            for name, owner, values, seen in _values(words)
        ],
        "rules": [_call(words, name, word) for name, word in _callables(program, "rule")],
        "actions": [_call(words, name, word) for name, word in _callables(program, "action")],
        "offered": [
            {"option": option, "of": list(values), "places": list(places)}
            for option, values, places in _all_options(words)
        ],
        "score": [item.text for item in program.score],
        "decisions": [
            {
                "number": number,
                "rule": program.suspending[site.procedure].name,
                "chooses": site.word,
                "class": site_class(site),
                "place": _where(site),
            }
            for number, site in enumerate(program.sites)
        ],
    }


def contents_text(game: Game, variant: Variant, program: Program) -> str:
    """Format all contents as text for people."""
    words = Words(program)
    facts = game.facts
    number = str(facts.low) if facts.low == facts.high else f"{facts.low} to {facts.high}"
    by = f", by {facts.author}" if facts.author else ""
    blocks = [[f"{facts.title}{by}: for {number} players"]]
    if facts.low != facts.high or variant.options:
        chosen = "".join(f", {name} = {value}" for name, value in variant.options)
        blocks[0].append(f"shown for {variant.players} players{chosen}")
    options = [(name, ", ".join(values)) for name, values in facts.options]
    blocks.append(_block("options (the first value is the default)", options))
    blocks.append(_settings(game))
    components = [
        *((kind.name, str(kind.count), _rows(kind)) for kind in program.pieces),
        *((kind.name, str(kind.count), _grid(kind)) for kind in program.spaces),
        *((name, str(count), "tokens") for name, count in _tokens(program)),
    ]
    blocks.append(_block("components", components))
    blocks.append(
        _block("sources of the rows of the tables (`--sources` lists each)", _from(program))
    )
    blocks.append(_block("zones", _zones(program)))
    blocks.append(_block("values", _values(words)))
    for title, word in (("rules", "rule"), ("actions", "action")):
        found = [_call(words, *one) for one in _callables(program, word)]
        blocks.append([title, *_wrap_text(", ".join(found))] if found else [])
    offered = [(option, "; ".join(values)) for option, values, _ in _all_options(words)]
    blocks.append(_block("options, as you type them", offered))
    if program.score:
        blocks.append(["score", *_wrap_text(", ".join(item.text for item in program.score))])
    plain = sum(not site.search for site in program.sites)
    blocks.append(
        [f"decisions: {plain} plain, {len(program.sites) - plain} with a search (see `--sites`)"]
    )
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _settings(game: Game) -> list[str]:
    """Report the number of variants if `check` does not check all of them; otherwise return an empty list."""
    every, looked_at = game.rules.number_of_variants(), len(game.rules.checked_variants())
    if every == looked_at:
        return []
    return [
        f"{every:,} variants; `check` checks {looked_at} of them, which include every pair of choices"
    ]


def sites_text(program: Program) -> str:
    """List every decision: its place, its options, and whether offering them needs a search."""
    rows = [
        (
            str(number),
            site_class(site),
            program.suspending[site.procedure].name,
            site.word,
            _where(site) or "",
        )
        for number, site in enumerate(program.sites)
    ]
    return "\n".join(table([("", "class", "in", "chooses", "at"), *rows], left=5))


def sources_text(program: Program) -> str:
    """List every row of a table, with its source."""
    if not program.sources:
        return "no table gives the sources of its rows"
    rows = [
        (each.file, row, source or UNSAID) for each in program.sources for row, source in each.rows
    ]
    return "\n".join(table([("table", "row", "from"), *rows], left=3))


def _from(program: Program) -> Iterator[tuple[str, str, str]]:
    """Yield for each table how many rows come from each source; rows that are guessed or have no source are
    named.
    """
    for each in program.sources:
        counts = Counter(source or UNSAID for _, source in each.rows)
        counted = []
        for word, count in counts.most_common():
            names = [row for row, source in each.rows if (source or UNSAID) == word]
            if count == len(each.rows):
                counted.append(f"all {word}")
            elif word in (GUESSED, UNSAID):
                more = f" and {count - NAMED} more" if count > NAMED else ""
                counted.append(f"{count} {word} ({', '.join(names[:NAMED])}{more})")
            else:
                counted.append(f"{count} {word}")
        yield each.name, str(len(each.rows)), ", ".join(counted)


def site_class(site: Site) -> str:
    """Return `plain` if conditions on the position decide the options, or `search` if later steps are tried
    out.
    """
    return "search" if site.search else "plain"


def _block(title: str, rows: Iterable[Sequence[str]]) -> list[str]:
    """Draw a table whose last column is wrapped if it is too long."""
    rows = [tuple(row) for row in rows]
    if not rows:
        return []
    heads = table((row[:-1] for row in rows), left=9)
    side = max(map(len, heads)) + 4
    lines = [title]
    for head, row in zip(heads, rows, strict=True):
        first, *more = wrap(row[-1], max(20, _WIDTH - side)) or [""]
        lines.append(f"  {head:<{side - 2}}{first}".rstrip())
        lines += [" " * side + line for line in more]
    return lines


def _wrap_text(text: str) -> list[str]:
    return wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _rows(kind: PieceKind) -> str:
    counts = Counter(kind.rows)
    number = f"pieces in {len(counts)} {'row' if len(counts) == 1 else 'rows'}"
    if len(counts) <= 12:
        counted = (f"{name} {count}" if count > 1 else name for name, count in counts.items())
        number += f": {', '.join(counted)}"
    if kind.absent:
        more = f" and {len(kind.absent) - NAMED} more" if len(kind.absent) > NAMED else ""
        number += f"; no copies of {', '.join(kind.absent[:NAMED])}{more}"
    return number


def _grid(kind: SpaceKind) -> str:
    if not kind.places:
        return "spaces"
    if kind.growing:
        return "spaces in a grid that grows"
    if kind.of:
        return f"{kind.shape} of {kind.of}"
    columns = {x for x, _ in kind.places}
    lines = {y for _, y in kind.places}
    return f"spaces in a grid, {len(columns)} by {len(lines)}"


def _tokens(program: Program) -> list[tuple[str, int]]:
    start = dict(program.start)
    counts: Counter[str] = Counter()
    for info in program.tokens:
        members = 1
        for size in info.sizes:
            members *= size
        for position in range(len(info.owners)):
            first = info.base + position * info.stride
            cells = range(first, first + members * info.colours)
            counts[info.token] += sum(start.get(cell, 0) for cell in cells)
    return list(counts.items())


def _zones(program: Program) -> Iterator[tuple[str, str, str, str]]:
    for info in program.places:
        shape = f"row of {info.slots}" if info.shape == "row" else info.shape
        holds = f"{shape} of {' or '.join(info.kinds)}"
        yield info.name, _owner(info.owner), holds, _visibility(info.seen, info.except_for)
    for tokens in program.tokens:
        holds = f"tokens of {tokens.token}"
        yield tokens.name, _owner(tokens.owner), holds, _visibility(tokens.seen, tokens.except_for)


def _values(words: Words) -> Iterator[tuple[str, str, str, str]]:
    for kept in words.program.kept:
        domain = words.program.domains[kept.domain]
        named = domain.name.removeprefix("kind ")
        values = named if domain.names else f"{kept.low}..{kept.high}"
        if kept.list_capacity:
            values = f"up to {kept.list_capacity} of {values}"
        else:
            values += f", from {words.text(kept.domain, kept.start)}"
        yield kept.name, _owner(kept.owner), values, _visibility(kept.seen, ())


def _owner(owner: str) -> str:
    return f"of each {owner}" if owner else "on the table"


def _visibility(seen: str, except_for: Sequence[str]) -> str:
    counted = f"seen by {seen}"
    return (
        f"{counted}, {' and '.join(except_for)} by all" if except_for and seen != "all" else counted
    )


def _callables(program: Program, word: str) -> Iterator[tuple[str, tuple[tuple[str, int], ...]]]:
    for one in program.callables:
        if one.word == word:
            yield one.name, one.parameters[1:]


def _all_options(words: Words) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Yield the options of all decisions: their names, their possible arguments, and where they are
    offered.

    A choice without a name is shown by its type, as in `Card`.
    """
    found: dict[tuple[str, tuple[str, ...]], dict[str, None]] = {}
    for site in words.program.sites:
        for arm in site.arms:
            domain_texts = [_domain(words, *slot) for slot in arm.in_name(arm.arguments)]
            inside = ", ".join(name for name, _ in domain_texts)
            option = (f"{arm.word}({inside})" if inside else arm.word) if arm.word else inside
            values = tuple(counted for _, counted in domain_texts if counted)
            found.setdefault((option, values), {})[_where(site) or ""] = None
    for (option, values), places in found.items():
        yield option, values, tuple(filter(None, places))


def _domain(words: Words, domain: int, low: int, size: int) -> tuple[str, str]:
    """Return the name of an argument of an option, and its values if there are only a few."""
    program = words.program
    named = program.domains[domain]
    high = low + size - 1
    things: dict[str, Sequence[PieceKind | SpaceKind]] = {
        "piece": program.pieces,
        "space": program.spaces,
    }
    kinds = things.get(named.name)
    if kinds is not None:
        inside = [kind for kind in kinds if kind.first <= high and low < kind.first + kind.count]
        return " or ".join(kind.name for kind in inside), ""
    if not named.names:
        return f"{low}..{high}", ""
    values = list(dict.fromkeys(words.name(domain, value) for value in range(low, high + 1)))
    name_of_kind = named.name.removeprefix("kind ")
    if len(values) > 12 or name_of_kind == "player":
        return name_of_kind, ""
    return name_of_kind, f"{name_of_kind}: {', '.join(values)}"


def _call(words: Words, name: str, parameters: Sequence[tuple[str, int]]) -> str:
    if not parameters:
        return name
    counted = (f"{each}: {words.program.domains[domain].name}" for each, domain in parameters)
    return f"{name}({', '.join(counted)})"


def _where(site: Site) -> str | None:
    if site.span is None:
        return None
    return f"{site.span.source.name}:{site.span.line}"
