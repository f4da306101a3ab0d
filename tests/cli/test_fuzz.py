"""Records with random contents are played or refused with a reason, and never damaged."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.cli.exits import Exit
from tests.cli.conftest import Command

REFUSED = (Exit.PROBLEMS, Exit.USAGE)

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def whole(command: Command) -> str:
    """The text of a record."""
    command("play", "cards", "--seed", "5", "--seat", "1=random", "--save", "whole.play")
    return Path("whole.play").read_text()


def check_refusal(command: Command, data: bytes, *words: str) -> None:
    path = Path("broken.play")
    path.write_bytes(data)
    ran = command(*words)
    assert ran.code in REFUSED, ran
    assert ran.err or ran.out
    assert "bug in Rulewright" not in ran.err
    assert path.read_bytes() == data


@in_one_folder
@given(data=st.data())
def test_changed_bytes_of_a_record_are_reported_or_harmless(
    command: Command, whole: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(whole) - 2))
    length = data.draw(st.integers(0, 20))
    put = data.draw(st.binary(max_size=8))
    raw = whole.encode()
    changed = raw[:at] + put + raw[at + length :]
    if json_of(changed) != json_of(raw):
        check_refusal(command, changed, "replay", "broken.play")
        check_refusal(command, changed, "play", "cards", "--load", "broken.play")


def json_of(raw: bytes) -> object:
    try:
        return json.loads(raw)
    except ValueError:
        return None


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside),
    max_leaves=5,
)


@in_one_folder
@given(data=st.data())
def test_changed_parts_of_a_record_are_reported_or_harmless(
    command: Command, whole: str, data: st.DataObject
) -> None:
    record = json.loads(whole)
    part = data.draw(st.sampled_from(sorted(record)))
    value = data.draw(any_json)
    if value == record[part]:
        return
    record[part] = value
    raw = json.dumps(record).encode()
    check_refusal(command, raw, "replay", "broken.play", "--verify")
    check_refusal(command, raw, "replay", "broken.play", "--to", "2")
    check_refusal(command, raw, "play", "cards", "--load", "broken.play")


@in_one_folder
@given(data=st.data())
def test_changed_steps_of_a_record_are_reported_or_harmless(
    command: Command, whole: str, data: st.DataObject
) -> None:
    record = json.loads(whole)
    steps = record["steps"]
    at = data.draw(st.integers(0, len(steps) - 1))
    put = data.draw(
        st.lists(st.sampled_from([*steps, "~", "~roll", "~shuffle", "", "?"]), max_size=2)
    )
    if steps[at : at + 1] == put:
        return
    record["steps"] = [*steps[:at], *put, *steps[at + 1 :]]
    check_refusal(command, json.dumps(record).encode(), "replay", "broken.play")


@in_one_folder
@given(typed=st.text(max_size=60))
def test_anything_can_be_typed(command: Command, typed: str) -> None:
    for game in ("four", "cards"):
        ran = command("play", game, "--seed", "1", typed=typed)
        assert ran.code == Exit.FINE, ran
