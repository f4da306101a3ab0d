"""Usual turns of phrase in what a game declares: tables, options, sides, boards, powers, other files."""

from __future__ import annotations

import re
from typing import Final

_PLACE: Final = r"[a-z_][\w.]*(?:\([^()]*\))?"
_LESS: Final = r"(?:discount|reduce|lower|decrease|cheapen|subtract from)"
_MORE: Final = r"(?:increase|raise|add to)"
_IF: Final = r"(?:if|when|while|provided|as long as)"
_READ: Final = r"(?:file|csv|load|in|of|=|:|is|read|read from|from file|from csv)"
_RUN: Final = r"(?:resolve|activate|apply|use|trigger|do|execute|perform|run)"
_TEAM: Final = r"(?:side|team|party|faction|partner|partners|alliance)"

DECLARED: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # words in another order, or left out
        (r"zone (\w+) ((?:pile|set|row|spot|tokens) .+)", r"zone \1: \2"),
        (r"state (\w+) (\d+\.\..+|[A-Z]\w*.*)", r"state \1: \2"),
        (
            r"(zone|state) (\w+) (?:for|for each|of|per|by) (\w+) in ([A-Z]\w*|\d+\.\.\w+): (.+)",
            r"\1 \2(\3: \4): \5",
        ),
        (r"(zone \w+(?:\(.*?\))?: (?:set|pile) of) \d+ ([A-Z]\w*.*)", r"\1 \2"),
        (r"(zone \w+: .+, seen by \w+), (except .+)", r"\1 \2"),
        (
            r"(zone \w+: [^,]+), (?:secret|hidden|private)(?: except| only)? (?:for|to|from|by) (?:owner|me)",
            r"\1, seen by owner",
        ),
        (r"space ([A-Z]\w*) grid \((\w+)(?:,| x|\*) ?(\w+)\)", r"space \1 grid \2 by \3"),
        (r"space ([A-Z]\w*) ?(?:=|:|of|in) ?(\d+)", r"space \1 for number in 1..\2"),
        (r"piece ([A-Z]\w*) ?(?:=|:|are) ?([A-Z]\w*(?: or [A-Z]\w*)+)", r"piece \1 is \2"),
        (
            r"value (\w+) of (\w+): ([A-Z]\w*), (\w+: [^()=]+?) = (.+)",
            r"value \1 of \2: \3 (\4) = \5",
        ),
        (
            r"value (\w+) of (p|player|who|seat) ?(\([^()]*\)) ?= ?(.+)",
            r"value \1 of \2: Player \3 = \4",
        ),
        (r"state (\w+) ?= ?(\w+) ?: ?(.+)", r"state \1: \3 = \2"),
        (r"(\d+\.\.\d+|[A-Z]\w*) state (\w+)", r"state \2: \1"),
        (r"(seen by \w+(?: except size)?),? (zone .+|state .+)", r"\2, \1"),
        (r"token (\w+) player", r"token \1 per player"),
        (r"piece (\w+) player", r"piece \1 per player"),
        (r"rows (.+)", r"row \1"),
        (r"(space .+?),? (?:rows )?(?:from the top|top down|from above)", r"\1 from top"),
        (
            r"(state .+?),? (?:kept|hidden|internal|private|secret|not shown|invisible)",
            r"\1, unlisted",
        ),
        (r"side of (\w+) ?= ?(.+)", r"side of \1: Side = \2"),
        (r"items (\".+)", r"item \1"),
        (r"scores of (\w+)", r"score of \1"),
        (r"(winner .+) then (?:draw|tie|tied|a draw|a tie)", r"\1 then shared"),
        (r"(value .+ = if .+ then (?!true|false|yes|no)(?:(?! else ).)+)", r"\1 else 0"),
        (r"(value .+ = if \w[\w.]* is (?:not )?\w+) ((?!then)\w.*)", r"\1 then \2"),
        (r"value (\w+) of (p|player|who|seat) ?= ?(.+)", r"value \1 of \2: Player = \3"),
        (r"(action \w+\(\w+): ([a-z][\w.]*\).*)", r"\1 in \2"),
        # tables and their columns
        (rf"(table|piece|kind|space|link) (\w+) {_READ} \"(.+?)\"", r'\1 \2 from "\3"'),
        (r"(table|piece|kind|space|link) (\w+) from ([\w./]+)", r'\1 \2 from "\3"'),
        (r"table (\w+) ?\((\w+(?:, \w+)*)\)", r"table \1 key \2"),
        (r"table (\w+) (?:by|keyed by|keys|on|for|indexed by) (\w+(?:, \w+)*)", r"table \1 key \2"),
        (
            r"row (\d+)(?: or more| and more| and up| and above| up|\.\.|\.\. \*| ?\+)(, .+)",
            r"row \1+\2",
        ),
        (r"row (?:up to|at most|below) (\d+)(, .+)", r"row 0..\1\2"),
        (r"((?:[a-z_]\w*|\d+(?:\.\.\d+|\+)?)(?:, .+)?)", r"row \1"),
        (r"(\w+): (?:optional|maybe|nullable|option of) (.+)", r"\1: \2 or nothing"),
        (r"(\w+): (.+?),? (?:optional|or none|or null|or empty|or no)", r"\1: \2 or nothing"),
        (r"(\w+): list of (\w+)(.*)", r"\1: list of \2 up to 5\3"),
        (
            r"(\w+): ([A-Z]\w*|\d+\.\.\d+)(?:,? is|,? default|,? defaults to|:) (\w+)",
            r"\1: \2 = \3",
        ),
        # options
        (
            r"(?:variant|variants|setting|config|mode|choice|toggle|parameter) (\w+) ?[=:] ?(.+)",
            r"option \1 = \2",
        ),
        (r"option ([A-Z]\w*)( .*)", "option {name}{two}"),
        (
            r"option (\w+)(?:: ?(?:Flag|flag|bool|boolean|yes/no|yes or no))?",
            r"option \1 = no, yes",
        ),
        (
            r"option (\w+) = (\w+), (\w+)(?:,? \(?default(?:s to| is| =|:)? ?)\3\)?",
            r"option \1 = \3, \2",
        ),
        (
            r"option (\w+) = (\w+), (\w+)(?:,? \(?default(?:s to| is| =|:)? ?)\2\)?",
            r"option \1 = \2, \3",
        ),
        (
            r"option (\w+) ?[=:] ?(\"?\w+\"?(?:(?:, | or | and |, or | ?[/|] ?)\"?\w+\"?)+)",
            "option {one} = {listed}",
        ),
        (r"never:? (.+)", r"never \1"),
        # sides
        (
            rf"{_TEAM}s? ?[=:] ?(\w+), (\w+)",
            r"kind Team = \1, \2`, and `side of p: Team = by(mod(p.number, 2): 1 then \1, else \2)",
        ),
        (
            rf"{_TEAM}:? ([A-Z]\w*)",
            r"side of p: \1 = if mod(p.number, 2) is 1 then FIRST else SECOND",
        ),
        (
            rf"(?:state )?{_TEAM}: ([A-Z]\w*)(.*)",
            "side of p: {one} = EXPRESSION`, at the very left",
        ),
        (rf"{_TEAM} of (\w+): (\w+) = (.+)", r"side of \1: \2 = \3"),
        (rf"{_TEAM} (\w+): (\w+) = (.+)", r"side of \1: \2 = \3"),
        (
            r"partners(?: (?:are|=|:))? .+",
            "side of p: Pair = if mod(p.number, 2) is 1 then north_south else east_west",
        ),
        (r"winner (?:p\.)?(?:side|team)(?: of p)? by (.+)", r"winner p by \1"),
        # boards
        (r"(?:panel|display|view|screen|sheet|draw|picture) ([A-Z]\w*|\".*\")", r"board \1"),
        (r"(?:draw|display|print|render|line|write|cell|text|log) (\".*)", r"show \1"),
        (r"(\"[^\"]*\".*)", r"show \1"),
        (rf"show ({_PLACE})( .*)?", r'show "{\1}"\2'),
        (rf"(show \"[^\"]*\"(?: for .+?)?) {_IF} (.+)", r"\1 where \2"),
        (
            r"(show \"[^\"]*\") (?:for (?:all |each |every )?players?|for each player|each player|every player)",
            r"\1 for p in players",
        ),
        (r"(show \"[^\"]*\") for each (\w+ in .+)", r"\1 for \2"),
        (r"for (?:each |all |every )?(\w+) (in .+)", r'show "{\1}" for \1 \2'),
        (r"each player", r'show "{p}" for p in players'),
        (
            rf"(?:mark|highlight|emphasize|bracket)(?: cells?)? (?:where|{_IF}) (.+)",
            r"mark where \1",
        ),
        (r"(?:mark|highlight|emphasize|bracket) (?:cell )?(.+)", r"mark where \1"),
        (rf"note ({_PLACE})", r'note "{\1}"'),
        # values that are open, and powers
        (r"open (state .+)", r"\1"),
        (
            r"open (?:value )?(.+?):? (\d+)\.\.(\d+) = (.+)",
            r"open value \1 at least \2 at most \3 = \4",
        ),
        (r"open (?!value)(.+)", r"open value \1"),
        (r"value open (.+)", r"open value \1"),
        (
            r"((?:open )?value .+?),? (?:min|minimum|from|>=|not below|no less than) (\d+) = (.+)",
            r"\1 at least \2 = \3",
        ),
        (
            r"((?:open )?value .+?),? (?:max|maximum|up to|<=|not above|no more than) (\d+) = (.+)",
            r"\1 at most \2 = \3",
        ),
        (
            r"((?:open )?value .+?) = (.+?),? ((?:at least|at most) \d+(?: at most \d+)?)",
            r"\1 \3 = \2",
        ),
        (rf"power (\w+) in (.+?),? {_IF} (.+)", r"power \1 in \2 where \3"),
        (r"power ([A-Z]\w*) in (.+)", "power {name}: {one} in {two}"),
        (r"power (\w+) in ([A-Z]\w*) in (.+)", r"power \1: \2 in \3"),
        (r"power (\w+)(?::| of| at| on| with)? ([a-z]\w*\.\w+)(.*)", r"power \1 in \2\3"),
        (r"modify all (.+)", r"modify \1"),
        (rf"modify (.+?) {_IF} (.+)", r"modify \1 where \2"),
        (
            rf"modify ({_PLACE}) (?:- ?=?|minus|down by|(?:reduc|decreas|lower)ed by|less by|less than|by -) ?(.+)",
            r"modify \1 less \2",
        ),
        (
            rf"modify ({_PLACE}) (?:\+ ?=?|plus|up by|increased by|raised by|more by|more than|by \+?) ?(.+)",
            r"modify \1 more \2",
        ),
        (rf"modify ({_PLACE}) (?:to|as|becomes|=|:=|:) ?(.+)", r"modify \1 is \2"),
        (rf"modify ({_PLACE}) (less|more)", r"modify \1 \2 1"),
        (rf"modify ({_PLACE}) (?:min|minimum|>=) (.+)", r"modify \1 at least \2"),
        (rf"modify ({_PLACE}) (?:max|maximum|<=) (.+)", r"modify \1 at most \2"),
        (r"modify ([\w.]+)\((\w+)(?:: \w+| in [\w.]+)\)(.*)", r"modify \1(\2)\3"),
        (rf"modify ({_PLACE}) (?:free|for free|for nothing|zero|none)", r"modify \1 is 0"),
        (rf"set ({_PLACE}) to (.+)", r"modify \1 is \2"),
        (rf"({_PLACE}) (?:is|=|becomes) (.+)", r"modify \1 is \2"),
        (rf"add (\w+) to ({_PLACE})", r"modify \2 more \1"),
        (rf"(?:lose|pay|subtract) (\w+) from ({_PLACE})", r"modify \2 less \1"),
        (rf"{_LESS} ({_PLACE})(?: by)? (\w+)", r"modify \1 less \2"),
        (rf"{_MORE} ({_PLACE})(?: by)? (\w+)", r"modify \1 more \2"),
        (r"when(?:ever)? (?:you |p |me |a player )?(\w+)\((.*)\)", r"after \1(\2) as p"),
        # effects, and what holds for one call
        (r"effect (\w+): (\w+ .+)", r"effect \1`, and below it `\2"),
        (r"effect ([A-Z]\w*)", "effect {name}: {one}"),
        (rf"{_RUN} (?:the )?effect (?:of )?(?:the )?([a-z]\w*)", r"do effect of \1"),
        (r"(?:resolve|activate) (?:the )?([a-z]\w*)", r"do effect of \1"),
        (
            r"do (\w+(?:\(.*?\))?) (?:with|for) ([\w.]+) (?:=|to|of|at)? ?(\d+)",
            r"do \1 with \2 is \3",
        ),
        (r"do (\w+(?:\(.*?\))?) with ([\w.]+) ?(?:-|minus|-=) ?(\d+)", r"do \1 with \2 less \3"),
        (r"do (\w+(?:\(.*?\))?) with ([\w.]+) ?(?:\+|plus|\+=) ?(\d+)", r"do \1 with \2 more \3"),
        (
            r"do (\w+(?:\(.*?\))?) (?:for free|for nothing|free|at no cost)",
            r"do \1 with me.price is 0",
        ),
        (
            r"do (\w+(?:\(.*?\))?) (?:cheaper|at a discount|reduced) ?(?:by|of)? (\d+)",
            r"do \1 with me.price less \2",
        ),
        (
            r"anytime (?:do )?(\w+) (?:in|while|when in|within|of|at) (\w+)(.*)",
            r"anytime \1 during \2\3",
        ),
        # other files
        (r"(?:use|using|import|require|load|read|from) \"(.+?)\".*", r'include "\1"'),
        (r"include \"(.+?)\" .*", r'include "\1"'),
    )
)
