"""Statements: from nodes to the syntax tree."""

from __future__ import annotations

from typing import Final

from lark import Token, Tree

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.parsing.expression_parser import ExpressionReader
from rulewright.dsl.parsing.feeding import Node, keyword, nodes_in
from rulewright.dsl.tree import declared, syntax

MOST_CASES: Final = 50  # of an `if`
EACH_OF_THEM: Final = "who acts"
"""The local name of those in whose turns the steps below `each player in LIST` are run; nobody can write it."""


class StatementReader(ExpressionReader):
    """Turns nodes into statements, as well."""

    # ---- statements ---------------------------------------------------------------------------------

    def block(self, node: Node) -> syntax.Block:
        """The block below a header; empty where there is none."""
        found = self.part(node, "block")
        return self.statements(found) if found is not None else ()

    def statements(self, block: Node) -> syntax.Block:
        return tuple(self.statement(n) for n in nodes_in(block))

    def statement(self, node: Node) -> syntax.Statement:
        """One statement."""
        span, tags, c = self.span(node), self.tags(node), node.children
        match node.data:
            case "let":
                name, type = self.need(node, "NAME"), self.part(node, "type")
                value = self.must(node, "EQ")
                return syntax.Let(
                    span,
                    tags,
                    str(name),
                    self.at(name),
                    self.type(type) if type is not None else None,
                    value,
                )
            case "set":
                return syntax.SetTo(span, tags, self.must(node, "SET"), self.must(node, "TO"))
            case "amount":
                verb = self.need(node, "ADD", "LOSE", "PAY")
                return syntax.Amount(
                    span,
                    tags,
                    keyword(verb),
                    self.must(node, verb.type),
                    self.must(node, "TO", "FROM"),
                )
            case "move":
                return self.move(node, span, tags)
            case "shuffle":
                return syntax.Shuffle(span, tags, self.must(node, "SHUFFLE"))
            case "reverse":
                return syntax.Reverse(span, tags, self.must(node, "REVERSE"))
            case "sort":
                binder = self.part(node, "binder")
                assert binder is not None
                return syntax.Sort(span, tags, self.binder(binder), self.keys(node))
            case "roll_from":
                return syntax.Roll(
                    span, tags, self.must(node, "ROLL"), self.must(node, "IN"), None, None, None
                )
            case "roll_dice":
                die = self.need(node, "NAME")
                return syntax.Roll(
                    span,
                    tags,
                    self.must(node, "ROLL"),
                    None,
                    self.must(node, "EQ"),
                    str(die),
                    self.at(die),
                )
            case "do":
                return self.do(node, span, tags)
            case "choose":
                return self.choose(node, span, tags)
            case "choose_of":
                quantity = self.part(node, "quantity")
                arms = [self.arm(n) for n in self.parts(node, "option_arm", "do")]
                return syntax.ChooseOf(
                    span,
                    tags,
                    self.quantity(quantity) if quantity is not None else None,
                    self.token(node, "CHOOSE_ALL_OF") is not None,
                    tuple(arms),
                    self.prompt(node),
                )
            case "may":
                words, action = self.token(node, "TEXT"), self.part(node, "do")
                if action is not None:
                    step = self.statement(action)
                    return syntax.May(span, tags or self.tags(action), None, (step,))
                assert words is not None
                return syntax.May(span, tags, self.text(words), self.block(node))
            case "if":
                return self.if_else(node, span, tags)
            case "if_possible":
                blocks = self.parts(node, "block")
                return syntax.IfPossible(
                    span,
                    tags,
                    self.statements(blocks[0]),
                    self.statements(blocks[1]) if len(blocks) > 1 else (),
                )
            case "repeat":
                return self.repeat(node, span, tags)
            case "for_each":
                binder = self.part(node, "binder")
                assert binder is not None
                any_order = self.token(node, "ANY_ORDER") is not None
                return syntax.ForEach(
                    span,
                    tags,
                    self.binder(binder),
                    self.maybe(node, "WHERE"),
                    any_order,
                    self.block(node),
                )
            case "each_of_them":
                return self._each_of_them(node, span, tags)
            case "each_player":
                back, there = self.token(node, "BACKWARDS"), self.token(node, "THERE_AND_BACK")
                return syntax.EachPlayer(
                    span,
                    tags,
                    self.token(node, "TOGETHER") is not None,
                    "backwards"
                    if back is not None
                    else "there and back"
                    if there is not None
                    else "forward",
                    self.maybe(node, "FROM"),
                    self.maybe(node, "WHERE"),
                    self.block(node),
                )
            case "as_player":
                return syntax.AsPlayer(span, tags, self.must(node, "AS"), self.block(node))
            case "at_once":
                return syntax.AtOnce(span, tags, self.block(node))
            case "phase":
                return syntax.Phase(
                    span, tags, self.text(self.need(node, "TEXT")), self.block(node)
                )
            case "needs":
                reason = self.token(node, "TEXT")
                return syntax.Needs(
                    span,
                    tags,
                    self.must(node, "NEEDS"),
                    self.text(reason) if reason is not None else None,
                )
            case "say":
                return syntax.Say(span, tags, self.text(self.need(node, "TEXT")))
            case "log":
                return syntax.Log(
                    span, tags, self.text(self.need(node, "TEXT")), self.maybe(node, "TO")
                )
            case "show":
                return syntax.Show(span, tags, self.must(node, "SHOW"), self.must(node, "TO"))
            case "limit":
                per = self.need(node, "NAME")
                return syntax.Limit(span, tags, self.must(node, "LIMIT"), str(per), self.at(per))
            case "simple":
                word = keyword(c[0])
                return syntax.Simple(span, tags, word)
            case "win":
                return syntax.Win(span, tags, self.must(node, "WIN"))
            case "eliminate":
                return syntax.Eliminate(span, tags, self.must(node, "ELIMINATE"))
            case "surely":
                step = self.statement(nodes_in(node)[0])
                return syntax.Surely(span, tags, step)
            case "kept":
                name = self.need(node, "NAME")
                return syntax.Keep(span, tags, keyword(c[0]), str(name), self.at(name))
            case _:
                return syntax.Broken(span)

    def _each_of_them(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.ForEach:
        """`each player in LIST where C`: a turn for each of the listed, in which that player acts."""
        source, where, body = self.must(node, "IN"), self.maybe(node, "WHERE"), self.block(node)
        if where is not None:
            body = (syntax.If(where.span, (), ((where, body),), ()),)
        acts = syntax.AsPlayer(span, (), syntax.Word(source.span, EACH_OF_THEM), body)
        binder = syntax.Binder(source.span, EACH_OF_THEM, source.span, None, source)
        return syntax.ForEach(span, tags, binder, None, False, (acts,))

    def move(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.Move:
        moved = self.part(node, "up_to", "everything", "exactly")
        assert moved is not None
        under = self.token(node, "UNDER") is not None
        inside = nodes_in(moved)
        if moved.data != "exactly" and self.token(node, "FROM") is None:
            self.problems.error(
                "unexpected-end",
                "it is not said from where these are moved",
                span,
                help="write `from` and a place before `to`",
            )
        return syntax.Move(
            span,
            tags,
            "up to"
            if moved.data == "up_to"
            else "all"
            if moved.data == "everything"
            else "exactly",
            self.expression(inside[0]) if inside else None,
            self.maybe(node, "FROM"),
            self.must(node, "UNDER" if under else "TO"),
            under,
        )

    def do(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.Do:
        effect = self.token(node, "EFFECT_OF") is not None
        changes: list[syntax.WithChange] = []
        added = self.part(node, "with")
        for change in self.parts(added, "with_change") if added is not None else ():
            inner = tuple(self.change(x) for x in self.parts(change, "change"))
            changes.append(
                syntax.WithChange(
                    self.span(change, whole=True), self.expression(nodes_in(change)[0]), inner
                )
            )
        return syntax.Do(
            span,
            tags,
            self.must(node, "EFFECT_OF" if effect else "DO"),
            effect,
            tuple(changes),
            prompt=self.prompt(node),
        )

    def change(self, node: Node) -> syntax.Change:
        word = keyword(node.children[0])
        return syntax.Change(self.span(node, whole=True), word, self.sub(node.children[1]))

    def choose(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.Choose:
        name = self.need(node, "NAME")
        quantity = self.part(node, "quantity")
        said = self.behind(node, "SAY")
        return syntax.Choose(
            span,
            tags,
            str(name),
            self.at(name),
            self.token(node, "OR_NONE") is not None,
            self.must(node, "IN"),
            self.maybe(node, "WHERE"),
            self.quantity(quantity) if quantity is not None else None,
            self.prompt(node),
            self.sort_of(node),
            self.stretch(node),
            self.text(self.need(said, "TEXT")) if said is not None else None,
            self.reason(node),
            self.named(node),
        )

    def named(self, node: Node) -> syntax.Named | None:
        """The name of options after `named`."""
        found = self.part(node, "named")
        if found is None:
            return None
        name, given = self.need(found, "NAME"), self.part(found, "arguments")
        arguments = tuple(map(self.expression, nodes_in(given))) if given is not None else ()
        return syntax.Named(self.span(found, whole=True), str(name), self.at(name), arguments)

    def prompt(self, node: Node) -> syntax.Text | None:
        """The words after `prompt`."""
        found = self.behind(node, "PROMPT")
        return self.text(self.need(found, "TEXT")) if found is not None else None

    def reason(self, node: Node) -> syntax.Text | None:
        """The words after `else`."""
        found = self.behind(node, "ELSE")
        return self.text(self.need(found, "TEXT")) if found is not None else None

    def quantity(self, node: Node) -> syntax.Quantity:
        word = keyword(node.children[0])
        inside = nodes_in(node)
        return syntax.Quantity(
            self.span(node, whole=True),
            word,
            self.expression(inside[0]) if inside else None,
        )

    def arm(self, node: Node) -> syntax.OptionArm | syntax.Do:
        if node.data == "do":
            step = self.statement(node)
            assert isinstance(step, syntax.Do)
            if step.prompt is not None:
                self.problems.error(
                    "unexpected-word",
                    "this is one of several options, so it asks nothing by itself",
                    step.prompt.span,
                    help="write `prompt` and the question behind the `choose` above it",
                )
            return step
        binder = self.part(node, "binder")
        where, reason, body = self.maybe(node, "WHERE"), self.reason(node), self.block(node)
        if binder is None and where is not None and reason is not None:
            # One option alone that does not fit is refused, as with `needs`.
            needs = syntax.Needs(where.span, self.tags(node), where, reason)
            where, reason, body = None, None, (needs, *body)
        return syntax.OptionArm(
            self.span(node),
            self.tags(node),
            self.text(self.need(node, "TEXT")),
            self.binder(binder) if binder is not None else None,
            where,
            body,
            reason,
            self.named(node),
        )

    def board_line(self, node: Node) -> declared.BoardLine:
        binder = self.part(node, "binder")
        return declared.BoardLine(
            self.span(node),
            self.text(self.need(node, "TEXT")),
            self.binder(binder) if binder is not None else None,
            self.maybe(node, "WHERE"),
        )

    def if_else(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.If:
        cases: list[tuple[syntax.Expression, syntax.Block]] = []
        otherwise: syntax.Block = ()
        children = node.children
        for n, child in enumerate(children):
            if not isinstance(child, Token):
                continue
            if child.type in ("IF", "ELSE_IF"):
                body = children[n + 2]
                assert isinstance(body, Tree)
                cases.append((self.sub(children[n + 1]), self.statements(body)))
                if len(cases) > MOST_CASES:
                    self.problems.error(
                        "nested-too-deep",
                        f"this `if` has more than {MOST_CASES} cases",
                        self.at(child),
                        help="put the cases into a table, or use `by(...)`",
                    )
                    break
            elif child.type == "ELSE":
                body = children[n + 1]
                assert isinstance(body, Tree)
                otherwise = self.statements(body)
        return syntax.If(span, tags, tuple(cases), otherwise)

    def repeat(self, node: Node, span: Span, tags: syntax.Tags) -> syntax.Repeat:
        how = self.part(node, "how_often")
        if how is None:
            return syntax.Repeat(span, tags, "forever", None, self.block(node))
        value = self.expression(nodes_in(how)[0])
        word = self.token(how, "WHILE", "UNTIL")
        kind = keyword("times" if word is None else word)
        return syntax.Repeat(span, tags, kind, value, self.block(node))
