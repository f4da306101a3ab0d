"""The path of one choice through the folders is the one that the map of the code describes."""

import re
import subprocess
import sys

from tests.docs.pages import ROOT

MAP = ROOT / "docs" / "implementation.md"
PLAYED = """
import sys
called = {}

def note(frame, event, _):
    module = frame.f_globals.get("__name__", "") if event == "call" else ""
    if module.startswith("rulewright."):
        called.setdefault(f"{module[11:]}.{frame.f_code.co_qualname}", None)

from rulewright.cli.terminal.screen import position
from rulewright import load_game
sys.setprofile(note)
position(load_game("connect_four").start(players=2, seed=1).choose("drop(4)"), 0)
sys.setprofile(None)
print("\\n".join(called))
"""


def test_one_choice_goes_the_way_that_the_map_tells() -> None:
    way = MAP.read_text(encoding="utf-8").split("<!-- way -->")[1].split("<!-- end of way -->")[0]
    shown = re.findall(r"^\d+\. `([\w.]+)`", way, re.MULTILINE)
    assert len(shown) > 20
    played = subprocess.run(
        [sys.executable, "-c", PLAYED], check=True, capture_output=True, text=True
    )
    called = played.stdout.split()
    assert [name for name in called if name in shown] == shown
