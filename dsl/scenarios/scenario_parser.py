"""Parse scenarios: each line separately, by the rules for scenario lines in `grammar.lark`.

A scenario is a list of lines. The file is first split into lines, so that a mistake affects only its own
line.
"""

from __future__ import annotations

import re
from typing import Any, Final

import attrs

from rulewright.dsl.diagnostics.advice import Help, line_of, remove, whole_lines, write
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.parsing import parse_errors
from rulewright.dsl.parsing.hints import parse_help
from rulewright.dsl.parsing.parse_driver import Node, nodes_in, parse_words
from rulewright.dsl.parsing.parse_line import Parsed, parse_line
from rulewright.dsl.parsing.parser import parse_game
from rulewright.dsl.parsing.reader import Reader
from rulewright.dsl.scenarios.scenario_hints import (
    in_two_lines,
    option_instead,
    repaired_line,
    repaired_step,
    texts_in_order,
)
from rulewright.dsl.scenarios.scenario_lines import Line, lines_of, rows_of
from rulewright.dsl.scenarios.scenario_words import (
    given_words,
    is_given,
    is_picture,
    meaning_of,
    words_of,
)
from rulewright.dsl.text.invisible_characters import report_invisible
from rulewright.dsl.text.lexer import lex
from rulewright.dsl.tree import scenario_syntax, syntax

STEPS: Final = ("move", "set", "add", "lose", "pay", "shuffle", "do", "as", "for", "if", "let")
HEADS: Final = ("game", "include", "beginning", "scenario")
MOST_SCENARIOS: Final = 5000

_MEANT: Final = re.compile(
    r"(\S)[ \t]*(?:is|=|:|->|=>|means:)[ \t]*(?=(?:move|set|add|lose|pay|do|for|if)[ \t])"
)


def parse_scenarios(source: Source, problems: Problems) -> scenario_syntax.ScenarioFile:
    """Parse the scenarios of a scenario file. Unreadable lines are reported and left out."""
    game: scenario_syntax.GameNamed | None = None
    beginnings: list[scenario_syntax.Beginning] = []
    scenarios: list[scenario_syntax.Scenario | syntax.Broken] = []
    includes: list[scenario_syntax.Included] = []
    report_invisible(source, problems)
    for line in lines_of(source, 0, len(source.text), problems):
        match _parse_head(line, problems):
            case scenario_syntax.GameNamed() as named:
                if game is not None or scenarios or beginnings:
                    problems.error(
                        "misplaced-line",
                        "the game is named once, in the first line",
                        line.head,
                        help="remove this line",
                    )
                game = game or named
            case scenario_syntax.Included() as included:
                includes.append(included)
            case scenario_syntax.Beginning() as beginning:
                beginnings.append(attrs.evolve(beginning, lines=_parse_body(line, problems)))
            case scenario_syntax.Scenario() as scenario:
                scenarios.append(
                    attrs.evolve(scenario, span=line.head, lines=_parse_body(line, problems))
                )
                if len(scenarios) > MOST_SCENARIOS:
                    problems.error(
                        "file-too-large",
                        f"a file holds at most {MOST_SCENARIOS} scenarios",
                        line.head,
                        help="put some of them into another file",
                    )
                    break
            case None:
                _report_no_head(line, problems)
                scenarios.append(syntax.Broken(line.head))
    return scenario_syntax.ScenarioFile(
        Span(source, 0, len(source.text)),
        tuple(scenarios),
        game,
        tuple(beginnings),
        tuple(includes),
    )


Head = (
    scenario_syntax.GameNamed
    | scenario_syntax.Included
    | scenario_syntax.Beginning
    | scenario_syntax.Scenario
)


def _parse_head(line: Line, problems: Problems) -> Head | None:
    """Return the node of a line that begins a scenario or belongs to the whole file; None for any other line."""
    parsed = parse_line(words_of(line, Problems(), 0, len(line.head.text)), "scenario_head")
    head: Head | None = _make_node(line.source, parsed.tree, problems)
    opens = isinstance(head, scenario_syntax.Beginning | scenario_syntax.Scenario)
    return head if opens or "\n" not in line.text else None


def _make_node(source: Source, tree: Node | None, problems: Problems) -> Any:
    """Return the node of a line, or None if the line could not be parsed."""
    nodes = nodes_in(tree) if tree is not None else []
    return Reader(source, problems).read(nodes[0]) if nodes else None


def _report_no_head(line: Line, problems: Problems) -> None:
    word = line.head.text.split(" ", 1)[0]
    help: Help
    if word in HEADS:
        forms = {"game": "FILE", "include": "FILE"}
        form = f'{word} "{forms.get(word, "WORDS")}"'
        said = line.head.text[len(word) :].strip(' ":')
        if said and '"' not in said and "[" not in said:
            form = f'{word} "{said}"'
        message, help = f"`{word}` is followed by words in quotes", write(form)
        if word == "scenario" and "[" in line.head.text:
            help += ", and tags such as `[AB-012]` at its end"
    else:
        message = f"`{word}` cannot begin a line here"
        named = re.fullmatch(
            r'(?:test|case|story|example|it|feature)(?: case)?:? "?([^"]*)"?:?', line.head.text
        )
        help = (
            (write(f'scenario "{named[1].strip()}"', line.head) if named is not None else "")
            or did_you_mean(word, HEADS)
            or 'a scenario begins with `scenario "words"`, and its lines are indented'
        )
    problems.error(
        "unexpected-word",
        message,
        line.span(0, len(word)) if word not in HEADS else line.head,
        help=help,
    )


def _parse_body(head: Line, problems: Problems) -> tuple[scenario_syntax.ScenarioLine, ...]:
    first = head.text.find("\n")
    lines = (
        list(lines_of(head.source, head.start + first + 1, head.end, problems))
        if first >= 0
        else []
    )
    if not lines:
        problems.error(
            "unexpected-end",
            "nothing is indented below this line",
            head.head,
            help="indent its lines by 4 spaces",
        )
    read: list[scenario_syntax.ScenarioLine] = []
    is_bare = False  # after a `given` without steps, the next steps are read as its steps
    for line in lines:
        word = line.text.split(None, 1)[0]
        if is_bare and word in STEPS and word not in FORMS:
            read.append(syntax.Broken(line.head))
            continue
        is_bare = line.text == "given"
        read.append(_parse_scene_line(line, problems))
    for line in lines:
        if line.indent != lines[0].indent:
            problems.error(
                "bad-indent",
                "this line is indented between two levels",
                line.head,
                help="align it with the line above, or indent it by 4 more spaces",
            )
            break
    return tuple(read)


# ---- one line ---------------------------------------------------------------------------------------


def _parse_scene_line(line: Line, problems: Problems) -> scenario_syntax.ScenarioLine:
    found = Problems()
    read = _as_written(line, found)
    first = next(iter(found.in_order()), None)
    if first is None or is_given(line) or is_picture(line):
        for problem in found.in_order():
            problems.add(problem)
        return read
    rows = (row.split() for row in line.text.split("\n")[1:])
    late = next((" ".join(row) for row in rows if row[:1] == ["then"]), "")
    instead = repaired_line(late or line.text, _first_player(line), _reads)
    if not instead:
        for problem in found.in_order():
            problems.add(problem)
        return read
    problems.add(first.with_help(write(instead, line_of(first.span))))
    return syntax.Broken(line.head)


def _reads(text: str) -> bool:
    """Return whether a text is a line of a scenario."""
    found = Problems()
    source = Source("", text)
    lines = list(lines_of(source, 0, len(text), found))
    if len(lines) == 1:
        _as_written(lines[0], found)
    return len(lines) == 1 and not len(found)


def _first_player(line: Line) -> str:
    """Return the first player in the nearest line of players above, or "" if there is none."""
    for row in reversed(line.source.text[: line.start].split("\n")):
        head, *names = row.replace(",", " ").split() or [""]
        if head == "player" and names:
            return names[0]
    return ""


def _as_written(line: Line, problems: Problems) -> scenario_syntax.ScenarioLine:
    if is_given(line):
        return _parse_given(line, problems)
    if is_picture(line):
        return _parse_picture(line, problems)
    if line.text.startswith("expect") and _expects_several(line, problems):
        return syntax.Broken(line.span())
    lexed = Problems()
    parsed = parse_line(words_of(line, lexed), "scenario_line")
    if parsed.tree is None:
        _report_unparsed(line, parsed, lexed, problems)
        return syntax.Broken(line.head)
    problems.extend(lexed.in_order())
    errors = Problems()
    read: scenario_syntax.ScenarioLine = _make_node(line.source, parsed.tree, errors)
    problems.extend(errors.in_order())
    return syntax.Broken(line.span()) if errors.has_errors or lexed.has_errors else read


def _expects_several(line: Line, problems: Problems) -> bool:
    """Return whether a line expects several things at once. If so, report an error that suggests
    the lines to write instead.
    """
    in_order, two = texts_in_order(line.text), in_two_lines(line.text)
    if in_order:
        said = "several texts of the log need `before` between them, or a line each"
        problems.error("unexpected-word", said, line.head, help=write(in_order))
    elif two:
        said = "the player who is asked needs an `expect` line of its own"
        problems.error("unexpected-word", said, line.head, help=write(two))
    return bool(in_order or two)


def _report_unparsed(line: Line, parsed: Parsed, lexed: Problems, problems: Problems) -> None:
    """Report an error for a line with a syntax error. The error marks the option, the expression or the whole line."""
    words, failed, begun = parsed.words, parsed.failed, parsed.begun
    if begun < 0 or begun >= len(words):
        _report_no_line(line, problems)
        return
    problems.extend(lexed.in_order())
    if words[begun - 1].type == "PLAYS" and words[begun].type in ("NAME", "TEXT"):
        stop = next((n for n, word in enumerate(words) if word.text == "because"), len(words))
        option = Span(line.source, words[begun].start, words[max(begun, stop - 1)].end)
        wanted = option_instead(option.text)
        if wanted:
            problems.error(
                "unexpected-word",
                "an option is written as its name, with its arguments in brackets",
                option,
                help=wanted,
            )
            return
    if failed == len(words):
        problems.error(
            "unexpected-end",
            "this expression ends too early",
            Span(line.source, words[begun].start, line.end),
            help="complete it after its last word, or remove that word",
        )
    elif words[failed].type != "BAD":
        before = words[failed - 1].text if failed > begun else ""
        after = words[failed + 1].text if failed + 1 < len(words) else ""
        parse_errors.report_expression(line.source, words[failed], before, after, problems)


def _parse_picture(line: Line, problems: Problems) -> scenario_syntax.ScenarioLine:
    """Parse rows of characters, and below them the meanings of the characters."""
    head = line.head
    parsed = parse_line(words_of(line, problems, 0, len(head.text)), "scenario_line")
    picture = _make_node(line.source, parsed.tree, problems)
    if not isinstance(picture, scenario_syntax.Picture) or head.end == line.end:
        _report_no_line(line, problems, "picture")
        return syntax.Broken(head)
    rows: list[tuple[tuple[str, Span], ...]] = []
    means: list[scenario_syntax.Means] = []
    for start, row in rows_of(line.text, len(head.text)):
        meaning = meaning_of(row)
        if meaning is not None:
            sign, step = meaning
            body = _parse_step(line, start + step, start + len(row), problems)
            if body is None:
                return syntax.Broken(line.head)
            means.append(scenario_syntax.Means(line.span(start, start + len(row)), sign, body))
            continue
        said = _MEANT.match(row)
        if said is not None:
            problems.error(
                "unexpected-word",
                "the meaning of a sign comes after `means`",
                line.span(start, start + len(row)),
                help=write(f"{said[1]} means {row[said.end() :]}"),
            )
            return syntax.Broken(line.head)
        if means:
            problems.error(
                "unexpected-word",
                "the rows of a picture come before the meanings of its signs",
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
    return attrs.evolve(picture, span=head, rows=tuple(rows), means=tuple(means))


def _parse_step(line: Line, start: int, end: int, problems: Problems) -> syntax.Block | None:
    """Parse a step that is written as in rules. The step must fit in one row."""
    found = Problems()
    words = lex(line.source, found, start=line.start + start, end=line.start + end)
    step = _make_node(line.source, parse_words(line.source, words, "scenario_step", found), found)
    problems.extend(found.in_order())
    return None if step is None or found.has_errors else (step,)


FORMS: Final = {
    "option": "option NAME is VALUE",
    "player": "player ANN, BOB",
    "from": 'from "WORDS"',
    "to": "to move ANN",
    "chance": "chance gives VALUE",
    "shuffle": "shuffle gives (TOP, NEXT)",
    "play": "«play 10 steps», «play to the end» or «play 10 steps with seed 3»",
    "expect": 'expect CONDITION`, `expect VALUE is 3 because "WORDS"` or `expect log "WORDS"',
    "offered": "offered ANN plays OPTION`, `offered exactly OPTION, OPTION` or `offered nothing else",
    "refused": 'refused ANN plays OPTION because "WORDS"',
    "fault": 'fault "WORDS"',
    "picture": "picture of CELL` with rows of signs and `SIGN means STEP` below it",
}


def _report_no_line(line: Line, problems: Problems, form_of: str = "") -> None:
    word = form_of or line.text.split(None, 1)[0]
    form = FORMS.get(word)
    if word == "given":
        problems.error(
            "unexpected-end",
            "nothing is indented below `given`",
            line.head,
            help="put its steps below it, indented by 4 more spaces",
        )
        return
    if form is not None:
        problems.error(
            "unexpected-end",
            f"this line of `{word}` is not complete",
            line.head,
            help="write " + parse_help(form if "«" in form else f"«{form}»", line.head),
        )
        return
    rest = line.text[len(word) :].split()
    help: Help = did_you_mean(word, [*FORMS, "given"])
    if rest and word.isidentifier():
        near = did_you_mean(rest[0], ["plays", "sees"])
        if near:
            problems.error(
                "unexpected-word", f"`{rest[0]}` does not fit here", line.head, help=near
            )
            return
    if word == "end" and len(rest) < 2:
        words = "remove it: a scenario ends at the next line with less indentation"
        help = remove(words, whole_lines(line.head))
    if not help:
        help = "a line of a scenario is `ANN plays OPTION`, `expect CONDITION`, `given` or similar"
    problems.error(
        "unexpected-word",
        f"`{word}` cannot begin a line of a scenario",
        line.span(0, len(word)),
        help=help,
    )


# ---- steps as in rules ------------------------------------------------------------------------------


def _parse_given(line: Line, problems: Problems) -> scenario_syntax.ScenarioLine:
    """Parse `given` with the steps below it."""
    found = Problems()
    words = given_words(line, found)
    read = _make_node(line.source, parse_words(line.source, words, "scenario_line", found), found)
    for problem in found.in_order():
        problems.add(_as_step(problem))
    return syntax.Broken(line.head) if read is None else attrs.evolve(read, span=line.head)


def _as_step(problem: Diagnostic) -> Diagnostic:
    """Return the problem with a row below `given`. If the row describes a state, the help suggests
    the step for this state.
    """
    text, at = problem.span.source.text, problem.span.start
    first = text.rfind("\n", 0, at) + 1
    row = text[first : (text + "\n").index("\n", at)].split("#")[0]
    if text[first:at].strip():
        return problem
    step = repaired_step(row, _is_step)
    return problem.with_help(write(step, line_of(problem.span))) if step else problem


def _is_step(text: str) -> bool:
    found = Problems()
    parse_game(Source("", f"setup\n    {text}"), found)
    return not len(found)
