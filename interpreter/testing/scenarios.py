"""Runs scenarios step by step. A failure reports the expected and the actual result.

Results of chance that a scenario does not force come from a fixed seed, so a scenario gives the
same result every time. This module does not parse scenarios or display results.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import assert_never

import attrs

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.ir import (
    BOUND,
    FP,
    FRAME,
    GUARD,
    HALT,
    OVER,
    PLAYER,
    RESUME,
    SITE,
    SP,
    MarkInfo,
)
from rulewright.dsl.scenarios import scenarios
from rulewright.dsl.tree import scenario_syntax
from rulewright.interpreter.engines.chance import draw, key_of
from rulewright.interpreter.engines.engine import LogLine, is_finished
from rulewright.interpreter.engines.engines import EngineName, make_engine
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.filtered import why_meant
from rulewright.interpreter.knowledge.known import hidden_in
from rulewright.interpreter.knowledge.reasons import in_order, source_changes
from rulewright.interpreter.testing.answer_cache import AnswerCache
from rulewright.interpreter.testing.forced import Forced, Shuffling, Tops
from rulewright.interpreter.testing.turns import begin_turn
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.text.names import Value, digits
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.log_lines import NOBODY, LogEntry
from rulewright.interpreter.views.rendering import EMPTY_CELL, drawn_cells, in_words
from rulewright.interpreter.views.view import ALL_SEEING, in_parts

SEED = 0
LAST_STEPS = 6
LAST_LINES = 4  # the maximum number of consequences shown for each of these
GIVES = "  chance gives "
LONGEST = 20_000
"""The number of decisions after which a match to the end is abandoned."""
SHOWN_DIFFERENCES = 8
NOTHING = "nothing"
NO_OPTION = "that is no option here"
"""The reason for an option that is not offered, if no rule gives a reason."""
HAPPENING = (scenarios.Given, scenarios.ToMove, scenarios.Plays, scenario_syntax.PlayOn)
KEPT = (RESUME, FP, SP, SITE, PLAYER, BOUND, GUARD)


@attrs.frozen
class Failure:
    """The failure of a scenario: its place, the expected and the actual facts, and the last steps before it."""

    span: Span
    expected: str
    found: tuple[str, ...]
    steps: tuple[str, ...] = ()


@attrs.frozen
class Result:
    """The result of one scenario."""

    scene: scenarios.Scene
    failure: Failure | None

    @property
    def passed(self) -> bool:
        """Return whether all expectations were met."""
        return self.failure is None


def run_scenarios(
    scenario_program: scenarios.ScenarioProgram, engine: EngineName = "reference"
) -> list[Result]:
    """Run all scenarios of one program, in order."""
    return Runner(engine).run(scenario_program)


@attrs.frozen
class Runner:
    """Runs the scenarios of several files. Scenarios that share a program share its engines."""

    engine: EngineName = "reference"
    counting: bool = False
    """Whether to count the marks of the rules that are reached."""
    _known: dict[int, _Engines] = attrs.field(init=False, factory=dict)
    """Engines, keyed by the `id` of their program, which they keep alive."""

    def run(self, scenario_program: scenarios.ScenarioProgram) -> list[Result]:
        """Run all scenarios of one program, in order."""
        program = scenario_program.program
        known = self._known.get(id(program))
        if known is None:
            counts = [0] * len(program.marks) if self.counting else None
            compiled = CompiledGame(program, make_engine(program, self.engine, counts))
            known = self._known[id(program)] = _Engines(
                AnswerCache(compiled), Reference(program), counts
            )
        return _run_all(scenario_program, known.answers, known.reference)

    def reached_marks(self) -> Iterator[MarkInfo]:
        """Yield the reached marks, program by program."""
        for known in self._known.values():
            if known.counts is not None:
                marks = zip(known.answers.compiled.program.marks, known.counts, strict=True)
                yield from (info for info, times in marks if times)


@attrs.frozen
class _Engines:
    """The engines that run the scenarios of one program."""

    answers: AnswerCache
    reference: Reference
    counts: list[int] | None


def _run_all(
    scenario_program: scenarios.ScenarioProgram, answers: AnswerCache, reference: Reference
) -> list[Result]:
    begun: dict[tuple[int, ...], _Play] = {}
    return [
        Result(scene, _run(scene, answers, reference, begun)) for scene in scenario_program.scenes
    ]


def position_after(
    scenario_program: scenarios.ScenarioProgram, scene: scenarios.Scene
) -> array[int] | str:
    """Return the final state of a scenario, or the reason why matches cannot begin from this state."""
    compiled = CompiledGame(
        scenario_program.program, make_engine(scenario_program.program, "python")
    )
    play = _Play(AnswerCache(compiled), Reference(scenario_program.program))
    try:
        play.go(scene.steps, 0, len(scene.steps))
    except _Failed as failed:
        return f"in line {failed.span.line} {failed.expected} is expected, {failed.found[0]}"
    if play.under:
        return "it ends in the middle of `given`"
    if play.results or play.tops:
        return "results of chance are left over at its end"
    cells = play.current_cells()
    return "the game is over then" if cells[OVER] else cells


def _run(
    scene: scenarios.Scene,
    answers: AnswerCache,
    reference: Reference,
    begun: dict[tuple[int, ...], _Play],
) -> Failure | None:
    """Play a scenario. If several scenarios have the same beginning, it is played once and copied."""
    shared = tuple(id(step) for step in scene.steps[: scene.shared])
    play = _Play(answers, reference)
    try:
        if shared:
            if shared not in begun:
                play.go(scene.steps, 0, scene.shared)
                begun[shared] = play
            play = begun[shared].copy()
        play.go(scene.steps, scene.shared, len(scene.steps))
        if play.results or play.tops:
            play.current_cells()
        spans = [*(one.span for one in play.results), *(one.span for one in play.tops)]
        if spans:
            found = "nothing more was left to chance"
            raise _Failed(spans[0], f"`{spans[0].text}` is used", (found,))
    except _Failed as failed:
        return Failure(failed.span, failed.expected, failed.found, tuple(play.last_steps()))
    return None


class _Failed(Exception):
    """Raised if an expectation of a scenario is not met."""

    def __init__(self, span: Span, expected: str, found: Sequence[str]) -> None:
        super().__init__(expected)
        self.span, self.expected, self.found = span, expected, tuple(found)


@attrs.define(eq=False)
class _Play:
    """The match of a scenario. `cells` is None until the first step."""

    answers: AnswerCache
    reference: Reference
    cells: array[int] | None = None
    counter: int = 0
    under: list[tuple[int, ...]] = attrs.field(factory=list)
    """For each procedure started by `given`, the place where the match continues afterwards."""
    results: list[Forced] = attrs.field(factory=list)
    tops: list[Tops] = attrs.field(factory=list)
    shuffling: Shuffling | None = None
    steps: list[list[str]] = attrs.field(factory=list)
    """The history: a line for each step, followed by its consequences."""
    logged: list[LogEntry] = attrs.field(factory=list)
    """The log of the last step of the scenario."""

    @property
    def compiled(self) -> CompiledGame:
        """Return the game that is played."""
        return self.answers.compiled

    def copy(self) -> _Play:
        """Return a copy of the match, which continues independently."""
        cells = None if self.cells is None else self.cells[:]
        return attrs.evolve(
            self,
            cells=cells,
            under=list(self.under),
            results=list(self.results),
            tops=list(self.tops),
            steps=list(self.steps),
            logged=list(self.logged),
        )

    # ---- steps -----------------------------------------------------------------------------------

    def go(self, steps: Sequence[scenarios.Step], first: int, last: int) -> None:
        """Take the steps of a scenario from index `first` up to, but not including, index `last`."""
        for place in range(first, last):
            step = steps[place]
            try:
                self.take(step)
            except RuleFault as fault:
                following = steps[place + 1] if place + 1 < len(steps) else None
                if isinstance(following, scenario_syntax.Fault):
                    self.check_fault(following, fault)
                    return
                missing = self.missing(fault) if isinstance(step, scenarios.Given) else ()
                found = (*_fault_lines(fault), *missing)
                raise _Failed(step.span, "no fault", found) from None

    def missing(self, fault: RuleFault) -> tuple[str, ...]:
        """Describe where the pieces that an impossible step names are."""
        if fault.span is None or self.cells is None:
            return ()
        said = set(_WORD.findall(fault.span.text))
        found: list[str] = []
        for kind in self.compiled.program.pieces:
            for row in dict.fromkeys(kind.rows):
                if row in said:
                    pieces = [kind.first + n for n, name in enumerate(kind.rows) if name == row]
                    found += self.whereabouts(self.cells, pieces)
        return tuple(found)

    def take(self, step: scenarios.Step) -> None:
        """Take one step."""
        if isinstance(step, HAPPENING) and self.cells is not None:
            self.logged.clear()
        match step:
            case scenarios.Given():
                self.run_given(step)
            case scenarios.ToMove():
                self.begin_turn(step)
            case scenarios.Plays():
                self.play_option(step)
            case scenarios.Chance():
                cells = self.current_cells(run=False)
                self.results.extend(
                    Forced(step.span, asked.text, asked.domain, self.numbers(cells, asked))
                    for asked in step.values
                )
            case scenarios.Shuffle():
                cells = self.current_cells(run=False)
                values = step.values
                pieces = None if values is None else tuple(self.numbers(cells, v) for v in values)
                self.tops.append(Tops(step.span, pieces))
            case scenario_syntax.PlayOn():
                self.play_on(step)
            case scenarios.Expect():
                self.check_conditions(self.current_cells(), step.span, step.conditions)
                if step.reason is not None:
                    self.check_reason(self.current_cells(), step.span, step.reason)
            case scenarios.Offered():
                self.check_offered(step)
            case scenarios.Refused():
                self.check_refused(step)
            case scenarios.Sees():
                self.check_sees(step)
            case scenarios.CannotSee():
                self.check_hidden(step)
            case scenarios.OfferedExactly():
                self.check_offered_exactly(step)
            case scenarios.ExpectWords():
                self.check_words(step)
            case scenario_syntax.ExpectPicture():
                self.check_picture(step)
            case scenarios.ExpectOption():
                self.check_option_text(step)
            case scenarios.ExpectAsked():
                self.check_decider(step)
            case scenarios.ExpectRunning():
                self.check_running(step)
            case scenarios.Same():
                self.check_same(step)
            case scenario_syntax.NotPlayed():
                if step.found is not None:
                    raise _Failed(step.span, "no such play", (step.found,))
            case scenario_syntax.Fault():
                raise _Failed(
                    step.span, f"the fault `{step.text}`", ("the step before could be done",)
                )
            case _:
                assert_never(step)

    def current_cells(self, *, run: bool = True) -> array[int]:
        """Return the current position. The first call begins the game."""
        if self.cells is None:
            cells = self.compiled.engine.start()
            if not run:
                return cells
            self.cells = cells
            log: list[LogLine] = []
            self.compiled.run(cells, log)
            self.settle(cells, log)
        return self.cells

    def settle(self, cells: array[int], log: list[LogLine]) -> None:
        """Resolve chance up to the next decision. After the procedure of a `given`, return to where it was called."""
        while True:
            while cells[BOUND]:
                self.compiled.advance(cells, self.chance(cells), log)
            if not self.under or cells[OVER] or not is_finished(cells):
                break
            for cell, value in zip(KEPT, self.under.pop(), strict=True):
                cells[cell] = value
        for line in log:
            logged = self.compiled.log_line(line)
            self.logged.append(logged)
            self.note(f"  {logged.text}")

    def note(self, text: str) -> None:
        """Add a consequence of the last step to the history. Consecutive dice share a line."""
        if not self.steps:
            self.steps.append(["the game begins"])
        lines = self.steps[-1]
        if text.startswith(GIVES) and lines[-1].startswith(GIVES):
            lines[-1] += f", {text.removeprefix(GIVES)}"
        else:
            lines.append(text)

    def last_steps(self) -> list[str]:
        """Return the last decisions, each with its last consequences."""
        return [
            line
            for head, *below in self.steps[-LAST_STEPS:]
            for line in (
                head,
                *(["  ..."] if len(below) > LAST_LINES else []),
                *below[-LAST_LINES:],
            )
        ]

    def check_invariants(self, span: Span) -> None:
        """Check that all invariants of the rules are true."""
        cells = self.current_cells()
        for words, procedure in self.compiled.program.invariants:
            if not self.compiled.engine.value(cells, procedure):
                raise _Failed(span, f"the invariant `{words}`", ("it does not hold after this",))

    # ---- actions ---------------------------------------------------------------------------------

    def run_given(self, step: scenarios.Given) -> None:
        """Run the steps of a `given` in the current position. Afterwards, the match continues where it was."""
        before = self.current_cells()
        cells = self.compiled.engine.call(before, step.procedure)
        self.under.append(tuple(before[cell] for cell in KEPT))
        self.steps.append([f"given, line {step.span.line}"])
        log: list[LogLine] = []
        was_over = before[OVER]
        self.cells = cells
        self.compiled.run(cells, log)
        self.settle(cells, log)
        if was_over and not self.under:
            cells[OVER] = was_over
        self.check_invariants(step.span)

    def begin_turn(self, step: scenarios.ToMove) -> None:
        """Begin the turn of a player, unless it is already the player's turn to decide."""
        cells = self.current_cells()
        name = self.compiled.words.player(step.player)
        wanted = f"{name} is to move"
        self.steps.append([wanted])
        if self.decides(cells, step.player):
            return
        if self.under:
            raise _Failed(step.span, wanted, ("`given` has not finished",))
        refused = begin_turn(self.reference, cells, step.flow, step.player, name)
        if refused:
            raise _Failed(step.span, wanted, (refused,))
        log: list[LogLine] = []
        self.compiled.run(cells, log)
        self.settle(cells, log)
        self.check_invariants(step.span)
        if not self.decides(cells, step.player):
            reason = self.not_deciding(cells)
            raise _Failed(step.span, wanted, (f"when the turn has begun, {reason}",))

    def play_option(self, step: scenarios.Plays) -> None:
        """Take an option."""
        cells = self.require_turn(step.span, step.player, "plays")
        option = self.find(cells, step.option)
        if option is None:
            raise _Failed(
                step.span, f"the option `{step.option.text}`", self.not_offered(cells, step.option)
            )
        self.choose(cells, option, step.span)

    def choose(self, cells: array[int], option: int, span: Span) -> None:
        words = self.compiled.words
        name = self.answers.option_name(cells, option)
        self.steps.append([f"{words.player(cells[PLAYER])} plays {name}"])
        log: list[LogLine] = []
        self.compiled.advance(cells, option, log)
        self.settle(cells, log)
        self.check_invariants(span)

    def play_on(self, step: scenario_syntax.PlayOn) -> None:
        """Choose options at random for all players."""
        cells = self.current_cells()
        generator = bot_generator(step.seed, 0)
        left = LONGEST if step.steps is None else step.steps
        while left and not cells[OVER]:
            offered = self.answers.options(cells)
            self.choose(cells, offered[generator.below(len(offered))], step.span)
            left -= 1
        if step.steps is None and not cells[OVER]:
            raise _Failed(
                step.span, "the end of the game", (f"it is not over after {LONGEST} decisions",)
            )

    # ---- chance ----------------------------------------------------------------------------------

    def chance(self, cells: array[int]) -> int:
        """Return the result of an open chance event: the forced result, or a result from the seed."""
        site, bound = self.compiled.program.chances[cells[SITE]], cells[BOUND]
        drawn, self.counter = draw(key_of(SEED), self.counter, bound)
        if site.purpose == "shuffle":
            return self.shuffle_result(cells, bound, drawn)
        values = self.reference.chance_values(cells)
        if self.results:
            forced = self.results.pop(0)
            words = self.compiled.words
            fits = words.is_same_type(site.domain, forced.domain)
            found = next(
                (n for n, value in enumerate(values) if fits and value in forced.values), None
            )
            if found is None:
                domain = site.domain
                shown = [
                    str(value) if domain is None else words.name(domain, value)
                    for value in dict.fromkeys(values)
                ]
                what = words.chance(cells[SITE])
                raise _Failed(
                    forced.span,
                    f"chance gives {forced.text}",
                    (f"to {what} gives one of {', '.join(shown[:20])}",),
                )
            self.note(f"  chance gives {forced.text}")
            return found
        return drawn

    def shuffle_result(self, cells: array[int], bound: int, drawn: int) -> int:
        """Return the result for one step of a shuffle: the piece for position `bound - 1`, counted from the bottom.

        A shuffle always goes through the positions from the top. For each position, it draws one of
        the pieces up to this position.
        """
        if self.shuffling is None:
            if not self.tops:
                return drawn
            tops = self.tops.pop(0)
            zone = cells[cells[FP] + FRAME]
            pieces = list(self.compiled.viewer.lying(cells, zone))
            self.shuffling = Shuffling(pieces, self.wanted_pieces(cells, pieces, tops))
        shuffling, place = self.shuffling, bound - 1
        if shuffling.wanted is None:
            self.shuffling = None if place == 1 else shuffling
            return drawn
        wanted = shuffling.wanted[place]
        result = drawn if wanted is None else shuffling.pieces.index(wanted)
        if wanted is None:
            # A piece that is wanted at another position must not be put here.
            rest = [n for n in range(bound) if shuffling.pieces[n] not in shuffling.wanted]
            result = rest[drawn % len(rest)]
        pieces = shuffling.pieces
        pieces[place], pieces[result] = pieces[result], pieces[place]
        if place == 1:
            self.shuffling = None
        return result

    def wanted_pieces(
        self, cells: array[int], pieces: list[int], tops: Tops
    ) -> list[int | None] | None:
        """Return the piece that is wanted at each position of a pile, from bottom to top."""
        if tops.pieces is None:
            return None
        found: list[int | None] = [None] * len(pieces)
        for place, names in enumerate(tops.pieces):
            piece = next((p for p in pieces if p in names and p not in found), None)
            if piece is None or place >= len(pieces):
                said = (
                    "no such piece is left in the pile that is shuffled",
                    *self.whereabouts(cells, [name for name in names if name not in found]),
                )
                raise _Failed(tops.span, f"{tops.span.text}", said)
            found[len(pieces) - 1 - place] = piece
        return found

    # ---- options ---------------------------------------------------------------------------------

    def require_turn(self, span: Span, player: int, verb: str) -> array[int]:
        """Return the current position. The scenario fails unless it is the player's turn to decide."""
        cells = self.current_cells()
        words = self.compiled.words
        wanted = f"{words.player(player)} decides"
        if cells[OVER]:
            raise _Failed(span, wanted, ("the game is over",))
        if cells[PLAYER] == NOBODY or cells[SITE] < 0:
            raise _Failed(span, wanted, ("nothing is to be decided",))
        if cells[PLAYER] != player:
            prompt = self.compiled.prompt(cells)
            raise _Failed(span, wanted, (f"{words.player(cells[PLAYER])} decides: {prompt}",))
        return cells

    def find(self, cells: array[int], sought: scenarios.OptionPattern) -> int | None:
        """Return the option that a scenario names. If the option is not offered, return None."""
        return next(
            (n for n in self.answers.options(cells) if self.is_meant(cells, sought, n)), None
        )

    def is_meant(self, cells: array[int], sought: scenarios.OptionPattern, option: int) -> bool:
        """Return whether an option is the option that a scenario names."""
        arm = self.compiled.words.arm(cells[SITE], option)
        same = self.compiled.words.is_same_type
        values = arm.in_name(digits(arm, option))
        if (
            sought.name is not None
            and arm.word == sought.name
            and len(sought.arguments) in (len(values), arm.least)
        ):
            pairs = zip(arm.in_name(arm.arguments), values, sought.arguments, strict=False)
            if all(
                same(asked.domain, domain) and value in self.numbers(cells, asked)
                for (domain, _, _), value, asked in pairs
            ):
                return True
        asked = sought.value
        if asked is None or arm.word or len(values) != 1:
            return False
        if same(arm.arguments[0][0], asked.domain) and values[0] in self.numbers(cells, asked):
            return True
        # A name may be both a value of a kind and a row, so the offered options decide which is
        # meant.
        return sought.text.isidentifier() and self.compiled.option_names(cells, [option]) == [
            sought.text
        ]

    def reason(self, cells: array[int], sought: scenarios.OptionPattern) -> str | None:
        """Return the reason why an option is refused, in the words of the rules. If the rules give
        no reason, return None."""
        for option, refusal in self.answers.refusals(cells).items():
            if self.is_meant(cells, sought, option):
                return self.compiled.refusal_text(refusal)
        named = [(one.domain, self.numbers(cells, one)) for one in sought.arguments]
        found = why_meant(self.compiled, cells, sought.name, named)
        if found is None and sought.value is not None:
            bare = [(sought.value.domain, self.numbers(cells, sought.value))]
            found = why_meant(self.compiled, cells, "", bare)
        return found.text if found is not None else None

    def not_offered(self, cells: array[int], sought: scenarios.OptionPattern) -> tuple[str, ...]:
        reason = self.reason(cells, sought)
        names = self.compiled.option_names(cells, self.answers.options(cells))
        more = "" if len(names) <= 12 else f" and {len(names) - 12} more"
        offered = f"offered: {', '.join(names[:12])}{more}"
        if reason is not None:
            return (f'it is refused because "{reason}"', offered)
        return (f"to decide: {self.compiled.prompt(cells)}", offered)

    def check_offered(self, step: scenarios.Offered) -> None:
        """Check that an option can be chosen."""
        cells = self.require_turn(step.span, step.player, "is offered")
        if self.find(cells, step.option) is None:
            raise _Failed(
                step.span, f"the option `{step.option.text}`", self.not_offered(cells, step.option)
            )

    def check_refused(self, step: scenarios.Refused) -> None:
        """Check that an option cannot be chosen. If the step gives a reason, check the reason too."""
        cells = self.current_cells()
        if step.reason is None:
            self.require_turn(step.span, step.player, "is refused")
        decides = self.decides(cells, step.player)
        if decides and self.find(cells, step.option) is not None:
            raise _Failed(step.span, f"`{step.option.text}` is refused", ("it is offered",))
        if step.reason is None:
            return
        wanted = self.text(cells, step.reason)
        reason = self.reason(cells, step.option) if decides else self.not_deciding(cells)
        is_open = cells[SITE] >= 0 and not cells[OVER]
        refused = self.answers.refusals(cells) if wanted == NO_OPTION and is_open else None
        if refused is not None and not any(self.is_meant(cells, step.option, o) for o in refused):
            return
        if reason is None or not wanted or wanted not in reason:
            found = (
                f'it is refused because "{reason}"'
                if reason
                else f'no rule says why: write because "{NO_OPTION}", or no reason'
            )
            raise _Failed(step.span, f'refused because "{wanted}"', (found,))

    def decides(self, cells: array[int], player: int) -> bool:
        """Return whether it is the player's turn to decide."""
        return not cells[OVER] and cells[SITE] >= 0 and cells[PLAYER] == player

    def not_deciding(self, cells: array[int]) -> str:
        """Return a message that says whose turn it is instead."""
        if cells[OVER]:
            return "the game is over"
        if cells[PLAYER] == NOBODY or cells[SITE] < 0:
            return "nothing is to be decided"
        return f"it is {self.compiled.words.player(cells[PLAYER])}'s turn"

    def check_offered_exactly(self, step: scenarios.OfferedExactly) -> None:
        """Check that the open decision offers exactly the listed options."""
        cells = self.current_cells()
        expected = "nothing else is offered" if step.is_rest else "exactly these options"
        if cells[OVER] or cells[PLAYER] == NOBODY or cells[SITE] < 0:
            raise _Failed(step.span, expected, (self.not_deciding(cells),))
        offered = self.answers.options(cells)
        for sought in step.options:
            if not any(self.is_meant(cells, sought, option) for option in offered):
                found = self.not_offered(cells, sought)
                raise _Failed(step.span, f"the option `{sought.text}`", found)
        others = [
            option
            for option in offered
            if not any(self.is_meant(cells, sought, option) for sought in step.options)
        ]
        if others:
            names = self.compiled.option_names(cells, others)
            more = f" and {len(names) - 12} more" if len(names) > 12 else ""
            raise _Failed(step.span, expected, (f"there is {', '.join(names[:12])}{more}, too",))

    # ---- displayed text -------------------------------------------------------------------------

    def text(self, cells: array[int], words: scenarios.Words) -> str:
        """Return the words with their placeholders filled in."""
        arguments = self.compiled.engine.value(cells, words.procedure)
        assert isinstance(arguments, tuple)
        return self.compiled.words.message(words.message, arguments)

    def check_words(self, step: scenarios.ExpectWords) -> None:
        """Check that the log, the prompt or a view contains the expected words, anywhere in its lines or entries."""
        cells = self.current_cells()
        texts = [_plain(self.text(cells, words)) for words in step.words]
        lines = self.text_lines(cells, step)
        if _follow(texts, _plain(" ".join(lines))) == step.holds:
            return
        whose = "" if step.player is None else f" of {self.compiled.words.player(step.player)}"
        wanted = " before ".join(f'"{text}"' for text in texts)
        expected = f"{'' if step.holds else 'no '}{step.where}{whose} {wanted}"
        raise _Failed(step.span, expected, lines or (f"the {step.where} is empty",))

    def text_lines(self, cells: array[int], step: scenarios.ExpectWords) -> tuple[str, ...]:
        """Return the lines of the log, the prompt or the view."""
        reader = NOBODY if step.player is None else step.player
        match step.where:
            case "log":
                logged = [line for line in self.logged if line.audience in (NOBODY, reader)]
                return tuple(line.text for line in logged)
            case "prompt":
                if step.player is not None:
                    self.require_turn(step.span, step.player, "is asked")
                return (self.compiled.prompt(cells),) if cells[SITE] >= 0 else ()
            case "view":
                viewer = ALL_SEEING if step.player is None else step.player
                text = in_words(self.compiled, cells, viewer)
                return tuple(line.rstrip() for line in text.splitlines() if line.strip())
            case _:
                assert_never(step.where)

    def check_picture(self, step: scenario_syntax.ExpectPicture) -> None:
        """Check the drawing of a grid."""
        drawn = drawn_cells(self.compiled, self.current_cells(), step.space)
        rows = [[drawn.get(cell) or EMPTY_CELL for cell, _ in row] for row in step.rows]
        if rows != [[text for _, text in row] for row in step.rows]:
            wide = max(len(text) for row in rows for text in row)
            found = tuple(" ".join(text.ljust(wide) for text in row).rstrip() for row in rows)
            raise _Failed(step.span, f"the picture of {step.space}", found)

    def check_option_text(self, step: scenarios.ExpectOption) -> None:
        """Check that an option with the expected text is offered."""
        cells = self.current_cells()
        option = None if cells[SITE] < 0 else self.find(cells, step.option)
        if option is None:
            found = self.not_offered(cells, step.option) if cells[SITE] >= 0 else ()
            lines = found or (self.not_deciding(cells),)
            raise _Failed(step.span, f"the option `{step.option.text}`", lines)
        wanted, text = (
            _plain(self.text(cells, step.words)),
            self.compiled.option_text(cells, option),
        )
        if wanted not in _plain(text):
            raise _Failed(step.span, f'option {step.option.text} "{wanted}"', (f'"{text}"',))

    # ---- who decides, which rules run, equal positions -------------------------------------------

    def check_decider(self, step: scenarios.ExpectAsked) -> None:
        """Check that it is, or is not, a player's turn to decide. Without a player, check that nobody decides."""
        cells = self.current_cells()
        if step.player is None:
            is_asked = bool(cells[OVER]) or cells[PLAYER] == NOBODY or cells[SITE] < 0
        else:
            is_asked = self.decides(cells, step.player)
        if is_asked == step.holds:
            return
        words = self.compiled.words
        who = "nobody" if step.player is None else words.player(step.player)
        open_to_all = cells[OVER] or cells[SITE] < 0 or cells[PLAYER] == NOBODY
        found = (
            self.not_deciding(cells)
            if open_to_all
            else f"{words.player(cells[PLAYER])} decides: {self.compiled.prompt(cells)}"
        )
        raise _Failed(step.span, f"{who} is {'' if step.holds else 'not '}asked", (found,))

    def check_running(self, step: scenarios.ExpectRunning) -> None:
        """Check that a rule is running, or is not running."""
        cells = self.current_cells()
        program = self.compiled.program
        numbers = {one.procedure for one in program.callables if one.name == step.name}
        running = [me for number, me in self.running(cells) if number in numbers]
        is_on = bool(running) if step.player is None else step.player in running
        if is_on == step.holds:
            return
        words = self.compiled.words
        whose = "" if step.player is None else f" of {words.player(step.player)}"
        named = [f"{step.name} of {words.player(me)} goes on" for me in running if me >= 0]
        found = named or [f"{step.name} {'goes on' if is_on else 'does not go on'}"]
        wanted = "goes on" if step.holds else "has ended"
        if not cells[OVER] and cells[SITE] >= 0:
            who = words.player(cells[PLAYER]) if cells[PLAYER] >= 0 else "somebody"
            found = [*found, f"to decide: {self.compiled.prompt(cells)} ({who})"]
        raise _Failed(step.span, f"{step.name}{whose} {wanted}", found)

    def running(self, cells: array[int]) -> Iterator[tuple[int, int]]:
        """Yield the running procedures, each with its actor. The most recently called procedure is first."""
        program = self.compiled.program
        block, frame = cells[RESUME], cells[FP]
        while not cells[OVER] and frame and block != HALT:
            number = program.blocks[block].procedure
            has_actor = program.suspending[number].parameters > 0
            yield number, cells[frame + FRAME] if has_actor else NOBODY
            block, frame = cells[frame], cells[frame + 1]

    def check_same(self, step: scenarios.Same) -> None:
        """Check that the position is the same as the one reached by another sequence of steps."""
        cells = self.current_cells()
        other = _Play(self.answers, self.reference)
        other.go(step.steps, 0, len(step.steps))
        theirs = other.current_cells()
        mine, others = (self.whole_position(each) for each in (cells, theirs))
        found = [
            f"{what}: {mine.get(what, NOTHING)}; there: {others.get(what, NOTHING)}"
            for what in dict.fromkeys((*mine, *others))
            if mine.get(what, NOTHING) != others.get(what, NOTHING)
        ]
        if found:
            raise _Failed(step.span, f"the same as `{step.text}`", found[:SHOWN_DIFFERENCES])

    def whole_position(self, cells: array[int]) -> dict[str, str]:
        """Describe the whole position: the open decision, its options, and the places of all things."""
        compiled = self.compiled
        found = in_parts(compiled.viewer.view(cells, ALL_SEEING))
        if cells[OVER] or cells[SITE] < 0:
            return {"to decide": self.not_deciding(cells), **found}
        names = compiled.option_names(cells, compiled.options(cells))
        asked = f"{compiled.words.player(cells[PLAYER])} decides: {compiled.prompt(cells)}"
        return {"to decide": asked, "options": ", ".join(sorted(names)), **found}

    def whereabouts(self, cells: array[int], pieces: Sequence[int]) -> tuple[str, ...]:
        """Describe in words where the given pieces are."""
        viewer = self.compiled.viewer
        found = Counter(viewer.where_lies(cells, piece) for piece in pieces)
        if not found:
            return ()
        name = self.compiled.words.thing("piece", pieces[0]) or self.row_of(pieces[0])
        many = [f"{count} in {place}" for place, count in found.items()]
        return (f"{name}: {', '.join(many) if len(pieces) > 1 else f'in {next(iter(found))}'}",)

    def row_of(self, piece: int) -> str:
        """Return the row of a piece, as words."""
        kind = next(k for k in reversed(self.compiled.program.pieces) if k.first <= piece)
        return kind.rows[piece - kind.first].replace("_", " ")

    # ---- conditions and knowledge ---------------------------------------------------------------

    def check_conditions(
        self, cells: array[int], span: Span, conditions: Sequence[scenarios.Condition]
    ) -> None:
        """Check that all conditions are true."""
        for condition in conditions:
            if not self.compiled.engine.value(cells, condition.procedure):
                sides = [
                    f"`{side.text}` is {self.value_text(cells, side)}" for side in condition.sides
                ]
                raise _Failed(span, condition.text, sides or ("it does not hold",))

    def check_reason(self, cells: array[int], span: Span, reason: scenarios.Because) -> None:
        """Check that a value has the given reasons, in the order in which they apply."""
        compiled = self.compiled
        named = next(v for v in compiled.program.values if v.procedure == reason.value)
        pairs = zip(named.sources, reason.sources, strict=True)
        changes = in_order(
            change
            for (words, clauses, _), procedure in pairs
            for change in source_changes(
                compiled, named, compiled.list(cells, procedure), words, clauses
            )
        )
        found = ", ".join(f"{change.change} by {change.by}" for change in changes) or "nothing"
        wanted = self.text(cells, reason.words)
        if found != wanted:
            raise _Failed(span, f'because "{wanted}"', (f'because "{found}"',))

    def check_sees(self, step: scenarios.Sees) -> None:
        """Check that all conditions are true, and depend only on things that the player may know."""
        cells = self.current_cells()
        self.check_conditions(cells, step.span, step.conditions)
        name = self.compiled.words.player(step.player)
        for condition in step.conditions:
            hidden = hidden_in(
                self.compiled, self.reference, cells, condition.procedure, step.player
            )
            if hidden:
                raise _Failed(
                    step.span,
                    f"{name} sees {condition.text}",
                    (f"it depends on {hidden}, hidden from {name}",),
                )

    def check_hidden(self, step: scenarios.CannotSee) -> None:
        """Check that the value depends on something hidden from the player."""
        cells = self.current_cells()
        name = self.compiled.words.player(step.player)
        asked, pieces = step.value, self.compiled.words.is_of_pieces(step.value.domain)
        if not hidden_in(
            self.compiled, self.reference, cells, asked.procedure, step.player, of_pieces=pieces
        ):
            found = f"`{step.value.text}` is {self.value_text(cells, step.value)}, and {name} can see it"
            raise _Failed(step.span, f"{name} cannot see {step.value.text}", (found,))

    def check_fault(self, step: scenario_syntax.Fault, fault: RuleFault) -> None:
        """Check that the fault is the expected fault."""
        if step.text not in fault.message and step.text != fault.code:
            raise _Failed(step.span, f"the fault `{step.text}`", _fault_lines(fault))

    # ---- values ----------------------------------------------------------------------------------

    def numbers(self, cells: array[int], asked: scenarios.ShownValue) -> tuple[int, ...]:
        """Return the accepted values: a single value, or each value of a list."""
        value = self.compiled.engine.value(cells, asked.procedure)
        return (value,) if isinstance(value, int) else tuple(v for v in value if isinstance(v, int))

    def value_text(self, cells: array[int], asked: scenarios.ShownValue) -> str:
        """Return the text of a value: its name, or the names of a list."""
        value: Value = self.compiled.engine.value(cells, asked.procedure)
        if asked.is_flag:
            return "yes" if value else "no"
        if isinstance(value, int):
            return self.compiled.words.name(asked.domain, value)
        return (
            ", ".join(
                self.compiled.words.name(asked.domain, item)
                if isinstance(item, int)
                else self.compiled.words.text(asked.domain, item)
                for item in value
            )
            or "empty"
        )


_WORD = re.compile(r"\w+")


def _plain(text: str) -> str:
    """Return the words of a text, joined by single spaces."""
    return " ".join(text.split())


def _follow(texts: Sequence[str], read: str) -> bool:
    """Return whether the given texts occur in the displayed text in the same order."""
    at = 0
    for text in texts:
        found = read.find(text, at)
        if found < 0:
            return False
        at = found + len(text)
    return True


def _fault_lines(fault: RuleFault) -> tuple[str, ...]:
    what = f"fault in play: {fault.message} [{fault.code}]"
    if fault.span is None:
        return (what,)
    first = fault.span.text.partition("\n")[0]
    return (f"{what} at {fault.span.source.name}:{fault.span.line}: `{first}`",)
