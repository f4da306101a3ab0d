"""The command `serve` and its messages for the operator of a server."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import httpx2 as httpx
import pytest

from rulewright.cli.exits import Exit
from tests.cli.conftest import Command
from tests.waiting import PATIENCE
from tests.web.tables import Process, new_table


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("connect_fuor",), "connect_four"),
        (("connect_four", "--who-may-create", "code"), "needs '--code WORD'"),
        (("admin", "tables"), "there are no tables"),
        (("connect_four", "connect_four"), "two games are called connect_four"),
    ],
)
def test_games_that_cannot_be_served_are_reported(
    command: Command, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    ran = command("serve", *words, "--data", str(tmp_path / "data"))
    assert ran.code == Exit.USAGE and said in ran.err


def test_a_port_that_is_taken_is_reported(command: Command, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ran = command("serve", "connect_four", "--port", port, "--data", str(tmp_path / "data"))
    assert ran.code == Exit.USAGE and "choose another with --port" in ran.err


@pytest.mark.slow
def test_admin_lists_exports_frees_and_deletes(tmp_path: Path, command: Command) -> None:
    data = tmp_path / "data"
    data.mkdir()
    more = ("--data", str(data))
    with Process(data, "connect_four") as process:
        with httpx.Client(base_url=process.address, timeout=PATIENCE) as client:
            table = new_table(client, "connect_four", "me", "me")
            listed = command("serve", "admin", "tables", *more)
            assert listed.code == 0 and table in listed.out and "Connect Four" in listed.out
            exported = command("serve", "admin", "export", table, *more).out.splitlines()
            assert [json.loads(line)["number"] for line in exported] == [1, 2, 3]
            assert command("serve", "admin", "free", table, "2", *more).code == 0
            assert client.get(f"/t/{table}/s/1").status_code == 403
            assert command("serve", "admin", "free", table, "3", *more).code == 2
            assert command("serve", "admin", "delete", table, *more).code == 0
            gone = command("serve", "admin", "export", table, *more)
            assert gone.code == 2 and "there is no table" in gone.err
            assert command("serve", "admin", *more).code == 2
        process.stop()
