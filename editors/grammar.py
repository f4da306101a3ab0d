"""The grammars for highlighting, made from the word lists of the language; `--check` tells whether they are old.

They are regular expressions that work line by line: where a word counts only after another, that other stands in
the same pattern or just before it. Independent of editors.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from rulewright.dsl.text.vocabulary import GROUPS, HEADS, LOCAL, QUERIES, RESERVED, SCENARIOS

FOLDER = Path(__file__).parent / "vscode" / "syntaxes"
END = r"(?![A-Za-z0-9_])"
BEGIN = r"(?<![A-Za-z0-9_.])"
NAME = r"[a-z_][a-z0-9_]*"
FIXED = ("yes", "no", "nothing", "empty")
OPERATORS = ("and", "or", "not", "is", "in")
NAMES_A_RULE = ("action", "rule")
NAMES_A_THING = (
    "state",
    "zone",
    "value",
    "open value",
    "position",
    "token",
    "die",
    "seat",
    "option",
    "effect",
    "power",
)
TYPE_OF = ("pile of", "set of", "row of", "spot of", "tokens of", "list of")
AFTER = {
    "more": r"(?<=[A-Za-z0-9_)] )",
    "less": r"(?<=[A-Za-z0-9_)] )",
    "times": r"(?<=[A-Za-z0-9_)] )(?<!repeat )",
    "prompt": r"",
    "say": r"",
    "unlisted": r"(?<=, )",
    "backwards": r"(?<=player )",
    "exactly": r"(?<=, )",
    "key": r"",
    "named": r"",
    "gives": r"(?<=[A-Za-z0-9_)] )",
    "do": r"(?<== )",
}
NOT_A_CALL = "".join(
    rf"(?<!{word} )"
    for word in (
        "do",
        "action",
        "rule",
        "value",
        "state",
        "zone",
        "before",
        "after",
        "instead of",
        "effect",
    )
)
AFTER_SAY = r"(?=[ \t]+\")"


def _any(words: Iterable[str]) -> str:
    longest = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(word.replace(" ", r"[ \t]+") for word in longest) + ")"


def _match(pattern: str, name: str) -> dict[str, object]:
    return {"match": pattern, "name": name}


def _capturing_rule(pattern: str, *names: str) -> dict[str, object]:
    return {
        "match": pattern,
        "captures": {str(number): {"name": name} for number, name in enumerate(names, 1)},
    }


def _local() -> list[dict[str, object]]:
    """The words that count only in lines of some head words."""
    shapes = _any(("hex", "hexagon", "rhombus", "growing"))
    sizes = rf"(?=[ \t]+{shapes}{END}|[ \t]+[^#\n]*[ \t]by{END})"
    found: list[dict[str, object]] = [
        _match(rf"(?<=[A-Za-z0-9_\"] )grid{sizes}", "keyword.other.rulewright"),
        _match(rf"(?<=grid ){shapes}{END}", "keyword.other.rulewright"),
    ]
    for word in LOCAL:
        after = AFTER.get(word)
        if after is None:
            continue
        ahead = AFTER_SAY if word in ("prompt", "say") else END
        if word in ("more", "less"):
            ahead = r"(?=[ \t])"
        if word == "key":
            ahead = rf"{END}(?=[ \t]+{NAME})"
        if word == "gives":
            ahead = r"(?=[ \t]+(?:[A-Z0-9-]|list of|set of))"
        if word == "do":
            ahead = rf"{END}(?=[ \t]+{NAME})"
        if word == "named":
            ahead = rf"{END}(?=[ \t]+(?!{_any(RESERVED)}{END}){NAME})"
        found.append(_match(rf"{BEGIN}{after}{word}{ahead}", "keyword.other.rulewright"))
    return found


def rules_grammar() -> dict[str, object]:
    """The grammar of rules files."""
    heads = [word for word in HEADS if word not in ("surely", "may")]
    head = (
        rf"(?:(?:surely|may)[ \t]+)*(?:{_any(heads)}|surely|may){END}(?!(?<=possible)\()(?![ \t]*:)"
    )
    rule, thing = _any(NAMES_A_RULE), _any(NAMES_A_THING)
    phrases = [word for word in GROUPS if word not in TYPE_OF and word != "effect of"]
    words = [word for word in RESERVED if word not in (*FIXED, *OPERATORS)]
    expression: list[dict[str, object]] = [
        {"include": "#comment"},
        {"include": "#text"},
        {"include": "#clauses"},
        *_local(),
        _match(
            rf"(?<=[:] )list[ \t]+of{END}|(?<=[:] ){_any(TYPE_OF)}{END}|(?<=of )set[ \t]+of{END}",
            "storage.type.rulewright",
        ),
        _match(rf"(?<=do )effect[ \t]+of{END}", "keyword.control.rulewright"),
        _match(rf"{BEGIN}{_any(phrases)}{END}", "keyword.other.rulewright"),
        _match(
            rf"{BEGIN}{NOT_A_CALL}{_any([*QUERIES, 'possible', 'by'])}(?=\()",
            "support.function.rulewright",
        ),
        _match(rf"{BEGIN}{_any(FIXED)}{END}", "constant.language.rulewright"),
        _match(rf"{BEGIN}{_any(OPERATORS)}{END}", "keyword.operator.word.rulewright"),
        _match(rf"{BEGIN}{_any(words)}{END}", "keyword.other.rulewright"),
        _match(r"[0-9]+(?![A-Za-z_0-9])", "constant.numeric.rulewright"),
        _match(r"[A-Z][A-Za-z0-9_]*", "entity.name.type.rulewright"),
        _match(rf"(?<=\.){NAME}", "variable.other.member.rulewright"),
        _match(NAME, "variable.other.rulewright"),
        _match(r"\.\.|<=|>=|[=<>+*/-]", "keyword.operator.rulewright"),
    ]
    return {
        "name": "Rulewright",
        "scopeName": "source.rulewright",
        "fileTypes": ["game"],
        "patterns": [
            {"include": "#comment"},
            _capturing_rule(
                rf"^[ \t]*({rule})[ \t]+({NAME})(?![a-z0-9_])",
                "keyword.declaration.rulewright",
                "entity.name.function.rulewright",
            ),
            _capturing_rule(
                rf"^[ \t]*({thing})[ \t]+({NAME})(?![a-z0-9_])",
                "keyword.declaration.rulewright",
                "variable.other.declaration.rulewright",
            ),
            _capturing_rule(rf"^[ \t]*({head})", "keyword.control.rulewright"),
            {"include": "#expression"},
        ],
        "repository": {
            "expression": {"patterns": expression},
            "comment": _match(r"#.*$", "comment.line.number-sign.rulewright"),
            "clauses": _match(
                r"\[[A-Z]{2,}-[A-Z0-9]+(?:(?:,[ ]*|\.\.)[A-Z]{2,}-[A-Z0-9]+)*\]",
                "constant.other.reference.rulewright",
            ),
            "text": {
                "begin": '"',
                "end": '"|$',
                "name": "string.quoted.double.rulewright",
                "patterns": [
                    _match(r"\{\{|\}\}", "constant.character.escape.rulewright"),
                    {
                        "begin": r"\{",
                        "end": r"\}|(?=\")",
                        "name": "meta.embedded.rulewright",
                        "patterns": [{"include": "#expression"}],
                    },
                ],
            },
        },
    }


def _in_lines() -> dict[str, str]:
    """The words of scenario lines by the pattern before them, each group with a pattern that must follow."""
    line, text = r"^[ \t]+", r"(?=[ \t]*\")"
    expect, player = r"(?<=expect )", rf"(?=[ \t]+{NAME}[ \t]*(?:,|$|#))"
    return {
        rf"{line}{_words_of('EXPECT', 'OFFERED', 'REFUSED', 'FAULT', 'FROM', 'GIVEN')}": END,
        rf"{line}{_words_of('OPTION')}": rf"(?=[ \t]+{NAME}[ \t]+is{END})",
        rf"{line}{_words_of('PLAYER')}": player,
        rf"{line}{_words_of('TO_MOVE')}": rf"(?=[ \t]+{NAME})",
        rf"{line}{_words_of('CHANCE', 'SHUFFLE')}": rf"(?=[ \t]+gives{END})",
        rf"(?<=chance |huffle ){_words_of('GIVES')}": END,
        rf"{line}{_words_of('PLAY')}": r"(?=[ \t]+(?:to[ \t]+the|[0-9]))",
        rf"(?<=play ){_words_of('TO_THE_END')}": END,
        rf"(?<=[0-9] ){_words_of('STEPS')}": END,
        rf"(?<=end |eps |tep ){_words_of('WITH_SEED')}": r"(?=[ \t]+[0-9])",
        rf"(?:{line}|{expect}){_words_of('PICTURE_OF')}": r"(?=[ \t]+[A-Z])",
        rf"{expect}{_words_of('NO')}": rf"(?=[ \t]+{_words_of('LOG', 'PROMPT', 'VIEW')}{END})",
        rf"(?<=expect |ect no ){_words_of('LOG', 'PROMPT', 'VIEW')}": r"(?=[ \t]+(?:of[ \t]|\"))",
        rf"{expect}{_words_of('OPTION')}": r"(?=[ \t][^#]*\"[ \t]*(?:$|#))",
        rf"{expect}{_words_of('SAME_AS')}": text,
        rf"(?<=\" ){_words_of('BEFORE')}": text,
        rf"(?<=[ \t)]){_words_of('BECAUSE')}": text,
        rf"(?<=[a-z0-9_] ){_words_of('IS_ASKED', 'IS_NOT_ASKED', 'HAS_ENDED', 'GOES_ON')}": r"(?=[ \t]*(?:$|#))",
        rf"(?<=offered ){_words_of('EXACTLY', 'NOTHING_ELSE')}": END,
        rf"(?<=refused ){_words_of('OPTION')}": rf"(?=[ \t]+{NAME}[ \t]+is{END})",
        rf"(?<=refused ){_words_of('PLAYER')}": player,
    }


def _words_of(*terminals: str) -> str:
    """A pattern for the words of scenarios that the grammar of the language calls so."""
    return _any(word for word, terminal in SCENARIOS.items() if terminal in terminals)


def scenarios_grammar() -> dict[str, object]:
    """The grammar of scenario files."""
    heads = _words_of("GAME", "INCLUDE", "BEGINNING", "SCENARIO")
    by_a_player = _words_of("PLAYS", "SEES", "CANNOT_SEE")
    return {
        "name": "Rulewright scenarios",
        "scopeName": "source.rulewright.scenario",
        "fileTypes": ["scenario"],
        "patterns": [
            {"include": "source.rulewright#comment"},
            _match(rf"^{heads}(?=[ \t]*\")", "keyword.declaration.rulewright"),
            _capturing_rule(
                rf"^[ \t]+({NAME})[ \t]+({by_a_player}){END}",
                "variable.parameter.rulewright",
                "keyword.control.rulewright",
            ),
            _capturing_rule(
                rf"(?<=offered |refused )({NAME})[ \t]+({_words_of('PLAYS')}){END}",
                "variable.parameter.rulewright",
                "keyword.control.rulewright",
            ),
            _capturing_rule(
                r"^[ \t]+(\S+)[ \t]+(means)(?=[ \t])",
                "string.unquoted.rulewright",
                "keyword.control.rulewright",
            ),
            _match(rf"(?<=means ){_any(HEADS)}{END}", "keyword.control.rulewright"),
            *(
                _match(rf"{before}{after}", "keyword.control.rulewright")
                for before, after in _in_lines().items()
            ),
            {"include": "source.rulewright"},
        ],
    }


def documents_grammar() -> dict[str, object]:
    """The additions to the grammar of Markdown: blocks of code with rules or scenarios."""
    return {
        "scopeName": "markdown.rulewright.codeblock",
        "injectionSelector": "L:text.html.markdown",
        "patterns": [
            _block(
                "(?:rulewright|game|frame|fragment(?:-error)?|file)(?:[ ][^`]*)?",
                "source.rulewright",
            ),
            _block("scenario", "source.rulewright.scenario"),
        ],
    }


def _block(word: str, scope: str) -> dict[str, object]:
    return {
        "begin": rf"(^|\G)(\s*)(`{{3,}})\s*(?:{word})\s*$",
        "end": r"(^|\G)(\2|\s{0,3})(\3)\s*$",
        "name": "markup.fenced_code.block.markdown",
        "contentName": f"meta.embedded.block.{scope.removeprefix('source.')}",
        "patterns": [{"include": scope}],
    }


GRAMMARS = {
    "rulewright-markdown.tmLanguage.json": documents_grammar,
    "rulewright.tmLanguage.json": rules_grammar,
    "rulewright-scenario.tmLanguage.json": scenarios_grammar,
}


def main(arguments: list[str]) -> int:
    """Write the grammars, or tell whether they are old."""
    old = []
    for name, made in GRAMMARS.items():
        text = json.dumps(made(), indent=2, ensure_ascii=False) + "\n"
        path = FOLDER / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        old.append(name)
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    if old and "--check" in arguments:
        sys.stderr.write(
            f"made from other word lists: {', '.join(old)}; run python editors/grammar.py\n"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
