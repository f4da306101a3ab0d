"""Computing a log line may cause a fault, whether or not anyone reads the log."""

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.engines.engine import LogLine
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.text.faults import RuleFault

HEAD = """\
game "Told"
    players 2
state rounds: 0..9
score of p
    item "points" = rounds
winner p by p.total then shared
"""
PLAYS = {
    "a number": """play
    log "{10 / rounds} each"
""",
    "a value that is called": """play
    each player
        log "{me.share} each"
value share of p: Player = p.number / rounds
""",
    "to whom": """play
    each player
        log "one is left" to the(p in players where p.number > rounds)
""",
    "a list": """play
    log "{list(n in 1..3: n / rounds)} each"
""",
    "after a condition, in a loop": """play
    for each n in 1..3
        if n is 2
            log "{n / rounds} each"
            skip
        log "{n}"
""",
}


@pytest.mark.parametrize("engine", ["reference", "python", "native"])
@pytest.mark.parametrize("listens", [True, False])
@pytest.mark.parametrize("name", PLAYS)
def test_a_log_line_can_end_in_a_fault(
    name: str, engine: EngineName, listens: bool, tmp_path: Path
) -> None:
    path = tmp_path / "told.game"
    path.write_text(HEAD + PLAYS[name], encoding="utf-8")
    rules = load(path)
    assert rules.check() == ()
    game = game_of("told", rules)
    runner = game.compiled(game.variant(2), engine).engine
    log: list[LogLine] | None = [] if listens else None
    with pytest.raises(RuleFault) as fault:
        runner.run(runner.start(), log)
    assert fault.value.code in ("division-by-zero", "not-the-only-one")
