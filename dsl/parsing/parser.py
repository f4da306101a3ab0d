"""From words to the syntax tree: the declarations of a file.

Never raises for any text: an unreadable part is reported once and becomes `Broken` in the tree.
"""

from __future__ import annotations

from typing import Literal

from lark import Token

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.parsing.feeding import Node, keyword, nodes_in, parse_words
from rulewright.dsl.parsing.statement_parser import StatementReader
from rulewright.dsl.text.lexer import Word, lex
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import declared, syntax


def parse_game(source: Source, problems: Problems) -> declared.GameFile:
    """The declarations of a rules file."""
    return parse_lexed(source, lex(source, problems), problems)


def parse_lexed(source: Source, words: list[Word], problems: Problems) -> declared.GameFile:
    """The declarations of a rules file, from its words."""
    tree = parse_words(source, words, "game_file", problems)
    reader = DeclarationReader(source, problems)
    declarations = tuple(reader.declaration(node) for node in nodes_in(tree))
    return declared.GameFile(Span(source, 0, len(source.text)), declarations)


class DeclarationReader(StatementReader):
    """Turns nodes into declarations, as well."""

    # ---- declarations -------------------------------------------------------------------------------

    def declaration(self, node: Node) -> declared.Declaration:
        """One declaration."""
        span, tags = self.span(node), self.tags(node)
        match node.data:
            case "game":
                settings = tuple(self.setting(n) for n in self.parts(node, "setting"))
                return declared.Game(span, tags, self.plain(self.need(node, "TEXT")), settings)
            case "include":
                return declared.Include(span, self.plain(self.need(node, "TEXT")))
            case "option_declaration":
                name = self.need(node, "NAME")
                values = tuple(self.option_value(n) for n in self.parts(node, "option_value"))
                return declared.OptionDeclaration(span, tags, str(name), self.at(name), values)
            case "kind":
                name = self.need(node, "TYPE")
                return declared.KindList(
                    span,
                    tags,
                    str(name),
                    self.at(name),
                    tuple(self.kind_value(n) for n in self.parts(node, "kind_value")),
                )
            case "union":
                name, *members = self.tokens(node, "TYPE")
                what = keyword(self.need(node, "PIECE", "SPACE"))
                words = tuple(syntax.TypeWord(self.at(m), str(m)) for m in members)
                return declared.Union(span, tags, what, str(name), self.at(name), words)
            case "record":
                return self.record(node, span, tags)
            case "player":
                states = tuple(self.state(n) for n in self.parts(node, "state"))
                return declared.PlayerDeclaration(
                    span, tags, states, tuple(self.zone(n) for n in self.parts(node, "zone"))
                )
            case "token":
                name = self.need(node, "NAME")
                return declared.Token(
                    span, tags, str(name), self.at(name), self.token(node, "PER_PLAYER") is not None
                )
            case "die":
                name = self.need(node, "NAME")
                return declared.Die(
                    span,
                    tags,
                    str(name),
                    self.at(name),
                    tuple(self.expression(n) for n in nodes_in(node)),
                )
            case "seat":
                name = self.need(node, "NAME")
                return declared.Seat(span, tags, str(name), self.at(name), self.only_if(node))
            case "state":
                return self.state(node)
            case "zone":
                return self.zone(node)
            case "value":
                return self.value(node, span, tags)
            case "side":
                return self.side(node, span, tags)
            case "position":
                name = self.need(node, "NAME")
                limit, *parts = nodes_in(node)
                return declared.Position(
                    span,
                    tags,
                    str(name),
                    self.at(name),
                    self.expression(limit),
                    tuple(self.expression(part) for part in parts),
                )
            case "rule":
                return self.rule(node)
            case "on_action" | "whenever" | "on_move":
                return self.trigger(node)
            case "power":
                return self.power(node, span, tags)
            case "effect":
                name, type = self.need(node, "NAME"), self.token(node, "TYPE")
                word = syntax.TypeWord(self.at(type), str(type)) if type is not None else None
                return declared.Effect(
                    span, tags, str(name), self.at(name), word, self.params(node), self.block(node)
                )
            case "anytime":
                return self.anytime(node)
            case "section":
                what = keyword(self.need(node, "SETUP", "PLAY"))
                return declared.Section(span, tags, what, self.only_if(node), self.block(node))
            case "score":
                name = self.need(node, "NAME")
                items = tuple(
                    declared.Item(
                        self.span(n),
                        self.tags(n),
                        self.plain(self.need(n, "TEXT")),
                        self.must(n, "EQ"),
                        self.only_if(n),
                    )
                    for n in self.parts(node, "item")
                )
                return declared.Score(span, tags, str(name), self.at(name), items)
            case "winner":
                name = self.need(node, "NAME")
                shared = self.token(node, "THEN_SHARED") is not None
                return declared.Winner(
                    span,
                    tags,
                    str(name),
                    self.at(name),
                    self.keys(node),
                    shared,
                    self.only_if(node),
                )
            case "invariant":
                return declared.Invariant(
                    span, tags, self.plain(self.need(node, "TEXT")), self.must(node, "EQ")
                )
            case "note":
                return declared.Note(span, tags, self.plain(self.need(node, "TEXT")))
            case "board":
                type, title = self.token(node, "TYPE"), self.token(node, "TEXT")
                shows = tuple(self.board_line(n) for n in self.parts(node, "board_show"))
                notes = tuple(self.board_line(n) for n in self.parts(node, "board_note"))
                space = syntax.TypeWord(self.at(type), str(type)) if type is not None else None
                heading = self.text(title) if title is not None else None
                marks = tuple(self.must(n, "MARK") for n in self.parts(node, "board_mark"))
                each = self.part(node, "binder")
                binder = self.binder(each) if each is not None else None
                return declared.Board(span, tags, space, heading, shows, notes, marks, binder)
            case _:
                return syntax.Broken(span)

    def setting(self, node: Node) -> declared.Setting:
        head = node.children[0]
        assert isinstance(head, Token)
        words = self.part(node, "text")
        value: syntax.Expression
        if words is not None:
            value = syntax.Text(self.span(words), (self.plain(self.need(words, "TEXT")),))
        elif head.type == "ASK_IF_SEVERAL":
            value = syntax.Fixed(self.at(head), "yes")
        else:
            value = self.expression(nodes_in(node)[0])
        reason = self.token(node, "TEXT")
        return declared.Setting(
            self.span(node),
            self.tags(node),
            " ".join(str(head).split()),
            value,
            self.plain(reason) if reason is not None else None,
        )

    def option_value(self, node: Node) -> syntax.Word | syntax.Number | syntax.Fixed:
        token = node.children[0]
        assert isinstance(token, Token)
        if token.type == "NUMBER":
            return syntax.Number(self.at(token), int(str(token)))
        if token.type == "NAME":
            return syntax.Word(self.at(token), str(token))
        return syntax.Fixed(self.at(token), "yes" if token.type == "YES" else "no")

    def kind_value(self, node: Node) -> declared.KindValue:
        words = self.token(node, "TEXT")
        return declared.KindValue(
            self.span(node),
            str(self.need(node, "NAME")),
            self.plain(words) if words is not None else None,
        )

    def only_if(self, node: Node) -> syntax.Expression | None:
        found = self.part(node, "only_if")
        return self.expression(nodes_in(found)[0]) if found is not None else None

    def params(self, node: Node) -> tuple[declared.Param, ...]:
        found = self.part(node, "params")
        return tuple(self.param(n) for n in nodes_in(found)) if found is not None else ()

    def param(self, node: Node) -> declared.Param:
        name, type = self.need(node, "NAME"), self.part(node, "type")
        return declared.Param(
            self.span(node, whole=True),
            str(name),
            self.at(name),
            self.type(type) if type is not None else None,
            self.maybe(node, "IN"),
            self.maybe(node, "WHERE"),
            self.stretch(node),
            self.reason(node),
        )

    def seen(self, node: Node) -> declared.Seen | None:
        found = self.part(node, "seen")
        if found is None:
            return None
        names = [str(t) for t in self.tokens(found, "NAME")] or ["all"]
        unlisted = self.token(found, "UNLISTED") is not None
        return declared.Seen(self.span(found), names[0], tuple(names[1:]), unlisted)

    def state(self, node: Node) -> declared.State:
        name, type = self.need(node, "NAME"), self.part(node, "type")
        assert type is not None
        return declared.State(
            self.span(node),
            self.tags(node),
            str(name),
            self.at(name),
            self.params(node),
            self.type(type),
            self.maybe(node, "EQ"),
            self.seen(node),
        )

    def zone(self, node: Node) -> declared.Zone:
        name, written = self.need(node, "NAME"), self.part(node, "zone_type")
        assert written is not None
        head = written.children[0]
        of = self.need(written, "TYPE", "NAME")
        slots = nodes_in(written)
        type = declared.ZoneType(
            self.span(written),
            keyword(str(head).split()[0]),
            str(of),
            self.at(of),
            self.expression(slots[0]) if slots else None,
        )
        return declared.Zone(
            self.span(node),
            self.tags(node),
            str(name),
            self.at(name),
            self.params(node),
            type,
            self.maybe(node, "EQ"),
            self.seen(node),
        )

    def record(self, node: Node, span: Span, tags: syntax.Tags) -> declared.Record:
        name, path = self.need(node, "TYPE"), self.token(node, "TEXT")
        keys = self.part(node, "key_columns")
        copies, joins = self.part(node, "copies"), self.part(node, "joins")
        ends = self.tokens(joins, "NAME") if joins is not None else []
        what = keyword(self.need(node, "KIND", "PIECE", "SPACE", "LINK", "TABLE"))
        return declared.Record(
            span,
            tags,
            what,
            str(name),
            self.at(name),
            self.token(node, "PER_PLAYER") is not None,
            self.plain(path) if path is not None else None,
            self.at(path) if path is not None else None,
            tuple(str(t) for t in self.tokens(keys, "NAME")) if keys is not None else (),
            self.grid(node),
            tuple(self.column(n) for n in self.parts(node, "column")),
            declared.Copies(self.span(copies), self.must(copies, "EQ"))
            if copies is not None
            else None,
            declared.Joins(self.span(joins), str(ends[0]), str(ends[1]))
            if joins is not None
            else None,
            tuple(
                declared.Row(
                    self.span(n), self.tags(n), tuple(self.expression(x) for x in nodes_in(n))
                )
                for n in self.parts(node, "row")
            ),
            tuple(self.state(n) for n in self.parts(node, "state")),
            tuple(self.zone(n) for n in self.parts(node, "zone")),
            self.product(node),
            tuple(self.printed(n) for n in self.parts(node, "printed")),
        )

    def printed(self, node: Node) -> declared.Printed:
        name, text = self.need(node, "NAME"), self.part(node, "text")
        assert text is not None
        words = self.plain(self.need(text, "TEXT")).replace("{{", "{").replace("}}", "}")
        return declared.Printed(self.span(node), self.tags(node), str(name), self.at(name), words)

    def side(self, node: Node, span: Span, tags: syntax.Tags) -> declared.Side:
        name, type = self.need(node, "NAME"), self.part(node, "type")
        assert type is not None
        value = self.must(node, "EQ")
        return declared.Side(span, tags, str(name), self.at(name), self.type(type), value)

    def product(self, node: Node) -> declared.Product | None:
        found = self.part(node, "combined")
        if found is None:
            return None
        parts: list[declared.ProductPart] = []
        for part in self.parts(found, "combined_part"):
            name = self.need(part, "NAME")
            source = self.must(part, "IN")
            parts.append(declared.ProductPart(self.span(part), str(name), self.at(name), source))
        return declared.Product(self.span(found), tuple(parts), self.maybe(found, "WHERE"))

    def grid(self, node: Node) -> declared.Grid | None:
        shapes = ("square", "hex", "rhombus", "hexagon", "growing")
        found = self.part(node, *(f"{shape}_grid" for shape in shapes))
        if found is None:
            return None
        shape = keyword(str(found.data).removesuffix("_grid"))
        return declared.Grid(
            self.span(found),
            shape,
            self.expression(nodes_in(found)[0]),
            self.maybe(found, "BY"),
            self.token(found, "FROM_TOP") is not None,
            self.maybe(found, "WHERE"),
        )

    def column(self, node: Node) -> declared.Column:
        name, type = self.need(node, "NAME"), self.part(node, "type")
        assert type is not None
        header = self.name_behind(node, "FROM")
        return declared.Column(
            self.span(node),
            self.tags(node),
            str(name),
            self.at(name),
            self.type(type),
            self.maybe(node, "EQ"),
            None
            if header is None
            else as_name(self.plain(header))
            if header.type == "TEXT"
            else str(header),
        )

    def value(self, node: Node, span: Span, tags: syntax.Tags) -> declared.Value:
        name, subject = self.need(node, "NAME"), self.part(node, "subject")
        of: declared.Param | None = None
        if subject is not None:
            own, type = self.need(subject, "NAME"), self.part(subject, "type")
            assert type is not None
            of = declared.Param(self.span(subject), str(own), self.at(own), self.type(type), None)
        bounds = tuple(self.bound(b) for b in self.parts(node, "bound"))
        opened = self.token(node, "OPEN") is not None
        reason = self.token(node, "TEXT")
        return declared.Value(
            span,
            tags,
            opened,
            str(name),
            self.at(name),
            of,
            self.params(node),
            bounds,
            self.must(node, "EQ"),
            self.text(reason) if reason is not None else None,
        )

    def bound(self, node: Node) -> declared.Bound:
        word = keyword(node.children[0])
        return declared.Bound(self.span(node), word, self.sub(node.children[1]))

    def rule(self, node: Node) -> declared.Rule:
        name = self.need(node, "NAME")
        what: Literal["action", "rule"] = (
            "action" if self.token(node, "ACTION") is not None else "rule"
        )
        return declared.Rule(
            self.span(node),
            self.tags(node),
            what,
            str(name),
            self.at(name),
            self.params(node),
            self.only_if(node),
            self.block(node),
            self.named(node),
        )

    def trigger(self, node: Node) -> declared.OnAction | declared.Whenever | declared.OnMove:
        span, tags = self.span(node), self.tags(node)
        if node.data == "on_action":
            when = keyword(self.need(node, "BEFORE", "AFTER", "INSTEAD_OF"))
            return declared.OnAction(
                span,
                tags,
                when,
                self.pattern(node),
                self.maybe(node, "WHERE"),
                self.block(node),
            )
        if node.data == "whenever":
            change, binder = self.name_behind(node, "CHANGES_BY"), self.part(node, "binder")
            return declared.Whenever(
                span,
                tags,
                self.must(node, "WHENEVER"),
                syntax.Word(self.at(change), str(change)) if change is not None else None,
                self.binder(binder) if binder is not None else None,
                self.block(node),
            )
        how = self.need(node, "ENTERS", "LEAVES")
        name = self.need(node, "NAME")
        return declared.OnMove(
            span,
            tags,
            "enters" if how.type == "ENTERS" else "leaves",
            syntax.Word(self.at(name), str(name)),
            self.must(node, how.type),
            self.maybe(node, "WHERE"),
            self.block(node),
        )

    def pattern(self, node: Node) -> declared.Pattern:
        found = self.part(node, "pattern")
        assert found is not None
        name, listed = self.need(found, "NAME"), self.part(found, "names")
        actor = self.name_behind(found, "AS")
        given = self.tokens(listed, "NAME") if listed is not None else []
        return declared.Pattern(
            self.span(found),
            str(name),
            self.at(name),
            tuple(syntax.Word(self.at(t), str(t)) for t in given),
            syntax.Word(self.at(actor), str(actor)) if actor is not None else None,
        )

    def anytime(self, node: Node) -> declared.Anytime:
        action, *during = self.tokens(node, "NAME")
        return declared.Anytime(
            self.span(node),
            self.tags(node),
            str(action),
            self.at(action),
            tuple(syntax.Word(self.at(rule), str(rule)) for rule in during),
            self.maybe(node, "WHERE"),
        )

    def power(self, node: Node, span: Span, tags: syntax.Tags) -> declared.Power:
        name, type = self.need(node, "NAME"), self.token(node, "TYPE")
        lines: list[
            declared.Modify
            | declared.OnAction
            | declared.Whenever
            | declared.OnMove
            | declared.Rule
            | declared.Anytime
        ] = []
        for line in self.parts(
            node, "modify", "on_action", "whenever", "on_move", "rule", "anytime"
        ):
            if line.data == "modify":
                changes = tuple(self.change(x) for x in self.parts(line, "change"))
                value, where = self.must(line, "MODIFY"), self.maybe(line, "WHERE")
                lines.append(
                    declared.Modify(self.span(line), self.tags(line), value, changes, where)
                )
            elif line.data == "rule":
                lines.append(self.rule(line))
            elif line.data == "anytime":
                lines.append(self.anytime(line))
            else:
                lines.append(self.trigger(line))
        word = syntax.TypeWord(self.at(type), str(type)) if type is not None else None
        return declared.Power(
            span,
            tags,
            str(name),
            self.at(name),
            word,
            self.must(node, "IN"),
            self.maybe(node, "WHERE"),
            self.only_if(node),
            tuple(lines),
        )

    def word(self, token: Token) -> syntax.Word:
        return syntax.Word(self.at(token), str(token))
