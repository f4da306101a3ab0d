"""Every example of the page about testing holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Command, command
from tests.docs.pages import ROOT, Example, examples
from tests.docs.test_spec import test_an_example_of_the_specification_holds as run_example

__all__ = ["command"]

EXAMPLES = examples(ROOT / "docs" / "testing.md")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_examples_of_testing_hold(example: Example, tmp_path: Path) -> None:
    run_example(example, tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "piles.game", "--coverage", "--games", "300"),
        ("witness", "piles.game", "action take_right"),
    ],
    ids=lambda words: words[0],
)
def test_the_output_in_testing_is_that_of_the_commands(
    command: Command, words: tuple[str, ...]
) -> None:
    page = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    game = re.search(r"^```game\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert game is not None
    Path("piles.game").write_text(game[1], encoding="utf-8")
    assert f"```text\n{command(*words).out}```" in page


def test_positions_that_commands_name_can_be_begun_from(command: Command) -> None:
    page = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    game = re.search(r"^```game\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert game is not None
    scenarios = re.findall(r"^```scenario\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    Path("mygame.game").write_text(game[1], encoding="utf-8")
    named = re.findall(r'`rulewright (\w+) "mygame\.scenario:([^"]+)"([^`]*)`', page)
    assert named
    for word, title, rest in named:
        (scenario,) = [text for text in scenarios if f'scenario "{title}"' in text]
        Path("mygame.scenario").write_text(scenario, encoding="utf-8")
        assert command(word, f"mygame.scenario:{title}", *rest.split()).code == 0
