"""Results for a file stay valid until it is edited: declarations of other files are not compared again."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading import reuse
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.reuse import reuse_nodes
from rulewright.editing.workspace.checking import Memory
from tests.dsl.loading.test_combinations import COINS
from tests.editing.test_reuse import declarations, findings, problems

MORE = "rule more\n    add 1 to me.coins\nvalue few = 3\nrule less\n    add few to me.coins\n    do more\n"


def test_only_the_file_that_is_edited_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, part = tmp_path / "coins.game", tmp_path / "more.game"
    text = COINS.replace("add 1 to me.coins", "do less").replace(
        "score of p", 'include "more.game"\nscore of p'
    )
    texts = {game: text, part: MORE}
    files, memory = Files(dict(texts)), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    compared: list[str] = []
    usual = reuse.is_moved

    def noting_is_moved(old: object, new: object) -> bool:
        if old is not new:
            compared.append(Path(new.span.source.name).name)  # type: ignore[attr-defined]  # declarations have one
        return usual(old, new)

    monkeypatch.setattr(reuse, "is_moved", noting_is_moved)
    for step, (path, old, new) in enumerate(
        (
            (part, "few = 3", "few = 4"),
            (game, "add 2 to", "add 3 to"),
            (part, "add 1 to", "# once\n    add 1 to"),
            (game, "add 3 to", "add few to"),
        )
    ):
        texts[path] = texts[path].replace(old, new, 1)
        files.given = dict(texts)
        again = findings(files, game, memory)
        assert {*compared} == {path.name}, step
        compared.clear()
        assert problems(files, game, again) == problems(
            files, game, findings(Files(dict(texts)), game, None)
        )
        compared.clear()


def test_pairs_hold_only_for_the_declarations_they_were_made_from(tmp_path: Path) -> None:
    game = tmp_path / "coins.game"
    other = COINS.replace("add 1 to", "add 2 to")
    first, between, now = (declarations(game, text) for text in (COINS, other, "# above\n" + COINS))
    known = reuse_nodes(first, now).paired
    alone, again = reuse_nodes(between, now), reuse_nodes(between, now, known)
    assert all(one is two for one, two in zip(alone.declarations, again.declarations, strict=True))
    assert again.new == alone.new != frozenset()
    assert reuse_nodes(first, between, known).new != frozenset()
