"""Run a match at a terminal: turns of people and bots, and people's commands between them.

A person never sees the secrets of other players.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import assert_never

import click

from rulewright.cli.exits import Exit
from rulewright.cli.terminal.choices import Listed, in_columns, option_lines
from rulewright.cli.terminal.help import help_lines
from rulewright.cli.terminal.keyboard import Keyboard, LeftError
from rulewright.cli.terminal.parse_input import (
    COMMANDS,
    Chosen,
    Command,
    Several,
    Unclear,
    read_answer,
)
from rulewright.cli.terminal.saving import (
    HUMAN,
    Keeper,
    kind_of,
    left_matches,
    load_match,
    name_of,
    state_folder,
)
from rulewright.cli.terminal.screen import Screen, event_lines, height, position, width
from rulewright.cli.terminal.thinking import THREADS, bot_choice, pondering, prepare, show_running
from rulewright.dsl.diagnostics.suggest import listed_or
from rulewright.interpreter.bots.levels import effort_named, for_person
from rulewright.interpreter.bots.tree_search import CLOCK
from rulewright.interpreter.bots.trees import Memory, Thought
from rulewright.interpreter.bots.weights import note_of
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.events import Event, has_one_option
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.questions import look, why
from rulewright.interpreter.questions.drawing import ending, score_lines
from rulewright.interpreter.questions.hint import hint_lines, thought_lines
from rulewright.interpreter.questions.rulebook import about, for_reading, passages
from rulewright.interpreter.text.errors import BrokenRecordError, RequestError
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.text.typed import labels_of, options_with
from rulewright.interpreter.views.marked import wrap
from rulewright.interpreter.views.view import ALL_SEEING

_SHORTEST_PAGE = 3  # lines
_AROUND = 5  # blank lines between the events, position, question and options of a turn


class Session:
    """A match, its players, and the file in which it is saved."""

    def __init__(
        self,
        match: Match,
        seats: Sequence[str],
        keeper: Keeper,
        *,
        can_undo: bool = True,
        think: float = 0.0,
    ) -> None:
        self.match = match
        self.can_undo = can_undo
        self._think = think
        self._memory = Memory()
        self._thought: tuple[str, State, Thought] | None = None
        """The last decision of a bot that searched: the seat, the state, and the result."""
        self.seats = tuple(seats)
        self.keeper = keeper
        self._keyboard = Keyboard(state_folder() / "typed")
        self._at_keyboard: int | None = None
        self._typed = ""
        self._screen = Screen()

    @property
    def _humans(self) -> list[int]:
        return [seat for seat, word in enumerate(self.seats) if kind_of(word) == HUMAN]

    @property
    def _hides(self) -> bool:
        """Whether people at one keyboard must not see each other's screens."""
        return len(self._humans) > 1 and self.match.state.compiled.viewer.has_secrets

    @property
    def _names(self) -> tuple[str, ...]:
        """The names of players on the screen; a person who plays alone and has no name is called `you`."""
        names = list(self.match.state.players)
        for seat in self._humans:
            if len(self._humans) == 1 and not name_of(self.seats[seat]):
                names[seat] = "you"
        return tuple(names)

    @property
    def _you(self) -> str:
        """The name that the rules give the only human player, or "" if there is no such player."""
        seats = [seat for seat, name in enumerate(self._names) if name == "you"]
        return self.match.state.players[seats[0]] if seats else ""

    def run(self) -> int:
        """Play to the end of the match, or until a person leaves; return the exit code."""
        CLOCK.set(monotonic)
        searches = any(effort_named(for_person(kind_of(seat))) for seat in self.seats)
        if self._humans and sys.stdin.isatty() and searches:
            prepare(self.match.state.compiled)
        self._greet()
        if searches and (note := note_of(self.match.game.home)):
            _say(note, "")
        try:
            while True:
                self._play_on()
                self._end()
                if not (self._humans and self._look_back()):
                    return Exit.FINE
        except LeftError as left:
            self._leave(left.offer)
        except KeyboardInterrupt:
            click.echo()
            self._leave(True)
        except RuleFault:
            if self._humans or self.keeper.path is not None:
                self.keeper.keep(self.match, self.seats)
            raise
        return Exit.FINE

    def _play_on(self) -> None:
        while not self.match.state.over:
            if kind_of(self.seats[self.match.state.player]) == HUMAN:
                self._human_turn()
                self.keeper.keep(self.match, self.seats)
            else:
                self._bot_turn()

    # ---- turns ----

    def _greet(self) -> None:
        names = self.match.state.players
        facts = self.match.game.facts
        by = f", by {facts.author}" if facts.author else ""
        click.echo(click.style(f"{facts.title}{by}", bold=True))
        you = "you" if len(self._humans) == 1 else HUMAN
        persons = self.match.variant.players
        who = (
            f"{name}: {you if kind_of(kind) == HUMAN else kind}"
            for name, kind in zip(names[:persons], self.seats, strict=False)
        )
        _say(f"{', '.join(who)}; seed {self.match.seed}", "")
        if self._humans:
            _say("Type the number or the name of an option; `help` lists the other commands.", "")
            if (
                not self.match.decisions
                and self.keeper.path is None
                and left_matches(self.match.game)
            ):
                _say("An unfinished match of this game is kept; `--resume` continues it.", "")
        else:
            self._show_events(self.match.last_events(ALL_SEEING))

    def _bot_thought(self) -> list[str]:
        """List the options of a bot's last decision, as the bot saw them."""
        if self._thought is None:
            return ["the last bot to decide did not look ahead, or had nothing to choose"]
        name, state, thought = self._thought
        if state.compiled.viewer.has_secrets and self._viewer != ALL_SEEING:
            return [f"{name} may know more than you, so its thoughts are not shown"]
        return [f"what {name} thought:", *thought_lines(state, thought)]

    def _bot_turn(self) -> None:
        state = self.match.state
        kind, name = kind_of(self.seats[state.player]), self._names[state.player]
        generator = bot_generator(self.match.seed, self.match.decisions)
        self._thought = None

        def heard(thought: Thought) -> None:
            self._thought = name, state, thought

        self.match.take(bot_choice(kind, name, state, generator, self._think, self._memory, heard))
        if not self._humans:
            self._show_events(self.match.last_events(ALL_SEEING))

    def _human_turn(self) -> None:
        player = self.match.state.player
        if has_one_option(self.match.state):
            self.match.take(self.match.state.decision.options[0].id)
            return
        if self._hides and self._at_keyboard != player:
            self._pass_keyboard(player)
        self._at_keyboard = player
        self._show(player)
        self._ask()

    def _pass_keyboard(self, player: int) -> None:
        name = self.match.state.players[player]
        self._screen.forget()
        if sys.stdout.isatty():
            click.clear()
        click.echo(
            f"\n{'-' * 40}\nPass the keyboard to {name}. {name}: press Enter when nobody else looks."
        )
        self._keyboard.read("")
        if sys.stdout.isatty():
            click.clear()

    def _show(self, player: int) -> None:
        """Show the events, the changes, and the question."""
        events = event_lines(self.match.since_last_decision(player), self._names, me=self._you)
        if events:
            click.echo()
            for line in events:
                click.echo(line)
        options = self._option_lines()
        text = self._screen.draw_position(
            self.match,
            player,
            goes_on=self._goes_on(player),
            beside=len(options) + _AROUND,
        )
        if text:
            click.echo()
            click.echo(text)
        click.echo()
        self._show_question()
        for line in options:
            click.echo(line)

    def _goes_on(self, player: int) -> bool:
        """Return whether the same player made the last choice; if so, only changes are drawn."""
        states = self.match.states
        return len(states) > 1 and states[-2].player == player

    def _show_events(self, events: Sequence[Event]) -> None:
        for line in event_lines(events, self._names, me=self._you):
            click.echo(line)

    def _show_question(self) -> None:
        click.echo(click.style(self._question, bold=True))

    @property
    def _question(self) -> str:
        decision = self.match.state.decision
        who = self._names[decision.player]
        prompt = decision.prompt
        for separator in (", ", ": "):  # the heading has already named the player
            prompt = prompt.removeprefix(f"{decision.name_of_player}{separator}")
        return f"{'You' if who == 'you' else who}: {prompt}"

    @property
    def _listed(self) -> list[Listed]:
        decision = self.match.state.decision
        names = decision.names
        texts = [option.text for option in decision.options]
        return [
            Listed(label, name, text)
            for label, name, text in zip(labels_of(names), names, texts, strict=True)
        ]

    def _option_lines(self) -> list[str]:
        return option_lines(self._listed, width(), max(8, height() // 2))

    def _ask(self) -> None:
        """Read lines until one of them is a choice or changes the match."""
        options = self._listed
        ids = self.match.state.option_ids
        labels, names, texts = (
            [getattr(option, part) for option in options] for part in ("label", "name", "text")
        )
        while True:
            line = self._next_line()
            if not line.strip():
                continue
            answer = read_answer(line, labels, names, texts)
            match answer:
                case Chosen(place, by_part):
                    if by_part:
                        _say(texts[place])
                    self.match.take(ids[place])
                    return
                case Command():
                    if self._do(answer):
                        return
                    if answer != Command("look", ""):
                        self._ask_again()
                case Several(places):
                    click.echo("  which of these?")
                    for listed in in_columns([options[place] for place in places], width() - 2):
                        click.echo(f"  {listed}")
                case Unclear(near):
                    self._reject_line(line.strip(), near)
                case _:
                    assert_never(answer)

    def _offers(self) -> list[str]:
        """Return the words that Tab completes."""
        options = self._listed
        things = look.names(self.match.state, self.match.state.player)
        return [
            *(option.name for option in options),
            *(option.text for option in options),
            *(word for word in COMMANDS if word != "undo" or self.can_undo),
            *(f"look {thing}" for thing in things),
            *(f"why {name}" for name in self.match.state.decision.refused),
        ]

    def _ask_again(self) -> None:
        """Repeat the question above the input line, after the answer to a command."""
        if not self.match.state.over:
            click.echo()
            self._show_question()

    def _reject_line(self, line: str, near: Sequence[str]) -> None:
        reason = why.refusal(self.match.state.decision, line)
        if reason:
            _say(reason)
            return
        hint = f"; did you mean {listed_or(near[:6])}?" if near else ""
        _say(f"there is no option `{line}`{hint}")

    # ---- commands ----

    def _do(self, asked: Command) -> bool:
        """Run a command; return whether the open decision has changed."""
        if self.match.state.over and asked.word in ("why", "options", "hint"):
            click.echo("  nothing can be chosen any more")
            return False
        match asked.word:
            case "undo":
                return self._undo()
            case "why":
                self._tell(why.why(self.match.state, asked.rest))
            case "options":
                self._tell(self._options_about(asked.rest), indent="")
            case "look" if asked.rest == "score":
                self._tell(score_lines(self.match.state, self._viewer))
            case "look" if asked.rest:
                word = self._own_name(asked.rest)
                self._tell(look.lines(self.match, word, self._viewer, width() - 2))
            case "look":
                self._look_at_all()
            case "score":
                self._tell(score_lines(self.match.state, self._viewer))
            case "log":
                self._tell_log(asked.rest)
            case "hint" if asked.rest == "bot":
                self._tell(self._bot_thought())
            case "hint":
                seed = self.match.seed + self.match.decisions
                with show_running("thinking"):
                    lines = hint_lines(self.match.state, asked.rest, seed, THREADS)
                self._tell(lines)
            case "rules":
                self._rules(asked.rest)
            case "save":
                self._save(Path(asked.rest) if asked.rest else self.keeper.path)
            case "load":
                return self._load(asked.rest)
            case "rematch":
                return self._rematch()
            case "quit":
                raise LeftError(True)
            case "help":
                has_own_file = self.keeper.path is not None
                lines = help_lines(
                    self.match, width() - 2, has_own_file=has_own_file, can_undo=self.can_undo
                )
                self._tell(lines)
            case _:
                assert_never(asked.word)
        return False

    @property
    def _viewer(self) -> int:
        """The seat whose view is shown: the seat to decide, or after the end of the match a view of
        everything.
        """
        return ALL_SEEING if self.match.state.over else self.match.state.player

    def _own_name(self, word: str) -> str:
        """Return the player that `word` names; after the end of a match, `me` names a person who plays
        alone.
        """
        if word in ("me", "you") and self.match.state.over and len(self._humans) == 1:
            return self.match.state.players[self._humans[0]]
        return word

    def _tell(self, lines: Sequence[str], indent: str = "  ") -> None:
        folded = [part for line in lines for part in _wrap_line(f"{indent}{line}".rstrip())]
        page = max(_SHORTEST_PAGE, height() - 2) if sys.stdout.isatty() else len(folded)
        while len(folded) > page:
            for line in folded[:page]:
                click.echo(line)
            folded = folded[page:]
            typed = self._keyboard.read(
                f"({len(folded)} more lines: Enter shows them, q does not) > "
            )
            if typed.strip():
                # Any other line is input for the game.
                self._typed = "" if typed.strip().casefold() == "q" else typed
                return
        for line in folded:
            click.echo(line)

    def _next_line(self) -> str:
        """Return the next line of input; a line that was typed at the end of a page comes first."""
        line, self._typed = self._typed, ""
        if line:
            return line
        if not sys.stdin.isatty():
            return self._keyboard.read("> ", self._offers)
        with pondering(self._memory, self.match.state):
            return self._keyboard.read("> ", self._offers)

    def _undo(self) -> bool:
        if not self.can_undo:
            click.echo("  nothing is taken back in this match: it was started with `--no-undo`")
            return False
        warning = self.match.undo_warning(self._humans)
        if warning and not self._confirm_undo(warning):
            click.echo("  nothing is taken back")
            return False
        if self.match.undo(self._humans):
            click.echo("  taken back")
            return True
        click.echo("  there is nothing to take back")
        return False

    def _confirm_undo(self, warning: str) -> bool:
        """Ask for confirmation before taking back a choice whose outcome the player has seen."""
        _say(warning)
        answer = self._keyboard.read("take it back all the same? (yes or no) > ")
        return answer.strip().casefold() in ("y", "yes")

    def _options_about(self, word: str) -> list[str]:
        options = self._listed
        if not word:
            return in_columns(options, width())
        about = options_with(word, [one.name for one in options], [one.text for one in options])
        if not about:
            return [f"  no option is about `{word}`"]
        return in_columns([options[place] for place in about], width())

    def _look_at_all(self) -> None:
        state = self.match.state
        self._tell(position(state, self._viewer).splitlines(), indent="")
        if not state.over:
            click.echo()
            self._show_question()
            for line in self._option_lines():
                click.echo(line)

    def _tell_log(self, count: str) -> None:
        """Show the whole log, or its last `count` lines."""
        seat = self._viewer
        lines = event_lines(self.match.all_events(seat), self._names, "", self._you)
        if count.isdecimal():
            lines = lines[-int(count[:9]) :]
        self._tell(lines or ["nothing has happened yet"])

    def _rules(self, words: str) -> None:
        game = self.match.game
        text = passages(game.rules_text(), markdown=game.has_rulebook)
        if words:
            text = about(text, words)
        lines = for_reading(text, width() - 2)
        self._tell(lines or [f"the rules do not mention `{words}`"], "  " if words else "")

    def _save(self, path: Path | None) -> bool:
        if path is None:
            click.echo("  say where: `save FILE`")
            return False
        try:
            self.keeper.save_as(path, self.match, self.seats)
        except OSError as failure:
            _say(f"`{path}` cannot be written: {failure.strerror}")
            return False
        except BrokenRecordError as refusal:
            _say(str(refusal))
            return False
        click.echo(f"  saved to {path}")
        return True

    def _load(self, name: str) -> bool:
        if not name:
            click.echo("  say which: `load FILE`")
            return False
        try:
            self.match, self.seats = load_match(Path(name), self.match.game)
        except RequestError as refusal:
            _say(str(refusal))
            return False
        click.echo(f"  going on with {name}")
        self._restart()
        return True

    def _rematch(self) -> bool:
        """Begin another match with the same players and bots, but with the next seed."""
        match = self.match
        self.keeper = Keeper(None)
        compiled = match.states[0].compiled
        self.match = Match.begin(match.game, match.variant, match.seed + 1, compiled)
        click.echo(f"  another match, seed {self.match.seed}")
        self._restart()
        return True

    def _restart(self) -> None:
        self._screen.forget()
        self._at_keyboard = None

    # ---- ends ----

    def _leave(self, offer: bool) -> None:
        if not self.match.decisions or self.match.state.over:
            return
        if self._humans or self.keeper.path is not None:
            self.keeper.keep(self.match, self.seats)
        path = self.keeper.path
        if self.keeper.is_kept:
            how = "--resume" if path is None else f"--load {shlex.quote(str(path))}"
            where = "kept" if path is None else f"saved to {path}"
            name = f"rulewright play {shlex.quote(self.match.game.name)} " if path is None else ""
            click.echo(f"{where}; go on with `{name}{how}`")
            return
        if offer and self._humans:
            try:
                name = self._keyboard.read("file to save to (Enter: do not save) > ").strip()
            except LeftError:
                name = ""
            if name and self._save(Path(name)):
                return
        click.echo("the match is not saved; `save FILE` or `--save FILE` keeps it")

    def _end(self) -> None:
        """Show the last events, the last position and the winner; drop the saved match."""
        state = self.match.state
        for human in self._humans[:1]:
            events = self.match.since_last_decision(human)
            click.echo()
            self._show_events(events)
        click.echo()
        click.echo(self._screen.last(self.match, self._humans[0] if self._humans else None))
        click.echo()
        for line in ending(state, self._names):
            click.echo(line)
        if self.keeper.path is not None:
            self.keeper.keep(self.match, self.seats)
            click.echo(f"saved to {self.keeper.path}")
        self.keeper.drop()

    def _look_back(self) -> bool:
        """Let people inspect a match that has ended; return whether this match continues or another begins."""
        undo = "`undo`, " if self.can_undo else ""
        click.echo(f"`look`, `log`, {undo}`rematch` or `quit`.")
        while True:
            try:
                line = self._keyboard.read("> ", lambda: list(COMMANDS))
            except LeftError:
                return False
            answer = read_answer(line, (), (), ())
            if isinstance(answer, Command):
                if answer.word == "quit":
                    return False
                if self._do(answer):
                    return True
            elif line.strip():
                click.echo("  the match is over; `help` lists what can be typed")


def _say(text: str, indent: str = "  ") -> None:
    """Show a message to the person who plays."""
    for line in _wrap_line(f"{indent}{text}"):
        click.echo(line)


def _wrap_line(line: str) -> list[str]:
    """Wrap a line wider than the screen, and indent the continuation lines more; colours have no width."""
    if len(click.unstyle(line)) <= width():
        return [line]
    deep = " " * (len(line) - len(line.lstrip()) + 2)
    return wrap(line, width(), subsequent_indent=deep)
