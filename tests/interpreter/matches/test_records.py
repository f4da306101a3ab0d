"""Records are written, read, refused and replayed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import (
    FORMAT,
    Record,
    check_sum,
    load_records,
    parse_records,
    record_of,
    save,
)
from rulewright.interpreter.matches.replay import DifferenceError, check_rules, replay
from rulewright.interpreter.simulation.simulation import play_on
from rulewright.interpreter.text.errors import BrokenRecordError
from tests.interpreter.handmade import cards, four, handmade
from tests.interpreter.handmade_cards import CARDS


def random_match(game: Game, seed: int = 5) -> Match:
    match = Match.begin(game, game.variant(), seed)
    play_on(match, ("random", "random"))
    return match


def a_record() -> Record:
    return record_of(random_match(cards()), ("random", "random"))


def test_a_record_can_be_read() -> None:
    assert a_record().to_text() == (
        "{\n"
        '  "format": "rulewright record 1",\n'
        '  "game": "Six Cards",\n'
        '  "title": "Six Cards",\n'
        '  "rules": "0000000000000000",\n'
        '  "players": 2,\n'
        '  "options": {},\n'
        '  "seed": 5,\n'
        '  "seats": [\n'
        '    "random",\n'
        '    "random"\n'
        "  ],\n"
        '  "steps": [\n'
        '    "~shuffle 0 4 0 1 0",\n'
        '    "~roll player_1",\n'
        + "".join(f'    "{step}",\n' for step in a_record().steps[2:-1])
        + f'    "{a_record().steps[-1]}"\n'
        "  ],\n"
        f'  "result": {json.dumps(_result(a_record()))},\n'
        f'  "check": "{a_record().check}"\n'
        "}\n"
    )


def _result(record: Record) -> dict[str, Any]:
    assert record.result is not None
    return {"winners": record.result.winners, "scores": record.result.scores}


@pytest.mark.parametrize("write", [Record.to_text, Record.to_line])
def test_written_records_can_be_read(write: Callable[[Record], str]) -> None:
    record = a_record()
    assert parse_records(write(record), "x") == [record]
    assert record.is_whole


def test_a_file_holds_several_records(tmp_path: Path) -> None:
    records = [record_of(random_match(cards(), seed)) for seed in range(3)]
    path = tmp_path / "many.log"
    save(path, "".join(f"{record.to_line()}\n" for record in records))
    assert load_records(path) == records


@given(st.integers(0, 500))
def test_a_record_replays_to_the_same_states(seed: int) -> None:
    game = cards()
    match = random_match(game, seed)
    assert replay(record_of(match), game).states == match.states


@given(st.integers(0, 50), st.integers(0, 6))
def test_a_play_goes_on_from_its_record_as_it_would_have(seed: int, decisions: int) -> None:
    game = cards()
    whole = random_match(game, seed)
    again = replay(record_of(whole), game, to=decisions)
    assert again.decisions == decisions
    play_on(again, ("random", "random"))
    assert again.states == whole.states


def test_a_replay_tells_the_same() -> None:
    game = cards()
    match = random_match(game)
    again = replay(record_of(match), game)
    assert [state.log for state in again.states] == [state.log for state in match.states]
    assert [state.drawn for state in again.states] == [state.drawn for state in match.states]
    assert record_of(again) == record_of(match)


def test_an_unfinished_play_has_no_result() -> None:
    game = four()
    match = Match.begin(game, game.variant(), 0)
    match.choose("drop(4)")
    record = record_of(match)
    assert record.result is None
    assert replay(record, game).state == match.state


# ---- files ----


def test_saving_replaces_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.play"
    save(path, a_record().to_text())
    save(path, a_record().to_line())
    assert load_records(path) == [a_record()]
    assert [file.name for file in tmp_path.iterdir()] == ["a.play"]


def test_a_failed_save_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.play"
    save(path, a_record().to_text())

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(path, a_record().to_line())
    assert path.read_text() == a_record().to_text()
    assert [file.name for file in tmp_path.iterdir()] == ["a.play"]


@pytest.mark.parametrize("text", ["my notes\n", '{"a": 1}', "import rulewright\n"])
def test_a_file_that_is_no_record_is_not_written_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(BrokenRecordError, match="exists already and is not a record"):
        save(path, a_record().to_text())
    assert path.read_text() == text


def test_an_empty_file_may_be_written_over(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_text("")
    save(path, a_record().to_text())
    assert load_records(path) == [a_record()]


def test_a_save_goes_through_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    save(real, a_record().to_text())
    link.symlink_to(real)
    save(link, a_record().to_line())
    assert link.is_symlink()
    assert real.read_text() == a_record().to_line()


# ---- what is refused ----


def refusal(text: str) -> str:
    with pytest.raises(BrokenRecordError) as refused:
        parse_records(text, "x.play")
    return str(refused.value)


def record_line(**parts: object) -> str:
    data = json.loads(a_record().to_line())
    data.update(parts)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.play: the file is empty: it has no record"),
        (" \n\n", "x.play: the file is empty: it has no record"),
        ("hello", "x.play:1:1: this is not a record"),
        ("[1, 2]", "x.play:1:1: this is not a record of a match"),
        ('{"a": 1}', "x.play:1:1: this is not a record of a match"),
        ("\n{'a': 1}", "x.play:2:2: this is not a record"),
        ("[" * 100_000, "x.play:1:1: this is not a record"),
        (
            '{"format": "rulewright record 9"}',
            "x.play:1:1: the format is 'rulewright record 9', but this version reads '"
            + FORMAT
            + "'",
        ),
        ('{"format": NaN}', "x.play:1:1: this is not a record"),
        ('{"format": 1' + "0" * 5000 + "}", "x.play:1:1: this is not a record"),
    ],
    ids=range(10),
)
def test_wrong_records_are_refused(text: str, message: str) -> None:
    assert refusal(text) == message


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"players": "2"}, "a whole number belongs here @ record.players"),
        ({"players": True}, "a whole number belongs here @ record.players"),
        ({"seed": 2**70}, "a whole number belongs here @ record.seed"),
        ({"seed": 1.5}, "a whole number belongs here @ record.seed"),
        ({"steps": [1]}, "a text in one line belongs here @ record.steps[0]"),
        ({"steps": ["a\nb"]}, "a text in one line belongs here @ record.steps[0]"),
        ({"steps": ["\ud800"]}, "a text in one line belongs here @ record.steps[0]"),
        ({"title": None}, "a text in one line belongs here @ record.title"),
        ({"extra": 1}, "`extra` does not belong here: the record was edited @ record"),
        ({"result": {"winners": [0]}}, "a part is missing"),
        ({"options": 3}, "record.options"),
        ({"options": []}, "record.options"),
        ({"steps": 3}, "record.steps"),
        ({"result": [1]}, "record.result"),
    ],
    ids=range(14),
)
def test_parts_of_other_sorts_are_refused(parts: dict[str, object], words: str) -> None:
    message = refusal(record_line(**parts))
    assert message.startswith("x.play:1:1: ")
    assert words in message


def test_a_record_that_is_cut_short_is_refused() -> None:
    text = a_record().to_text()
    for end in range(1, len(text) - 2):
        assert refusal(text[:end]).startswith("x.play:")
    for end in range(2, len(text) - 2):
        if text[:end].rstrip()[-1] not in "nul":
            assert "cut short" in refusal(text[:end]), text[:end]


@given(st.binary(max_size=60))
def test_any_bytes_give_a_reason(data: bytes) -> None:
    text = data.decode("utf-8", errors="replace")
    assert refusal(text).startswith("x.play:")


@given(st.data())
def test_an_edited_record_is_noticed_or_refused(data: st.DataObject) -> None:
    text = a_record().to_text()
    at = data.draw(st.integers(0, len(text) - 1))
    character = data.draw(st.sampled_from('0aZ",]}{ \n\\~'))
    edited = text[:at] + character + text[at + 1 :]
    try:
        records = parse_records(edited, "x")
    except BrokenRecordError:
        return
    assert records == [a_record()] or not any(record.is_whole for record in records)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BrokenRecordError, match="cannot be read: No such file"):
        load_records(tmp_path / "missing")
    with pytest.raises(BrokenRecordError, match="cannot be read: Is a directory"):
        load_records(tmp_path)
    (tmp_path / "binary").write_bytes(b"\x00\xff\xfe")
    with pytest.raises(BrokenRecordError, match="byte 2 is not UTF-8 text"):
        load_records(tmp_path / "binary")


def test_a_record_of_other_rules_is_refused() -> None:
    record = attrs.evolve(a_record(), rules="f" * 16)
    with pytest.raises(BrokenRecordError, match="those of Six Cards have changed since"):
        check_rules(record, cards())


# ---- the first difference ----


def difference(steps: tuple[str, ...], **parts: Any) -> DifferenceError:
    record = attrs.evolve(a_record(), steps=steps, **parts)
    with pytest.raises(DifferenceError) as found:
        replay(record, cards())
    return found.value


STEPS = ("~shuffle 0 4 0 1 0", "~roll player_1", "1", "3", "three", "six", "four", "two")


@pytest.mark.parametrize(
    ("at", "step", "message"),
    [
        (0, "1", "step 1: the record has `1` where the rules shuffle"),
        (0, "~shuffle 0 4 0 1", "step 2: the record has `~roll player_1` where the rules shuffle"),
        (0, "~shuffle 0 4 0 1 2", "step 1: `2` is not a place among 2"),
        (0, "~shuffle 0 4 0 x 0", "step 1: `x` is not a place among 3"),
        (
            0,
            "~shuffle 0 4 0 1 0 0",
            "step 3: the shuffle before it has more places than the rules ask for",
        ),
        (1, "1", "step 2: the record has `1` where the rules roll lead"),
        (
            1,
            "~roll player_9",
            "step 2: `~roll player_9` is not a possible result where the rules roll lead",
        ),
        (2, "~roll 1", "step 3: `~roll 1` is a result of chance, but a choice is to be made"),
        (3, "4", "step 4: there is no option `4` here"),
        (4, "six", "step 5: `six` cannot be chosen: the six is not in your hand"),
    ],
    ids=range(10),
)
def test_the_first_difference_is_reported(at: int, step: str, message: str) -> None:
    found = difference((*STEPS[:at], step, *STEPS[at + 1 :]))
    assert str(found).startswith(message)
    assert found.step == int(message.split()[1].rstrip(":"))


def test_a_record_with_too_few_or_too_many_steps() -> None:
    assert str(difference(STEPS[:-1])) == "step 7: the record ends, but the game is not over"
    assert str(difference((*STEPS, "one"))) == "step 9: the game is over, but the record goes on"
    assert "the record ends where" in str(difference(STEPS[:1], result=None))


def test_a_record_with_another_end() -> None:
    record = a_record()
    assert record.result is not None
    other = attrs.evolve(record.result, winners=(0, 1))
    assert "the winners differ" in str(difference(record.steps, result=other))
    other = attrs.evolve(record.result, scores=())
    assert "the scores differ" in str(difference(record.steps, result=other))


def test_results_of_chance_may_be_others_than_those_of_the_seed() -> None:
    record = attrs.evolve(a_record(), seed=77, steps=STEPS, result=None)
    again = replay(record, cards())
    assert again.state.over
    assert record_of(again).steps == STEPS


def test_the_check_sum_is_of_all_parts() -> None:
    record = a_record()
    others = (
        attrs.evolve(record, title="other"),
        attrs.evolve(record, game="other"),
        attrs.evolve(record, rules="other"),
        attrs.evolve(record, players=3),
        attrs.evolve(record, options=(("a", "b"),)),
        attrs.evolve(record, seed=6),
        attrs.evolve(record, seats=()),
        attrs.evolve(record, steps=record.steps[:-1]),
        attrs.evolve(record, result=None),
    )
    assert len({record.check, *map(check_sum, others)}) == 10


def test_a_record_survives_other_numbers(tmp_path: Path) -> None:
    """The order of the arms and cells of a compiled program may change, names do not."""
    site = attrs.evolve(CARDS.sites[1], arms=(attrs.evolve(CARDS.sites[1].arms[0]),))
    again = handmade(attrs.evolve(CARDS, sites=(CARDS.sites[0], site), size=CARDS.size + 10))
    record = a_record()
    assert record_of(replay(record, again)).steps == record.steps
