"""Usual slips within a line: told by the words around the one that does not fit.

Knows neither parser nor places in files: it is given the words of a line, and gives back what to say.
Does not guess where the words tell nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from rulewright.dsl.diagnostics import habits
from rulewright.dsl.diagnostics.suggest import listed_or
from rulewright.dsl.text.lexer import Word
from rulewright.dsl.text.vocabulary import QUERIES


class Slip(NamedTuple):
    """What is wrong, at which words (the first, and the one behind the last), and what to write instead."""

    message: str
    first: int
    behind: int
    help: str


# what other languages call the questions about members of a list
_QUESTIONS: Final = {
    "max": "`largest(x in A: E)` is the greatest number, `most(x in A: E)` are those who have it",
    "maximum": "`largest(x in A: E)` is the greatest number, `most(x in A: E)` are those who have it",
    "highest": "`largest(x in A: E)` is the greatest number, `most(x in A: E)` are those who have it",
    "greatest": "`largest(x in A: E)` is the greatest number, `most(x in A: E)` are those who have it",
    "longest": "`largest(x in A: E)` is the greatest number, `most(x in A: E)` are those who have it",
    "biggest": "`largest(x in A: E)` is the greatest number, `most(x in A: E)` are those who have it",
    "best": "`first(x in A by E)` is the best one, `most(x in A: E)` are all that are best",
    "min": "`smallest(x in A: E)` is the least number, `fewest(x in A: E)` are those who have it",
    "minimum": "`smallest(x in A: E)` is the least number, `fewest(x in A: E)` are those who have it",
    "shortest": "`smallest(x in A: E)` is the least number, `fewest(x in A: E)` are those who have it",
    "lowest": "`smallest(x in A: E)` is the least number, `fewest(x in A: E)` are those who have it",
    "number": "write `count(x in A where C)`",
    "len": "write `count(x in A where C)`",
    "length": "write `count(x in A where C)`",
    "total": "write `sum(x in A: E)`",
    "filter": "write `list(x in A where C)`",
    "select": "write `list(x in A where C)`",
    "those": "write `list(x in A where C)`",
    "map": "write `list(x in A: E)`",
    "find": "write `first(x in A where C)`",
    "exists": "write `any(x in A where C)`",
    "some": "write `any(x in A where C)`",
    "every": "write `all(x in A: C)`",
    "each": "write `all(x in A: C)`",
    "order": "write `ranking(x in A by K)`",
    "sorted": "write `ranking(x in A by K)`",
}


def slip(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """What is said of the word at a place of a line that does not fit there; `at` may be behind the last."""
    for look in _LOOKS:
        found = look(line, at, wanted)
        if found is not None:
            return found
    return None


def _comment(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    slashes = [n for n in (at - 1, at) if 0 <= n < len(line) - 1]
    for n in slashes:
        if line[n].type == line[n + 1].type == "SLASH" and line[n].end == line[n + 1].start:
            return Slip("`//` begins no comment", n, n + 2, "write `#`")
    return None


def _decimals(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    types = [word.type for word in line[at - 2 : at + 1]] if at >= 2 else []
    if types != ["NUMBER", "DOT", "NUMBER"]:
        return None
    part = Fraction(f"{line[at - 2].text}.{line[at].text}")
    if at > 3 and line[at - 3].type == "STAR" and part:
        times = "" if part.numerator == 1 else f" * {part.numerator}"
        whole = _text(line[: at - 3]) + times
        whole += f" / {part.denominator}" if part.denominator > 1 else ""
        behind = _text(line[at + 1 :])
        return Slip("numbers are whole", at - 2, at + 1, f"write `{f'{whole} {behind}'.strip()}`")
    return Slip("numbers are whole", at - 2, at + 1, "write `n / 2` for half of it, rounded down")


def _range(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if at >= len(line) or at == 0:
        return None
    start = at - 1
    if line[at].type == "DOT" and line[at - 1].type == "DOTDOT":
        start = at - 2
    elif not (wanted == {"DOTDOT"} or ("DOTDOT" in wanted and line[at].type in ("MINUS", "TO"))):
        return None
    if line[start].type != "NUMBER" or at + 1 >= len(line) or line[at + 1].type != "NUMBER":
        return None
    low, high = line[start].text, line[at + 1].text
    return Slip("a range is written with two dots", start, at + 2, f"write `{low}..{high}`")


def _unnumbered_row(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    for n in range(1, min(at, len(line))):
        if line[n - 1].type == "ROW_OF" and line[n].type == "TYPE":
            piece = line[n].text
            slots = next((w.text for w in line[n + 1 : n + 4] if w.type == "NUMBER"), "")
            if slots:
                return Slip(
                    "how many slots a row has stands before what lies there",
                    n - 1,
                    n + 1,
                    f"write `row of {slots} {piece}`",
                )
            return Slip(
                "a row has a number of slots",
                n - 1,
                n + 1,
                f"write `row of 4 {piece}`; a `pile of {piece}` (in an order) or `set of {piece}` holds any number",
            )
    return None


def _typed_value(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if at >= len(line) or line[at].type != "COLON" or "EQ" not in wanted:
        return None
    if line[0].type not in ("VALUE", "OPEN"):
        return None
    value = next((n for n in range(at, len(line)) if line[n].type == "EQ"), 0)
    if not value and any(
        word.type in ("LT", "GT", "LE", "GE", "IS", "IN", "PLUS", "STAR") for word in line[at:]
    ):
        return None
    written = f"write `{_text(line[:at])} {_text(line[value:])}`" if value else ""
    if not value and at == 2 and "DOTDOT" in [word.type for word in line]:
        written = f"write `state {_text(line[1:])}` for what is kept, and `value {line[1].text} = NUMBER` for the rest"
    return Slip(
        "what kind of thing a value is follows from what stands behind `=`",
        at,
        at + 1,
        written or "leave the colon and the type away",
    )


def _untyped_state(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if line[0].type != "STATE" or at != 2 or at >= len(line) or "COLON" not in wanted:
        return None
    if line[2].type in ("OF", "PER_PLAYER", "FOR_EACH", "FOR", "TYPE"):
        return None
    if "DOTDOT" in [word.type for word in line]:
        return None  # its range stands somewhere else in the line
    name = line[1].text
    message = f"it is not said what `{name}` can be"
    start = line[3].text if len(line) == 4 and line[2].type == "EQ" else ""
    if start.isdigit():
        range = f"0..{max(20, int(start))}"
        told = f"write `state {name}: {range} = {start}`, with the least and the highest number it can be"
        return Slip(message, 1, 2, told)
    if start in _FLAGS:
        return Slip(message, 1, 2, f"write `state {name}: Flag = {_FLAGS[start]}`")
    return Slip(
        message,
        1,
        2,
        f"write `state {name}: 0..20 = 3`, with a range, `Flag`, `Player`, a kind or a piece behind the colon",
    )


def _of_each(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """`state coins: 0..9 per player`, `state coins(Player): 0..9`"""
    if line[0].type not in ("STATE", "ZONE") or len(line) < 3:
        return None
    head, name = line[0].text, line[1].text
    n = next((n for n, word in enumerate(line) if word.type == "PER_PLAYER"), 0)
    if n > 2 and n == at:
        written = f"{_text(line[:n])} {_text(line[n + 1 :])}".strip()
        rest = _text(line[2:n]).lstrip(": ")
        return Slip(
            "what each player has stands below `player`",
            n,
            n + 1,
            f"write `{written}` there; what a thing keeps for each of them is `{head} {name}(p: Player): {rest}`",
        )
    types = [word.type for word in line[2:6]]
    if types[:3] == ["LPAR", "TYPE", "RPAR"]:
        sort = line[3].text
        one = "p" if sort == "Player" else sort.lower()
        return Slip(
            f"it is not said what {sort} is called here",
            3,
            4,
            f"write `{head} {name}({one}: {sort}){_text(line[5:])}`",
        )
    return None


def _copies(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if line[0].text != "copies" or len(line) < 2 or line[1].type != "COLON":
        return None
    number = line[2].text if len(line) == 3 else "NUMBER"
    return Slip("`copies` wants `=`, not a colon", 1, 2, f"write `copies = {number}`")


def _for_each_player(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if line[0].type != "FOR_EACH" or at != 2 or line[1].text not in ("player", "players"):
        return None
    return Slip(
        "`for each` wants a name and where it comes from",
        0,
        2,
        "write `each player` for turns, in which the player is `me`; or `for each p in players`",
    )


def _question(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """A question about members of a list, by another name or in another form."""
    depth = 0
    for n in range(min(at, len(line)) - 1, 0, -1):
        if line[n].type == "RPAR":
            depth += 1
        elif line[n].type == "LPAR" and depth:
            depth -= 1
        elif line[n].type == "LPAR":
            return _asked(line, n, at)
    return None


_EXTREMES: Final = {"max": "largest", "min": "smallest"}


def _at_this_depth(line: Sequence[Word], opened: int, end: int, type: str) -> int:
    """The place of a word within a bracket, and within no other in it; 0 where there is none."""
    depth = 0
    for n in range(opened, end):
        depth += {"LPAR": 1, "RPAR": -1}.get(line[n].type, 0)
        if depth == 1 and line[n].type == type:
            return n
    return 0


def _asked(line: Sequence[Word], opened: int, at: int) -> Slip | None:
    word = line[opened - 1]
    inside = line[opened + 1 : at]
    behind = line[opened + 1 :]
    end = _closing(line, opened)
    named = _at_this_depth(line, opened, end, "FOR") - opened - 1
    question = _EXTREMES.get(word.text, word.text)
    if (word.type == "QUERY" or question != word.text) and named > 0:
        asked = _of_comprehension(word.text, behind[:named], line[opened + named + 2 : end - 1])
        return Slip(
            f"in `{word.text}` the members stand first",
            opened - 1,
            end,
            f"write `{question}({asked})`",
        )
    if word.type == "QUERY" and [part.type for part in inside[:2]] != ["NAME", "IN"]:
        what = _text(_up_to_closing(line, opened + 1))
        of_all = re.fullmatch(rf"({_PLACE})\.(\w+)", _text(line[opened + 1 : end - 1]))
        if word.text in ("sum", "largest", "smallest") and of_all is not None and "(" in of_all[1]:
            return Slip(
                f"`{word.text}` wants a name for each member, and where it comes from",
                opened - 1,
                end,
                f"write `{word.text}(x in {of_all[1]}: x.{of_all[2]})`",
            )
        if word.text in ("sum", "largest", "smallest") and _is_path(what) and "." in what:
            where, _, column = what.rpartition(".")
            return Slip(
                f"`{word.text}` wants a name for each member, and where it comes from",
                opened - 1,
                end,
                f"write `{word.text}(x in {where}: x.{column})`",
            )
        wants = f"`{word.text}` wants a name for each member, and where it comes from"
        of_each = re.fullmatch(
            rf"([a-z_]\w*)\.([\w.]+) in ({_PLACE})", _text(line[opened + 1 : end - 1])
        )
        if of_each is not None:
            one, column, where = of_each.groups()
            return Slip(
                wants, opened - 1, end, f"write `{word.text}({one} in {where}: {one}.{column})`"
            )
        listed = re.fullmatch(r"[a-z_]\w*(?:, [a-z_]\w*)+", _text(line[opened + 1 : end - 1]))
        if word.text == "list" and listed is not None:
            return Slip(
                "a list of what is named has no word before it",
                opened - 1,
                end,
                f"write `({listed[0]})`",
            )
        chosen = re.fullmatch(
            rf"({_PLACE}) where (not )?([a-z_]\w*)\b(?![.(])(.*)", _text(line[opened + 1 : end - 1])
        )
        if word.text in ("count", *_OF_ALL) and chosen is not None:
            where, turned, column, rest = chosen[1], chosen[2] or "", chosen[3], chosen[4]
            return Slip(
                wants,
                opened - 1,
                end,
                f"write `{word.text}(x in {where} where {turned}x.{column}{rest})`",
            )
        members = f"{word.text}(x in {what if _is_path(what) else 'A'} where C)"
        if word.text == "count" and _is_path(what):
            return Slip(wants, opened - 1, end, f"write `{what}.size`, or `{members}`")
        if word.text in _OF_ALL and _is_path(what):
            short = f"{word.text}(x in {what})"
            return Slip(wants, opened - 1, end, f"write `{short}`, or `{members}`")
        return Slip(wants, opened - 1, end, f"write `{members}`")
    if line[0].type in ("ACTION", "RULE") and opened == 2:
        return None
    if word.type == "NAME" and [part.type for part in inside[:2]] == ["NAME", "IN"]:
        questions = listed_or([name for name in QUERIES if name not in ("the", "groups")])
        members = _text(line[opened + 1 : end - 1])
        wanted = _QUESTIONS.get(word.text, f"write {questions}")
        meant = re.match(r"(?:write )?`(\w+)\(", wanted)
        if meant is not None and _fits(meant[1], members):
            wanted = f"write `{meant[1]}({members})`"
            if word.text in _HAVE_IT:
                wanted += (
                    f" for the number, `{_HAVE_IT[word.text]}({members})` for those who have it"
                )
        return Slip(
            f"`{word.text}` is no question about members of a list", opened - 1, end, wanted
        )
    return None


_PLACE: Final = r"[a-z_][\w.]*(?:\([^()]*\))?"
_COMPARED: Final = {"=>": ">=", "=<": "<=", "<>": "is not"}
_WORDS_FOR: Final = {"equal": "is", "equals": "is", "isnt": "is not", "less": "<", "greater": ">"}


_NOT: Final = {"is": "is not", "is not": "is", "<": ">=", ">": "<="}


def _arrow(line: Sequence[Word], at: int) -> str:
    """What is to be written where an arrow stands between a name and what it is."""
    if line[0].type not in ("VALUE", "LET"):
        return ""
    begun = next((n for n in range(at) if line[n].type == "EQ"), None)
    if begun is None:
        return "write `=`"
    said = [word.text for word in line[begun + 1 : at]]
    is_named = all(word.isidentifier() or word in ("(", ")", ",") for word in said)
    if not is_named or said[:1] != ["("]:
        return ""
    arguments = "".join(said).replace(",", ", ")
    return f"leave `{arguments} =>` away"


def _comparison(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """Signs and words for comparing that the language does not have."""
    for first in (at, at - 1):
        if 1 <= first < len(line) - 1 and line[first].end == line[first + 1].start:
            sign = _COMPARED.get(line[first].text + line[first + 1].text)
            if sign is not None and {line[first].type, line[first + 1].type} & {"EQ", "LT", "GT"}:
                written = line[first].text + line[first + 1].text
                help = (_arrow(line, first) if written == "=>" else "") or f"write `{sign}`"
                return Slip(f"`{written}` is not used", first, first + 2, help)
    for n in (at, at - 1):
        if 1 <= n < len(line) and line[n].type == "NAME" and line[n].text in _WORDS_FOR:
            sign = _WORDS_FOR[line[n].text]
            is_not = n > 1 and line[n - 1].type == "NOT" and line[n - 2].type == "IS"
            first = n - 2 if is_not else n - 1 if line[n - 1].type == "IS" else n
            sign = _NOT[sign] if is_not else sign
            end = n + 2 if n + 1 < len(line) and line[n + 1].text in ("to", "than") else n + 1
            if [word.text for word in line[end : end + 3]] == ["or", "equal", "to"]:
                sign, end = f"{sign}=", end + 3
            if end > at:
                said = " ".join(word.text for word in line[first:end])
                return Slip(f"`{said}` is no comparison", first, end, f"write `{sign}`")
    return None


def long(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """What is said of a word in a line that is too long to be written anew."""
    sign = {"AT_LEAST": ">=", "AT_MOST": "<="}.get(line[at].type, "") if at < len(line) else ""
    if sign:
        return Slip(f"`{line[at].text}` is no comparison", at, at + 1, f"write `{sign}`")
    if at + 1 >= len(line) or line[at].type not in ("LT", "LE") or at < 3:
        return None
    first = next((n for n in range(at - 1, 0, -1) if line[n].type in ("LT", "LE")), 0)
    low, high = line[first - 1], line[at + 1]
    between = _text(line[first + 1 : at])
    if not first or low.type != "NUMBER" or high.type != "NUMBER" or not _is_path(between):
        return None
    bounds = int(low.text) + (line[first].type == "LT"), int(high.text) - (line[at].type == "LT")
    written = f"write `{between} in {bounds[0]}..{bounds[1]}`"
    return Slip("two comparisons do not stand in a row", first - 1, at + 2, written)


def _what_is_moved(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if line[0].type != "MOVE" or at >= len(line):
        return None
    if at == 1 and line[1].type == "FROM":
        types = [word.type for word in line]
        to = types.index("TO") if "TO" in types else 0
        if to > 3 and types[to - 2] == types[to - 1] == "NAME":
            what, rest = line[to - 1].text, f"{_text(line[1 : to - 1])} {_text(line[to:])}"
            return Slip("what is moved stands first", 0, 1, f"write `move {what} {rest}`")
        written = f"write `move 1 {_text(line[1:])}`"
        return Slip("it is not said how many are moved", 0, 1, written)
    types = [word.type for word in line]
    if line[at - 1].type == "NUMBER" and line[at].type == "NAME":
        if "FROM" not in types and "TO" in types and line[at].text not in _PLAIN_PIECES:
            return None
        rest = _text(line[at + 1 :])
        rest = rest if rest.startswith("from ") else "from A to B"
        written = f"write `{_text(line[:at])} {rest}`"
        if (
            line[at].text not in _PLAIN_PIECES
            and not line[at].text.endswith("s")
            and line[at - 1].text != "1"
        ):
            name, times = line[at].text, line[at - 1].text
            written += f"; of those called `{name}`, `repeat {times} times`, and below it `move {name} {rest}`"
        return Slip("behind the number stands where they come from", at, at + 1, written)
    return None


_PLAIN_PIECES: Final = ("card", "cards", "piece", "pieces", "token", "tokens", "tile", "tiles")


def _condition_of_option(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if line[0].type != "OPTION" or at >= len(line) or "WHERE" not in wanted:
        return None
    if line[at].text not in ("if", "needs", "when", "while", "only if"):
        return None
    written = f"write `{_text(line[:at])} where {_text(line[at + 1 :])}`"
    return Slip("the condition of an option stands behind `where`", at, at + 1, written)


def _text(words: Sequence[Word]) -> str:
    """Words as they stand in the line."""
    shown = ""
    for n, word in enumerate(words):
        shown += (" " if n and words[n - 1].end < word.start else "") + word.text
    return shown


def _bare_if(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """A value with `if` where only a sum can stand."""
    if at >= len(line) or line[at].type != "IF" or "LPAR" not in wanted:
        return None
    depth, behind = 0, len(line)
    is_else = False
    for n in range(at, len(line)):
        depth += {"LPAR": 1, "RPAR": -1}.get(line[n].type, 0)
        is_else |= line[n].type == "ELSE"
        if depth < 0 or (is_else and not depth and line[n].type in _BEHIND_A_SUM):
            behind = n
            break
    if not is_else:
        return None
    inside = _text(line[at:behind])
    written = f"{_text(line[:at])} ({inside}) {_text(line[behind:])}".strip()
    return Slip("an `if` with values stands in brackets here", at, at + 1, f"write `{written}`")


_BEHIND_A_SUM: Final = frozenset(("TO", "FROM", "TIMES", "WHERE", "COMMA", "BY"))


def _repeat_for(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if line[0].type != "REPEAT" or at >= len(line) or line[at].type != "FOR":
        return None
    rest = _text(line[at + 1 :]).removeprefix("each ")
    return Slip("`repeat` counts, and `for each` names", 0, at + 1, f"write `for each {rest}`")


def _late_where(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """A condition behind the words of a choice."""
    if line[0].type != "CHOOSE" or at >= len(line) or line[at].type not in ("WHERE", "COMMA"):
        return None
    words = next((n for n in range(at) if line[n].type in ("PROMPT", "SAY")), 0)
    if not words:
        return None
    moved = f"{_text(line[:words])} {_text(line[at:])} {_text(line[words:at])}"
    moved = moved.replace(" ,", ",")
    word = line[at].text if line[at].type == "WHERE" else line[at + 1 : at + 2][0].text
    return Slip(f"`{word}` stands before `{line[words].text}`", at, at + 1, f"write `{moved}`")


def _two_words(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """`next player`, `other player`, `current player`: a player by two words."""
    if at >= len(line) or line[at].text not in ("player", "players") or at < 1:
        return None
    found = _PLAYERS.get(line[at - 1].text)
    if line[0].type == "AS":
        return None  # of whom it is told that each of them acts
    is_of_line = line[0].type in ("WINNER", "MOVE", "SET", "PIECE", "TOKEN") and line[
        at - 1
    ].text in (
        "the",
        "each",
        "all",
    )
    if found is None or is_of_line:
        return None
    said = f"{line[at - 1].text} {line[at].text}"
    return Slip(f"`{said}` is no player", at - 1, at + 1, f"write `{found}`")


_PLAYERS: Final = {
    "next": "me.left",
    "following": "me.left",
    "left": "me.left",
    "previous": "me.right",
    "last": "me.right",
    "right": "me.right",
    "current": "me",
    "active": "me",
    "this": "me",
    "the": "me",
    "first": "the(p in players where p.number is 1)",
    "all": "players",
    "other": "list(p in players where p is not me)",
    "every": "players",
    "each": "players",
}


def _choice(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if line[0].type != "CHOOSE" or at != len(line) or at > 2:
        return None
    if at == 1:
        return Slip("it is not said what can be chosen", 0, 1, "write `choose one of`")
    word = line[1].text
    return Slip(
        "it is not said what can be chosen",
        1,
        2,
        "write `choose one of`, and below it `option` and `do` lines"
        if word in ("one", "either", "between")
        else f"write `choose {word} in PLACE`, or `choose one of` and below it options",
    )


def _choice_without_name(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """`choose me.hand`: where it is chosen from, and no name for it."""
    if line[0].type != "CHOOSE" or at != 2 or at >= len(line) or line[at].type != "DOT":
        return None
    if any(word.type == "IN" for word in line):
        return None  # how many, and from where
    message = "what is chosen has no name"
    return Slip(message, 1, len(line), f"write `choose x in {_text(line[1:])}`")


def _call_without_brackets(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """`do buy stall`"""
    start = next((n for n in (0, 1) if n < len(line) and line[n].type == "DO"), -1)
    if start < 0 or at != start + 2 or at >= len(line) or line[at - 1].type != "NAME":
        return None
    if line[at].type not in ("NAME", "NUMBER", "TYPE") or line[at].text in _NOT_GIVEN:
        return None
    times = habits.COUNTED.get(_text(line[at : at + 1])) or {"twice": "2", "thrice": "3"}.get(
        line[at].text
    )
    if times is not None and _text(line[at + 1 :]) in ("", "times", "time"):
        message = "how often stands in a line of its own"
        return Slip(
            message,
            at,
            len(line),
            f"write `repeat {times} times`, and below it `{_text(line[:at])}`",
        )
    if line[at - 1].text == "effect":
        return Slip("`of` is missing", at, at + 1, f"write `do effect of {_text(line[at:])}`")
    if line[at].text in ("for", "by", "or"):
        return None
    given = _text(
        line[at + 1 :] if line[at].text in _BEFORE_GIVEN and at + 1 < len(line) else line[at:]
    )
    message = "what is given to a rule stands in brackets"
    return Slip(message, at, len(line), f"write `{_text(line[:at])}({given})`")


_BEFORE_GIVEN: Final = ("at", "from", "of")
_NOT_GIVEN: Final = ("with", "on", "to", "cheaper", "free", "reduced")


def _unquoted(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """`needs C else words without quotes`"""
    if line[0].type != "NEEDS" or "TEXT" not in wanted or at < 1 or at >= len(line):
        return None
    if line[at - 1].type != "ELSE" or any(word.type == "TEXT" for word in line[at:]):
        return None
    reason = f'{_text(line[:at])} "{_text(line[at:])}"'
    return Slip("a reason stands in quotes", at, len(line), f"write `{reason}`")


_LEFT_OUT: Final = ("ACTION", "POWER", "ITEM", "WINNER", "SETUP", "PLAY", "SEAT", "RULE")
_STEPS: Final = (
    "MOVE",
    "SET",
    "ADD",
    "LOSE",
    "PAY",
    "DO",
    "LOG",
    "SHOW",
    "SHUFFLE",
    "WIN",
    "CHOOSE",
)
_CONDITIONS: Final = ("if", "when", "where", "while", "unless")


def _only_if(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """Conditions behind what is declared, where it can have none, or only before the game."""
    if at >= len(line) or at < 2 or len(line) == at + 1:
        return None
    head, condition = line[0], _text(line[at + 1 :])
    if line[at].type == "ONLY_IF" and head.type in _STEPS:
        written = f"write `if {condition}`, and below it `{_text(line[:at])}`"
        return Slip(
            "`only if` stands behind what is declared, not behind a step", at, len(line), written
        )
    if line[at].type == "ONLY_IF" and head.type not in _LEFT_OUT and "ONLY_IF" not in wanted:
        what = {
            "PIECE": f"write `copies = if {condition} then 1 else 0` below it",
            "WHENEVER": f"write `{_text(line[:at])}`, and below it `if {condition}`",
            "EFFECT": f"write `{_text(line[:at])}`, and below it `if {condition}`",
        }.get(head.type, "leave it away: what nothing uses in a variant does no harm there")
        return Slip(f"`{head.text}` is there in all variants", at, len(line), what)
    if head.type in ("ACTION", "RULE") and line[at].text in _CONDITIONS and "ONLY_IF" in wanted:
        return Slip(
            f"a condition stands below `{head.text}`, as a step",
            at,
            len(line),
            f"write `{_text(line[:at])}`, and below it `needs {condition}`; if the options of the game decide it, "
            "`only if` stands here",
        )
    return None


def _modified(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """What a power cannot do to a value: `modify p.fee * 2`."""
    if line[0].type != "MODIFY" or at >= len(line) or "AT_LEAST" not in wanted:
        return None
    if line[at].type not in ("STAR", "SLASH", "TIMES") and line[at].text not in ("half", "double"):
        return None
    return Slip(
        "a power adds, takes away, sets or bounds",
        at,
        len(line),
        f"write `{_text(line[:at])} more N`, or `less N`, `is N`, `at least N`, `at most N`",
    )


def _printed_words(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """`motto: text`: a column of words."""
    if len(line) < 3 or line[0].type != "NAME" or line[1].type != "COLON" or at not in (2, 3):
        return None
    if line[2].text not in ("text", "string", "words", "str", "name"):
        return None
    if len(line) > 3 and line[3].type != "FROM":
        return None
    message = "words on cards stand in lines of their own"
    return Slip(message, 2, 3, 'write `text NAME "WORDS"` below the rows, with the name of a row')


def _texts_in_texts(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """`log "{if a then "b" else "c"}"`"""
    n = at - 1
    if n < 1 or line[n].type != "TEXT" or line[n].text.count("{") <= line[n].text.count("}"):
        return None
    where = line[n].text.rpartition("{")[2]
    condition = re.match(r"if (.+) then", where)
    asked = condition[1] if condition is not None else "CONDITION"
    if not any(word.type == "TEXT" for word in line[at:]):
        return None
    return Slip(
        "words in quotes do not stand inside others",
        n,
        len(line),
        f"write `if {asked}`, and below it one line of words; then `else`, and below it the other",
    )


def _endless(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """`repeat forever`"""
    if line[0].type != "REPEAT" or len(line) < 2:
        return None
    if line[1].text not in ("forever", "always", "endlessly", "again"):
        return None
    rest = _text(line[2:])
    written = f"repeat {rest}" if rest else "repeat"
    return Slip("`repeat` alone goes on for ever", 1, 2, f"write `{written}`")


def _paid(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    """`pay me.coins me.price(stall)`: an amount and where it comes from, side by side."""
    if line[0].type not in ("PAY", "LOSE") or "FROM" not in wanted or at >= len(line):
        return None
    one, other = _text(line[1:at]), _text(line[at:])
    if one.isidentifier() and _is_path(other) and "." in other:
        return None  # which of them is the amount is told by the names of the text
    if line[at].type == "NUMBER" or ("(" in other and "(" not in one):
        one, other = other, one
    elif not _is_path(other) or "." not in other:
        return None
    message = f"`{line[0].text}` wants `from` between the amount and where it comes from"
    return Slip(message, 1, len(line), f"write `{line[0].text} {one} from {other}`")


def _small_type(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    n = at - 1
    if line[0].type not in ("STATE", "LET") or n < 2 or n >= len(line):
        return None
    if line[n].type not in ("NAME", "PLAYER") or line[n - 1].type != "COLON":
        return None
    word = line[n].text
    if word in ("hidden", "secret", "private", *_MAPS) and n + 1 < len(line):
        return None
    start = line[-1].text if len(line) == n + 3 and line[n + 1].type == "EQ" else ""
    if habits.TYPES.get(word) == habits.A_FLAG and start in _FLAGS:
        told = f"write `{_text(line[:n])} Flag = {_FLAGS[start]}`"
        return Slip(f"`{word}` is no type", n, n + 1, told)
    return Slip(
        f"`{word}` is no type",
        n,
        n + 1,
        habits.TYPES.get(word)
        or f"write `{word.capitalize()}`: types begin with a capital; a range is `0..9`",
    )


_MAPS: Final = ("dict", "map", "mapping", "table", "array")


def _of_comprehension(question: str, value: Sequence[Word], members: Sequence[Word]) -> str:
    """`f(x) for x in A if C`, in the order of the language."""
    asked = next((n for n, word in enumerate(members) if word.type == "IF"), len(members))
    source, needed = _text(members[:asked]), _text(members[asked + 1 :])
    what = _text(value)
    if question in ("any", "count", "list", "first") and (not needed or what == members[0].text):
        needed, what = needed or what, ""
    if needed == members[0].text:
        needed = ""
    return f"{source}{f' where {needed}' if needed else ''}{f': {what}' if what else ''}"


_OF_ALL: Final = ("first", "any", "list")
"""Questions that can be asked without a condition."""
_HAVE_IT: Final = {
    "max": "most",
    "maximum": "most",
    "highest": "most",
    "greatest": "most",
    "longest": "most",
    "biggest": "most",
    "shortest": "fewest",
    "min": "fewest",
    "minimum": "fewest",
    "lowest": "fewest",
}


def _fits(question: str, members: str) -> bool:
    """Whether the members are said in the form that a question wants: `x in A: E` or `x in A where C`."""
    has_value = ":" in members
    if question in ("largest", "smallest", "sum", "most", "fewest", "all"):
        return has_value
    return not has_value and (question in ("first", "ranking") or " by " not in members)


def _closing(line: Sequence[Word], opened: int) -> int:
    """The place behind the bracket that closes one, or behind the line."""
    depth = 0
    for n in range(opened, len(line)):
        depth += {"LPAR": 1, "RPAR": -1}.get(line[n].type, 0)
        if not depth:
            return n + 1
    return len(line)


_FLAGS: Final = {"true": "yes", "false": "no", "yes": "yes", "no": "no"}


def _up_to_closing(line: Sequence[Word], first: int) -> Sequence[Word]:
    for n in range(first, len(line)):
        if line[n].type in ("LPAR", "RPAR", "COMMA"):
            return line[first:n]
    return line[first:]


def _is_path(text: str) -> bool:
    return bool(text) and all(part.isidentifier() for part in text.split("."))


def _bare_question(line: Sequence[Word], at: int, wanted: set[str]) -> Slip | None:
    if at >= len(line) or "QUERY" not in wanted or line[at].text not in QUERIES:
        return None
    if line[0].type in ("SHOW", "MODIFY"):  # to all
        return None
    word = line[at].text
    following = line[at + 1].text if at + 1 < len(line) else ""
    if (
        line[0].type == "ZONE"
        or line[at].type == "QUERY"
        or word == "the"
        or following in ("other", "others", "players")
    ):
        return None
    return Slip(
        f"`{word}` asks about the members of a list, in brackets",
        at,
        at + 1,
        f"write `{word}(x in A{': C' if word == 'all' else ' where C'})`",
    )


_LOOKS: Final[tuple[Callable[[Sequence[Word], int, set[str]], Slip | None], ...]] = (
    _comment,
    _decimals,
    _range,
    _unnumbered_row,
    _typed_value,
    _untyped_state,
    _of_each,
    _copies,
    _for_each_player,
    _comparison,
    _what_is_moved,
    _condition_of_option,
    _choice,
    _choice_without_name,
    _call_without_brackets,
    _unquoted,
    _only_if,
    _modified,
    _printed_words,
    _texts_in_texts,
    _endless,
    _paid,
    _small_type,
    _bare_if,
    _repeat_for,
    _late_where,
    _two_words,
    _bare_question,
    _question,
)
