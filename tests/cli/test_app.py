"""The frame of the command line: help, exit codes, failures."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from rulewright.cli.app import app, modules
from rulewright.cli.exits import Exit
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.ir_text import code_text, parse_code
from rulewright.interpreter.text.faults import RuleFault
from tests.cli.conftest import Command

COMMANDS = sorted(modules())


def test_help_lists_the_commands(command: Command) -> None:
    ran = command("--help")
    assert ran.code == Exit.FINE
    for name in COMMANDS:
        assert f"\n  {name} " in ran.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_an_example(command: Command, name: str) -> None:
    ran = command(name, "--help")
    assert ran.code == Exit.FINE
    example = ran.out.partition("Example:\n")[2].splitlines()[0]
    assert example.startswith(f"    rulewright {name} ") or example == f"    rulewright {name}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_is_a_line_that_the_command_reads(name: str) -> None:
    found: click.Command = import_module(modules()[name]).command
    assert found.epilog is not None
    for line in found.epilog.partition("Example:\n")[2].splitlines():
        words = line.split()[2:]
        options = {word for option in found.params for word in option.opts}
        assert {word for word in words if word.startswith("--")} <= options
        assert found.short_help
        assert len(found.short_help) < 45


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_import_nothing_heavy(name: str) -> None:
    code = f"""
import sys
import {modules()[name]}
heavy = [module for module in sys.modules if module.startswith("rulewright.")
         and not module.startswith("rulewright.cli")]
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ))


def test_no_command_is_wrong_usage(command: Command) -> None:
    assert command().code == Exit.USAGE


def test_a_command_that_does_not_exist_gets_a_near_name(command: Command) -> None:
    ran = command("simulat", "four")
    assert ran.code == Exit.USAGE
    assert "No such command 'simulat'. Did you mean 'simulate'?" in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("perft", "four"), "Missing option '--depth'"),
        (("perft", "four", "--depth", "0"), "Invalid value for '--depth'"),
        (("perft", "four", "--depth", "2", "--players", "3"), "is for 2 players, not 3"),
        (
            ("perft", "four", "--depth", "2", "--set", "size"),
            "write '--set size=VALUE', without spaces",
        ),
        (("perft", "four", "--depth", "2", "--set", "a=b"), "has no option `a`; it has none"),
        (
            ("simulate", "colonial", "--set", "x=1"),
            "no option `x`; it has `variant` (base, nations) and `turn_limit`",
        ),
        (
            ("simulate", "four", "--games", "ten"),
            "'ten' is not a whole number: write it in digits, as in '--games 10'",
        ),
        (("bench", "four", "--seconds", "nan"), "'nan' is not a finite number"),
        (("bench", "four", "--seconds", "inf"), "'inf' is not a finite number"),
        (
            ("compare", "four", "four", "--precision", "nan"),
            "'nan' is not a finite number",
        ),
        (("simulate", "four", "-n", "9"), "For example: rulewright simulate pig --games 10000"),
        (("simulate",), "For example: rulewright simulate pig --games 10000"),
        (
            ("four.game",),
            "The command comes first: write 'rulewright play four.game', 'rulewright check",
        ),
        (("witness", "four", "xyz"), "'rulewright simulate four --coverage' lists what there is"),
        (("perft", "four", "--depth", "2", "--set", "a=b", "--set", "a=c"), "'a' is set twice"),
        (
            ("perft", "no_such_game", "--depth", "2"),
            "there is no file or shipped game `no_such_game`",
        ),
        (("perft", "no/such.game", "--depth", "2"), "there is no file `no/such.game`"),
        (("simulate", "four", "--bot", "1"), "not of the form SEAT=random"),
        (("simulate", "four", "--bot", "1=clever"), "'clever' is not one of random, greedy"),
        (("simulate", "four", "--bot", "3=random"), "there is no seat '3'; there are 1 (player 1)"),
        (("simulate", "four", "--bot", "1=random", "--bot", "player_1=greedy"), "is given twice"),
        (("play", "four", "--seat", "1=nobody"), "'nobody' is not one of human, random, greedy"),
        (("play", "four", "--load", "x"), "File 'x' does not exist"),
        (("replay", "no.record"), "File 'no.record' does not exist"),
        (("check",), "Missing argument 'PATH...'"),
        (("simulate", "four", "--log", "no/folder/x.log"), "`"),
    ],
    ids=range(26),
)
def test_wrong_usage_ends_with_code_2(
    command: Command, words: tuple[str, ...], message: str
) -> None:
    ran = command(*words)
    assert ran.code == Exit.USAGE
    assert message in ran.err
    assert "Traceback" not in ran.err


def failing(monkeypatch: pytest.MonkeyPatch, failure: BaseException) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr("rulewright.interpreter.testing.perft.perft", fail)


def test_a_bug_is_reported_in_one_line(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, ZeroDivisionError("two\nlines"))
    ran = command("perft", "four", "--depth", "2")
    assert ran.code == Exit.BUG
    assert ran.err.splitlines() == [
        "rulewright: this is a bug in Rulewright: ZeroDivisionError: two lines",
        "run it again with --traceback to see where it came from",
    ]


def test_a_bug_is_traced_when_asked_for(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        command("perft", "four", "--depth", "2", "--traceback")


def test_a_fault_in_play_has_its_place(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("my.game", "game\n  the card\n")
    failing(monkeypatch, RuleFault("not-the-only", "there are two", Span(source, 7, 15)))
    ran = command("perft", "four", "--depth", "2")
    assert ran.code == Exit.FAULT
    assert ran.err == "my.game:2:3: fault in play: there are two [not-the-only]\n"


def test_interrupting_is_no_bug(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, KeyboardInterrupt())
    assert command("perft", "four", "--depth", "2").code == Exit.INTERRUPTED


def test_json_stands_alone_on_standard_output(command: Command) -> None:
    for words in (
        ("perft", "four", "--depth", "2"),
        ("simulate", "cards", "--games", "3"),
        ("show", "cards"),
        ("bench", "cards", "--seconds", "0.01"),
    ):
        ran = command(*words, "--format", "json")
        assert ran.code == Exit.FINE
        assert isinstance(json.loads(ran.out), dict)
        assert ran.err == ""


def test_the_app_is_known_by_its_name() -> None:
    assert app.name == "app"


_RULEWRIGHT = f"{sys.executable} -c 'from rulewright.cli.entry import main; main()'"


@pytest.mark.parametrize(
    "words", ["--help", "explain", pytest.param("list", marks=pytest.mark.deep)]
)
def test_a_closed_pipe_is_no_bug(words: str) -> None:
    script = f"{{ {_RULEWRIGHT} {words}; echo ended with $? >&2; }} | true"
    ran = subprocess.run(["sh", "-c", script], capture_output=True, check=True)
    assert ran.stderr == b"ended with 0\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_no_bug() -> None:
    script = f"{_RULEWRIGHT} explain > /dev/full"
    ran = subprocess.run(["sh", "-c", script], capture_output=True, check=False)
    assert ran.returncode == Exit.USAGE
    assert ran.stderr.startswith(b"the output cannot be written: ")


def test_a_play_that_is_taken_up_has_its_own_setting(command: Command) -> None:
    Path("a.play").write_text("")
    ran = command("play", "four", "--load", "a.play", "--seed", "1")
    assert ran.code == Exit.USAGE
    assert "--load takes players, options and seed" in ran.err


def test_a_closed_standard_output() -> None:
    line = f"{_RULEWRIGHT} list >&-"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == Exit.USAGE
    assert done.stderr == "standard output is closed, so nothing can be shown\n"


@pytest.mark.parametrize(
    "met",
    [
        "raise KeyboardInterrupt",
        # as Python does when it creates a class, or in a callback
        """try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt as interrupt:
                raise RuntimeError("lost") from interrupt""",
    ],
)
def test_an_interrupt_while_the_program_is_loaded(met: str) -> None:
    code = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
class Interrupted:
    def find_spec(self, name, *others):
        if name == "rulewright.cli.app":
            {met}
sys.meta_path.insert(0, Interrupted())
from rulewright.cli.entry import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, "list"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (Exit.INTERRUPTED, "", "interrupted\n")


def test_next_to_nothing_is_loaded_before_an_interrupt_is_met() -> None:
    code = """
import sys
before = set(sys.modules)
import rulewright.cli.entry
print(*sorted(set(sys.modules) - before - {"__future__", "importlib", "warnings"}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "rulewright rulewright.cli rulewright.cli.entry\n"


def test_the_code_of_a_game_is_shown_as_text_that_reads_back(command: Command) -> None:
    ran = command("show", "cards", "--ir")
    assert ran.code == Exit.FINE
    assert code_text(parse_code(ran.out)) == ran.out
    assert command("show", "cards", "--ir", "--format", "json").code == Exit.USAGE
