"""Games changed so that many of them remain meaningful: other numbers, other values of the same type, moved steps.

The types of a checked text show which values fit where, and its lines show which of them are steps. Nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from attrs import field, frozen

from rulewright.dsl.loading.loading import load
from rulewright.dsl.model.types import Type, item_of
from tests.docs.pages import ROOT, examples

SMALL = (
    "breakthrough", "connect_four", "foxglove", "kalah", "kuhn_poker", "leduc_poker", "love_letter",
    "night_market", "pig", "reversi", "tic_tac_toe",
)  # fmt: skip
"""Shipped games that are checked and played quickly."""

_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?!\w)(?!\.\w)")
_SWAPS: tuple[tuple[str, ...], ...] = (
    (" < ", " <= ", " > ", " >= ", " is ", " is not "),
    (" + ", " - "),
    (" and ", " or "),
    ("count(", "sum(", "any(", "all("),
    ("first(", "the(", "best(", "largest(", "smallest("),
    ("set of ", "pile of ", "row of 3 ", "spot of "),
    (", seen by owner except size", ", seen by owner", ", seen by nobody", ", seen by nobody except size",
     ", seen by others except size", ""),
    ("surely ", ""),
    ("up to ", ""),
    (" to me\n", "\n"),
    ("each player\n", "together each player\n"),
    ("add ", "lose ", "gain ", "pay "),
    (".top", ".bottom", ".first"),
    ("me.left", "me.right", "me"),
    ("where ", "where not "),
    ("stop\n", "skip\n", "end game\n"),
    (" is empty", " is not empty"),
    (" is nothing", " is not nothing"),
)  # fmt: skip
_AROUND = (
    "if possible", "repeat 2 times", "each player", "together each player", 'may "go on"', "at once",
    'phase "more"', "as me.left", "repeat while CONDITION", "repeat until CONDITION", "if CONDITION",
    "for each seat in players", 'choose one of\n    option "one"\n    option "other" where CONDITION',
    "for each n in 1..2", "for each it in LIST in any order",
)  # fmt: skip


@frozen
class Subject:
    """A game to be twisted, and the files beside it."""

    name: str
    text: str
    files: Mapping[str, str] = field(factory=dict)


@frozen
class Known:
    """Facts about the text of a game that checks clean: its expressions with their types."""

    types: Sequence[tuple[int, int, Type]]

    @classmethod
    def of(cls, subject: Subject, folder: Path) -> Known:
        """The facts about a game, which is written into a folder with its other files."""
        for name, text in subject.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        path = folder / "known.game"
        path.write_text(subject.text, encoding="utf-8")
        loaded = load(path)
        loaded.check()
        return cls(
            sorted(
                (
                    (span.start, span.end, type)
                    for span, type in loaded.known.types.items()
                    if span.source.text == subject.text and span.end > span.start
                ),
                key=lambda one: one[:2],
            )
        )


def subjects() -> list[Subject]:
    """All small games: those of the documents, of the corpus, and the shipped ones."""
    found: list[Subject] = []
    pages = [ROOT / "docs" / "tutorial.md", ROOT / "README.md"]
    for folder in ("docs/spec", "docs/errors", "tests/corpus/programs"):
        pages += sorted((ROOT / folder).glob("*.md"))
    pages.remove(ROOT / "docs" / "errors" / "no-such-game.md")  # in which the game itself is faulty
    for page in pages:
        found += [
            Subject(example.name, example.game, dict(example.files))
            for example in examples(page)
            if not example.problems
            and not example.scenarios
            and not page.name.startswith("scenario")
        ]
    games = [ROOT / "games" / f"{name}.game" for name in SMALL]
    games += sorted((ROOT / "games" / "templates").glob("*/*.game"))
    games += sorted((ROOT / "tests" / "corpus" / "probes").glob("*.game"))
    for game in games:
        beside = [*game.parent.glob("*.csv"), *game.parent.glob("*.rules.md")]
        files = {path.name: path.read_text(encoding="utf-8") for path in beside}
        found.append(Subject(game.name, game.read_text(encoding="utf-8"), files))
    return found


# ---- changes -----------------------------------------------------------------------------------------


def _graft(random: Random, text: str, known: Known) -> str:
    """An expression is replaced by another one of the same type."""
    if not known.types:
        return text
    start, end, type = random.choice(known.types)
    if end > len(text):
        return text
    others = [
        (a, b)
        for a, b, other in known.types
        if _is_like(other, type) and text[a:b] != text[start:end]
    ]
    if not others:
        return text
    a, b = random.choice(others)
    new = text[a:b]
    if " " in new and not new.startswith("("):
        new = f"({new})"
    return text[:start] + new + text[end:]


def _is_like(one: Type, other: Type) -> bool:
    return (one.word, one.names, one.opt) == (other.word, other.names, other.opt) and (
        (item_of(one) or one).names == (item_of(other) or other).names
    )


def _change_number(random: Random, text: str, known: Known) -> str:
    """Another number."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    one = random.choice(found)
    new = random.choice([int(one[0]) + 1, max(0, int(one[0]) - 1), 0, 1, 2, 3, int(one[0]) * 2])
    return text[: one.start()] + str(new) + text[one.end() :]


def _swap_words(random: Random, text: str, known: Known) -> str:
    """A word is replaced by another one of its kind."""
    places = [
        (at, word, words) for words in _SWAPS for word in words if word for at in _all(text, word)
    ]
    if not places:
        return text
    at, word, words = random.choice(places)
    new = random.choice([other for other in words if other != word])
    return text[:at] + new + text[at + len(word) :]


def _all(text: str, word: str) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(word), text)]


def _move_lines(random: Random, text: str, known: Known) -> str:
    """A step with its block is removed, doubled, copied elsewhere, or exchanged with the step before it."""
    lines = text.split("\n")
    steps = _steps(lines)
    if len(steps) < 2:
        return text
    at, end = random.choice(steps)
    other, other_end = random.choice(steps)
    block = lines[at:end]
    match random.randrange(5):
        case 0:
            lines[at:end] = []
        case 1:
            lines[at:at] = block
        case 2 | 3:
            moved = _indent(block, _depth(lines[other]) - _depth(lines[at]))
            lines[other if random.randrange(2) else other_end : other_end] = moved
        case _:
            lines[at:end] = []
            above = next(
                (a for a, b in steps if b == at and _depth(lines[a]) == _depth(block[0])), at
            )
            lines[above:above] = block
    return "\n".join(lines)


def _wrap_step(random: Random, text: str, known: Known) -> str:
    """A step is put below a new line."""
    lines = text.split("\n")
    steps = _steps(lines)
    if not steps:
        return text
    at, end = random.choice(steps)
    around = random.choice(_AROUND)
    for word, tag in (("CONDITION", "flag"), ("LIST", "list")):
        if word in around:
            found = [text[a:b] for a, b, type in known.types if type.word == tag]
            around = around.replace(word, random.choice(found) if found else "yes")
    depth = _depth(lines[at])
    head = [" " * depth + line for line in around.split("\n")]
    inside = _indent(lines[at:end], _depth(head[-1]) - depth + 4)
    lines[at:end] = [*head, *inside]
    return "\n".join(lines)


def _name_value(random: Random, text: str, known: Known) -> str:
    """A value gets a name before the step that uses it."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    steps = [(at, end) for at, end in _steps(lines) if not lines[at].strip().startswith("option")]
    if not steps:
        return text
    at, _ = random.choice(steps)
    inside = [
        (a, b) for a, b, type in known.types
        if starts[at] <= a and b < starts[at + 1] and type.word not in ("unknown", "text")
    ]  # fmt: skip
    if not inside:
        return text
    a, b = random.choice(inside)
    blanks = " " * _depth(lines[at])
    return f"{text[: starts[at]]}{blanks}let found_it = {text[a:b]}\n{text[starts[at] : a]}found_it{text[b:]}"


def _change_declaration(random: Random, text: str, known: Known) -> str:
    """More players, or a line below `game`."""
    new = r"\1\n    ask if several"
    if random.randrange(2):
        new = f"    players {random.choice(('1', '2', '3', '4', '2..3'))}"
    return re.sub(r"^(    players .*)$", new, text, count=1, flags=re.MULTILINE)


def _steps(lines: Sequence[str]) -> list[tuple[int, int]]:
    """The lines in blocks, each with the end of its own block."""
    found = []
    for at, line in enumerate(lines):
        if _depth(line) < 4 or not line.strip() or line.strip().startswith("#"):
            continue
        end = at + 1
        while end < len(lines) and lines[end].strip() and _depth(lines[end]) > _depth(line):
            end += 1
        found.append((at, end))
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _indent(lines: Sequence[str], by: int) -> list[str]:
    return [" " * max(0, _depth(line) + by) + line.lstrip(" ") for line in lines]


Change = Callable[[Random, str, Known], str]
CHANGES: tuple[Change, ...] = (
    _graft, _graft, _graft, _change_number, _swap_words, _swap_words, _move_lines, _move_lines, _wrap_step, _wrap_step,
    _name_value, _change_declaration,
)  # fmt: skip


def twist(random: Random, subject: Subject, known: Known) -> str:
    """A game with one to three changes; the types are those of the original, so later changes fit less often."""
    text = subject.text
    for _ in range(random.choice((1, 1, 2, 3))):
        text = random.choice(CHANGES)(random, text, known)
    return text
