"""A play at a terminal: turns of persons and bots, and what persons can ask for between them.

Shows to nobody at the keyboard what only others may know. Refuses to know how a position is drawn.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import assert_never

import click

from rulewright.cli.answers import Asked, Chosen, Unclear, about_it, plain, read_answer
from rulewright.cli.exits import Exit
from rulewright.cli.screen import (
    ending,
    event_lines,
    labels_of,
    option_lines,
    position,
    width,
)
from rulewright.dsl.problems.suggest import listed_or
from rulewright.interpreter.knowing.reasons import NoSuchValueError, SecretValueError
from rulewright.interpreter.plays.bots import BOTS, bot_generator
from rulewright.interpreter.plays.game import Game
from rulewright.interpreter.plays.play import Event, Play, has_one_option
from rulewright.interpreter.plays.records import load_records, record_of, save, to_text
from rulewright.interpreter.plays.replay import check_rules, replay
from rulewright.interpreter.viewing.board import describe
from rulewright.interpreter.viewing.views import ALL_SEEING
from rulewright.interpreter.wording.errors import BrokenRecordError, RequestError
from rulewright.interpreter.wording.faults import PlayFault

HUMAN = "human"
_AROUND = 4  # lines of a turn that are neither position nor options
_HELP = """\
  a number or name     choose that option; the beginning of a name is enough
  undo                 take back the last choice of a person
  why [OPTION]         why an option cannot be chosen, or all that cannot
  why VALUE            what a value is, and what made it so: `why income of me`
  look [NAME]          show the position again, or one thing, zone or player
  rules                show the rules
  save [FILE]          write the play to a file
  load FILE            go on with another play of this game
  quit                 leave"""


class _LeftError(Exception):
    """A person leaves the play; `offer` says whether there is anybody to be asked about saving."""

    def __init__(self, offer: bool) -> None:
        self.offer = offer


class Session:
    """A play, who sits where, and where it is saved."""

    def __init__(self, play: Play, seats: Sequence[str], save_to: Path | None) -> None:
        self.play = play
        self.seats = tuple(seats)
        self.save_to = save_to
        self._at_keyboard: int | None = None
        self._drawn: list[str] = []
        self._saved = 0

    @property
    def _humans(self) -> list[int]:
        return [seat for seat, kind in enumerate(self.seats) if kind == HUMAN]

    @property
    def _hides(self) -> bool:
        """Whether persons at one keyboard must not see each other's screens."""
        return len(self._humans) > 1 and self.play.state.variant.viewer.has_secrets

    def run(self) -> int:
        """Play to the end, or until a person leaves."""
        self._greet()
        try:
            while not self.play.state.over:
                if self.seats[self.play.state.player] == HUMAN:
                    self._human_turn()
                    self._autosave()
                else:
                    self._bot_turn()
        except _LeftError as left:
            self._leave(left.offer)
            return Exit.FINE
        except KeyboardInterrupt:
            click.echo()
            self._leave(True)
            return Exit.FINE
        except PlayFault:
            self._autosave()
            raise
        self._autosave()
        self._end()
        return Exit.FINE

    # ---- turns ----

    def _greet(self) -> None:
        names = self.play.state.players
        facts = self.play.game.facts
        by = f", by {facts.author}" if facts.author else ""
        click.echo(click.style(f"{facts.title}{by}", bold=True))
        you = "you" if len(self._humans) == 1 else HUMAN
        persons = self.play.setting.players
        who = (
            f"{name}: {you if kind == HUMAN else kind}"
            for name, kind in zip(names[:persons], self.seats, strict=False)
        )
        click.echo(f"{', '.join(who)}; seed {self.play.seed}")
        if self._humans:
            click.echo("Type the number or the name of an option; `help` lists what else there is.")
        else:
            self._show_events(self.play.last_events(ALL_SEEING))

    def _bot_turn(self) -> None:
        state = self.play.state
        choose = BOTS[self.seats[state.player]]
        self.play.take(choose(state, bot_generator(self.play.seed, self.play.decisions)))
        if not self._humans:
            self._show_events(self.play.last_events(ALL_SEEING))

    def _human_turn(self) -> None:
        player = self.play.state.player
        if has_one_option(self.play.state):
            self.play.take(self.play.state.decision.options[0].id)
            return
        if self._hides and self._at_keyboard != player:
            self._pass_keyboard(player)
        self._at_keyboard = player
        self._look(player)
        self._show_options()
        self._ask()

    def _pass_keyboard(self, player: int) -> None:
        name = self.play.state.players[player]
        self._drawn = []
        if sys.stdout.isatty():
            click.clear()
        click.echo(
            f"\n{'-' * 40}\nThe keyboard goes to {name}. Press Enter when nobody else looks."
        )
        self._read("")
        if sys.stdout.isatty():
            click.clear()

    def _look(self, player: int) -> None:
        events = self.play.since_last_decision(player)
        if events:
            click.echo()
            self._show_events(events)
        parts = position(self.play.state, player).split("\n\n")
        changed = [part for part in parts if part not in self._drawn]
        if not self._goes_on(player) and not self._is_tall(parts):
            changed = parts
        self._drawn = parts
        if changed:
            click.echo()
            click.echo("\n\n".join(changed))
        if len(changed) < len(parts) and not self._goes_on(player):
            click.echo("\n(what is not shown is as it was; `look` shows all)")

    def _is_tall(self, parts: Sequence[str]) -> bool:
        """Whether the position and the options are more than a terminal shows at once."""
        if not sys.stdout.isatty():
            return False
        lines = "\n\n".join(parts).splitlines() + self._option_lines()
        return len(lines) + _AROUND > get_terminal_size().lines

    def _goes_on(self, player: int) -> bool:
        """Whether the last choice was that player's too: then only what has changed is drawn."""
        states = self.play.states
        return len(states) > 1 and states[-2].player == player

    def _show_events(self, events: Sequence[Event]) -> None:
        for line in event_lines(events, self.play.state.players):
            click.echo(line)

    def _show_options(self) -> None:
        decision = self.play.state.decision
        click.echo()
        click.echo(click.style(f"{decision.name_of_player}: {decision.prompt}", bold=True))
        for line in self._option_lines():
            click.echo(line)

    def _option_lines(self) -> list[str]:
        decision = self.play.state.decision
        return option_lines(labels_of(decision.names), [option.text for option in decision.options])

    def _ask(self) -> None:
        """Read lines until one of them is a choice, or changes the play."""
        options = self.play.state.decision.options
        names = self.play.state.decision.names
        texts = [option.text for option in options]
        while True:
            line = self._read("> ")
            if not line.strip():
                continue
            answer = read_answer(line, labels_of(names), names, texts)
            match answer:
                case Chosen(place):
                    self.play.take(options[place].id)
                    return
                case Asked():
                    if self._do(answer):
                        return
                case Unclear(near):
                    self._puzzled(line.strip(), near)
                case _:
                    assert_never(answer)

    def _puzzled(self, line: str, near: Sequence[str]) -> None:
        for name, reason in self.play.state.decision.refused.items():
            if plain(name) == plain(line):
                click.echo(f"  `{name}` cannot be chosen: {reason}")
                return
        hint = f"; did you mean {listed_or(near[:6])}?" if near else ""
        click.echo(f"  there is no option `{line}`{hint}")

    # ---- commands ----

    def _do(self, asked: Asked) -> bool:
        """Do what was asked for; whether the play is at another decision now."""
        match asked.word:
            case "undo":
                if self.play.undo(self._humans):
                    if not self._is_tall(self._drawn):
                        self._drawn = []
                    click.echo("  taken back")
                    return True
                click.echo("  there is nothing to take back")
            case "why":
                self._why(asked.rest)
            case "look" if asked.rest:
                self._describe(asked.rest)
            case "look":
                self._look_at_all()
                self._show_options()
            case "rules":
                self._rules()
            case "save":
                self._save(Path(asked.rest) if asked.rest else self.save_to)
            case "load":
                self._drawn = []
                return self._load(asked.rest)
            case "quit":
                raise _LeftError(True)
            case "help":
                click.echo(_HELP)
            case _:
                assert_never(asked.word)
        return False

    def _why(self, name: str) -> None:
        decision = self.play.state.decision
        refused = decision.refused
        if name:
            known = [*refused, *decision.names]
            meant = next((one for one in known if plain(one) == plain(name)), name)
            labels = labels_of(decision.names)
            if meant == name and name in labels:
                meant = decision.names[labels.index(name)]
            about = [meant] if meant in known else about_it(name, known)
            if meant not in known and self._why_value(name, bool(about)):
                return
            for option in about or [meant]:
                why = decision.why(option)
                clauses = _tags(decision.clauses(option))
                click.echo(f"  {why}{clauses}" if why else f"  `{option}` can be chosen")
        elif refused:
            for option, reason in refused.items():
                click.echo(f"  {option}: {reason}{_tags(decision.clauses(option))}")
        else:
            click.echo("  nothing is refused here")

    def _why_value(self, asked: str, is_option: bool) -> bool:
        """Tell what made a value so, or what value may have been meant; whether there was anything to tell."""
        state = self.play.state
        try:
            reasons = state.why_value(asked, state.player)
        except NoSuchValueError as refusal:
            is_near = refusal.is_near and not is_option
            if is_near:
                click.echo(f"  {refusal}")
            return is_near
        except SecretValueError as refusal:
            click.echo(f"  {refusal}")
            return True
        first, *more = reasons.lines
        click.echo(f"  {first}")
        for line in more:
            click.echo(f"    {line}")
        return True

    def _describe(self, word: str) -> None:
        state = self.play.state
        boards = state.variant.program.boards
        if word in state.players and any(board.of_player for board in boards):
            click.echo(position(state, state.player, state.players.index(word)))
            return
        view = state.view(state.player)
        lines = describe(view, word, width())
        for line in lines:
            click.echo(f"  {line}")
        if not lines:
            click.echo(f"  nothing is called `{word}`")

    def _look_at_all(self) -> None:
        text = position(self.play.state, self.play.state.player)
        if self._is_tall([text]):
            click.echo_via_pager(text)
        else:
            click.echo(text)

    def _rules(self) -> None:
        text = self.play.game.rules_text()
        if sys.stdout.isatty():
            click.echo_via_pager(text)
        else:
            click.echo(text)

    def _save(self, path: Path | None) -> bool:
        if path is None:
            click.echo("  say where: `save FILE`")
            return False
        try:
            save(path, to_text(record_of(self.play, self.seats)))
        except OSError as failure:
            click.echo(f"  `{path}` cannot be written: {failure.strerror}")
            return False
        except BrokenRecordError as refusal:
            click.echo(f"  {refusal}")
            return False
        self.save_to = path
        self._saved = self.play.decisions
        click.echo(f"  saved to {path}")
        return True

    def _autosave(self) -> None:
        if self.save_to is not None:
            save(self.save_to, to_text(record_of(self.play, self.seats)))
            self._saved = self.play.decisions

    def _load(self, name: str) -> bool:
        if not name:
            click.echo("  say which: `load FILE`")
            return False
        try:
            self.play, self.seats = load_play(Path(name), self.play.game)
        except RequestError as refusal:
            click.echo(f"  {refusal}")
            return False
        click.echo(f"  going on with {name}")
        self._at_keyboard = None
        return True

    # ---- ends ----

    def _read(self, prompt: str) -> str:
        try:
            if sys.stdin.isatty():
                return input(prompt)
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            click.echo()
            raise _LeftError(True) from None
        except EOFError:
            click.echo()
            raise _LeftError(False) from None
        if not line:
            raise _LeftError(False)
        # What was not typed at a terminal is not to be seen there yet.
        click.echo(f"{prompt}{line.rstrip()}")
        return line

    def _leave(self, offer: bool) -> None:
        if self.save_to is not None:
            self._autosave()
            click.echo(f"saved to {self.save_to}; go on with `--load {self.save_to}`")
            return
        if self._saved == self.play.decisions:
            return
        if offer:
            try:
                name = self._read("file to save to (Enter: do not save) > ").strip()
            except _LeftError:
                name = ""
            if name:
                self._save(Path(name))
                return
        click.echo("the play is not saved; `save FILE` or `--save FILE` keeps it")

    def _end(self) -> None:
        state = self.play.state
        for human in self._humans[:1]:
            events = self.play.since_last_decision(human)
            click.echo()
            self._show_events(events)
        click.echo()
        click.echo(position(state, ALL_SEEING))
        click.echo()
        for line in ending(state):
            click.echo(line)
        if self.save_to is not None:
            click.echo(f"saved to {self.save_to}")


def _tags(clauses: Sequence[str]) -> str:
    return f" [{', '.join(clauses)}]" if clauses else ""


def load_play(path: Path, game: Game) -> tuple[Play, tuple[str, ...]]:
    """The play of a record of the same game, and who sits where."""
    records = load_records(path)
    record = records[0]
    check_rules(record, game)
    if not record.is_whole:
        raise BrokenRecordError(f"{path}: the record was edited, its check sum does not fit")
    play = replay(record, game)
    seats = record.seats
    if len(seats) != len(play.state.players) or not set(seats) <= {HUMAN, *BOTS}:
        seats = tuple(HUMAN for _ in play.state.players)
    return play, seats
