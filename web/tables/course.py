"""The match of a table: it applies the events, goes back, and gives each viewer the log.

All code that needs the states of a match is here; the states are a cache of the events.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs

from rulewright.interpreter.knowledge.disclosure import may_tell
from rulewright.interpreter.matches.events import Event as MatchEvent
from rulewright.interpreter.matches.events import has_one_option
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import Record, first_steps, record_with, step_between
from rulewright.interpreter.matches.replay import begin_replay, go_on
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.matches.taking_back import came_up, describe_revealed
from rulewright.interpreter.views.view import ALL_SEEING, EVERYBODY


@attrs.frozen
class Line:
    """A line of the log. `number` is the event number of its step, and `step` is the number of the step for
    the viewer.

    `back` is true if the step was taken back later.
    """

    number: int
    step: int
    player: int
    text: str
    back: bool = False


@attrs.frozen
class _Gone:
    """A step that was taken back, with the texts of its events for each viewer."""

    number: int
    step: int
    texts: dict[int, tuple[MatchEvent, ...]]


@attrs.define
class Course:
    """A match from its start to its current state, with the event number of each step."""

    match: Match
    numbers: list[int] = attrs.field(factory=list)
    steps: list[tuple[str, ...]] = attrs.field(factory=list)
    start: tuple[str, ...] = ()
    _gone: list[_Gone] = attrs.field(factory=list)
    _chose: list[int] = attrs.field(factory=list)
    """The seat that decided at each step; -1 if there was nothing to decide."""
    _known_to: list[int] = attrs.field(factory=list)
    """The seat that alone counts each step, or -1 if all viewers do. Only the chooser counts the further
    parts of a secret choice.
    """
    _met: Counter[int] = attrs.field(factory=Counter)
    """The number of steps that only one seat has counted, by seat, including steps that were taken back.

    The key -1 has the steps that all viewers count.
    """
    _counts: dict[int, list[int]] = attrs.field(init=False, factory=dict)
    """For each viewer who has asked, how many steps the viewer had counted at the start and after each step."""
    _answered: dict[tuple[int, int], tuple[int, str]] = attrs.field(factory=dict)
    """The answered decisions: for each pair of a seat and a decision number, the number of the event and
    the option.
    """
    _looked_ahead: list[tuple[State, tuple[str, ...], State]] = attrs.field(factory=list)
    """The option that was last previewed, and the only options that follow it: for each the state before it,
    its steps and the state after them.
    """

    @classmethod
    def begin(
        cls, game: Game, variant: Variant, seed: int, start: Sequence[str], names: Sequence[str]
    ) -> Course:
        """Return a match at its first decision."""
        called = {seat: name for seat, name in enumerate(names) if name}
        compiled = game.compiled(variant).with_names(called)
        return cls(begin_replay(game, variant, seed, start, compiled), start=tuple(start))

    @property
    def state(self) -> State:
        """The current state."""
        return self.match.state

    @property
    def step(self) -> int:
        """The number of decisions, without those that were taken back."""
        return len(self.steps)

    @property
    def is_forced(self) -> bool:
        """Return whether there is only one option, in which case nobody has to be asked."""
        return has_one_option(self.state)

    def after(self, option: str) -> tuple[str, ...]:
        """Return the result of an option, with the random results that follow; the match itself does not change."""
        state = self.state
        after = state.choose(option)
        steps = tuple(step_between(state, after))
        self._looked_ahead = [(state, steps, after)]
        return steps

    def only_after(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the player and the steps of each decision after the previewed option that has only one option."""
        while has_one_option(state := self._looked_ahead[-1][2]):
            after = state.choose(state.decision.names[0])
            steps = tuple(step_between(state, after))
            self._looked_ahead.append((state, steps, after))
            yield state.player, steps

    def decision(self, viewer: int) -> int:
        """Return the number by which a viewer knows the open decision. It grows with each step that
        the viewer sees.
        """
        return 1 + sum(count for seat, count in self._met.items() if seat in (EVERYBODY, viewer))

    def answer(self, seat: int, decision: int) -> str | None:
        """Return the option with which a seat answered a decision, or None if it has not."""
        return self._answered.get((seat, decision), (0, None))[1]

    def names_at(self, seat: int, decision: int) -> list[str]:
        """Return the options that a seat had at a decision, or an empty list if the decision is no longer known."""
        if decision == self.decision(seat):
            return [] if self.state.over else self.state.decision.names
        number, _ = self._answered.get((seat, decision), (0, None))
        if number not in self.numbers:
            return []
        return self.match.states[self.numbers.index(number)].decision.names

    def step_counts(self, viewer: int) -> Sequence[int]:
        """Return the number of steps that a viewer has seen, at the start and after each step of the match."""
        found = self._counts.setdefault(viewer, [0])
        for seat in self._known_to[len(found) - 1 :]:
            found.append(found[-1] + (viewer == ALL_SEEING or seat in (EVERYBODY, viewer)))
        return found

    def turn_began(self, viewer: int) -> int | None:
        """Return the event number of the first step of an unfinished secret choice.

        Return None if there is no such choice, or if the viewer is the one who chooses.
        """
        if viewer == self.state.player or not self._goes_on(self.state.player):
            return None
        counted = self.step_counts(viewer)
        return self.numbers[bisect_left(counted, counted[-1]) - 1]

    def _goes_on(self, seat: int) -> bool:
        """Return whether the open decision continues a secret choice that a seat has begun."""
        states = self.match.states[-2:]
        return len(states) > 1 and all(one.is_together and one.player == seat for one in states)

    def is_otherwise(self, seat: int, option: str, since: int) -> bool:
        """Return whether other seats have made a choice since an event, as far as a seat may know."""
        states = self.match.states
        return any(
            before.player != seat and (steps[0] != option or not may_tell(before, after, seat))
            for number, steps, (before, after) in zip(
                self.numbers, self.steps, pairwise(states), strict=True
            )
            if number > since
        )

    def follow(self, number: int, steps: Sequence[str]) -> None:
        """Apply an event."""
        before = self.state
        chose = -1 if has_one_option(before) else before.player
        seat = before.player
        self._answered[seat, self.decision(seat)] = number, steps[0]
        self._known_to.append(seat if self._goes_on(seat) else EVERYBODY)
        self._met[self._known_to[-1]] += 1
        known = self._looked_ahead[:1]
        del self._looked_ahead[:1]
        if known and known[0][0] is before and known[0][1] == (*steps,):
            self.match.add(known[0][2])
        else:
            self._looked_ahead.clear()
            go_on(self.match, steps)
        self._chose.append(chose)
        self.numbers.append(number)
        self.steps.append(tuple(steps))

    def back(self, step: int) -> None:
        """Go back to an earlier step; later choices stay in the log."""
        viewers = [EVERYBODY, ALL_SEEING, *range(len(self.state.players))]
        events = {viewer: self._events(viewer) for viewer in viewers}
        for at in range(step, self.step):
            texts = {viewer: tuple(steps[at + 1]) for viewer, steps in events.items()}
            self._gone.append(_Gone(self.numbers[at], at + 1, texts))
        del self.match.states[step + 1 :]
        del self.numbers[step:]
        del self.steps[step:], self._chose[step:], self._known_to[step:]
        self._counts.clear()
        self._met[EVERYBODY] += 1

    def until(self, step: int) -> Course:
        """Return the match at an earlier step."""
        match = self.match
        earlier = Match(match.game, match.variant, match.seed, match.states[: step + 1])
        last = self.numbers[step - 1] if step else 0
        gone = [one for one in self._gone if one.number < last]
        known = self._known_to[:step]
        return Course(
            earlier,
            self.numbers[:step],
            self.steps[:step],
            self.start,
            gone,
            self._chose[:step],
            known,
            Counter(known),
        )

    def is_own_affair(self, hands: frozenset[int], step: int) -> bool:
        """Return whether, as far as the given seats know, no other seat has acted and nothing was
        revealed since a step.

        The answer tells the seats whether they need the consent of others. So in a game with secrets
        the result must not depend on what only others know, nor on the number of their options. Therefore
        a decision of others is treated as an act even if it had only one option. The end of a match
        reveals everything, including the seed and all results of chance.
        """
        states = self.match.states[step:]
        has_secrets = self.state.compiled.viewer.has_secrets
        if self.state.over and (has_secrets or any(state.drawn for state in self.match.states)):
            return False
        if not has_secrets:
            is_open = any(len(steps) > 1 for steps in self.steps[step:])
            return not is_open and hands.issuperset(self.deciders(step))
        is_one_block = states[0].is_together and states[-1].is_together
        asked = states[:-1] if is_one_block else states
        if not hands.issuperset(state.player for state in asked) or came_up(states, EVERYBODY):
            return False
        return not any(self.shown_since(step, seat) for seat in hands)

    def shown_since(self, step: int, seat: int) -> list[str]:
        """Describe the results of chance and the revealed things that a seat has seen since a step."""
        return describe_revealed(self.match.states[step:], seat)

    def deciders(self, step: int) -> list[int]:
        """Return the seats that have decided since a step, not counting decisions with only one option."""
        return [seat for seat in self._chose[step:] if seat >= 0]

    def last_step_of(self, seats: frozenset[int]) -> int | None:
        """Return the step at which one of these seats last made a real choice, or None if none did."""
        for step in range(self.step - 1, -1, -1):
            if self._chose[step] in seats:
                return step
        return None

    def log(self, viewer: int, last: int | None = None) -> list[Line]:
        """Return the log for a viewer, including choices that were taken back, or only the last lines of
        the log.
        """
        lines: list[Line] = []
        events, step, counted = self._events(viewer), len(self.numbers), self.step_counts(viewer)
        while step >= 0 and (last is None or len(lines) < last):
            number = self.numbers[step - 1] if step else 0
            lines[:0] = [Line(number, counted[step], one.player, one.text) for one in events[step]]
            step -= 1
        for gone in self._gone:
            lines += (
                Line(gone.number, gone.step, one.player, one.text, back=True)
                for one in gone.texts[viewer]
            )
        lines.sort(key=lambda line: line.number)
        return lines if last is None else lines[-last:]

    def news(self, seat: int) -> list[MatchEvent]:
        """Return the events since the last choice of a seat, as far as the seat may know them."""
        return self.match.since_last_decision(seat)

    def record(self, seats: Sequence[str]) -> Record:
        """Return the record of the match, without the steps that were taken back."""
        match = self.match
        steps = [*self.start, *(step for steps in self.steps for step in steps)]
        return record_with(match.game, match.variant, match.seed, seats, steps, match.state)

    def _events(self, viewer: int) -> list[list[MatchEvent]]:
        """Return the events of each step that a viewer may know; step 0 is the start."""
        return self.match.events_by_step(viewer, points=False)


def chance_at_start(game: Game, variant: Variant, seed: int) -> tuple[str, ...]:
    """Return the results of chance at the start of a match."""
    return tuple(first_steps(Match.begin(game, variant, seed).state))
