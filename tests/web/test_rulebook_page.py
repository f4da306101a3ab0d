"""The rulebook of a game as HTML."""

from __future__ import annotations

from rulewright.interpreter.questions.rulebook import passages
from rulewright.web.pages.rulebook import rulebook

RULEBOOK = """\
# Lantern Fair

Sell *your* lanterns before `midnight`.

| term | meaning |
| --- | --- |
| stall | a place to sell < 3 lanterns |

## Play

- **LF-001** Light one lantern (LF-002). *Two: option LF-009.*
- **LF-002** A lantern without a wick is out.
- Bring a match.
"""


def test_a_rulebook_has_tables_emphasis_and_links_between_clauses() -> None:
    html = rulebook(passages(RULEBOOK, markdown=True))
    assert (
        html.replace("><", ">\n<")
        == """\
<div class="rulebook">
<p>Sell <em>your</em> lanterns before <code>midnight</code>.</p>
<table>
<tr>
<th>term</th>
<th>meaning</th>
</tr>
<tr>
<td>stall</td>
<td>a place to sell &lt; 3 lanterns</td>
</tr>
</table>
<h2 id="play">Play</h2>
<ul>
<li id="LF-001">
<span class="clause">LF-001</span> Light one lantern (<a href="#LF-002">LF-002</a>). <em>Two: option LF-009.</em>
</li>
<li id="LF-002">
<span class="clause">LF-002</span> A lantern without a wick is out.</li>
<li>Bring a match.</li>
</ul>
</div>"""
    )


def test_a_long_rulebook_begins_with_its_sections() -> None:
    text = "\n\n".join(f"## {number}. Day & night\n\nRest." for number in range(1, 9))
    html = rulebook(passages(text, markdown=True))
    start, _, rest = html.partition("</li>")
    assert start == (
        '<div class="rulebook"><details><summary>Sections</summary>'
        '<ol><li><a href="#1-day-night">1. Day &amp; night</a>'
    )
    assert '<h2 id="1-day-night">1. Day &amp; night</h2><p>Rest.</p>' in rest
    short = rulebook(passages(text.rpartition("## ")[0], markdown=True))
    assert "<details>" not in short


def test_rules_without_a_rulebook_keep_their_lines() -> None:
    html = rulebook(passages('game "Pig"\n    players 2\n\nplay\n    skip', markdown=False))
    assert html == (
        '<div class="rulebook"><pre tabindex="0">game "Pig"\n    players 2</pre>'
        '<pre tabindex="0">play\n    skip</pre></div>'
    )
