"""Parses scenarios: recognises each line by its own words, and reads its expressions as in rules files.

A scenario is a list of lines. The file is first cut into lines, so that a mistake affects only its own line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeVar, cast

import attrs
from attrs import frozen

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.parsing.parser import parse_game
from rulewright.dsl.parsing.reader import expression_words, parse_expression
from rulewright.dsl.scenarios import scenario_syntax
from rulewright.dsl.scenarios.scenario_hints import (
    in_two_lines,
    repaired_line,
    repaired_step,
    texts_in_order,
)
from rulewright.dsl.text.invisible_characters import report_unseen
from rulewright.dsl.text.lexer import BLOCKS, Word, lex
from rulewright.dsl.text.names import NAME, spelled
from rulewright.dsl.tree import declared, syntax

T = TypeVar("T")

STEPS: Final = ("move", "set", "add", "lose", "pay", "shuffle", "do", "as", "for", "if", "let")
HEADS: Final = ("game", "include", "beginning", "scenario")
MOST_SCENARIOS: Final = 5000

_TEXT = r'"([^"\n]*)"'
_CLAUSE = r"[A-Z]{2,}-[A-Z0-9]+"
_TAGS = rf"(\[{_CLAUSE}(?:(?:,[ ]*|\.\.){_CLAUSE})*\])"
_TAG = re.compile(rf"({_CLAUSE})(?:\.\.({_CLAUSE}))?")
_GAME = re.compile(rf"game[ \t]+{_TEXT}\s*")
_INCLUDE = re.compile(rf"include[ \t]+{_TEXT}\s*")
_BEGINNING = re.compile(rf"beginning[ \t]+{_TEXT}\s*")
_SCENARIO = re.compile(rf"scenario[ \t]+{_TEXT}\s*{_TAGS}?\s*")
_FROM = re.compile(rf"from[ \t]+{_TEXT}\s*")
_FAULT = re.compile(rf"fault[ \t]+{_TEXT}\s*")
_OPTION = re.compile(rf"option[ \t]+({NAME})[ \t]+is[ \t]+(?=\S)")
_PLAYERS = re.compile(rf"player[ \t]+({NAME}(?:\s*,\s*{NAME})*)\s*")
_LOOSE = re.compile(rf"({NAME})[ \t]+({NAME})\s*")
_NAME = re.compile(NAME)
_GIVEN = re.compile(r"given\s*\n")
_TO_MOVE = re.compile(rf"to[ \t]+move[ \t]+({NAME})\s*")
_CHANCE = re.compile(r"(chance|shuffle)[ \t]+gives\s+(?=\S)")
_PLAY = re.compile(
    r"play[ \t]+(?:to[ \t]+the[ \t]+end|([0-9]{1,6})[ \t]+steps?)(?:[ \t]+with[ \t]+seed[ \t]+([0-9]{1,9}))?\s*"
)
_EXPECT = re.compile(r"expect\s+(?=\S)")
_PLAYS = re.compile(rf"(?:(offered|refused)[ \t]+)?({NAME})[ \t]+plays\s+(?=\S)")
_SEES = re.compile(rf"({NAME})[ \t]+(sees|cannot[ \t]+see)\s+(?=\S)")
_BECAUSE = re.compile(rf"(?:\s|(?<=\)))(because)\s*({_TEXT})\s*$")
_EXACTLY = re.compile(r"offered[ \t]+exactly\s+(?=\S)")
_NOTHING_ELSE = re.compile(r"offered[ \t]+nothing[ \t]+else\s*")
_EXPECT_WORDS = re.compile(
    rf"expect[ \t]+(no[ \t]+)?(log|prompt|view)(?:[ \t]+of[ \t]+({NAME}))?\s*"
    rf"({_TEXT}(?:\s*before\s*{_TEXT})*)\s*"
)
_EXPECT_OPTION = re.compile(
    rf"expect[ \t]+option\s+(?=\S)(?=.*(?<=[\s)\w])({_TEXT})\s*$)", re.DOTALL
)
_EXPECT_ASKED = re.compile(rf"expect[ \t]+({NAME})[ \t]+is[ \t]+(not[ \t]+)?asked\s*")
_EXPECT_RUNNING = re.compile(
    rf"expect[ \t]+({NAME})(?:[ \t]+of[ \t]+({NAME}))?[ \t]+(has[ \t]+ended|goes[ \t]+on)\s*"
)
_EXPECT_SAME = re.compile(rf"expect[ \t]+same[ \t]+as[ \t]+{_TEXT}\s*")
_REFUSED_PLAYERS = re.compile(rf"refused[ \t]+player[ \t]+({NAME}(?:\s*,\s*{NAME})*)\s*")
_REFUSED_OPTION = re.compile(rf"refused[ \t]+option[ \t]+({NAME})[ \t]+is[ \t]+(?=\S)")
_PICTURE = re.compile(r"(expect[ \t]+)?picture[ \t]+of[ \t]+([^\W\d_]\w*)[ \t]*\n")
_MEANS = re.compile(r"(\S+)[ \t]+means[ \t]+(?=\S)")
_MEANT = re.compile(
    r"(\S)[ \t]*(?:is|=|:|->|=>|means:)[ \t]*(?=(?:move|set|add|lose|pay|do|for|if)[ \t])"
)
_THEN = re.compile(r"\s*then(?!\w)")
_ANY_PLAYERS = re.compile(rf"^[ \t]*player[ \t]+({NAME})", re.MULTILINE)
_GOES_ON = re.compile(r"(?:and|or|where|by|then|with|because)(?!\w)|[+*/-][ \t]")


@frozen
class Line:
    """A line with its block: `start..end`, its comments replaced by spaces in `text`."""

    source: Source
    start: int
    end: int
    indent: int
    text: str

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """A stretch of the line, without spaces at the end."""
        stop = len(self.text) if end is None else end
        stop = start + len(self.text[start:stop].rstrip())
        return Span(self.source, self.start + start, self.start + stop)

    @property
    def head(self) -> Span:
        """Its first row."""
        return self.span(0, (self.text + "\n").index("\n"))


def parse_scenarios(source: Source, problems: Problems) -> scenario_syntax.ScenarioFile:
    """The scenarios of a scenario file; unreadable lines are reported and left out."""
    game: scenario_syntax.GameNamed | None = None
    beginnings: list[scenario_syntax.Beginning] = []
    scenarios: list[scenario_syntax.Scenario | syntax.Broken] = []
    includes: list[scenario_syntax.Included] = []
    report_unseen(source, problems)
    for line in lines_of(source, 0, len(source.text), problems):
        head = line.head.text
        found = _GAME.fullmatch(line.text)
        if found is not None:
            if game is not None or scenarios or beginnings:
                problems.error(
                    "misplaced-line",
                    "the game is named once, in the first line",
                    line.head,
                    help="remove this line",
                )
            game = game or scenario_syntax.GameNamed(line.head, found.group(1))
            continue
        found = _INCLUDE.fullmatch(line.text)
        if found is not None:
            includes.append(scenario_syntax.Included(line.head, found.group(1)))
            continue
        found = _BEGINNING.fullmatch(head)
        if found is not None:
            beginnings.append(
                scenario_syntax.Beginning(line.head, found.group(1), _body(line, problems))
            )
            continue
        found = _SCENARIO.fullmatch(head)
        if found is not None:
            tags = tuple(_tags(line, found))
            scenarios.append(
                scenario_syntax.Scenario(line.head, tags, found.group(1), _body(line, problems))
            )
            if len(scenarios) > MOST_SCENARIOS:
                problems.error(
                    "file-too-large",
                    f"a file holds at most {MOST_SCENARIOS} scenarios",
                    line.head,
                    help="put some of them into another file",
                )
                break
            continue
        _no_head(line, problems)
        scenarios.append(syntax.Broken(line.head))
    return scenario_syntax.ScenarioFile(
        Span(source, 0, len(source.text)),
        tuple(scenarios),
        game,
        tuple(beginnings),
        tuple(includes),
    )


def _no_head(line: Line, problems: Problems) -> None:
    word = line.head.text.split(" ", 1)[0]
    if word in HEADS:
        forms = {"game": "FILE", "include": "FILE"}
        form = f'{word} "{forms.get(word, "WORDS")}"'
        said = line.head.text[len(word) :].strip(' ":')
        if said and '"' not in said and "[" not in said:
            form = f'{word} "{said}"'
        message, help = f"`{word}` is followed by words in quotes", f"write `{form}`"
        if word == "scenario" and "[" in line.head.text:
            help += ", and tags such as `[AB-012]` at its end"
    else:
        message = f"`{word}` cannot stand here"
        named = re.fullmatch(
            r'(?:test|case|story|example|it|feature)(?: case)?:? "?([^"]*)"?:?', line.head.text
        )
        help = (
            (f'write `scenario "{named[1].strip()}"`' if named is not None else "")
            or did_you_mean(word, HEADS)
            or 'a scenario begins with `scenario "words"`, and its lines stand deeper'
        )
    problems.error(
        "unexpected-word",
        message,
        line.span(0, len(word)) if word not in HEADS else line.head,
        help=help,
    )


def _tags(line: Line, found: re.Match[str]) -> Iterator[syntax.Tag]:
    if found.group(2) is None:
        return
    for tag in _TAG.finditer(found.group(2)):
        at = found.start(2) + tag.start()
        yield syntax.Tag(line.span(at, at + len(tag.group())), tag.group(1), tag.group(2))


def _body(head: Line, problems: Problems) -> tuple[scenario_syntax.ScenarioLine, ...]:
    first = head.text.find("\n")
    lines = (
        list(lines_of(head.source, head.start + first + 1, head.end, problems))
        if first >= 0
        else []
    )
    if not lines:
        problems.error(
            "unexpected-end",
            "nothing stands below this line",
            head.head,
            help="its lines stand deeper, by 4 spaces",
        )
    read: list[scenario_syntax.ScenarioLine] = []
    is_given = False  # after a `given` without steps, the next steps are read as its steps
    for line in lines:
        word = line.text.split(None, 1)[0]
        if is_given and word in STEPS and word not in FORMS:
            read.append(syntax.Broken(line.head))
            continue
        is_given = line.text == "given"
        read.append(_scene_line(line, problems))
    for line in lines:
        if line.indent != lines[0].indent:
            problems.error(
                "bad-indent",
                "this line stands between two levels",
                line.head,
                help="begin it exactly under the line above, or 4 spaces deeper",
            )
            break
    return tuple(read)


# ---- cutting into lines -----------------------------------------------------------------------------


def lines_of(source: Source, start: int, end: int, problems: Problems) -> Iterator[Line]:
    """The lines of a stretch, each with the deeper ones below it."""
    text = _without_comments(source.text[start:end])
    rows: list[
        tuple[int, int, int]
    ] = []  # where rows that are not empty begin, their first words, indents
    at = 0
    for row in text.split("\n"):
        bare = row.strip()
        if bare:
            blank = row[: len(row) - len(row.lstrip())]
            if "\t" in blank:
                problems.error(
                    "tab-indent", "a tab stands where spaces belong",
                    Span(source, start + at, start + at + len(blank)), help="indent with 4 spaces",
                )  # fmt: skip
            rows.append((at, at + len(blank), len(blank.expandtabs(4))))
        at += len(row) + 1
    opened = -1
    for place, (offset, words, indent) in enumerate(rows):
        if opened < 0:
            opened = place
            continue
        first = rows[opened][2]
        if indent > first:
            continue
        if indent == first and _GOES_ON.match(text, words):
            continue
        yield _line_of(source, text, start, rows[opened], offset)
        opened = place
    if opened >= 0:
        yield _line_of(source, text, start, rows[opened], len(text))


def _line_of(source: Source, text: str, start: int, row: tuple[int, int, int], end: int) -> Line:
    _, first, indent = row
    bare = text[first:end].rstrip()
    return Line(source, start + first, start + first + len(bare), indent, bare)


def _without_comments(text: str) -> str:
    """The text with spaces for comments."""
    return re.sub(r'("[^"\n]*")|#[^\n]*', lambda m: m.group(1) or " " * len(m.group()), text)


# ---- one line ---------------------------------------------------------------------------------------


def _scene_line(line: Line, problems: Problems) -> scenario_syntax.ScenarioLine:
    found = Problems()
    read = _as_written(line, found)
    first = next(iter(found.sorted()), None)
    is_given = _GIVEN.match(line.text) is not None
    if first is None or is_given or _PICTURE.match(line.text):
        for problem in found.sorted():
            problems.add(problem)
        return read
    late = next((row.strip() for row in line.text.split("\n")[1:] if _THEN.match(row)), "")
    instead = repaired_line(late or line.text, _first_player(line), _reads)
    if not instead:
        for problem in found.sorted():
            problems.add(problem)
        return read
    problems.add(attrs.evolve(first, help=f"write `{instead}`", fix=None))
    return syntax.Broken(line.head)


def _reads(text: str) -> bool:
    """Whether this is a line of a scenario."""
    found = Problems()
    source = Source("", text)
    lines = list(lines_of(source, 0, len(text), found))
    if len(lines) == 1:
        _as_written(lines[0], found)
    return len(lines) == 1 and not len(found)


def _first_player(line: Line) -> str:
    """The first player in the nearest line of players above; "" if there is none."""
    found = list(_ANY_PLAYERS.finditer(line.source.text, 0, line.start))
    return found[-1][1] if found else ""


def _as_written(line: Line, problems: Problems) -> scenario_syntax.ScenarioLine:
    text, span = line.text, line.span()
    if _GIVEN.match(text):
        return _given(line, problems)
    if _PICTURE.match(text):
        return _picture(line, problems)
    special = _special(line, problems)
    if special is not None:
        return special
    found = _SEES.match(text)
    if found is not None and found.group(1) not in ("offered", "refused"):
        player = _word_at(line, found.span(1))
        value = _expression(line, found.end(), len(text), problems)
        return (
            scenario_syntax.Sees(span, player, found.group(2) == "sees", value)
            if value is not None
            else syntax.Broken(span)
        )
    found = _PLAYS.match(text)
    if found is not None:
        return _plays(line, found, problems)
    found = _TO_MOVE.fullmatch(text)
    if found is not None:
        return scenario_syntax.ToMove(span, _word_at(line, found.span(1)))
    found = _PLAYERS.fullmatch(text)
    if found is not None:
        return scenario_syntax.PlayersNamed(span, _names(line, found.start(1)))
    found = _OPTION.match(text)
    if found is not None:
        value = _expression(line, found.end(), len(text), problems)
        if value is None:
            return syntax.Broken(span)
        return scenario_syntax.OptionSet(span, found.group(1), line.span(*found.span(1)), value)
    found = _CHANCE.match(text)
    if found is not None:
        value = _expression(line, found.end(), len(text), problems)
        if value is None:
            return syntax.Broken(span)
        return (
            scenario_syntax.Chance(span, value)
            if found.group(1) == "chance"
            else scenario_syntax.ShuffleGives(span, value)
        )
    found = _EXPECT.match(text)
    if found is not None:
        end, reason = len(text), None
        because = _BECAUSE.search(text, found.end())
        if because is not None:
            end = because.start()
            reason = _words(line, because.start(2), because.end(2), problems)
        value = _expression(line, found.end(), end, problems)
        return (
            scenario_syntax.Expect(span, value, reason)
            if value is not None
            else syntax.Broken(span)
        )
    found = _FROM.fullmatch(text)
    if found is not None:
        return scenario_syntax.StartFrom(span, found.group(1))
    found = _FAULT.fullmatch(text)
    if found is not None:
        return scenario_syntax.SceneFault(span, found.group(1))
    found = _PLAY.fullmatch(text)
    if found is not None:
        steps = int(found.group(1)) if found.group(1) is not None else None
        return scenario_syntax.PlayOn(span, steps, int(found.group(2) or 0))
    _no_line(line, problems)
    return syntax.Broken(line.head)


def _names(line: Line, start: int) -> tuple[syntax.Word, ...]:
    return tuple(_word_at(line, name.span()) for name in _NAME.finditer(line.text, start))


def _word_at(line: Line, place: tuple[int, int]) -> syntax.Word:
    return syntax.Word(line.span(*place), spelled(line.text[slice(*place)]))


_READ: Final[dict[str, Literal["log", "prompt", "view"]]] = {
    "log": "log",
    "prompt": "prompt",
    "view": "view",
}


def _special(line: Line, problems: Problems) -> scenario_syntax.ScenarioLine | None:
    """A line of `expect`, `offered` or `refused` that is neither a condition nor an option of a player."""
    text, span = line.text, line.span()
    found = _EXACTLY.match(text)
    if found is not None:
        options = [
            _expression(line, start, end, problems)
            for start, end in _between_commas(text, found.end())
        ]
        known = tuple(option for option in options if option is not None)
        return (
            scenario_syntax.OfferedExactly(span, known)
            if len(known) == len(options)
            else syntax.Broken(span)
        )
    if _NOTHING_ELSE.fullmatch(text):
        return scenario_syntax.NothingElse(span)
    found = _EXPECT_WORDS.fullmatch(text)
    if found is not None:
        texts = re.compile(_TEXT).finditer(text, found.start(4))
        read = tuple(_words(line, *one.span(), problems) for one in texts)
        player = _word_at(line, found.span(3)) if found[3] else None
        return scenario_syntax.ExpectWords(span, _READ[found[2]], found[1] is None, player, read)
    found = _EXPECT_OPTION.match(text)
    if found is not None:
        option = _expression(line, found.end(), found.start(1), problems)
        words = _words(line, found.start(1), found.end(1), problems)
        if option is None:
            return syntax.Broken(span)
        return scenario_syntax.ExpectOption(span, option, words)
    found = _EXPECT_ASKED.fullmatch(text)
    if found is not None:
        player = None if found[1] == "nobody" else _word_at(line, found.span(1))
        return scenario_syntax.ExpectAsked(span, player, found[2] is None)
    in_order = texts_in_order(text)
    if in_order:
        said = "several texts of the log are joined by `before`, or have a line each"
        problems.error("unexpected-word", said, line.head, help=f"write `{in_order}`")
        return syntax.Broken(span)
    two = in_two_lines(text)
    if two:
        said = "the player who is asked is expected in a line of its own"
        problems.error("unexpected-word", said, line.head, help=f"write `{two}`")
        return syntax.Broken(span)
    found = _EXPECT_RUNNING.fullmatch(text)
    if found is not None:
        player = _word_at(line, found.span(2)) if found[2] else None
        rule = _word_at(line, found.span(1))
        return scenario_syntax.ExpectRunning(span, rule, player, found[3].startswith("goes"))
    found = _EXPECT_SAME.fullmatch(text)
    if found is not None:
        return scenario_syntax.ExpectSame(span, found[1])
    found = _REFUSED_PLAYERS.fullmatch(text)
    if found is not None:
        return scenario_syntax.RefusedPlayers(span, _names(line, found.start(1)))
    found = _REFUSED_OPTION.match(text)
    if found is not None:
        value = _expression(line, found.end(), len(text), problems)
        if value is None:
            return syntax.Broken(span)
        return scenario_syntax.RefusedOption(span, found[1], line.span(*found.span(1)), value)
    return None


def _between_commas(text: str, start: int) -> Iterator[tuple[int, int]]:
    """The stretches between commas outside brackets and quotes."""
    depth, quoted = 0, False
    for at in range(start, len(text)):
        character = text[at]
        if character == '"':
            quoted = not quoted
        elif not quoted:
            depth += (character == "(") - (character == ")")
            if character == "," and not depth:
                yield start, at
                start = at + 1
    yield start, len(text)


def _picture(line: Line, problems: Problems) -> scenario_syntax.ScenarioLine:
    """Parse rows of characters, and below them the meanings of the characters."""
    found = _PICTURE.match(line.text)
    assert found is not None
    space = syntax.TypeWord(line.span(*found.span(2)), found[2])
    rows: list[tuple[tuple[str, Span], ...]] = []
    means: list[scenario_syntax.Means] = []
    for start, row in _rows_of(line.text, found.end()):
        meaning = _MEANS.match(row)
        if meaning is not None:
            body = _step(line, start + meaning.end(), start + len(row), problems)
            if body is None:
                return syntax.Broken(line.head)
            means.append(
                scenario_syntax.Means(line.span(start, start + len(row)), meaning[1], body)
            )
            continue
        said = _MEANT.match(row)
        if said is not None:
            problems.error(
                "unexpected-word",
                "the meaning of a sign comes after `means`",
                line.span(start, start + len(row)),
                help=f"write `{said[1]} means {row[said.end() :]}`",
            )
            return syntax.Broken(line.head)
        if means:
            problems.error(
                "unexpected-word",
                "the rows of a picture stand above the meanings of its signs",
                line.span(start, start + len(row)),
                help="write `SIGN means STEP` in the lines below the rows",
            )
            return syntax.Broken(line.head)
        signs = [*re.finditer(r"\S+", row)] if " " in row else [*re.finditer(r"\S", row)]
        rows.append(
            tuple(
                (character.group(), line.span(start + character.start(), start + character.end()))
                for character in signs
            )
        )
    return scenario_syntax.Picture(
        line.head, space, tuple(rows), tuple(means), found[1] is not None
    )


def _rows_of(text: str, start: int) -> Iterator[tuple[int, str]]:
    """The non-empty rows below a line, each with its beginning."""
    for row in text[start:].split("\n"):
        bare = row.strip()
        if bare:
            yield start + len(row) - len(row.lstrip()), bare
        start += len(row) + 1


def _step(line: Line, start: int, end: int, problems: Problems) -> syntax.Block | None:
    """One step as in rules, in its own row."""
    head = "setup\n    "
    source = Source(line.source.name, head + line.text[start:end])
    found = Problems()
    tree = parse_game(source, found)
    shift = line.start + start - len(head)
    for problem in found.sorted():
        problems.add(_shifted(problem, line.source, shift))
    sections = [d for d in tree.declarations if isinstance(d, declared.Section)]
    if not sections or found.has_errors:
        return None
    return _shifted(sections[0].body, line.source, shift)


FORMS: Final = {
    "option": "option NAME is VALUE",
    "player": "player ANN, BOB",
    "from": 'from "WORDS"',
    "to": "to move ANN",
    "chance": "chance gives VALUE",
    "shuffle": "shuffle gives (TOP, NEXT)",
    "play": "play 10 steps`, `play to the end` or `play 10 steps with seed 3",
    "expect": 'expect CONDITION`, `expect VALUE is 3 because "WORDS"` or `expect log "WORDS"',
    "offered": "offered ANN plays OPTION`, `offered exactly OPTION, OPTION` or `offered nothing else",
    "refused": 'refused ANN plays OPTION because "WORDS"',
    "fault": 'fault "WORDS"',
    "picture": "picture of CELL` with rows of signs and `SIGN means STEP` below it",
}


def _no_line(line: Line, problems: Problems) -> None:
    word = line.text.split(None, 1)[0]
    form = FORMS.get(word)
    if word == "given":
        problems.error(
            "unexpected-end",
            "nothing stands deeper below `given`",
            line.head,
            help="its steps stand below it, 4 spaces deeper",
        )
        return
    if form is not None:
        problems.error(
            "unexpected-end",
            f"this line of `{word}` is not complete",
            line.head,
            help=f"write `{form}`",
        )
        return
    rest = line.text[len(word) :].split()
    help = did_you_mean(word, [*FORMS, "given"])
    if rest and _NAME.fullmatch(word):
        near = did_you_mean(rest[0], ["plays", "sees"])
        if near:
            problems.error(
                "unexpected-word", f"`{rest[0]}` cannot stand here", line.head, help=near
            )
            return
    if word == "end" and len(rest) < 2:
        help = "leave it out: a scenario ends where a line stands less deep"
    if not help:
        help = "a line of a scenario is `ANN plays OPTION`, `expect CONDITION`, `given` or similar"
    problems.error(
        "unexpected-word",
        f"`{word}` cannot begin a line of a scenario",
        line.span(0, len(word)),
        help=help,
    )


def _called(words: str) -> str:
    """The name of an option, guessed from words for it: `"buy the noodle cart"`."""
    verb, *about = [
        word for word in re.findall(r"\w+", words.lower()) if word not in _ARTICLES
    ] or [""]
    return f"{verb}({'_'.join(about)})" if about else verb


_ARTICLES: Final = ("the", "a", "an")


def _plays(line: Line, found: re.Match[str], problems: Problems) -> scenario_syntax.ScenarioLine:
    text, span = line.text, line.span()
    player = _word_at(line, found.span(2))
    end, reason = len(text), None
    because = _BECAUSE.search(text, found.end())
    if because is not None and found.group(1) == "refused":
        end = because.start()
        reason = _words(line, because.start(2), because.end(2), problems)
    loose = _LOOSE.fullmatch(text, found.end(), end)
    if loose is not None or text[found.end()] == '"':
        said = text[found.end() : end]
        wanted = f"{loose[1]}({loose[2]})" if loose is not None else _called(said)
        in_words = "_".join(re.findall(r"\w+", said.lower())) if loose is None else ""
        problems.error(
            "unexpected-word",
            "an option is written by its name, with its arguments in brackets",
            line.span(found.end(), end),
            help=f"write `{in_words}` for an option with these words, `{wanted}` for an action"
            if in_words and in_words != wanted
            else f"write `{wanted}`"
            if wanted
            else "write it like `buy(apple)`",
        )
        return syntax.Broken(span)
    option = _expression(line, found.end(), end, problems)
    if option is None:
        return syntax.Broken(span)
    match found.group(1):
        case "offered":
            return scenario_syntax.Offered(span, player, option)
        case "refused":
            return scenario_syntax.Refused(span, player, option, reason)
        case _:
            return scenario_syntax.Plays(span, player, option)


def _expression(line: Line, start: int, end: int, problems: Problems) -> syntax.Expression | None:
    return parse_expression(line.source, problems, line.start + start, line.start + end)


_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def _words(line: Line, start: int, end: int, problems: Problems) -> syntax.Text:
    """Words in quotes with expressions in braces."""
    raw, origin = line.text[start + 1 : end - 1], start + 1
    parts: list[str | syntax.Expression] = []
    at = 0
    for found in _BRACES.finditer(raw):
        parts.append(raw[at : found.start()])
        at = found.end()
        if found.group(1) is None:
            parts.append(found.group()[0])
            continue
        inner = _expression(line, origin + found.start(1), origin + found.end(1), problems)
        if inner is not None:
            parts.append(inner)
    parts.append(raw[at:])
    return syntax.Text(line.span(start, end), tuple(part for part in parts if part != ""))


# ---- words ------------------------------------------------------------------------------------------


def scenario_words(source: Source) -> list[Word]:
    """The words of a scenario file that has no mistakes, and its blocks, as `lex` gives those of rules."""
    words: list[Word] = []
    unheard = Problems()
    for line in lines_of(source, 0, len(source.text), unheard):
        head = line.head
        words += [*_said(line, 0, len(head.text)), _mark("_NL", head.end)]
        if head.end == line.end:
            continue
        words.append(_mark("_INDENT", head.end))
        for below in lines_of(source, head.end + 1, line.end, unheard):
            words += _line_words(below)
        words.append(_mark("_DEDENT", line.end))
    return words


def _line_words(line: Line) -> list[Word]:
    if _GIVEN.match(line.text):
        given = Word("HEAD", "given", line.start, line.start + len("given"))
        alone = lex(_as_setup(line), Problems())
        return [
            given,
            *(
                attrs.evolve(w, start=line.start + w.start, end=line.start + w.end)
                for w in alone[1:]
            ),
        ]
    if _PICTURE.match(line.text):
        return _picture_words(line)
    end = len(line.text)
    begins = (_EXACTLY, _SEES, _PLAYS, _OPTION, _CHANCE, _EXPECT)
    start = next((found.end() for form in begins if (found := form.match(line.text))), end)
    because = _BECAUSE.search(line.text, start) if line.text.startswith("refused") else None
    stop = because.start() if because is not None else end
    words = _said(line, 0, start)
    if start < end:
        words += expression_words(line.source, Problems(), line.start + start, line.start + stop)
    if because is not None:
        words.append(_word("BECAUSE", line, *because.span(1)))
        words.append(_word("TEXT", line, *because.span(2)))
    return [*words, _mark("_NL", line.end)]


def _picture_words(line: Line) -> list[Word]:
    """The words of a picture; each row of characters is one word, because its spaces matter."""
    head = line.text.index("\n")
    words = [*_said(line, 0, head), _mark("_NL", line.start + head)]
    words.append(_mark("_INDENT", line.start + head))
    end = line.start + head
    for start, row in _rows_of(line.text, head + 1):
        end = line.start + start + len(row)
        meaning = _MEANS.match(row)
        if meaning is None:
            words.append(_word("TEXT", line, start, start + len(row)))
        else:
            words.append(_word("TEXT", line, start, start + len(meaning[1])))
            means = start + row.index("means", len(meaning[1]))
            words.append(_word("HEAD", line, means, means + len("means")))
            alone = Source(line.source.name, row[meaning.end() :])
            by = line.start + start + meaning.end()
            words += [
                attrs.evolve(w, start=by + w.start, end=by + w.end)
                for w in lex(alone, Problems())
                if w.type not in BLOCKS
            ]
        words.append(_mark("_NL", end))
    return [*words, _mark("_DEDENT", end)]


def _said(line: Line, start: int, end: int) -> list[Word]:
    """The words of a stretch of a line, marked as words of scenarios."""
    begin = line.start
    return [
        word if word.type in ("TEXT", "COMMA", "TAG") else attrs.evolve(word, type="HEAD")
        for word in lex(line.source, Problems(), start=begin + start, end=begin + end)
        if word.type not in BLOCKS
    ]


def _word(type: str, line: Line, start: int, end: int) -> Word:
    return Word(type, line.text[start:end], line.start + start, line.start + end)


def _mark(type: str, place: int) -> Word:
    return Word(type, "", place, place)


# ---- steps as in rules ------------------------------------------------------------------------------


def _given(line: Line, problems: Problems) -> scenario_syntax.ScenarioLine:
    """Parse `given`; its steps are read as a `setup` section of their own."""
    found = Problems()
    tree = parse_game(_as_setup(line), found)
    for problem in found.sorted():
        problems.add(_as_step(_moved(problem, line)))
    sections = [d for d in tree.declarations if isinstance(d, declared.Section)]
    if not sections:
        return syntax.Broken(line.head)
    return scenario_syntax.Given(line.head, _moved(sections[0].body, line))


def _as_step(problem: Diagnostic) -> Diagnostic:
    """The problem of a row below `given`; if the row describes a state, with the step for it as help."""
    text, at = problem.span.source.text, problem.span.start
    first = text.rfind("\n", 0, at) + 1
    row = text[first : (text + "\n").index("\n", at)].split("#")[0]
    if text[first:at].strip():
        return problem
    step = repaired_step(row, _is_step)
    return attrs.evolve(problem, help=f"write `{step}`", fix=None) if step else problem


def _is_step(text: str) -> bool:
    found = Problems()
    parse_game(Source("", f"setup\n    {text}"), found)
    return not len(found)


def _as_setup(line: Line) -> Source:
    # Invariant: `setup` is as long as `given`, so that places differ by where the line begins.
    return Source(line.source.name, "setup" + line.text[len("given") :])


def _moved(node: T, line: Line) -> T:
    """The same at its place in the file."""
    return _shifted(node, line.source, line.start)


def _shifted(node: T, source: Source, by: int) -> T:
    return cast("T", _placed(node, source, by))


def _placed(node: object, source: Source, by: int) -> object:
    if isinstance(node, Span):
        return Span(source, max(0, by + node.start), max(0, by + node.end))
    if isinstance(node, tuple):
        return tuple(_placed(part, source, by) for part in node)
    kind = type(node)
    if not attrs.has(kind):
        return node
    return kind(**{a.alias: _placed(getattr(node, a.name), source, by) for a in attrs.fields(kind)})
