"""Places in texts: lines and columns from offsets, and spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dsl.diagnostics.source import Source, Span

TEXTS = st.text(alphabet="ab\n銀 ", max_size=40)


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("", 0, (1, 1)),
        ("ab", 0, (1, 1)),
        ("ab", 2, (1, 3)),
        ("ab\n", 2, (1, 3)),
        ("ab\n", 3, (2, 1)),
        ("ab\ncd", 4, (2, 2)),
        ("\n\n", 1, (2, 1)),
        ("銀杏\n都", 1, (1, 2)),
    ],
)
def test_an_offset_has_a_line_and_a_column(
    text: str, offset: int, position: tuple[int, int]
) -> None:
    assert Source("a.game", text).position(offset) == position


@given(TEXTS)
def test_lines_are_the_text(text: str) -> None:
    source = Source("a.game", text)
    lines = [source.line_text(line) for line in range(1, source.line_count + 1)]
    assert "\n".join(lines) == text


@given(TEXTS)
def test_a_position_leads_back_to_its_offset(text: str) -> None:
    source = Source("a.game", text)
    for offset in range(len(text) + 1):
        line, column = source.position(offset)
        assert source.line_start(line) + column - 1 == offset
        assert offset <= source.line_end(line)


@pytest.mark.parametrize("offset", [-1, 3])
def test_no_position_outside_the_text(offset: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        Source("a.game", "ab").position(offset)


@pytest.mark.parametrize("line", [0, 2])
def test_no_line_outside_the_text(line: int) -> None:
    with pytest.raises(ValueError, match="no line"):
        Source("a.game", "ab").line_text(line)


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (1, 0), (0, 3)])
def test_no_span_outside_the_text(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="no such place"):
        Span(Source("a.game", "ab"), start, end)


def test_a_span_covers_its_text() -> None:
    span = Span(Source("a.game", "ab\ncde"), 1, 5)
    assert (span.line, span.column, span.end_line, span.end_column) == (1, 2, 2, 3)
    assert span.text == "b\ncd"
    assert repr(span) == "Span(a.game:1:2 1..5)"


def test_joined_spans_cover_both() -> None:
    source = Source("a.game", "abcdef")
    joined = Span(source, 1, 2)
    assert Span(source, 4, 5).join(joined) == Span(source, 1, 5)
    assert Span(source, 0, 6).join(joined) == Span(source, 0, 6)


def test_no_join_over_two_sources() -> None:
    with pytest.raises(ValueError, match="different sources"):
        Span(Source("a.game", "ab"), 0, 1).join(Span(Source("b.game", "ab"), 0, 1))


def test_spans_are_ordered_by_place() -> None:
    first, second = Source("a.game", "abc"), Source("b.game", "abc")
    spans = [Span(first, 0, 1), Span(first, 0, 2), Span(first, 1, 1), Span(second, 0, 0)]
    shuffled = [spans[2], spans[3], spans[1], spans[0]]
    assert sorted(shuffled) == spans


def test_a_source_equals_only_itself() -> None:
    source = Source("a.game", "ab")
    assert Span(source, 0, 1) == Span(source, 0, 1)
    assert Span(source, 0, 1) != Span(Source("a.game", "ab"), 0, 1)
