"""Rulebooks as lines for reading: headings, items and tables."""

from __future__ import annotations

from rulewright.interpreter.questions.rulebook import about, for_reading, passages, pieces

RULEBOOK = """\
# Lantern Fair

Sell your lanterns before they go out.

| term | meaning |
| --- | --- |
| stall | a place where lanterns are sold |
| wick | how many rounds a lantern burns |

## Play

- **LF-001** On your turn light **one** lantern, or *sell* one at a stall.
- **LF-002** A lantern without a wick is out.
"""


def test_a_rulebook_fits_the_width_and_tables_keep_their_columns() -> None:
    lines = for_reading(passages(RULEBOOK, markdown=True), 30)
    assert (
        "\n".join(lines)
        == """\
Lantern Fair
============

Sell your lanterns before they
go out.

term   meaning
stall  a place where lanterns
       are sold
wick   how many rounds a
       lantern burns

Play
----
- LF-001 On your turn light
  one lantern, or *sell* one
  at a stall.
- LF-002 A lantern without a
  wick is out."""
    )


def test_passages_about_a_word_have_their_headings() -> None:
    lines = for_reading(about(passages(RULEBOOK, markdown=True), "sell stall"), 40)
    assert (
        "\n".join(lines)
        == """\
Play
----
- LF-001 On your turn light one lantern,
  or *sell* one at a stall."""
    )


def test_a_section_about_a_word_is_shown_whole_and_words_match_at_their_beginning() -> None:
    rules = (
        RULEBOOK
        + """
## The end

- **LF-003** Recommended: put out all lights.

### Scoring

- **LF-004** Count your coins.

## Lending

- **LF-005** You may lend lanterns until the ending.
"""
    )
    lines = for_reading(about(passages(rules, markdown=True), "end"), 60)
    assert (
        "\n".join(lines)
        == """\
The end
-------
- LF-003 Recommended: put out all lights.

Scoring
-------
- LF-004 Count your coins.

Lending
-------
- LF-005 You may lend lanterns until the ending."""
    )


def test_the_title_of_a_rulebook_does_not_show_all_of_it() -> None:
    lines = for_reading(about(passages(RULEBOOK, markdown=True), "fair"), 60)
    assert lines == []


def test_marks_that_are_words_of_the_rules_stay() -> None:
    rules = "- **LF-003** Lanterns marked ** count n * (n + 1) points. *This holds for `long_game` (LF-001), too.*"
    (clause,) = passages(rules, markdown=True)
    assert clause.text == (
        "LF-003 Lanterns marked ** count n * (n + 1) points. This holds for long_game (LF-001), too."
    )
    assert list(pieces(clause.marked)) == [
        ("strong", "LF-003"),
        ("", " Lanterns marked ** count n * (n + 1) points. "),
        ("em", "This holds for `long_game` (LF-001), too."),
    ]
