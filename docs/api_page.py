"""The page about the public names: their signatures and docstrings, in the order of a reader.

Independent of what the names mean; `rulewright.__all__` says which there are.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import attrs

import rulewright

GROUPS = {
    "Games": ("load_game", "load_position", "shipped_games", "Game", "Variant"),
    "States and decisions": ("State", "Decision", "Option", "View"),
    "Matches and records": (
        "Match",
        "Event",
        "Record",
        "record_of",
        "load_records",
        "parse_records",
        "replay",
        "replay_as_far",
    ),
    "Many playouts": ("Results", "Endings", "rollouts", "results_from", "Actions", "Vector"),
    "Knowledge as numbers": ("Observer", "observer_of", "HIDDEN"),
    "Bots": ("bot_named", "Bot", "think", "Effort", "Thought", "Generator"),
    "Errors": ("RequestError", "RuleFault"),
}
CONSTANTS = {
    "HIDDEN": "The number in an observation that stands for what a player may not know.",
    "Bot": "A function from a state and a generator to the number of an option: "
    "`(State, Generator) -> int`.",
}
PRIVATE = {
    "Option": ("state",),
    "Decision": ("state",),
    "Match": ("add",),
    "State": ("lighten", "moments", "pack", "public_view", "take_with", "with_cells"),
    "Endings": ("of_end", "of_step", "program"),
    "Vector": ("compiled", "of"),
    "Actions": ("compiled",),
    "Observer": ("encode_all", "observe_all", "run"),
    "Results": ("add_options", "extend", "number_of", "of", "put", "put_unfinished"),
    "Game": ("compiled", "compiled_for", "facts", "rules"),
}
"""Members that only Rulewright itself uses."""
_FIELD = re.compile(r"\b(?:rulewright\.)?(?:[a-z_]+\.)+(?=[A-Z])")


def section(group: str) -> str:
    """The entries of one group."""
    return "\n".join(_entry(name) for name in GROUPS[group])


def _entry(name: str) -> str:
    public = getattr(rulewright, name)
    if name in CONSTANTS:
        return f"### `{name}`\n\n{CONSTANTS[name]}\n"
    if not inspect.isclass(public):
        return f"### `{name}`\n\n```text\n{_signature(name, public)}\n```\n\n{_about(public)}\n"
    rows = [f"- `{form}`{about and ': '}{about}" for form, about in members(name)]
    listed = "\n".join(["", *rows, ""]) if rows else ""
    return f"### `{name}`\n\n{_about(public)}\n{listed}"


def members(name: str) -> Iterator[tuple[str, str]]:
    """The public members of a class, each with its form and its description."""
    public = getattr(rulewright, name)
    if attrs.has(public):
        for field in attrs.fields(public):
            if not field.name.startswith("_") and field.name not in PRIVATE.get(name, ()):
                yield f".{field.name}: {_type(field.type)}", _field_docs(public).get(field.name, "")
    for word, member in vars(public).items():
        if word.startswith("_") or word in PRIVATE.get(name, ()):
            continue
        if isinstance(member, property):
            got = inspect.signature(member.fget).return_annotation  # type: ignore[arg-type]
            yield f".{word}: {_type(got)}", _first(member.fget)
        elif isinstance(member, classmethod):
            yield f"{name}.{_signature(word, getattr(public, word))}", _first(member.__func__)
        elif inspect.isfunction(member):
            yield f".{_signature(word, member)}", _first(member)


def _signature(word: str, function: Any) -> str:
    signature = inspect.signature(function)
    given = [p for p in signature.parameters.values() if p.name != "self"]
    shown = inspect.Signature(
        [
            p.replace(
                annotation=_Named(_type(p.annotation)),
                default=_Named("...") if inspect.isfunction(p.default) else p.default,
            )
            for p in given
        ],
        return_annotation=_Named(_type(signature.return_annotation)),
    )
    return f"{word}{shown}"


class _Named:
    """A type that is shown as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _type(annotation: object) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return _FIELD.sub("", text.strip("'\""))


def _about(public: object) -> str:
    return inspect.cleandoc(getattr(public, "__doc__", None) or "")


def _first(function: object) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join(_about(function).partition("\n\n")[0].split())


def _field_docs(public: type) -> dict[str, str]:
    """The strings below the fields of a class."""
    (tree,) = ast.parse(inspect.cleandoc(inspect.getsource(public))).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, below in pairwise(tree.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            match below:
                case ast.Expr(ast.Constant(str(text))):
                    found[field.target.id] = " ".join(text.split())
    return found
