"""Confine the stylesheet beside a game, so that it affects only the game's area of a page and loads
nothing.

Every selector is limited to the area of the game. `@import`, addresses and `position: fixed` are rejected,
and so are names in attributes (`[data-zone="hand"]`) that the rules do not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs
import tinycss2

from rulewright.dsl.diagnostics.suggest import near_names

_BLOCKS = ("media", "supports", "container")
_ADDRESSES = ("url", "src", "image", "image-set", "-webkit-image-set", "expression", "element")


@attrs.frozen
class Problem:
    """A mistake in a file beside a game, and its place."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def restrict_to_game(
    css: str, game: str, names: Mapping[str, frozenset[str]], file: str = "GAME.css"
) -> tuple[str, list[Problem]]:
    """Return a stylesheet for the area of one game, without its faulty rules, and the problems in these
    rules.

    `names` has all values in the rules for an attribute such as `data-zone`.
    """
    reader = _Reader(f'.rw-game[data-game="{game}"]', names, file, [])
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return "\n".join(reader.rules(rules)), reader.problems


@attrs.frozen
class _Reader:
    area: str
    names: Mapping[str, frozenset[str]]
    file: str
    problems: list[Problem]

    def _refuse(self, node: Any, message: str) -> None:
        self.problems.append(Problem(self.file, node.source_line, message))

    def rules(self, nodes: Iterable[Any]) -> Iterator[str]:
        for node in nodes:
            if node.type == "error":
                self._refuse(node, f"this is not CSS: {node.message}")
            elif node.type == "at-rule":
                yield from self._at_rule(node)
            else:
                selectors = self._selectors(node.prelude)
                body = "; ".join(self._declarations(node.content))
                if selectors and body:
                    yield f"{selectors} {{ {body} }}"

    def _at_rule(self, node: Any) -> Iterator[str]:
        word = node.lower_at_keyword
        if word not in _BLOCKS or node.content is None:
            known = ", ".join(f"`@{each}`" for each in _BLOCKS)
            self._refuse(node, f"`@{word}` is not allowed here; {known} are")
            return
        if self._is_refused(node.prelude):
            return
        inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
        body = "\n".join(self.rules(inner))
        yield f"@{word} {tinycss2.serialize(node.prelude).strip()} {{\n{body}\n}}"

    def _selectors(self, prelude: list[Any]) -> str:
        if self._is_refused(prelude):
            return ""
        self._check_names(prelude)
        parts: list[list[Any]] = [[]]
        for token in prelude:
            if token.type == "literal" and token.value == ",":
                parts.append([])
            else:
                parts[-1].append(token)
        return ", ".join(
            self._in_area(text) for part in parts if (text := tinycss2.serialize(part).strip())
        )

    def _in_area(self, selector: str) -> str:
        for outer in (":root", "html", "body", ".rw-game"):
            if selector == outer or selector.startswith((f"{outer} ", f"{outer}>")):
                return f"{self.area}{selector.removeprefix(outer)}"
        return f"{self.area} {selector}"

    def _check_names(self, tokens: Iterable[Any]) -> None:
        for token in tokens:
            if token.type == "[] block":
                self._check_attribute(token)
            elif hasattr(token, "arguments"):
                self._check_names(token.arguments)
            elif getattr(token, "content", None):
                self._check_names(token.content)

    def _check_attribute(self, block: Any) -> None:
        inner = [each for each in block.content if each.type != "whitespace"]
        if not inner or inner[0].type != "ident" or not inner[0].lower_value.startswith("data-"):
            return
        name = inner[0].lower_value
        if name not in self.names:
            if name != "data-option":
                self._say_near(block, name, self.names, "attribute")
            return
        exact = len(inner) > 2 and getattr(inner[1], "value", "") in ("=", "~=")
        if exact and inner[2].type in ("string", "ident"):
            value = inner[2].value
            if value not in self.names[name]:
                self._say_near(block, value, self.names[name], f"`{name}`")

    def _say_near(self, node: Any, word: str, known: Iterable[str], what: str) -> None:
        near = near_names(word, list(known))
        hint = f"; did you mean `{near[0]}`?" if near else ""
        self._refuse(node, f"the game has no {what} `{word}`{hint}")

    def _declarations(self, content: list[Any]) -> Iterator[str]:
        for node in tinycss2.parse_blocks_contents(
            content, skip_comments=True, skip_whitespace=True
        ):
            if node.type != "declaration":
                self._refuse(node, "only declarations such as `color: red` are allowed here")
                continue
            text = tinycss2.serialize(node.value).strip()
            if self._is_refused(node.value):
                continue
            if node.lower_name == "position" and text.casefold() in ("fixed", "sticky"):
                self._refuse(node, f"`position: {text}` would leave the game's area")
                continue
            if node.lower_name in ("behavior", "-moz-binding"):
                self._refuse(node, f"`{node.name}` is not allowed here")
                continue
            yield f"{node.name}: {text}{' !important' if node.important else ''}"

    def _is_refused(self, tokens: Iterable[Any]) -> bool:
        for token in tokens:
            if token.type == "error":
                self._refuse(token, f"this is not CSS: {token.message}")
                return True
            is_one = token.type == "url" or (
                token.type == "function" and token.lower_name in _ADDRESSES
            )
            if is_one:
                self._refuse(
                    token, "addresses are not allowed here: a picture is a file in GAME.art"
                )
                return True
            nested = getattr(token, "arguments", None) or getattr(token, "content", None)
            if isinstance(nested, list) and self._is_refused(nested):
                return True
        return False
