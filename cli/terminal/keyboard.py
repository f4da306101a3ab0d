"""Read lines that people type; at a terminal, with history and completion by Tab."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import click

MOST_KEPT = 500
"""The maximum number of history lines kept between matches."""


class LeftError(Exception):
    """Raised when a person leaves the match; `offer` says whether someone can still be asked about saving."""

    def __init__(self, offer: bool) -> None:
        self.offer = offer


class Keyboard:
    """Reads lines, which can be edited, recalled and completed at a terminal."""

    def __init__(self, history: Path | None) -> None:
        self._offers: Callable[[], Sequence[str]] = list
        if sys.stdin.isatty():
            self._begin(history)

    def read(self, prompt: str, offers: Callable[[], Sequence[str]] = list) -> str:
        """Read a line; `offers` returns the completions for Tab. Raise LeftError at the end of input or on
        Ctrl-C.
        """
        self._offers = offers
        try:
            if sys.stdin.isatty():
                return input(prompt)
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            click.echo()
            raise LeftError(True) from None
        except EOFError:
            click.echo()
            raise LeftError(False) from None
        if not line:
            raise LeftError(False)
        # A line that was not typed at a terminal is not visible yet.
        click.echo(f"{prompt}{line.rstrip()}")
        return line

    def _begin(self, history: Path | None) -> None:
        try:
            import readline  # not every Python has this module
        except ImportError:
            return
        readline.set_completer_delims("")
        readline.set_completer(self._completion)
        bind = "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"
        readline.parse_and_bind(bind)
        if history is None:
            return
        import atexit

        with suppress(OSError):
            readline.read_history_file(history)
        readline.set_history_length(MOST_KEPT)

        def keep() -> None:
            with suppress(OSError):
                history.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                readline.write_history_file(history)

        atexit.register(keep)

    def _completion(self, typed: str, number: int) -> str | None:
        found = completions(typed, self._offers())
        return found[number] if number < len(found) else None


def completions(typed: str, offers: Sequence[str]) -> list[str]:
    """Return the lines that may be meant: those that begin with `typed`, or else those in which a word
    begins with it.
    """
    wanted = typed.casefold().lstrip()
    known = list(dict.fromkeys(offers))
    begun = [offer for offer in known if offer.casefold().startswith(wanted)]
    return begun or [offer for offer in known if f" {wanted}" in _words(offer)]


def _words(offer: str) -> str:
    return " " + "".join(letter if letter.isalnum() else " " for letter in offer.casefold())
