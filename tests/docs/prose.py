"""Finds sentences that break the rules of `docs/plain-english.md`: in documents, docstrings, comments and messages."""

from __future__ import annotations

import ast
import inspect
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from textwrap import dedent

from attrs import evolve, frozen

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "plain-english.md"
LONGEST = 30
MEAN = 14
CODE = (
    "adapters",
    "cli",
    "docs",
    "dsl",
    "editing",
    "editors",
    "interpreter",
    "pictures",
    "playground",
    "protocol",
    "web",
)
OTHERS = ("bench", "tests")
NAMED = (*CODE, *OTHERS)

_NAMES = "## Retired names"
_FENCE = re.compile(r"^ *(```|~~~).*?^ *\1[^\n]*$", re.MULTILINE | re.DOTALL)
_GENERATED = re.compile(r"<!-- generated.*?<!-- end -->", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_END = re.compile(r"(?<=[.!?])[\")*_]*\s+(?=[\"(*_`]*[A-Z0-9`\"])")
_FORM = re.compile(r"^( {4,}|\t)\S")
_EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
_DATA = re.compile(r"\{[^{}`]*\}|\{[^{}]*`x`[^{}]*\}")
_ITEM = re.compile(r"^\s*([-*+]|\d+\.)\s+")
_RELATIVE = re.compile(r"^(What|Who|That)\b[^?]*$")
# "That is", where the word points at something.
_POINTING = re.compile(r"^That (is|was|can|could|may|way|one|\w+s)\b")

# A function named by one of these words alone says neither what it does nor what it returns.
_PARTICIPLE = re.compile(
    r"_*(\w+ed|begun|bound|brought|built|chosen|done|drawn|felt|found|given|gone|held|kept|known|laid|led|lost|made|meant"
    r"|met|paid|said|seen|sent|shown|sold|spent|taken|thrown|told|won|worn|written)"
)
_OTHER_WORDS = {"embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"}

# A test named by a relative clause: "what_is_hidden", where the subject should be named.
_RIDDLE = re.compile(r"^test_(what|who|that)_")


@frozen
class Sentence:
    """A sentence and where it starts."""

    file: str
    line: int
    text: str

    @property
    def words(self) -> int:
        return len(re.findall(r"`[^`]*`|[^\s`]+", self.text))


@frozen
class Phrase:
    """A phrase to avoid, with an example of it and of what to write."""

    pattern: str
    wrong: str
    right: str

    def is_in(self, text: str) -> bool:
        return re.search(rf"\b(?:{self.pattern})\b", text, re.IGNORECASE) is not None


def phrases() -> list[Phrase]:
    """The phrases to avoid in sentences: the first table of the page."""
    return _table(RULES.read_text(encoding="utf-8").partition(_NAMES)[0])


def retired_words() -> list[Phrase]:
    """The words to avoid in names: the second table of the page."""
    found = _table(RULES.read_text(encoding="utf-8").partition(_NAMES)[2])
    return [evolve(p, wrong=p.wrong.strip("`"), right=p.right.strip("`")) for p in found]


def words_of(name: str) -> str:
    """The words of a name, cut at `_` and at capitals."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name)


def retired_names(module: Path, words: list[Phrase]) -> Iterator[str]:
    """The name of a module, and each name in it, that has one of the words; and tests without a subject."""
    source = module.read_text(encoding="utf-8")
    names = {module.stem: 1}
    wanted = [word.pattern for word in words] + ["test_wh", "test_that"]
    if re.search("|".join(wanted), source, re.IGNORECASE):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME:
                names.setdefault(token.string, token.start[0])
    for name, line in names.items():
        if riddle := _RIDDLE.match(name):
            yield f"{_name(module)}:{line}: {name} begins with {riddle[1]}"
        yield from (
            f"{_name(module)}:{line}: `{word.pattern}` in {name}"
            for word in words
            if word.is_in(words_of(name))
        )


def participles(module: Path) -> Iterator[str]:
    """Each function that is named by a participle alone. Properties, fixtures and documented functions may be."""
    documented = {
        name
        for page in ("api.md", "python.md")
        for name in re.findall(r"\.(\w+)\(", (RULES.parent / page).read_text(encoding="utf-8"))
    }
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not any(
            re.search("property|fixture", ast.unparse(one)) for one in node.decorator_list
        ):
            found = _PARTICIPLE.fullmatch(node.name)
            if found and "_" not in found[1] and found[1] not in _OTHER_WORDS | documented:
                yield f"{_name(module)}:{node.lineno}: {node.name} is a participle"


def _table(text: str) -> list[Phrase]:
    found = []
    for line in text.splitlines():
        cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)][1:-1]
        if len(cells) == 3 and cells[0].startswith("`"):
            found.append(Phrase(cells[0].strip("`"), cells[1], cells[2]))
    return found


def faults(sentence: Sentence, avoided: list[Phrase]) -> Iterator[str]:
    """Each rule that a sentence breaks."""
    if sentence.words > LONGEST:
        yield f"{sentence.words} words"
    plain = re.sub(r"`[^`]*`|\"[^\"]*\"", "`x`", sentence.text)
    if _any_of(tuple(p.pattern for p in avoided)).search(plain):
        yield from (f"`{p.pattern}`" for p in avoided if p.is_in(plain))
    if _RELATIVE.match(plain) and not _POINTING.match(plain):
        yield f"begins with {plain.split()[0]}"


@cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Most sentences have no phrase to avoid, and need one search."""
    return re.compile(rf"\b(?:{'|'.join(patterns)})\b", re.IGNORECASE)


def in_page(page: Path) -> Iterator[Sentence]:
    """The sentences of a page of Markdown; headings, list items and cells count as sentences of their own."""
    text = page.read_text(encoding="utf-8")
    for pattern in (_FENCE, _GENERATED, _COMMENT):
        text = pattern.sub(lambda m: "\n" * m[0].count("\n"), text)
    block: list[str] = []
    start = 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        ends = not line.strip() or line.lstrip().startswith(("#", "|", ">")) or _ITEM.match(line)
        if ends and block:
            yield from _sentences(_name(page), start, " ".join(block))
            block = []
        if line.lstrip().startswith("|"):
            for cell in re.split(r"(?<!\\)\|", line):
                yield from _sentences(_name(page), number, cell.strip())
        elif line.lstrip().startswith("#"):
            yield from _sentences(_name(page), number, line.lstrip("# "))
        elif line.strip():
            if not block:
                start = number
            block.append(_ITEM.sub("", line).strip())


def in_game(file: Path) -> Iterator[Sentence]:
    """The sentences in the comments of a game or of a file of scenarios, without the headings."""
    block: list[str] = []
    start = 1
    for number, line in enumerate([*file.read_text(encoding="utf-8").splitlines(), ""], 1):
        code, _, comment = re.sub(r'"[^"]*"|# -.*', "", line).partition("#")
        if block and (code.strip() or not comment):
            yield from _sentences(_name(file), start, " ".join(block))
            block = []
        if comment and code.strip():
            yield from _sentences(_name(file), number, comment.strip())
        elif comment:
            start = start if block else number
            block.append(comment.strip())


def in_module(module: Path) -> Iterator[Sentence]:
    """The sentences of a module's docstrings, comments and messages."""
    source = module.read_text(encoding="utf-8")
    name = _name(module)
    nodes = [*ast.walk(ast.parse(source))]
    docstrings = [*_docstrings(nodes)]
    alone = {id(node) for node in docstrings}
    for node in nodes:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in alone
            and node.value.count(" ") > 2
            and not _is_code(node.value)
        ):
            yield from _sentences(name, node.lineno, " ".join(node.value.split()))
    yield from _in_comments(name, source, docstrings)


def in_docstrings(module: Path) -> Iterator[Sentence]:
    """The sentences of a module's docstrings and comments: all prose of a test, whose other texts are data."""
    source = module.read_text(encoding="utf-8")
    yield from _in_comments(_name(module), source, _docstrings(ast.walk(ast.parse(source))))


def _in_comments(name: str, source: str, docstrings: Iterable[ast.Constant]) -> Iterator[Sentence]:
    for node in docstrings:
        yield from _docstring(name, node.lineno, str(node.value))
    yield from _comments(name, source)


def _docstrings(nodes: Iterable[ast.AST]) -> Iterator[ast.Constant]:
    """The texts that stand alone: docstrings, and the strings below fields and constants."""
    for node in nodes:
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value


_LLVM = re.compile(r"^(?: ?%\w+ = | ret | br |declare |!\d+ = )", re.MULTILINE)


def _is_code(text: str) -> bool:
    """Whether a text of several lines is Python or LLVM IR, such as a helper procedure of the compiler."""
    if "\n" in text and _LLVM.search(text):
        return True
    try:
        return "\n" in text and bool(ast.parse(dedent(text)))
    except SyntaxError:
        return False


def _without_forms(text: str) -> str:
    """A docstring without its examples, and with each form of data as one word."""
    text = _EXAMPLE.sub("", text)
    while _DATA.search(text):
        text = _DATA.sub("`x`", text)
    return text


def _docstring(name: str, line: int, text: str) -> Iterator[Sentence]:
    for part in re.split(r"\n\s*\n", _without_forms(inspect.cleandoc(text))):
        lines = [x for x in part.splitlines() if not _FORM.match(x) or not part.startswith(" ")]
        items = re.split(r"\n\s*[-*] ", "\n".join(lines))
        for item in items:
            yield from _sentences(name, line, " ".join(item.split()))
        line += part.count("\n") + 2


def _comments(name: str, source: str) -> Iterator[Sentence]:
    block: list[str] = []
    start = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        text = token.string.lstrip("# ").rstrip()
        if re.match(r"(type:|noqa|pragma|----|fmt:)", text):
            continue
        if token.start[0] != last + 1 and block:
            yield from _sentences(name, start, " ".join(block))
            block = []
        if not block:
            start = token.start[0]
        block.append(text)
        last = token.start[0]
    if block:
        yield from _sentences(name, start, " ".join(block))


def _sentences(name: str, line: int, text: str) -> Iterator[Sentence]:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    for part in _END.split(text):
        if part.strip():
            yield Sentence(name, line, part.strip())


def _name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def pages() -> list[Path]:
    """The documents, except the page of rules, which shows faulty sentences."""
    return sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - {RULES})


def games() -> list[Path]:
    """The games and their scenarios."""
    files = (ROOT / "games").rglob("*")
    return sorted(file for file in files if file.suffix in (".game", ".scenario"))


def modules(folders: Sequence[str] = CODE) -> list[Path]:
    """The modules of the packages, or of other folders."""
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


def all_prose() -> Iterator[tuple[Path, list[Sentence]]]:
    """Every file with its sentences."""
    for read, files in (
        (in_page, pages()),
        (in_game, games()),
        (in_module, modules()),
        (in_docstrings, modules(OTHERS)),
    ):
        yield from ((file, [*read(file)]) for file in files)


def main(parts: list[str]) -> Iterator[str]:
    """Every fault, of the files whose path holds one of the parts."""
    avoided, words = phrases(), retired_words()
    for file in modules(NAMED):
        if not parts or any(part in _name(file) for part in parts):
            yield from (f"{fault}\n" for fault in (*retired_names(file, words), *participles(file)))
    for file, sentences in all_prose():
        if parts and not any(part in _name(file) for part in parts):
            continue
        for s in sentences:
            for fault in faults(s, avoided):
                yield f"{s.file}:{s.line}: {fault}: {s.text}\n"
        if file.suffix == ".md" and sentences:
            mean = sum(s.words for s in sentences) / len(sentences)
            if mean > MEAN:
                yield f"{_name(file)}: {mean:.1f} words in the mean\n"


if __name__ == "__main__":  # python -m tests.docs.prose [PART OF A PATH ...]
    sys.stdout.writelines(main(sys.argv[1:]))
