"""Convert messages to JSON and back: each object names its class, and a wrong value is rejected with its
place.

Independent of transport.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

import attrs
import cattrs
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError
from cattrs.v import transform_error

from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.protocol.messages import ANSWERS, REQUESTS, Answer, Error, Request, Viewer

Id: TypeAlias = "str | int | None"
"""The id that a client gives a request; the answer has the same id."""

MOST_BYTES = 1_000_000
"""The maximum length of a message."""


class BadMessageError(Exception):
    """Raised if a text is not a valid request or answer. `id` is its id if it could be read."""

    def __init__(self, message: str, id: Id = None) -> None:
        super().__init__(message)
        self.id = id


def read_request(text: str | bytes) -> tuple[Id, Request]:
    """Parse a request, and return it together with its `id`."""
    id, ask, data = _object(text, "ask")
    kind = REQUESTS.get(ask)
    if kind is None:
        hint = did_you_mean(ask, REQUESTS).words
        said = f"there is no request `{ask[:40]}`"
        raise BadMessageError(f"{said}; {hint}" if hint else said, id)
    try:
        return id, _converter.structure(data, kind)
    except ClassValidationError as failure:
        raise BadMessageError(_first(failure, ask), id) from None


def read_answer(text: str | bytes) -> tuple[Id, Answer]:
    """Parse an answer, and return it together with the `id` of its request; for clients in Python."""
    id, word, data = _object(text, "answer")
    kind = ANSWERS.get(word)
    if kind is None:
        raise BadMessageError(f"there is no answer `{word[:40]}`", id)
    try:
        return id, _converter.structure(data, kind)
    except ClassValidationError as failure:
        raise BadMessageError(_first(failure, word), id) from None


def request_text(request: Request, id: Id = None) -> str:
    """Write a request as one line of JSON."""
    return _text("ask", _WORDS[type(request)], request, id)


def answer_text(answer: Answer, id: Id = None) -> str:
    """Write an answer as one line of JSON."""
    return _text("answer", _WORDS[type(answer)], answer, id)


def plain(value: object) -> Any:
    """Convert values of attrs to plain JSON data: lists, objects, texts and numbers. An object names its
    class.

    Views have this form, because several classes are possible in one place. The `id` of a piece is left
    out, because it would distinguish copies that a viewer cannot distinguish.
    """
    kind: Any = type(value)
    if kind in _SIMPLE:
        return value
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if attrs.has(kind):
        found = {name: plain(getattr(value, name)) for name in _field_names(kind) if name != "id"}
        return {"is": kind.__name__, **found}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value), key=repr)
    return value


_SIMPLE = frozenset((str, int, bool, type(None)))


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind))


def _text(field: str, word: str, message: Request | Answer, id: Id) -> str:
    data = {} if id is None else {"id": id}
    whole = {**data, field: word, **_converter.unstructure(message)}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def _object(text: str | bytes, field: str) -> tuple[Id, str, dict[str, Any]]:
    if len(text) > MOST_BYTES:
        raise BadMessageError(
            f"a message has at most {MOST_BYTES:,} bytes, but this one has {len(text):,}"
        )
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as failure:
        where = (
            f" at character {failure.pos + 1}" if isinstance(failure, json.JSONDecodeError) else ""
        )
        raise BadMessageError(f"this is not JSON{where}") from None
    if not isinstance(data, dict):
        raise BadMessageError('a message is a JSON object, as in {"ask": "games"}')
    id = data.pop("id", None)
    if id is not None and (isinstance(id, bool) or not isinstance(id, (str, int))):
        raise BadMessageError("`id` is a text or a whole number")
    word = data.pop(field, None)
    if not isinstance(word, str):
        raise BadMessageError(f"the field `{field}` is missing: it names the message", id)
    return id, word, data


def _first(failure: ClassValidationError, path: str) -> str:
    """Return the first error in a message, after the path of the field that has the error."""
    said = transform_error(failure, path=path, format_exception=_words_of)[0]
    what, _, where = said.partition(" @ ")
    return f"{where}: {what}" if where else said


def _no_constant(word: str) -> None:
    raise ValueError(word)


def _words_of(failure: BaseException, kind: type | None) -> str:
    if isinstance(failure, KeyError):
        return f"the field `{failure.args[0]}` is missing"
    if isinstance(failure, ForbiddenExtraKeysError):
        return f"there is no field `{min(failure.extra_fields)[:40]}`"
    if isinstance(failure, _NotThatError):
        return str(failure)
    return "this value does not belong here"


class _NotThatError(ValueError):
    """Raised if a value does not have the expected type."""


def _whole(value: object, _: object) -> int:
    if type(value) is not int or abs(value) >= 2**63:
        raise _NotThatError("a whole number belongs here")
    return value


def _string(value: object, _: object) -> str:
    if not isinstance(value, str):
        raise _NotThatError("a text belongs here")
    return value


def _flag(value: object, _: object) -> bool:
    if not isinstance(value, bool):
        raise _NotThatError("true or false belongs here")
    return value


def _viewer(value: object, _: object) -> int | str:
    if value in ("everybody", "all") and isinstance(value, str):
        return value
    if type(value) is int and 0 <= value < 2**31:
        return value
    raise _NotThatError("a viewer is a seat from 0, or `everybody`, or `all`")


def _make_converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True)
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(str, _string)
    converter.register_structure_hook(bool, _flag)
    converter.register_structure_hook_func(lambda kind: kind == Viewer, _viewer)
    # Views and scenes are converted to plain data before they become parts of a message.
    converter.register_unstructure_hook_func(
        lambda kind: kind == Mapping[str, Any], lambda value: value
    )
    return converter


_converter = _make_converter()
_WORDS: dict[type, str] = {
    kind: word for kinds in (REQUESTS, ANSWERS) for word, kind in kinds.items()
}


def error(failure: BadMessageError) -> str:
    """Write the answer to a text that is not a request."""
    return answer_text(Error("bad-message", str(failure)), failure.id)
