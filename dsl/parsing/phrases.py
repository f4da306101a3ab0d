"""Usual turns of phrase, of rulebooks and of other languages, and how they are said."""

from __future__ import annotations

import re
from typing import Final

from rulewright.dsl.diagnostics.habits import COUNTED

_PLACE: Final = r"[a-z_][\w.]*(?:\([^()]*\))?"
_THING: Final = r"[A-Za-z_][\w.]*(?:\([^()]*\))?"
_PUT: Final = r"(?:added|moved|put|placed|drawn)"
_COINS: Final = r"(?:[a-z_]+)"
_HIGH: Final = r"(?:the )?(?:highest|most|best|largest|greatest|biggest)"
_LOW: Final = r"(?:the )?(?:lowest|fewest|least|smallest)"
_REMOVES: Final = r"(?:remove|discard|pop|delete)"
_ADDS: Final = r"(?:append|add|push|insert|extend)"
_EVERYBODY: Final = r"(?:all|everyone|everybody|players|all players|every player)"
_CELL: Final = r"(?:[:,] ?| )[a-z]\w* ?[=:] ?([^,=:]+?)"
_TAKES: Final = r"(?:draw|deal|take|pick|give|return|put)"
_STEP: Final = r"(?:move|shuffle|add|set|lose|pay|do|log|show|win|choose)"
_EXCEPT: Final = r"(?:except|but|but not|excluding|other than|without)(?: for)?"
_ASKER: Final = "let taker = me` and `each player from me.left where me is not taker"
"""Within `each player` the player is `me`: who asked the others needs a name of their own."""
_WHO: Final = r"(?:all (?:the )?players|everyone|everybody|each player)"

# (what is written, what is to be written) of whole lines
LINES: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # who acts
        (r"as (?:each|every|all) (?:of the )?other players?", _ASKER),
        (r"as (?:each|every|all)(?: of)?(?: the)? players?", "each player"),
        (
            r"(?:all )?players (?:in turn|take turns|in turn order|in order|one after the other|clockwise)",
            "each player",
        ),
        (
            r"(?:simultaneously|secretly|in secret|at the same time),? each player(.*)",
            r"together each player\1",
        ),
        (
            r"(?:optionally|(?:you|me|they) may|if (?:you|they) (?:want|like|wish),?) ("
            + _STEP
            + r" .+)",
            r'may "WORDS"`, and below it `\1',
        ),
        (r"may (" + _STEP + r" .+)", r'may "WORDS"`, and below it `\1'),
        (r'(may|option) (".*?"):? (' + _STEP + r" .+)", r"\1 \2`, and below it `\3"),
        (
            r"if (?:it is )?(?:possible|can|able):? (?:to )?(" + _STEP + r" .+)",
            r"if possible`, and below it `\1",
        ),
        (r"(?:once|one time) (?:per|a|an|each|every|in each|in a) (\w+)", r"limit 1 per \1"),
        (r"(\d+) times (?:per|a|an|each|every|in each) (\w+)", r"limit \1 per \2"),
        (r"(?:me )?lose (?:the )?game", "eliminate me"),
        (rf"eliminate ({_PLACE}) (?:from|out) .*", r"eliminate \1"),
        # the others
        (r"(?:for )?(?:each|every|all) (?:of the )?other (?:player|opponent)s?", _ASKER),
        (r"(?:for )?(?:each|every|all) opponents?", _ASKER),
        (rf"each player {_EXCEPT} (?:me|myself)", _ASKER),
        (
            r"together|(?:all |each )?players? (?:simultaneously|together|at once|at the same time)",
            r"together each player",
        ),
        (
            rf"set ({_PLACE}) to (\S+) and (?:set )?({_PLACE}) to (.+)",
            r"set \1 to \2` and `set \3 to \4",
        ),
        (rf"show ({_PLACE})", r"show \1 to players"),
        (r"openly (show .+)", r"\1"),
        # names and values, as other languages give them
        (r"(?:const|var|dim|local|my|int|auto) (\w+) ?:?= ?(.+)", r"let \1 = \2"),
        (r"(?:const|constant|define|final|val) (\w+) ?:?= ?(.+)", r"value \1 = \2"),
        (
            rf"{_TAKES} (\d+|all)(?: \w+)? (?:from|off|of) ({_PLACE}) (?:to|into|in) ({_PLACE})",
            r"move \1 from \2 to \3",
        ),
        (rf"({_PLACE}) ?< ?- ?(.+)", r"set \1 to \2"),
        (rf"({_PLACE}) ?- ?> ?({_PLACE})", r"move \1 to \2"),
        # words in another order
        (rf"add to ({_PLACE}) (\w+)", r"add \2 to \1"),
        (rf"(?:lose|pay) from ({_PLACE}) (\w+)", r"lose \2 from \1"),
        (rf"add to ({_PLACE})", r"add 1 to \1"),
        (rf"choose in ({_PLACE}|[A-Z]\w*) ([a-z]\w*)", r"choose \2 in \1"),
        (
            rf"choose (\w+) where (.+) in ({_PLACE}|[A-Z]\w*)",
            r"choose \1 in \3 where \2",
        ),
        (rf"move ([a-z]\w*) from {_PLACE} (?:into|onto|in|on) ({_PLACE})", r"move \1 to \2"),
        (
            rf"move (\d+|all) from ({_PLACE}) (?:into|onto|in|on) ({_PLACE})",
            r"move \1 from \2 to \3",
        ),
        (rf"move (\w+) to ({_PLACE}) from ({_PLACE})", r"move \1 from \3 to \2"),
        (rf"move from ({_PLACE}) (\d+|all) to ({_PLACE})", r"move \2 from \1 to \3"),
        (rf"move from {_PLACE} ({_PLACE}) to ({_PLACE})", r"move \1 to \2"),
        (rf"move (\w+) up to from ({_PLACE}) to ({_PLACE})", r"move up to \1 from \2 to \3"),
        (rf"me ({_STEP} .+)", r"\1"),
        (rf"pay (\w+) from ({_PLACE}) to ({_PLACE})", r"move \1 from \2 to \3"),
        (
            rf"for ?\(? ?(?:const |let |var )?(\w+) (?:of|in) (?!range\b)({_PLACE}) ?\)?",
            r"for each \1 in \2",
        ),
        (r"(?:while|loop while|do while|repeat while) (?:[Tt]rue|TRUE|yes|1)", "repeat"),
        (r"for (\w+) (?:rounds|turns|times|hands)", "repeat {low} times"),
        (r"(?:loop|forever|loop forever)", "repeat"),
        (r"do while (.+)", r"repeat while \1"),
        (r"do until (.+)", r"repeat until \1"),
        (r"player (from .+)", r"each player \1"),
        (r"as (?:the )?player (.+)", r"as \1"),
        (r"need (.+)", r"needs \1"),
        (r"needs (.+) (\"[^\"]*\")", r"needs \1 else \2"),
        (r"for each \w+, (\w+) in (.+)", r"for each \1 in \2"),
        # at random
        (r"let (\w+) = roll (?:in )?(\w+\.\.\w+)", r"roll \1 in \2"),
        (
            rf"set ({_PLACE}) to (?:a )?(?:random|roll) ?(?:number )?\(?(\w+)(?: to |\.\.|, ?)(\w+)\)?",
            r"roll n in \2..\3` and `set \1 to n",
        ),
        # numbers
        (rf"(?:increase|increment|raise) ({_PLACE}) by (.+)", r"add \2 to \1"),
        (rf"(?:decrease|decrement|reduce|lower) ({_PLACE}) by (.+)", r"lose \2 from \1"),
        (rf"(?:increase|increment|raise) ({_PLACE})", r"add 1 to \1"),
        (rf"(?:decrease|decrement|reduce|lower) ({_PLACE})", r"lose 1 from \1"),
        (rf"({_PLACE}) ?\+ ?\+", r"add 1 to \1"),
        (rf"({_PLACE}) ?- ?-", r"lose 1 from \1"),
        (rf"({_PLACE}) ?\+ ?= ?(.+)", r"add \2 to \1"),
        (rf"({_PLACE}) ?- ?= ?(.+)", r"lose \2 from \1"),
        (rf"({_PLACE}) ?\* ?= ?(.+)", r"set \1 to \1 * \2"),
        (rf"({_PLACE}\.\w+) (?:=|:=|is|becomes|gets|is now) [Tt]rue", r"set \1 to yes"),
        (rf"({_PLACE}\.\w+) (?:=|:=|is|becomes|gets|is now) [Ff]alse", r"set \1 to no"),
        (rf"({_PLACE}\.\w+) (?:=|:=) (.+)", r"set \1 to \2"),
        (rf"({_PLACE}) (?:becomes|gets|is now|:=) (.+)", r"set \1 to \2"),
        (rf"({_PLACE}\.\w+) is (?!not\b)([\w.]+)", r"set \1 to \2"),
        (rf"(?:earn|get|gain|receive) (\d+) ({_COINS})", r"add \1 to me.\2"),
        (rf"(?:spend|pay) (\d+) ({_COINS})", r"pay \1 from me.\2"),
        (rf"lose (\d+) ({_COINS})", r"lose \1 from me.\2"),
        (rf"(?:add|give) (\d+) ({_COINS}) to ({_PLACE})", r"add \1 to \3.\2"),
        (rf"take (\d+) ({_COINS}) from ({_PLACE})", r"lose \1 from \3.\2"),
        (rf"set ({_PLACE}) \+ (.+)", r"add \2 to \1"),
        (rf"set ({_PLACE}) - (.+)", r"lose \2 from \1"),
        (rf"set ({_PLACE})", r"set \1 to yes"),
        (rf"(?:unset|clear|reset) ({_PLACE})", r"set \1 to no"),
        (rf"set ({_PLACE}) to \(\)", r"set \1 to empty"),
        (rf"({_PLACE})\.clear\(\)", r"set \1 to empty"),
        (
            rf"(?:lose|remove) all (\w+) from ({_PLACE})",
            r"set \2 to list(x in \2 where x is not \1)",
        ),
        (r"let (\w+) (?:to|be|is) (.+)", r"let \1 = \2"),
        (r"let (\w+)", r"let \1 = EXPRESSION"),
        # pieces
        (rf"(move .+) to (?:the )?top of (?:the )?({_PLACE})", r"\1 to \2"),
        (rf"(move .+) (?:to|at|on) (?:the )?bottom of (?:the )?({_PLACE})", r"\1 under \2"),
        (
            rf"discard (\d+)(?: \w+)? from ({_PLACE})",
            r"choose cards in \2, exactly \1` and `move cards to ZONE",
        ),
        (rf"(?:remove|take|discard) (?!all\b)([a-z]\w*) from {_PLACE}", r"move \1 to ZONE"),
        (
            rf"(?:show|see|view) (?:the )?(?:top )?(\d+)(?: \w+)? (?:from|of|in) (?:the )?({_PLACE}) to (.+)",
            r"show \2.last_few(\1) to \3",
        ),
        (
            rf"(?:look at|peek at|see|view) (?:the )?(?:top )?(\d+)(?: \w+)? (?:from|of|in) (?:the )?({_PLACE})",
            r"show \2.last_few(\1) to me",
        ),
        (
            rf"(?:look at|peek at|look|peek|see|view) (?:the )?top(?: \w+)? of (?:the )?({_PLACE})",
            r"show \1.top to me",
        ),
        (rf"(?:look at|peek at|peek|view) (?:the )?({_PLACE})", r"show \1 to me"),
        (
            rf"(?:place|put|move) ({_PLACE}) (?:on top of|on|onto|in|into|at) ({_PLACE})",
            r"move \1 to \2",
        ),
        (
            rf"move (?:the )?top(?: \w+)? (?:of|from) (?:the )?({_PLACE}) to ({_PLACE})",
            r"move 1 from \1 to \2",
        ),
        (rf"move ([a-z]\w*) from {_PLACE} to ({_PLACE})", r"move \1 to \2"),
        (
            rf"(?:move|deal|give) (\d+) from ({_PLACE}) to (?:each|every) player(?:\.|'s )(\w+)",
            r"each player`, and below it `move \1 from \2 to me.\3",
        ),
        (rf"(?:discard|trash) all (?:\w+ )?from ({_PLACE})", r"move all from \1 to ZONE"),
        (rf"shuffle ({_PLACE}) and ({_PLACE})", r"shuffle \1` and `shuffle \2"),
        (rf"(move .+? to {_PLACE}) and ({_STEP} .+)", r"\1` and `\2"),
        (rf"move ({_PLACE}) ({_PLACE})", r"move \1 to \2"),
        (rf"move all (?:the )?\w+ from ({_PLACE}) to ({_PLACE})", r"move all from \1 to \2"),
        (rf"move all ([A-Z]\w*) to ({_PLACE})", r"move all from \1 to \2"),
        (rf"move (\w+) of ({_PLACE}) to ({_PLACE})", r"move \1 from \2 to \3"),
        (rf"({_PLACE})\.{_ADDS}\(({_PLACE})\)", r"move \2 to \1"),
        (rf"({_PLACE})\.{_REMOVES}\(({_PLACE})\)", r"move \2 to ZONE"),
        (rf"({_PLACE})\.shuffle\(\)", r"shuffle \1"),
        (
            rf"({_PLACE})\.(?:sort|sorted|order)\( ?(?:by )?\.?([a-z]\w*)\)",
            r"sort x in \1 by x.\2",
        ),
        (
            rf"shuffle ({_PLACE}|[A-Z]\w*) (?:in)?to ({_PLACE})",
            r"move all from \1 to \2` and `shuffle \2",
        ),
        (rf"sort ({_PLACE}) by (\w+)", r"sort x in \1 by x.\2"),
        (rf"(?:show|reveal) (.+) to {_EVERYBODY}", r"show \1 to players"),
        (
            r"(?:reveal|flip|expose|turn over|turn up) (?:the )?top(?: card)? of (?:the )?(\w+)",
            r"show \1.top to players",
        ),
        (rf"(?:reveal|flip|expose|turn over|turn up) ({_PLACE})", r"show \1 to players"),
        # choices
        (r"(?:pick|select|choose) (?:1|just one|only one|any one|exactly one) of", "choose one of"),
        (r"choose (\w+) in ([^,]+), (\1\b.+)", r"choose \1 in \2 where \3"),
        (r"choose one of (\w+(?:, \w+)+)", r"choose x in (\1)"),
        (r"(?:choose|either|choose from|choose between)", "choose one of"),
        (r"(?:choose|pick|select) (?:an?|one|any) player", "choose p in players"),
        (
            r"(?:choose|pick|select) (?:another|an?other|one other|some other|an?) (?:other )?(?:player|opponent)",
            "choose p in players where p is not me",
        ),
        (
            r"(?:pick|select|choose) (up to|exactly|at least) (\w+) (\w+) (?:from|out of|of|in|among) (.+)",
            r"choose \3 in \4, \1 \2",
        ),
        (
            r"(?:pick|select|choose) (\d+) (\w+) (?:from|out of|of|in|among) (.+)",
            r"choose \2 in \3, exactly \1",
        ),
        (
            r"(?:pick|select|choose) any number of (\w+) (?:from|out of|of|in|among) (.+)",
            r"choose \1 in \2, any number",
        ),
        (
            r"(?:pick|select|choose) (?:an? |the )?(\w+) (?:from|out of|of|in|among) (.+)",
            r"choose \1 in \2",
        ),
        (
            r"(?:pick|select|choose) (?:a )?(?:number )?(\w+) (?:from|between) (\w+) (?:to|and) (\w+)",
            r"choose \1 in \2..\3",
        ),
        (
            rf"(?:pick|select|choose) (\d+) (?:from|out of|of|in) ({_PLACE})",
            r"choose x in \2, exactly \1",
        ),
        (rf"let (\w+) = choose (?:\w+ in )?({_PLACE})", r"choose \1 in \2"),
        (r"do (\w+) or (?:do )?(\w+)", r"choose one of`, and below it `do \1` and `do \2"),
        (r"do (\w+) or (?:do )?(\w+)", r"do \1` and `do \2"),
        (r"choose (?:an?|the) (\w+)", r"choose \1 in PLACE"),
        (r"choose (\w+) or (\w+)", r"choose x in (\1, \2)"),
        (r"option (?:may )?do (\w+.*)", r"do \1"),
        (r"option (\w+)", r'option "\1"'),
        (r'may "?(\w+)"?', r"may do \1"),
        # steps
        (r"(?:call|run|execute|perform|play) (\w+)(?:\(\))?", r"do \1"),
        (r'(?:print|message|write|tell|announce) ?\(?(".*?")\)?', r"log \1"),
        (r"(setup|play|player)\(\)", r"\1"),
        (r"(\w+)\(\)", r"do \1"),
        (r"(\w+)(\(.+\))", r"do \1\2"),
        (r"(?:assert|require|requires|check|ensure) (.+)", r'needs \1 else "REASON"'),
        (r'needs (.+?)(?:,| or) (".*")', r"needs \1 else \2"),
        (r'needs (".*?")(?: if| unless|,) (.+)', r"needs not (\2) else \1"),
        (r'needs (.+) else (?:log|say|print|show|tell) (".*")', r"needs \1 else \2"),
        (r'needs (".*")', r"needs CONDITION else \1"),
        (r"(.+[<>=].+) (?:is )?(?:needed|required)", r'needs \1 else "REASON"'),
        (rf"({_PLACE}) (?:wins|win)(?: the game)?", r"win \1"),
        (r"win (?:the )?game", r"win me"),
        (r"eliminate", "eliminate me"),
        (
            r"(?:game over|(?:the )?game (?:ends|is over)|(?:end|end of|stop) (?:the )?game|finish(?: the game)?)",
            r"end game",
        ),
        (r"(?:skip|miss) (?:the |a |next )?turn", r"skip"),
        (r"roll (?:dice|die|a die|d6|1d6)?(?: ?\((\d+)\))", r"roll n in 1..\1"),
        (r"(?:throw|roll) (?:2|two)(?:d6| dice)", r"roll a in 1..6` and `roll b in 1..6"),
        (r"(?:throw|roll) (?:a|the|one) (?:die|dice)", r"roll n in 1..6"),
        (
            r"(if|else if|repeat while|repeat until|for each|each player)\b(.*): (.+)",
            r"\1\2`, and below it `\3",
        ),
        (r"each player (?:in turn|in order|in turn order|once)(.*)", r"each player\1"),
        (
            r"each player (?:in turn )?(?:starting|beginning|starts|begins) (?:with|at|from) (.+)",
            r"each player from \1",
        ),
        (
            rf"each player (?:except|but|other than|without) (?:for )?({_PLACE})",
            r"each player where me is not \1",
        ),
        (
            rf"for each (\w+) in ({_PLACE}) (?:except|but|other than|without) (?:for )?({_PLACE})",
            r"for each \1 in \2 where \1 is not \3",
        ),
        (r"each (?!player|other)(\w+) (?:in|of|from) (.+)", r"for each \1 in \2"),
        (r"(do \w+.*) (?:for|by) (?:each|every) player", r"each player`, and below it `\1"),
        (rf"as ({_PLACE}) ({_STEP} .+)", r"as \1`, and below it `\2"),
        (
            r"set (?:all|every|each) players?'?s? (\w+) to (.+)",
            r"for each p in players`, and below it `set p.\1 to \2",
        ),
        (r'option (".*") (?:-|=) ?> (.+)', r"option \1`, and below it `\2"),
        (r"end game (?:if|when) (.+)", r"if \1`, and below it `end game"),
        (
            rf"({_PLACE})\.(?:forEach|for_each|each)\(\(?(\w+)\)? ?= ?> ?(.+?) ?\)",
            r"for each \2 in \1`, and below it `\3",
        ),
        (
            rf"switch ?\(? ?({_PLACE}) ?\)?",
            r"if \1 is 1`, and below it what is done then; for the next number `if \1 is 2",
        ),
        (r"for each (\w+) of (.+)", r"for each \1 in \2"),
        (r"for (?:all|every|each) players?", r"each player"),
        (r"(?:for|for each) (\w+) in range\((\w+)\)", r"for each \1 in 1..\2"),
        (r"(?:for|for each) (\w+) in range\((\w+), ?(\w+)\)", r"for each \1 in \2..\3"),
        (r"(?:for|foreach|for all|for every) (\w+) (?:in|of) (.+)", r"for each \1 in \2"),
        (r"(?:for|for each) (\w+) (?:=|from) (\w+) to (\w+)", r"for each \1 in \2..\3"),
        (r"(?:while|loop while) (.+)", r"repeat while \1"),
        (r"(?:until|loop until) (.+)", r"repeat until \1"),
        (rf"({_STEP} .+) if (.+)", r"if \2`, and below it `\1"),
        (rf"({_STEP} .+) unless (.+)", r"if not (\2)`, and below it `\1"),
        (r"(\w+) times(?: repeat)?", r"repeat \1 times"),
        (r"repeat (?!while|until|for)(\w+)", r"repeat \1 times"),
        (r"(?:elif|elsif|elseif) (.+)", r"else if \1"),
        (r"unless (.+)", r"if not (\1)"),
        # words in quotes
        (rf"(log|say) (me|p|{_PLACE}\.\w+)", r'\1 "{\2}"'),
        (r"note: ?([^\"]+)", r'note "\1"'),
        (r'game:? "?([^"]+)"?', r'game "\1"'),
        (r"(log|note|say|phase|include|invariant|rulebook) ([^\"]*[a-z][^\"=<>]*)", r'\1 "\2"'),
        (r"invariant ([^\"].*[=<>].*)", r'invariant "WORDS" = \1'),
        # declarations
        (r"zone (\w+(?:\(.*?\))?): ([A-Z]\w*)((?:, seen by .+)?)", r"zone \1: pile of \2\3"),
        (
            r"state (\w+): ([A-Z]\w*|\d+\.\.\d+) or (?:none|null|nobody|empty|no one)(.*)",
            r"state \1: \2 or nothing\3",
        ),
        (
            r"state (\w+): (?:dict|map|mapping|table|array) ?(?:of|from)? ([A-Z]\w*) ?(?:to|,|:|- ?>) ?(.+)",
            "state {one}({kin}: {two}): {three}",
        ),
        (
            r"(value|state|zone|rule|action|piece|row|option) ([a-z]\w*)-([a-z]\w*)(.*)",
            r"\1 \2_\3\4",
        ),
        (
            r"(after|before|instead of) (\w+)\((\w+): \w+(?:, (\w+): \w+)?\)(.*)",
            "{head} {two}({three}{comma4}){five}",
        ),
        (
            r"(after|before|instead of) (\w+(?:\([^()]*\))?) (?:by|of|for|from) (\w+)( where .+)?",
            "{head} {two} as {three}{four}",
        ),
        (r"instead (?!of\b)(\w+.*)", r"instead of \1"),
        (
            rf"whenever (?:an? |the )?(\w+) (?:is {_PUT}|comes|goes|gets) (?:to|into|in|on) ({_PLACE})",
            r"whenever \1 enters \2",
        ),
        (
            rf"whenever (?:an? |the )?(\w+) is (?:removed|taken|moved|drawn) (?:from|out of) ({_PLACE})",
            r"whenever \1 leaves \2",
        ),
        (
            r"when(?:ever)? (?:a|any|some) player (?:has|reaches|gets|owns) (?:at least )?(\d+)(?: or more)? (\w+)",
            r"whenever p.\2 >= \1 for p in players",
        ),
        (r"space (\w+) (?:row|line|track|path)(?: of)? (\d+)(?: \w+)?", r"space \1 grid \2 by 1"),
        (r"die (\w+) ?[=:] ?(\d+)(?:\.\.| to )(\d+)", "die {one} = {all}"),
        (r"(\w+): (set|pile|spot|tokens) of (\w+)(.*)", r"zone \1: \2 of \3\4"),
        (
            r"(?:enum|enumeration|type|sort) ([A-Za-z]\w*) ?[:=]? ?\(?(\w+(?:, \w+)*)\)?",
            "kind {Type} = {rest}",
        ),
        (r"kind ([A-Za-z]\w*):? \(?(\w+(?:, \w+)+)\)?", "kind {Type} = {rest}"),
        (r"kind ([A-Za-z]\w*) = \(?(\w+(?:, \w+)*)\)?", "kind {Type} = {rest}"),
        (r"kind ([A-Za-z]\w*) = (\w+(?: \w+)+)", "kind {Type} = {spaced}"),
        (r"(\d+) (\w+) tokens", r"zone \2s: tokens of \2 = \1"),
        (
            r'kind ([A-Za-z]\w*) = ("?\w+"?(?:(?:, | or | and |, or )"?\w+"?)+)',
            "kind {Type} = {listed}",
        ),
        (r"token (\w+) = (\d+)", r"token \1`, and `zone bank: tokens of \1 = \2"),
        (r"die (\w+) (?:of|with|:)? ?(.+)", r"die \1 = \2"),
        (r"option (\w+)(?::| in| from)? (\d+)(?:\.\.| to )(\d+)", "option {one} = {all}"),
        (r"option (\w+): (.+)", r"option \1 = \2"),
        (r"(?:deck|pile) (\w+) of (\w+)", r"zone \1: pile of \2"),
        (r"zone (\w+): (pile|set|spot) ([A-Z]\w*)(.*)", r"zone \1: \2 of \3\4"),
        (r"zone (\w+): tokens ([a-z]\w*)(.*)", r"zone \1: tokens of \2\3"),
        (r"zone (\w+): (\d+) tokens of (\w+)", r"zone \1: tokens of \3 = \2"),
        (r"zone (\w+): (\d+) ([a-z]\w*) tokens", r"zone \1: tokens of \3 = \2"),
        (r"zone (\w+): (?:list|deck|stack|discard|queue|bag) of (.+)", r"zone \1: pile of \2"),
        (r"zone (\w+): (?:hand|group|collection) of (.+)", r"zone \1: set of \2"),
        (
            r"zone (\w+): (pile|set|spot) of (\w+) (?:and|or) (\w+)(.*)",
            r"piece Thing is \3 or \4`, then `zone \1: \2 of Thing\5",
        ),
        (
            r"zone (\w+): (pile|set) of (\w+)(.*) = all",
            r"zone \1: \2 of \3\4",
        ),
        (rf"zone (\w+): (.+), seen by (?:all|{_EVERYBODY})", r"zone \1: \2"),
        (
            r"zone (\w+): (.+), (?:visible|shown|open|known) (?:only )?(?:to|for) (?:the )?(owner|others|nobody)",
            r"zone \1: \2, seen by \3",
        ),
        (r"state (\w+): (?:hidden|secret|private) (\S+)(.*)", r"state \1: \2\3, seen by owner"),
        (r"zone (\w+): (.+), (?:hidden|secret|face down)", r"zone \1: \2, seen by nobody"),
        (r"zone (\w+): (.+), (?:visible|open|face up|public)", r"zone \1: \2"),
        (
            r"(zone|state) (\w+) (?:of \w+: Player|of \w+|per player|for each player): (.+)",
            r"player`, and below it `\1 \2: \3",
        ),
        (
            r"(zone|state) (\w+) (?:of \w+: Player|of \w+|per player|for each player): (.+)",
            r"\1 \2(p: Player): \3",
        ),
        (r"state (\w+): list of ([\w.]+)", r"state \1: list of \2 up to 10"),
        (r"state (\w+): (?:up to|at most|max) (\d+)", r"state \1: 0..\2"),
        (r"state (\w+): (?:from )?\(?(\d+)(?: ?\.\. ?| to )(\d+)\)?", r"state \1: \2..\3"),
        (
            r"state (\w+): (.+?)(?:,? default| starting (?:at|with)| initially|:|,? start)(?: is| =)? (\w+)",
            r"state \1: \2 = \3",
        ),
        (r"state (\w+): (\d+)", r"state \1: 0..20 = \2"),
        (r"state (\w+): (?:number|int|integer|num)(.*)", r"state \1: 0..20\2"),
        (r"state (\w+): (?:bool|boolean|flag)(?: = (?:true|yes))", r"state \1: Flag = yes"),
        (r"state (\w+): (?:bool|boolean|flag).*", r"state \1: Flag"),
        (r"state ([A-Z]\w*): (.+)", "state {name}: {rest}"),
        (r"value (\w+) of (\w+): (\w+) ([^=(].*)", r"value \1 of \2: \3 = \4"),
        (r"(?:def|function|func) (\w+)\((?:self)?\) ?[:{]? ?return (.+?) ?}?", r"value \1 = \2"),
        (
            r"(?:def|function|func|procedure|sub|rule) (\w+)\((n|k|m|amount|number|count|times|coins|points)\) ?[:{]?",
            r"rule \1(\2: 0..9)",
        ),
        (
            r"(?:def|function|func|procedure|sub|rule) (\w+)\((?!me\b|self\b)(\w+)(?:, (\w+))?\) ?[:{]?",
            "rule {one}({two}: TYPE{typed3})",
        ),
        (r"(?:def|function|func|procedure|sub) (\w+)\(.*\) ?[:{]?", r"rule \1"),
        (
            r"value (\w+)\((n|k|m|amount|number|count)\) = (.+)",
            r"value \1(\2: 0..9) = \3",
        ),
        (r"(value \w+(?: of \w+: [A-Z]\w*)?(?: ?\([^()]*\))?)", r"\1 = EXPRESSION"),
        (r"value (.+?)\(\)(.*)", r"value \1\2"),
        (r"value (\w+)\((p|player|who)\) = (.+)", r"value \1 of \2: Player = \3"),
        (r"value (\w+)\((\w+)\) = (.+)", "value {one} of {two}: TYPE = {three}"),
        (r"(value .+?) = if (.+) then (?:true|yes)(?: else (?:false|no))?", r"\1 = \2"),
        (r"value (\w+): ([^=]*[<>+*/ ][^=]*)", r"value \1 = \2"),
        (r"(value .+?) = (?:lambda(?: \w+)?: |return )(.+)", r"\1 = \2"),
        (r"rule (\w+(?:\(.*\))?) = (.+)", r"value \1 = \2"),
        (r"(rule|action) (\w+)\((?:me|self)?\)", r"\1 \2"),
        (r"(action|rule) (\w+)\(([A-Z]\w*) (\w+)\)", "{head} {two}({four}{sep}{three})"),
        (r"action (\w+)\((\w+) (?:of|from) (.+)\)", r"action \1(\2 in \3)"),
        (r"action (\w+) (\w+ in .+)", r"action \1(\2)"),
        (r"action (\w+)\((\w+)\)", r"action \1(\2 in PLACE)"),
        (r"(action|rule) (.+) (needs|requires) (.+)", r"\1 \2`, and below it `needs \4"),
        (r"(after|before|instead of) (?:me|p|player)\.(\w+)(.*)", r"\1 \2\3"),
        (r"space (\w+) (?:hex|hexagonal) grid (\d+) by (\d+)", r"space \1 grid hex \2 by \3"),
        (r"space (\w+) (\d+) by (\d+)", r"space \1 grid \2 by \3"),
        (r"space (\w+) grid (\d+) ?(?:,|x|X|\*) ?(\d+)", r"space \1 grid \2 by \3"),
        (r"piece (\w+)\((\w+: [^,()]+)\)", r"piece \1`, and below it `\2"),
        (r"piece (\w+) = (\w+), (\w+)", r"piece \1`, and below it `row \2` and `row \3"),
        (r"board (\w+) \d+ by \d+", r'board \1`, and below it `show "..."'),
        (r"(\d+) copies", r"copies = \1"),
        (r"piece (\w+) ?: ?([a-z]\w*)", r"piece \1`, and below it `\2: 0..9"),
        (
            r"piece (\w+) ?: ?([a-z]\w*), ([a-z]\w*)",
            r"piece \1`, and below it `\2: 0..9` and `\3: 0..9",
        ),
        (rf"row (\w+){_CELL}", r"row \1, \2"),
        (rf"row (\w+){_CELL}{_CELL}", r"row \1, \2, \3"),
        (rf"row (\w+){_CELL}{_CELL}{_CELL}", r"row \1, \2, \3, \4"),
        (r"row (\w+) ?\((.+)\)", r"row \1, \2"),
        (r"row (\w+) ?[=:] ?(.+)", r"row \1, \2"),
        (r"row (\w+) (\w+(?: \w+)*)", "row {one}, {spaced}"),
        (
            r"row (\w+.*?),? (?:x ?\d+|\d+ ?x|\d+ copies)",
            r"row \1`, and above the rows `copies = 3",
        ),
        (r"score(?: of (\w+))? = (.+)", 'score of p`, and below it `item "points" = {rest}'),
        (r"item ([a-z]\w*)( ?[=:] ?)(.+)", r'item "\1" = \3'),
        (r"scores?(?: (?:sheet|points|is))?", "score of p"),
        (rf"winner (\w+) (?:by |with |has |having )?{_HIGH} .*", r"winner \1 by \1.total"),
        (rf"winner (\w+) (?:by |with |has |having )?{_LOW} .*", r"winner \1 by \1.total lowest"),
        (
            rf"winner (?:is |: ?)?(?:the )?(?:player|one)? ?(?:with|who has|by)? ?{_HIGH} .*",
            "winner p by p.total",
        ),
        (
            rf"winner (?:is |: ?)?(?:the )?(?:player|one)? ?(?:with|who has|by)? ?{_LOW} .*",
            "winner p by p.total lowest",
        ),
        (r"(?:when|whenever) (.+) (?:happens|occurs)", r"whenever \1"),
        (r"when (.+)", r"whenever \1"),
        (r"on (\w+)", r"after \1"),
        (r"end (?:when|if) (.+)", r"whenever \1`, and below it `end game"),
        (
            r"teams?(?: .*)?",
            "side of p: Team = if mod(p.number, 2) is 1 then first_team else second_team",
        ),
        (r"(?://|--|/\*|%|;) ?(.*)", r"# \1"),
        (r"players? ?(?:=|:)? ?(\w+) ?(?:to|-|–|\.\.) ?(\w+)", "players {low}..{high}"),
        (r"players (\d+\.\.\d+) .*", r"players \1"),
        (r"players? ?(?:=|:)? ?(\d+), ?(?:\d+, ?)*(\d+)", r"players \1..\2"),
        (r"players? ?(?:=|:) ?(\d+)(?:\.\.(\d+))?", "players {low}{upto}"),
    )
)

# parts of a line that stand for something else; the line with it is what is to be written
PARTS: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (rf"({_PLACE}|\d+) ?\* ?\* ?2\b", r"\1 * \1"),
        (
            r"\(by ([a-z_][\w.]*): ?([^()]+)\)",
            r"by(\1: \2)",
        ),
        (r"(?<![\w(])by ([a-z_][\w.]*): (.+ then [^()]+)", r"by(\1: \2)"),
        (rf"({_PLACE}\.\w+) (?:has|have) (?:at least )(?=\d)", r"\1 >= "),
        (rf"({_PLACE}\.\w+) (?:has|have) (?:at most )(?=\d)", r"\1 <= "),
        (
            rf"({_PLACE}) is not (?:adjacent|next|near|beside)(?: to)? ({_THING})",
            r"\1 not in \2.neighbors",
        ),
        (rf"({_PLACE}) is (?:adjacent|next|near|beside)(?: to)? ({_THING})", r"\1 in \2.neighbors"),
        (r"\b(\w+) is an? ([A-Z]\w*)", r"\1 in \2"),
        (r"\b(\w+) is not an? ([A-Z]\w*)", r"\1 not in \2"),
        (
            rf"({_PLACE}) ([<>]=?|is) (\w+) (and|or) ([<>]=?) (\w+)",
            r"\1 \2 \3 \4 \1 \5 \6",
        ),
        (
            rf"\b(\w+) in ({_PLACE}|[A-Z]\w*) {_EXCEPT} ({_PLACE})",
            r"\1 in \2 where \1 is not \3",
        ),
        (
            r"\bby\(([a-z_][\w.]*)[:,] ?(\w[\w.]*: ?[^,:()]+(?:, \w[\w.]*: ?[^,:()]+)*)\)",
            r"by(\1: {cases})",
        ),
        (
            r"(?<![\w.)])([\w.]+|\([^()]*\)) if (.+?) else ([\w.]+|\([^()]*\))",
            r"if \2 then \1 else \3",
        ),
        (r"\benumerate\(([\w.]+)\)", r"\1"),
        (rf"({_PLACE})\.filter\((\w+) ?= ?> ?(.+)\)", r"list(\2 in \1 where \3)"),
        (rf"({_PLACE})\.map\((\w+) ?= ?> ?(.+)\)", r"list(\2 in \1: \3)"),
        (
            r"\b(sum|largest|smallest|most|fewest|all)\((\w+) in ([\w.]+), (\2\.[\w.]+)\)",
            r"\1(\2 in \3: \4)",
        ),
        (
            r"\b(sum|largest|smallest)\(([\w.]+): ([a-z]\w*)\)",
            r"\1(x in \2: x.\3)",
        ),
        (
            r"\bcount\((?:unique|distinct|set)\((\w+ in [^()]+: [^()]+)\)\)",
            r"list(\1).distinct.size",
        ),
        (r"\bcount\(([\w.]+\.\w+), ([a-z]\w*)\)", r"count(x in \1 where x is \2)"),
        (
            rf"\b(max|min)\(({_PLACE}), key ?= ?(\w+)\)",
            r"best(x in \2 by x.\3)",
        ),
        (
            r"\b(?:the )?other players (?:have|are) (\w+)",
            r"all(p in players where p is not me: p.\1)",
        ),
        (
            r"\ball(?: the)? others (?:have|are) (\w+)",
            r"all(p in players where p is not me: p.\1)",
        ),
        (rf"\b{_WHO} (?:have|has|is|are) (\w+)", r"all(p in players: p.\1)"),
        (r"\b(?:nobody|no one|no player) (?:has|is) (\w+)", r"not any(p in players where p.\1)"),
        (
            r"\b(?:any player|anyone|anybody|somebody|someone|a player) (?:has|is) (\w+)",
            r"any(p in players where p.\1)",
        ),
        (r"\b(?:the )?game (?:is over|ends|has ended)\b", "game_over"),
        (r"\b(?:it is )?possible to (\w+)", r"possible(\1)"),
        (r"\bis (?:the )?same (?:as|like)\b", "is"),
        (r"\b(?:is )?(?:different|differs) (?:from|to)\b", "is not"),
        (r"\bis in\b", "in"),
        (r"\bis not in\b", "not in"),
        (r"\b(?:is )?(?:more|greater|higher|larger) than or equal to\b", ">="),
        (r"\b(?:is )?(?:less|lower|smaller) than or equal to\b", "<="),
        (r"\b(me|p|you) (?:has|have) at least (\d+) (\w+)", r"{me}.\3 >= \2"),
        (r"\b(me|p|you) (?:has|have) at most (\d+) (\w+)", r"{me}.\3 <= \2"),
        (r"\b(me|p|you) (?:has|have) the (most|fewest) (\w+)", r"{me} in \2(q in players: q.\3)"),
        (r"\b(me|p|you) (?:has|have) (\d+) (\w+)", r"{me}.\3 >= \2"),
        (r"\b(?:is )?(?:at least|no less than|not less than)\b(?= [\w.]+)", ">="),
        (r"\b(?:is )?(?:at most|no more than|not more than)\b(?= [\w.]+)", "<="),
        (r"\b(?:is )?(?:more|greater|higher|larger) than\b", ">"),
        (r"\b(?:is )?(?:less|fewer|lower|smaller) than\b", "<"),
        (r"\b(?:is )?between (\w+) and (\w+)", r"in \1..\2"),
        (r"\bexists (\w+) in ([\w.]+)", r"any(\1 in \2)"),
        (r"\b(me|p|players) (?:has|have) (?:an? |the )?(\w+)", r"\1.\2"),
        (rf"({_PLACE}) (?:has|have|contains|includes|holds) (?:an? |the )?({_PLACE})", r"\2 in \1"),
        (r"\b(?:the )?number of players\b", "player_count"),
        (r"\bplayer (\d+)\b", r"players.nth(\1)"),
        (
            r"\b(any|count|first|list)\((\w+) in ([\w.]+) and (.+)\)",
            r"\1(\2 in \3 where \4)",
        ),
        (r"\bis no empty\b", "is not empty"),
        (r"\bis (?:nonempty|non_empty|full of something)\b", "is not empty"),
        (rf"\bnot empty ({_PLACE})", r"\1 is not empty"),
        (rf"(?<!is )(?<!not )\bempty ({_PLACE})", r"\1 is empty"),
        (rf"\b(?:the )?(?:number|count|size|amount|length) of (?:\w+ in )?({_PLACE})", r"\1.size"),
        (rf"\b(?:any|there is (?:an? )?|some) ?(\w+) in ({_PLACE})", r"any(\1 in \2)"),
        (rf"\bno (\w+) in ({_PLACE})", r"not any(\1 in \2)"),
        (rf"({_PLACE}) mod (\w+)", r"mod(\1, \2)"),
        (r"\b(\w+) (<=?|>=?) ([\w.]+) (<=?|>=?) (\w+)", r"\1 \2 \3 and \3 \4 \5"),
        (r"\b(is|is not) (?:one of|any of|either of) (\w+(?:, \w+)+)", r"{member} (\2)"),
        (r'\b(is|is not) "(\w+)"', r"\1 \2"),
        (r"\bboth (.+? and )", r"\1"),
        (r"\beither (.+? or )", r"\1"),
        (r"\bnot me (\w+)", r"not me.\1"),
        (r"\bmy (\w+)", r"me.\1"),
        (r"\b(?:your|their|his|her) (\w+)", r"me.\1"),
        (rf"\b(?:the )?(\w+) of (?:the )?({_PLACE})", r"\2.\1"),
        (rf"\b(?:the|an?) ({_PLACE})", r"\1"),
        (rf"\b(to|from) ({_PLACE}) (?:pile|zone|deck|stack|area|board)\b", r"\1 \2"),
        (r'"(\w+)", ', r"\1, "),
        (r"(?<=, )\w+: ?", ""),
        (r"(?<=\w)\(\)", ""),
        (r":$", ""),
        (r", (?=[a-z][\w.]* (?:is|in|[<>]))", " and "),
    )
)

NUMBERS: Final = COUNTED
"""Small numbers in words."""

DECLARES: Final = re.compile(
    r"(?:game|option|kind|piece|space|link|table|token|die|state|zone|open|value|score|winner|effect"
    r"|power|modify|do effect|position|side|board|choose (?:one|all|up|any|at|exactly))\b"
)
"""Lines in which `of` and the like are words of the language."""
