"""Words that go with a number: `{n} coin(s)`, `{n} cit(y|ies)`. Refuses to know grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FORMS = re.compile(r"(?<=\w)\((?:s|(\w*)\|(\w*))\)")


def split(text: str) -> Iterator[str | tuple[str, str]]:
    """A text in parts: plain ones, and pairs of what stands with one and with any other number."""
    end = 0
    for form in _FORMS.finditer(text):
        if form.start() > end:
            yield text[end : form.start()]
        yield ("", "s") if form[1] is None else (form[1], form[2])
        end = form.end()
    if end < len(text):
        yield text[end:]


def for_many(text: str) -> str:
    """The text as it stands with two or more."""
    return "".join(part if isinstance(part, str) else part[1] for part in split(text))
