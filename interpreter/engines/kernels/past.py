"""Kernels that draw a state consistent with everything that a player has seen.

They do the same as `Sampler` of `rulewright.interpreter.knowledge.sampling`, with equal random
numbers. Hidden pieces change places as in `hidden`. Then the last steps are replayed with the
pieces in their new places. The player must see the same before each step, the choice must be
possible, and the log lines must be the same. The tables come from
`rulewright.interpreter.knowledge.search_tables` and `past_tables`.
"""

from __future__ import annotations

from rulewright.dsl.ir import BOUND, FP, FRAME, SITE, SP
from rulewright.interpreter.engines.chance import MASK
from rulewright.interpreter.engines.kernels.hidden import (
    block_of_work,
    copy_state,
    exchange,
    find_unknown,
    knows,
    sight_key,
    swap,
)
from rulewright.interpreter.engines.kernels.machine import AWAY, FOURTH, ONE, mix_bits
from rulewright.interpreter.engines.kernels.tree import SAMPLE, TRIED, TRUE, Game, Tree, copy_cells

TRIES = 40
"""The maximum number of exchanges tried to find one that agrees with the past. If none agrees, the last one is used."""

AS_RESULT, IN_LIST, FROM_LOW = 0, 1, 2
"""The ways to find an earlier result of chance again: the same number, a piece in a list, a piece above the lowest."""
UNREAD, AS_NUMBER, IF_ONE, BY_TEXT = 0, 1, 2, 3
"""The ways to read an argument of a message: not at all, as it is, whether it is 1, by the text of the value."""


def word_of(t: Tree, row: int, value: int) -> int:
    """Return a hash of the text of an argument of a message."""
    how = t.said[row]
    if how == UNREAD:
        return 0
    if how == IF_ONE:
        if value == 1:
            return 1
        return 0
    if how == BY_TEXT and value >= t.said[row + 1] and value < t.said[row + 2]:
        return t.word_class[t.said[row + 3] + value - t.said[row + 1]]
    return value


def read_lines(t: Tree, player: int) -> None:
    """Mix the lines in `log_lines` that a player may read into `log_key`."""
    found = t.log_key[0]
    place = 1
    end = 1 + t.log_lines[0]
    while place < end:
        message = t.log_lines[place]
        audience = t.log_lines[place + 1]
        count = t.log_lines[place + 2]
        place += 3
        row = t.said_start[message]
        last = t.said_start[message + 1]
        is_read = 0
        if audience < 0 or audience == player:
            is_read = 1
            found = mix_bits((found ^ (message * 1024 + audience + 1)) & MASK)
        for number in range(count):
            length = t.log_lines[place]
            items = length - 1
            if length == 0:
                items = 1
            place += 1
            if is_read != 0 and row + number < last:
                found = ((found ^ length) * ONE) & MASK
                for item in range(items):
                    word = word_of(t, 4 * (row + number), t.log_lines[place + item])
                    found = ((found ^ (word + AWAY)) * ONE) & MASK
            place += items
    t.log_key[0] = mix_bits(found)


def same_result(t: Tree, number: int) -> int:
    """Return the result that corresponds to an earlier result of chance, or -1 if there is none."""
    site = t.drawn[3 * number]
    if t.work[BOUND] == 0 or t.work[SITE] != site:
        return -1
    how = t.chance_how[2 * site]
    if how == AS_RESULT:
        if t.drawn[3 * number + 1] < t.work[BOUND]:
            return t.drawn[3 * number + 1]
        return -1
    wanted = t.drawn[3 * number + 2]
    if wanted >= 0 and wanted < t.pieces:
        wanted = t.swapped[wanted]
    if how == IN_LIST:
        first = t.work[FP] + FRAME + t.chance_how[2 * site + 1]
        for place in range(t.work[first]):
            if t.work[first + 1 + place] == wanted:
                return place
        return -1
    if how != FROM_LOW:
        return -1
    place = wanted - t.chance_how[2 * site + 1]
    if place >= 0 and place < t.work[BOUND]:
        return place
    return -1


def replay(game: Game, t: Tree, step: int, player: int) -> int:
    """Replay a step from the working state, and hash its lines into `log_key`.

    Return whether the step has the same outcome.
    """
    t.log_key[0] = FOURTH
    game.tell(t, t.step_choice[step])
    read_lines(t, player)
    for number in range(t.step_drawn[step], t.step_drawn[step + 1]):
        result = same_result(t, number)
        if result < 0:
            return 0
        game.tell(t, result)
        read_lines(t, player)
    return 1


def note_counter(t: Tree) -> None:
    """Begin a task that only draws random numbers, so that `undo` can revert it."""
    t.counter_before = t.counter
    t.spread_before = t.spread
    t.decisions_before = t.decisions
    t.touched = 0


def recall(t: Tree, step: int) -> None:
    """Copy the state before a step to `TRIED`. In both states, the cells beyond the stack are 0."""
    used = t.past[step * t.size + SP]
    if t.states[TRIED * t.size + SP] > used:
        used = t.states[TRIED * t.size + SP]
    copy_cells(t.states, TRIED * t.size, t.past, step * t.size, used)


def remember(game: Game, t: Tree, count: int) -> int:
    """For each past step, compute the player's view and knowledge before it, and its log lines.

    This is done once for each decision.
    """
    note_counter(t)
    for step in range(count):
        remember_step(game, t, step)
    return 0


def remember_step(game: Game, t: Tree, step: int) -> int:
    """Compute the results of `remember` for one step."""
    recall(t, step)
    game.load(t, TRIED)
    for piece in range(t.pieces):
        t.swapped[piece] = piece
        t.step_known[step * t.pieces + piece] = knows(t, piece, t.me, block_of_work(t))
    t.step_key[step] = sight_key(t, t.me, 0)
    if t.step_is_known[step] != 0:
        if replay(game, t, step, t.me) == 0:
            t.strayed = 1
        t.step_lines[step] = t.log_key[0]
    return 0


def was_known(t: Tree, step: int) -> int:
    """Return whether the player knew the place of any exchanged piece before a step."""
    for piece in range(t.pieces):
        if t.swapped[piece] != piece and t.step_known[step * t.pieces + piece] != 0:
            return 1
    return 0


def is_moved(t: Tree) -> int:
    """Return whether at least one piece changes places."""
    for piece in range(t.pieces):
        if t.swapped[piece] != piece:
            return 1
    return 0


def agrees(game: Game, t: Tree, player: int) -> int:
    """Return whether the player would have seen and read the same if the pieces had been exchanged from the start."""
    if is_moved(t) == 0:
        return 1
    for step in range(t.steps_kept):
        known = was_known(t, step)
        if known != 0 or t.step_is_known[step] != 0:
            recall(t, step)
            swap(t, TRIED * t.size, player)
            game.load(t, TRIED)
            if known != 0 and sight_key(t, player, 0) != t.step_key[step]:
                return 1  # before this step, the player could distinguish these pieces
            if t.step_is_known[step] != 0:
                if game.has(t, t.step_choice[step]) == 0:
                    return 0
                if replay(game, t, step, player) == 0:
                    return 0
                if t.log_key[0] != t.step_lines[step]:
                    return 0
    return 1


def sample(game: Game, t: Tree, player: int) -> int:
    """Draw a state that looks the same to a player as the true state, and store it as the sample."""
    note_counter(t)
    find_unknown(t, TRUE * t.size, player)
    tries = 0
    found = 0
    while found == 0 and tries < TRIES:
        exchange(t)
        tries += 1
        found = agrees(game, t, player)
    copy_state(t, SAMPLE, TRUE)
    swap(t, SAMPLE * t.size, player)
    return 0
