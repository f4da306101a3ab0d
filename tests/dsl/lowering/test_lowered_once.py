"""How often a check lowers the text: each statement once per program."""

from collections import Counter

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.core import Env, Typed
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import syntax
from rulewright.interpreter.matches.library import shipped_games


@pytest.mark.slow
@pytest.mark.parametrize("name", ["colonial", "ginkgopolis"])
def test_a_check_lowers_statements_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statements: Counter[tuple[int, int]] = Counter()
    expressions: Counter[tuple[int, int]] = Counter()
    kept: list[object] = []  # so that no `id` is reused

    def writing(work: recursion.Writing[syntax.Statement]) -> recursion.Writing[syntax.Statement]:
        def counting(w: Writer, ctx: Context, s: syntax.Statement) -> None:
            kept.append((w.c, s))
            statements[id(w.c), id(s)] += 1
            work(w, ctx, s)

        return counting

    def lowering(
        work: recursion.Lowering[syntax.Expression],
    ) -> recursion.Lowering[syntax.Expression]:
        def counting(env: Env, e: syntax.Expression, expect: Type | None) -> Typed:
            kept.append((env.c, e))
            expressions[id(env.c), id(e)] += 1
            return work(env, e, expect)

        return counting

    for statement, write in recursion.STATEMENTS.items():
        monkeypatch.setitem(recursion.STATEMENTS, statement, writing(write))
    for expression, lower in recursion.EXPRESSIONS.items():
        monkeypatch.setitem(recursion.EXPRESSIONS, expression, lowering(lower))
    assert load(shipped_games()[name]).check() == ()
    assert set(statements.values()) == {1}
    assert sum(expressions.values()) < 1.1 * len(expressions)
