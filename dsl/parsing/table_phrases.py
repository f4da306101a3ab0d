"""Usual turns of phrase in tables and their rows, links, zones, and in what is chosen, moved and won."""

from __future__ import annotations

import re
from typing import Final

_PLACE: Final = r"[a-z_][\w.]*(?:\([^()]*\))?"
_NUMBER: Final = r"(?:\d+|[a-z_][\w.]*(?:\([^()]*\))?)"
_ALL: Final = r"(?:each |every |all )?(?:[Pp]layers?|seats?|persons?)"
_STEP: Final = r"(?:move|shuffle|add|set|lose|pay|do|may|log|show|win|choose)"
_CARDS: Final = r"(?:cards?|pieces?|tokens?|tiles?)"
_SIZE: Final = r"(?:the )?(?:size|number|count)"

TABLES: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # sorts of things
        (
            r"(?:edge|route|road|connection|path|track|arc|joint) ([A-Z]\w*)( .*)?",
            r"link \1\2",
        ),
        (
            r"(?:place|location|region|area|territory|node|map|city|room) ([A-Z]\w*)( .*)?",
            r"space \1\2",
        ),
        (r"(?:cards?|pieces|tiles?|components?) ([A-Z]\w*)( .*)?", r"piece \1\2"),
        (r"joins? (\w+)(?: to | and | with | ?- ?|, )(\w+)", r"joins \1, \2"),
        (r"(?:from|between) (\w+) (?:to|and) (\w+)", r"joins \1, \2"),
        # columns
        (r"(\w+): (.+) from ([A-Z]\w*)", r'\1: \2 from "\3"'),
        (r"(\w+): (.+) from (\w+(?: \w+)+)", r'\1: \2 from "\3"'),
        (r"(\w+) from (\w+|\"[^\"]*\"): (.+)", r"\1: \3 from \2"),
        (r"(\w+): (.+) as (\w+)", r"\3: \2 from \1"),
        (r"(\w+): ([A-Z]\w*) or none( .+)", r"\1: \2 or nothing\3"),
        (r"(\w+): list of (\w+)( from .+)", r"\1: list of \2 up to 5\3"),
        (r"([A-Z]\w*): (.+)", "{name}: {two}"),
        (r"(\w+): (\w+\.\.\w+) [a-z]\w*", r"\1: \2"),
        (r"state (\w+): nothing", r"state \1: Player or nothing"),
        (
            r"state (\w+): (?:(?:map|dict|table|mapping) (?:of|from) )?([A-Z]\w*)(?: to|:) (.+)",
            "state {one}({kin}: {two}): {three}",
        ),
        (r"state (\w+): set of (\w+) up to .+", r"state \1: set of \2"),
        (r"state (\w+): (\d+)\.\. = (\d+)", r"state \1: \2..\3 = \3"),
        (r"state (\w+): (.+\.\..+), (\w+)", r"state \1: \2 = \3"),
        # rows
        (r"row (?:>=|from) ?(\d+), (.+)", r"row \1+, \2"),
        (r"row > ?(\d+), (.+)", "row {above}+, {two}"),
        (r"row (?:<=|up to) ?(\d+), (.+)", r"row 0..\1, \2"),
        (r"row (?:else|otherwise|other|default|all), (.+)", r"row 9+, \1"),
        (r'row "(\w+)"(.*)', "row {name}{two}"),
        (r"([a-z]\w*) ?= ?(\w[^=]*,[^=]+)", r"row \1, \2"),
        (r"row ([a-z]\w*) ([a-z]\w*)(?: [a-z]\w*)?, (.+)", r"row \1_\2, \3"),
        (r"row (\w+(?:, \w+)*), -(.*)", r"row \1, nothing\2"),
        (r"row (\d+) ([a-z]\w*), (.+)", r"row \2, \3`, and above the rows `copies = \1"),
        (r"row ([a-z]\w*) (?:x|\*) ?(\d+), (.+)", r"row \1, \3`, and above the rows `copies = \2"),
        (
            r"row ([a-z]\w*, .+?),? copies ?=? ?(\d+)",
            r"row \1`, and above the rows `copies = \2",
        ),
        # how many there are
        (r"copies ?==? ?(\w+) (?!if\b|for each \b[a-z]).+", r"copies = \1"),
        (r"copies ?== ?(.+)", r"copies = \1"),
        (r"copies (?:of \w+ =|from|per row|is|are) (\w+)", r"copies = \1"),
        (r"(?:amount|count|number|quantity|how_many) = (\w+)", r"copies = \1"),
        (r"(.+ = )if (.+?): (\w+) else (\w+)", r"\1if \2 then \3 else \4"),
        (
            rf"((?:piece|token) \w+),? (?:per|for|of|per each|for each|for every) {_ALL}",
            r"\1 per player",
        ),
        (r"(?:each |every )?player (piece \w+)", r"\1 per player"),
        (r"(piece \w+) (\d+) per player", r"\1 per player`, and below it `copies = \2"),
        (
            r"(piece \w+ per player),? (?:= |x ?|copies ?=? ?|with )(\d+).*",
            r"\1`, and below it `copies = \2",
        ),
        # rows that are all combinations
        (
            r"(piece|kind|space) (\w+) (?:for|per|of|for each|per each) ([A-Z]\w*)",
            "{head} {two} for {kin3} in {three}",
        ),
        (
            r"(piece|kind|space) (\w+) (?:per|for each|of each) (\w+) in (.+)",
            r"\1 \2 for \3 in \4",
        ),
        (
            r"(.+ for \w+ in [A-Z]\w*) (?:x|\*|by|times) (\w+\.\.\w+)",
            r"\1, number in \2",
        ),
        (
            r"(piece|kind|space) (\w+) = ([A-Z]\w*) (?:x|\*|by|times) (\w+\.\.\w+)",
            "{head} {two} for {kin3} in {three}, number in {four}",
        ),
        (
            r"(.+) for (\w+) in \(?([a-z]\w*(?:, [a-z]\w*)+)\)?",
            "{one} for {two} in {Kin2}`, and above it `kind {Kin2} = {three}",
        ),
        # zones, and who sees them
        (r"zone (\w+) of ([A-Z]\w*)(.*)", r"zone \1: set of \2\3"),
        (r"zone (\w+) = (.+)", r"zone \1: \2"),
        (
            r"(zone .+?),? (?:not seen by|hidden from|secret from) (?:the |all |all the )?others?",
            r"\1, seen by owner",
        ),
        (r"(zone .+?),? (?:private|owner only|only owner)", r"\1, seen by owner"),
        (
            rf"(zone .+ seen by \w+),? (?:with|but|but not|except for|without|excluding|apart from) {_SIZE}",
            r"\1 except size",
        ),
        (r"(zone .+ except) the (\w+)", r"\1 \2"),
        (r"(zone \w+: \w+ of [A-Z]\w*) (?:up to|max|at most) \d+(.*)", r"\1\2"),
        (r"zone (\w+): (\d+) tokens", r"zone \1: tokens of TOKEN = \2"),
        # who acts
        (r"each player (?:clockwise|in order|in turn|in turn order|as \w+|[a-z])", "each player"),
        (rf"each player ({_STEP} .+)", r"each player`, and below it `\1"),
        (
            r"phase (\".*\"),? (?:repeat )?(until|while) (.+)",
            r"repeat \2 \3`, and below it `phase \1",
        ),
        (
            r"phase (\w+),? (?:repeat )?(until|while) (.+)",
            r'repeat \2 \3`, and below it `phase "\1"',
        ),
        (r"set up|(?:at|at the|on) (?:start|beginning|setup)|before the game", "setup"),
        (r"(rule|action) (\w+) of (\w+)", r"\1 \2(\3: Player)"),
        # what is chosen
        (r"option ([a-z]\w*) ((?:where|for) .+)", r'option "\1" \2'),
        (r"option (\"[^\"]*\"), ((?:where|for) .+)", r"option \1 \2"),
        (
            rf"choose (at least|up to|exactly) ({_NUMBER}) (?:from|in|of) ({_PLACE})",
            r"choose x in \3, \1 \2",
        ),
        (
            rf"choose (at least|up to|exactly) ({_NUMBER}) (\w+) (?:from|in|of) ({_PLACE})",
            r"choose \3 in \4, \1 \2",
        ),
        (
            rf"choose (\w+) (at least|up to|exactly) ({_NUMBER}) (?:from|in|of) ({_PLACE})",
            r"choose \1 in \4, \2 \3",
        ),
        (rf"(choose \w+ in {_PLACE}),? (exactly {_NUMBER})", r"\1, \2"),
        (
            rf"(choose \w+ in {_PLACE}), (?:min|minimum|at least|least) ({_NUMBER})",
            r"\1, at least \2",
        ),
        (rf"(choose \w+ in {_PLACE}), ({_NUMBER}) or more", r"\1, at least \2"),
        (rf"(choose \w+ in {_PLACE}), (?:max|maximum|at most|most) ({_NUMBER})", r"\1, up to \2"),
        (rf"(choose \w+ in {_PLACE}), ({_NUMBER}) or (?:less|fewer)", r"\1, up to \2"),
        (rf"(choose \w+ in {_PLACE}), ({_NUMBER})", r"\1, exactly \2"),
        (rf"choose ({_PLACE}) in ({_PLACE})", r"choose x in \2, exactly \1"),
        (r"(choose \w+ in [\w.()]+) (?:with|if|such that|having|when) (.+)", r"\1 where \2"),
        # options of the game
        (
            r"options? (\w+) ?(?:=|:|in|of|is) \(?(\w+(?:(?:, ?| ?\| ?)\w+)+)\)?",
            "option {one} = {listed}",
        ),
        (r"option (\w+) = (\d+)\.\.(\d+)", "option {one} = {all}"),
        (r"option (\w+): ?(?:Flag|flag|bool|boolean) = (?:yes|true)", r"option \1 = yes, no"),
        (r"option (\w+): ?(?:Flag|flag|bool|boolean) = .+", r"option \1 = no, yes"),
        (r"(option \w+ = \w+),? \(?(?:by )?default\)?(, .+)", r"\1\2"),
        (r"(.+), (only if .+)", r"\1 \2"),
        (r"(.+ only if) options?[ .](.+)", r"\1 \2"),
        # what is moved and paid
        (rf"move ({_NUMBER}) [A-Z]\w* from ({_PLACE}) to ({_PLACE})", r"move \1 from \2 to \3"),
        (
            rf"move ({_NUMBER}) (?:of )?(?!{_CARDS}\b)([a-z]\w*) from ({_PLACE}) to ({_PLACE})",
            r"move list(x in \3 where x is \2).first_few(\1) to \4",
        ),
        (
            rf"move ({_NUMBER}) from ({_PLACE}) to ({_PLACE}) where ([a-z]\w*) (.+)",
            r"move list(\4 in \2 where \4 \5).first_few(\1) to \3",
        ),
        (
            rf"move (\d+) (?!{_CARDS}\b|of\b)([a-z]\w*) to ({_PLACE})",
            r"repeat \1 times`, and below it `move \2 to \3",
        ),
        (
            rf"move ([a-z]\w*) (?:x|\*) ?(\d+) to ({_PLACE})",
            r"repeat \2 times`, and below it `move \1 to \3",
        ),
        (rf"move (\w+)(?:,| and) (\w+) to ({_PLACE})", r"move \1 to \3` and `move \2 to \3"),
        (rf"(pay|lose) ({_NUMBER}) ([a-z]\w*) from (me|p)", r"\1 \2 from \4.\3"),
        (rf"(pay|lose) ({_NUMBER}) ([a-z]\w*)", r"\1 \2 from me.\3"),
        # points and winners
        (
            r"winner (\w+) by (.+?),? (?:highest|descending|desc|first|most)( .*)?",
            r"winner \1 by \2\3",
        ),
        (
            r"winner (\w+) by (.+?),? (?:ascending|asc|least|fewest)( .*)?",
            r"winner \1 by \2 lowest\3",
        ),
        (r"winner (\w+): (.+)", r"winner \1 by \2"),
        (r"winner = (\w+) by (.+)", r"winner \1 by \2"),
        (r"(winner .+?) then (?!shared)(.+)", r"\1, \2"),
        (r"winner (?:most|largest|first)\((\w+) in players(?::| by) (.+)\)", r"winner \1 by \2"),
        (r"winner (\w+) where (\S+) is (?:largest|highest|max|most|the ).*", r"winner \1 by \2"),
        # values and powers
        (
            r"value (\w+) of ([A-Z]\w*) ([a-z]\w*) ?\(([A-Z]\w*) ([a-z]\w*)\)(.*)",
            "value {one} of {three}: {two} ({five}: {four}){six}",
        ),
        (r"value (\w+) of ([A-Z]\w*) ([a-z]\w*)(.*)", r"value \1 of \3: \2\4"),
        (rf"modify ({_PLACE}) = \1 ?- ?(.+)", r"modify \1 less \2"),
        (rf"modify ({_PLACE}) = \1 ?\+ ?(.+)", r"modify \1 more \2"),
        (rf"modify ({_PLACE}) (\w+) (less|more)( where .+)?", r"modify \1 \3 \2\4"),
        (rf"({_PLACE}) ((?:less|more) .+)", r"modify \1 \2"),
        (r"(.*\w)\.", r"\1"),
    )
)
