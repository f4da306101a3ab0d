"""Positions as clients count them: in their own units, and with their own line ends."""

import pytest
from lsprotocol import types

from rulewright.editing.lsp.positions import apply_changes

# A form feed, a vertical tab, the next-line character of terminals, and the line separators of
# Unicode.
ODD = "# a\x0cb\x0bc\x85d\u2028e\u2029f\x1cg\n# 😀 deck\nshuffle deck\n"


def change(line: int, start: int, end: int, text: str) -> types.TextDocumentContentChangePartial:
    place = types.Range(types.Position(line, start), types.Position(line, end))
    return types.TextDocumentContentChangePartial(place, text)


def test_only_newlines_end_lines() -> None:
    found = apply_changes(ODD, [change(2, 8, 12, "street")], "utf-16")
    assert found == ODD.replace("shuffle deck", "shuffle street")


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 7), ("utf-16", 5), ("utf-32", 4)])
def test_columns_count_in_the_units_of_the_client(encoding: str, column: int) -> None:
    found = apply_changes(ODD, [change(1, column, column + 4, "street")], encoding)
    assert found == ODD.replace("😀 deck", "😀 street")


def test_changes_follow_each_other() -> None:
    whole = types.TextDocumentContentChangeWholeDocument("a\r\nb\rc")
    after_the_end = change(9, 0, 0, "d")
    found = apply_changes(ODD, [whole, change(0, 1, 1, "\r\n"), after_the_end], "utf-16")
    assert found == "a\n\nb\ncd"
