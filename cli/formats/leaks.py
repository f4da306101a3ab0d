"""Format leaks as text and as data: the player, the message, the rule, and the secret."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.cli.terminal.screen import position
from rulewright.interpreter.matches.game import Variant
from rulewright.interpreter.testing.leak_search import Findings, Pair
from rulewright.interpreter.testing.observations import Kind, Leak

_WORDS: dict[Kind, str] = {
    "option": "which options there are",
    "count": "how many there are to choose",
    "order": "the order of the options",
    "text": "the words of a choice",
    "reason": "the reason of a refusal",
    "log": "the log",
    "timing": "who decides next",
    "size": "how many lie in a hidden place",
    "view": "what lies open",
    "board": "a board",
    "end": "whether the match ends",
}


def leaks_data(
    title: str,
    variant: Variant,
    seed: int,
    findings: Findings,
    leaks: Sequence[tuple[Pair, int, str]],
) -> dict[str, object]:
    """Return all leaks as data for other programs; `rulewright leaks --help` describes the shape."""
    return {
        "game": title,
        "players": variant.players,
        "options": dict(variant.options),
        "seed": seed,
        "games": findings.games,
        "pairs": findings.pairs,
        "states": findings.states,
        "leaks": [{**leak_data(pair), "pairs": count, "file": file} for pair, count, file in leaks],
    }


def leak_data(pair: Pair) -> dict[str, object]:
    """Return one leak as data."""
    leak = pair.leak
    place = None
    if leak.span is not None:
        place = {
            "file": leak.span.source.name,
            "line": leak.span.line,
            "text": _first_line(leak.span.text),
        }
    return {
        "kind": leak.kind,
        "player": pair.first.state.players[leak.player],
        "decision": leak.state,
        "place": place,
        "clauses": list(leak.clauses),
        "first": leak.first,
        "second": leak.second,
        "hidden": [
            {"name": name, "first": one, "second": other} for name, one, other in pair.hidden
        ],
    }


def leaks_text(title: str, findings: Findings, leaks: Sequence[tuple[Pair, int, str]]) -> str:
    """Format all leaks as text, followed by the extent of the search."""
    blocks = []
    for pair, count, file in leaks:
        times = f"; {count} pairs show it" if count > 1 else ""
        blocks.append(f"{leak_text(pair)}\n  both matches are in {file}{times}")
    if not findings.has_secrets:
        return f"{title} has no secrets"
    if not findings.pairs:
        return (
            f"{title}: {findings.games} games, and no second match was tried: "
            "nothing hidden could have been different"
        )
    plural = "leak" if len(leaks) == 1 else "leaks"
    blocks.append(
        f"{title}: {findings.games} games, {findings.pairs} second matches with "
        f"{findings.states} positions: {len(leaks) or 'no'} {plural}"
    )
    return "\n\n".join(blocks)


def leak_text(pair: Pair, *, positions: bool = False) -> str:
    """Format one leak as text; with `positions`, add the positions that the player sees."""
    leak = pair.leak
    name = pair.first.state.players[leak.player]
    lines = [
        f"leak: {name} can tell something hidden from {_WORDS[leak.kind]}",
        f"  {place_text(leak)}",
        f"  {_moment(leak.state)} {name} sees",
        f"    in one match:  {leak.first}",
        f"    in the other:  {leak.second}",
    ]
    if pair.hidden:
        lines.append("  what differs, and is hidden")
        lines += [f"    {each}: {one} | {other}" for each, one, other in pair.hidden]
    if positions:
        seen = position(pair.first.state, leak.player)
        other = position(pair.second.state, leak.player)
        if seen == other:
            lines += ["", f"the view of {name} in both matches:", "", seen]
        else:
            lines += ["", f"the view of {name} in one match:", "", seen]
            lines += ["", f"the view of {name} in the other:", "", other]
    return "\n".join(lines)


def _moment(decisions: int) -> str:
    if not decisions:
        return "at the start"
    return f"after {decisions} {'decision' if decisions == 1 else 'decisions'}"


def place_text(leak: Leak) -> str:
    """Describe the rule that discloses the secret: its file and line, its text and its clauses."""
    if leak.span is None:
        return "no particular rule"
    tags = f" [{', '.join(leak.clauses)}]" if leak.clauses else ""
    return f"{leak.span.source.name}:{leak.span.line}: {_first_line(leak.span.text)}{tags}"


def _first_line(text: str) -> str:
    return text.partition("\n")[0].strip()
