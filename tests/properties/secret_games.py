"""Makes small random games with secrets: statements of many forms that use hidden and open things.

Each game comes from one seed and need not be correct: callers ignore those that `check` refuses for a reason other
than a secret.
"""

from __future__ import annotations

from random import Random

HEAD = """game "Made {seed}"
    players 2..3
    depth 8
piece Card
    rank: 1..4
    row one, 1
    row two, 2
    row three, 3
    row four, 4
    row five, 4
    row six, 3
    row seven, 2
    row eight, 1
    state used: Flag
token cube
token disc per player
space Cell grid 3 by 1
    zone tile: spot of Card, seen by nobody except size
    zone stack: pile of Card
    state trap: 0..9, seen by nobody
    state look: 0..9
table Price key level
    level: 1..4
    cost: 0..9
    row 1, 2
    row 2, 3
    row 3, 5
    row 4, 8
zone sack: tokens of disc, seen by nobody except size
zone shelf: tokens of disc
zone deck: pile of Card, seen by nobody except size
zone hid: set of Card, seen by nobody
zone buried: pile of Card, seen by nobody except size
zone open_cards: pile of Card
zone bank: tokens of cube = 9
zone box: tokens of cube, seen by nobody
state told: 0..99
state count_of: 0..99, seen by nobody
state pick: Card or nothing = nothing
state lead: Player or nothing = nothing
player
    zone hand: set of Card, seen by owner except size
    zone fan: row of 2 Card, seen by others except slots
    zone pile: pile of Card
    zone purse: tokens of cube, seen by owner
    zone discs: tokens of disc = 2
    zone laid: set of Card, seen by owner except size
    state kept: list of 0..9 up to 3, seen by owner
    state secret: 0..9, seen by owner
    state mark: 0..9, seen by others
    state bid: 0..9
    state pts: 0..99
"""

SETUP = """setup
    move all from Card to deck
    shuffle deck
    each player
        surely move 1 from deck to me.hand
        roll n in 1..4
        set me.secret to n
    move up to 1 from deck to hid
    move up to 1 from deck to sure(Cell(2, 1)).tile
    roll first_trap in 0..3
    set sure(Cell(1, 1)).trap to first_trap
"""


class Maker:
    """Makes one game."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.seed = seed
        self.parts: list[str] = []
        self.names = 0
        self.numbers: list[str] = []
        """The names of numbers that a statement can use at its place."""
        self.cards: list[str] = []

    def one(self, *ways: str) -> str:
        """One of these."""
        return self.random.choice(ways)

    def chance(self, part: float) -> bool:
        """Whether an event with this probability happens."""
        return self.random.random() < part

    def name(self) -> str:
        """A new name."""
        self.names += 1
        return f"v{self.names}"

    # ---- expressions ----

    def player(self) -> str:
        """A player."""
        ways = ["me", "me.left", "me.left"]
        if self.chance(0.2):
            ways.append(f"first(p in players by {self.of_p()} then order)")
        return self.one(*ways)

    def of_p(self) -> str:
        """A number of the player p."""
        return self.one(
            "p.secret",
            "p.hand.size",
            "p.pts",
            "p.bid",
            "p.total",
            "sum(c in p.hand: c.rank)",
            "openly(p.secret)",
        )

    def place(self) -> str:
        """A zone of cards."""
        return self.one(
            "deck",
            "hid",
            "buried",
            "open_cards",
            "me.hand",
            "me.left.hand",
            "me.pile",
            "me.fan",
            "me.left.fan",
        )

    def card(self) -> str:
        """A card, or nothing."""
        ways = ["deck.top", "open_cards.top", "buried.top", "me.left.pile.top", "four"]
        return self.one(*ways, *self.cards, *self.cards)

    def number(self, depth: int = 2) -> str:
        """A number from 0 on."""
        if self.chance(0.2):
            return f"openly({self.bare(depth)})"
        return self.bare(depth)

    def bare(self, depth: int) -> str:
        """A number without `openly`."""
        if self.numbers and self.chance(0.35):
            return self.one(*self.numbers)
        ways = [
            "told",
            "count_of",
            "me.secret",
            "me.left.secret",
            "me.bid",
            "me.pts",
            "me.mark",
            "me.left.mark",
            "1",
            "2",
            f"{self.place()}.size",
            f"sum(c in {self.place()}: c.rank)",
            f"count(c in {self.place()} where c.rank > 2)",
            f"count(c in Card where c.known_to({self.one('me', 'me.left')}))",
            f"count(p in players where {self.of_p()} > 2)",
            "me.total",
            "me.purse.size",
            "me.left.strength",
            "me.fee",
            "me.left.fee",
            "me.kept.size",
            "sum(n in me.kept: n)",
            "me.laid.size",
            f"count(c in Card where c.holder is {self.one('me', 'me.left')})",
            "met.times",
            "tax",
            "count(x in Cell where x.trap > 1)",
            "sum(x in Cell: x.look)",
            "sum(x in Cell: sum(c in x.tile: c.rank))",
            "count(c in Card where c.used)",
            "count(c in me.hand where c.used)",
            "sack.size",
            "shelf.size",
        ]
        if depth > 0:
            ways += [
                f"min({self.bare(depth - 1)}, {self.bare(depth - 1)})",
                f"(if {self.truth(depth - 1)} then 1 else 2)",
                f"by({self.bare(0)}: 1 then 2, 2 then 1, else 0)",
                f"Price(max(1, min(4, {self.bare(depth - 1)}))).cost",
                f"{self.cell(depth - 1)}.{self.one('trap', 'look', 'tile.size')}",
                f"count(c in {self.place()} where c.known_to({self.player()}))",
                f"largest(n in list(p in players: {self.of_p()}): n)",
            ]
        return self.one(*ways)

    def cell(self, depth: int = 1) -> str:
        """A cell of the grid."""
        return f"sure(Cell({self.one('1', '2', f'1 + min(2, {self.bare(depth)})')}, 1))"

    def truth(self, depth: int = 2) -> str:
        """A condition."""
        ways = [
            f"{self.bare(depth - 1) if depth else 'me.secret'} > {self.one('1', '2', '3')}",
            f"any(c in {self.place()} where c is four)",
            f"{self.place()} is not empty",
            f"four.known_to({self.one('me', 'me.left')})",
            f"four.holder is {self.one('me', 'me.left')}",
            f"{self.one('1', '2', 'told')} in me.kept",
            "me.left.in_play",
            f"{self.card()} is not nothing",
            "four.used",
            "met.times > 1",
            "sack.owner is me",
            f"any(x in Cell where x.tile is not empty and {self.one('x.look', 'x.trap')} > 1)",
        ]
        found = self.one(*ways)
        return f"openly({found})" if self.chance(0.3) else found

    # ---- statements ----

    def block(self, depth: int, indent: int) -> list[str]:
        """Some statements."""
        numbers, cards = self.numbers[:], self.cards[:]
        lines = [
            line for _ in range(self.random.randint(1, 2)) for line in self.statement(depth, indent)
        ]
        self.numbers, self.cards = numbers, cards
        return lines

    def statement(self, depth: int, indent: int) -> list[str]:
        """One statement; later statements can use its names."""
        pad = " " * indent
        kinds = [
            "log",
            "log",
            "log to",
            "set",
            "set",
            "set hidden",
            "add",
            "move",
            "move",
            "show",
            "let",
            "roll",
            "ask",
            "take",
            "cubes",
            "order",
            "card",
            "use",
            "rule",
            "list",
            "out",
            "spread",
            "pay",
            "count up",
            "prompt",
            "act",
            "end",
            "again",
            "keep",
            "with",
            "leave",
            "cell",
            "cell",
            "dig",
            "discs",
            "sight",
            "lose",
            "named",
            "ranked",
        ]
        if depth > 0:
            kinds += [
                "while",
                "any order",
                "if",
                "if",
                "each",
                "loop",
                "options",
                "possible",
                "may",
                "together",
                "as",
            ]
        match self.one(*kinds):
            case "log":
                return [
                    pad
                    + f'log "{{me}} {{{self.one(self.number(), self.number(), "me.hand", self.card())}}}"'
                ]
            case "log to":
                return [pad + f'log "{{{self.number()}}}" to {self.one("me", "me.left")}']
            case "set":
                place = self.one("told", "me.bid", "me.left.bid", f"{self.player()}.pts", "me.mark")
                return [pad + f"set {place} to min(9, {self.number()})"]
            case "set hidden":
                return [
                    pad
                    + f"set {self.one('me.secret', 'count_of', 'me.left.secret')} to min(9, {self.number()})"
                ]
            case "add":
                return [
                    pad
                    + f"add min(3, {self.number()}) to {self.one('told', 'me.pts', f'{self.player()}.bid')}"
                ]
            case "move":
                amount = self.one("all", "up to 1", "up to 2", f"up to min(2, {self.number()})")
                target = self.one(
                    "open_cards", "me.hand", "hid", "buried", "deck", f"{self.player()}.pile"
                )
                source = self.one("deck", "me.hand", "buried", "open_cards", "me.left.hand", "hid")
                return [pad + f"move {amount} from {source} to {target}"]
            case "show":
                shown = self.one(
                    "me.hand",
                    "deck",
                    "me.left.hand",
                    "me.fan",
                    "list(c in me.hand where c.rank > 2)",
                )
                return [pad + f"show {shown} to {self.one('me', 'me.left', 'players')}"]
            case "let":
                name, value = self.name(), self.number()
                self.numbers.append(name)
                return [pad + f"let {name} = {value}"]
            case "roll":
                name = self.name()
                self.numbers.append(name)
                high = self.one("3", "4", f"1 + min(3, {self.number()})")
                lines = [pad + f"roll {name} in 1..{high}"]
                if self.chance(0.6):
                    lines.append(pad + f"set {self.one('me.secret', 'told', 'count_of')} to {name}")
                return lines
            case "ask":
                name = self.name()
                self.numbers.append(name)
                high = self.one("3", f"1 + min(2, {self.number()})")
                return [
                    pad + f"surely choose {name} in 1..{high}",
                    pad + f"set {self.one('me.secret', 'me.bid', 'told')} to {name}",
                ]
            case "take":
                name = self.name()
                where = self.one("", "", f" where {self.truth()}")
                target = self.one("open_cards", "open_cards", "buried", "me.pile", "deck")
                return [
                    pad + f"choose {name} or none in me.hand{where}",
                    pad + f"if {name} is not nothing",
                    pad + f"    move {name} to {target}",
                ]
            case "cubes":
                source, target = (
                    self.one("bank", "box", "me.purse"),
                    self.one("box", "bank", "me.purse", "me.left.purse"),
                )
                return [
                    pad
                    + f"move up to {self.one('1', '2', f'min(2, {self.number()})')} from {source} to {target}"
                ]
            case "order":
                key = self.one("c.rank", f"abs(c.rank - {self.bare(0)})")
                return [
                    pad
                    + self.one(
                        "shuffle buried",
                        "shuffle open_cards",
                        "shuffle deck",
                        "reverse deck",
                        f"sort c in {self.one('open_cards', 'buried')} by {key}",
                    )
                ]
            case "card":
                card = self.card()
                return [pad + f"set pick to {card}"]
            case "use":
                return [
                    pad + f"for each c in {self.one('me.hand', 'open_cards', 'me.fan')}",
                    pad + "    set c.used to yes",
                ]
            case "list":
                return [
                    pad + "set me.kept to empty",
                    pad + f"add min(9, {self.number()}) to me.kept",
                ]
            case "out":
                return [
                    pad + f"if {self.truth()} and players.size > 1",
                    pad + f"    eliminate {self.one('me', 'me', 'me.left')}",
                ]
            case "spread":
                return [
                    pad + f"for each c in {self.one('me.hand', 'me.left.hand', 'open_cards')}",
                    pad + f"    if {self.one('c.rank > 2', f'c.known_to({self.player()})')}",
                    pad
                    + f"        {self.one('add 1 to told', 'move c to open_cards', 'set c.used to yes')}",
                ]
            case "rule":
                return [pad + f"do {self.rule()}(min(9, {self.number()}))"]
            case "pay":
                source = self.one("me.secret", "me.bid", "me.pts", "count_of", "me.purse")
                target = " to bank" if source == "me.purse" else ""
                return [
                    pad + "if possible",
                    pad
                    + f"    {'move' if target else 'pay'} {self.one('1', '2')} from {source}{target}",
                    pad + "    " + self.one("add 1 to told", "add 1 to me.pts", 'log "{me}"'),
                    pad + "otherwise",
                    pad + "    " + self.one("skip", "add 1 to told", 'log "{me} cannot"'),
                ]
            case "count up":
                return [
                    pad + f"repeat while me.bid < 5 and {self.truth()}",
                    pad + "    add 1 to me.bid",
                ]
            case "prompt":
                return [
                    pad + f'surely choose {self.name()} in 1..2 prompt "one of {{{self.number()}}}"'
                ]
            case "act":
                return [
                    pad + "choose one of",
                    pad + f'    option "{self.name()}"',
                    pad + f"    do {self.action()}",
                ]
            case "end":
                return [
                    pad + f"if {self.truth()}",
                    pad + f"    {self.one('win me', 'win me.left')}",
                    pad + "    end game",
                ]
            case "again":
                return [
                    pad + f"do {self.recursive()}({self.one('2', '3')}, min(9, {self.number()}))"
                ]
            case "keep":
                step = self.one("keep met", "keep met", "forget met")
                if self.chance(0.4):
                    return [pad + f"if {self.truth()}", pad + f"    {step}"]
                return [pad + step]
            case "with":
                change = self.one("more", "more", "less")
                return [
                    pad + f"do {self.rule()}(1) with tax {change} min(3, {self.number()})",
                ]
            case "leave":
                return [
                    pad + "if players.size > 2",
                    pad + f"    eliminate {self.one('me', self.leader(), self.leader())}",
                ]
            case "cell":
                cell = self.cell()
                return [
                    pad
                    + self.one(
                        f"set {cell}.{self.one('look', 'trap')} to min(9, {self.number()})",
                        f"add 1 to {cell}.look",
                        f"if {cell}.tile is empty\n{pad}    move up to 1"
                        f" from {self.one('deck', 'me.hand', 'hid')} to {cell}.tile",
                        f"move all from {cell}.tile to {self.one('open_cards', 'deck', cell + '.stack', 'me.hand')}",
                    )
                ]
            case "dig":
                return [
                    pad
                    + "for each x in Cell where "
                    + self.one("x.trap > 1", "x.look > 0", "any(c in x.tile where c.rank > 2)"),
                    pad
                    + "    "
                    + self.one(
                        "move all from x.tile to x.stack",
                        "add 1 to x.look",
                        "add 1 to x.trap",
                        "show x.tile to me",
                    ),
                ]
            case "discs":
                source, target = self.one("me.discs", "sack", "shelf"), self.one("sack", "shelf")
                return [
                    pad
                    + f"move up to {self.one('1', f'min(2, {self.number()})')} from {source} to {target}"
                ]
            case "sight":
                target = self.one("add 1 to told", "set c.used to yes", "move c to open_cards")
                return [
                    pad
                    + f"for each c in {self.one('me.hand', 'deck', 'open_cards', 'Card')}"
                    + f" where c.known_to({self.player()})",
                    pad + f"    {target}",
                ]
            case "lose":
                place = self.one("me.hand", "me.hand", "deck", "me.fan")
                then = self.one(
                    f"shuffle {place}" if place == "deck" else f"move up to 1 from {place} to deck",
                    f"move up to 1 from {place} to {self.one('buried', 'hid', 'me.left.hand', 'open_cards')}",
                )
                return [
                    pad + f"show {place} to {self.one('players', 'me', 'me.left')}",
                    pad + then,
                    pad
                    + f'log "{{sum(c in {place}: c.rank)}}"{self.one("", " to me", " to me.left")}',
                ]
            case "named":
                name = self.name()
                return [
                    pad + "choose one of",
                    pad
                    + f'    option "{self.name()} {{{name}}}" for {name} in 1..3'
                    + f' where {name} < {self.number()} else "{{{self.number()}}}"',
                    pad + f"        add {name} to me.bid",
                    pad + f'    option "{self.name()}"',
                ]
            case "ranked":
                name = self.name()
                return [
                    pad + f"for each {name} in ranking(p in players by {self.of_p()} then order)",
                    pad
                    + "    "
                    + self.one(
                        f"move up to 1 from deck to {name}.{self.one('pile', 'hand')}",
                        f"add 1 to {name}.secret",
                    ),
                    pad + f"    if {self.one(f'{name} is me', f'{name}.bid > 2', self.truth())}",
                    pad + "        stop",
                ]
            case "while":
                return [
                    pad + f"repeat {self.one('3', f'min(3, {self.number()})')} times",
                    *self.block(depth - 1, indent + 4),
                    pad + f"    if {self.truth()}",
                    pad + f"        {self.one('stop', 'skip')}",
                    *self.block(depth - 1, indent + 4),
                ]
            case "any order":
                return [
                    pad + f"for each c in {self.one('me.hand', 'open_cards')}, any order",
                    pad
                    + "    "
                    + self.one(
                        "move c to open_cards",
                        "set c.used to yes",
                        "show c to me.left",
                        "move c to buried",
                    ),
                ]
            case "as":
                return [pad + "as me.left", *self.block(depth - 1, indent + 4)]
            case "if":
                lines = [pad + f"if {self.truth()}", *self.block(depth - 1, indent + 4)]
                if self.chance(0.5):
                    lines += [pad + "else", *self.block(depth - 1, indent + 4)]
                return lines
            case "each":
                over = self.one("p in players", f"p in players where {self.of_p()} > 2")
                inner = self.one(
                    'log "{p}"',
                    f"add 1 to p.{self.one('pts', 'bid', 'secret')}",
                    f"set p.bid to min(9, {self.of_p()})",
                    "move up to 1 from deck to p.hand",
                )
                return [pad + f"for each {over}", pad + f"    {inner}"]
            case "loop":
                return [
                    pad + f"repeat {self.one('2', '3', f'min(3, {self.number()})')} times",
                    *self.block(depth - 1, indent + 4),
                ]
            case "options":
                lines = [pad + "choose one of"]
                for number in range(2):
                    where = f" where {self.truth()}" if number == 0 else ""
                    lines += [
                        pad + f'    option "{self.name()}"{where}',
                        *self.block(depth - 1, indent + 8),
                    ]
                return lines
            case "possible":
                return [
                    pad + "if possible",
                    *self.block(depth - 1, indent + 4),
                    pad + f"    needs {self.truth()}",
                    pad + "otherwise",
                    *self.block(depth - 1, indent + 4),
                ]
            case "may":
                return [pad + f'may "{self.name()}"', *self.block(depth - 1, indent + 4)]
            case _:
                name = self.name()
                return [
                    pad + f"surely choose {name} in 1..2",
                    pad + f"set me.secret to {name}",
                    pad + f"set me.left.bid to min(9, {self.number()})",
                ]

    def rule(self) -> str:
        """The name of a new rule."""
        name = f"r{self.name()}"
        outer = self.numbers, self.cards
        self.numbers, self.cards = ["n"], []
        body = self.block(1, 4)
        self.numbers, self.cards = outer
        self.parts.append("\n".join([f"rule {name}(n: 0..9)", *body]))
        return name

    def leader(self) -> str:
        """The player with the most of something."""
        return f"sure(first(p in players by {self.of_p()} then order))"

    def recursive(self) -> str:
        """The name of a rule that calls itself, perhaps only if that is possible."""
        name = f"r{self.name()}"
        outer = self.numbers, self.cards
        self.numbers, self.cards = ["n"], []
        step = self.one(
            f"do {name}(depth - 1, min(9, {self.number()}))",
            f"do {name}(depth - 1, n)",
        )
        tried = [
            "        if possible",
            f"            needs {self.one('n > 2', self.truth())}",
            f"            {step}",
            "        otherwise",
            *self.block(0, 12),
        ]
        body = [
            "    if depth > 0",
            *self.block(0, 8),
            *(tried if self.chance(0.6) else [f"        {step}"]),
        ]
        self.numbers, self.cards = outer
        self.parts.append("\n".join([f"rule {name}(depth: 0..3, n: 0..9)", *body]))
        return name

    def action(self) -> str:
        """The name of a new action, with a condition, a reason and words."""
        name = f"a{self.name()}"
        outer = self.numbers, self.cards
        self.numbers, self.cards = [], []
        lines = [f"action {name}"]
        if self.chance(0.7):
            lines.append(
                f'    needs {self.truth()} else "it is {{{self.one("me", self.number())}}}"'
            )
        if self.chance(0.5):
            lines.append(f'    say "act for {{{self.number()}}}"')
        lines += self.block(1, 4)
        self.numbers, self.cards = outer
        self.parts.append("\n".join(lines))
        return name

    def together(self) -> list[str]:
        """A block in which all players decide at once, and the steps after it."""
        first = self.one(
            "            choose card or none in me.hand\n            if card is not nothing\n"
            "                move card to me.laid",
            "            surely choose n in 0..3\n            set me.secret to n",
            "            roll n in 1..4\n            set me.secret to n",
            "            surely choose n in 0..3\n            if n > 1\n                set me.secret to n\n"
            "            else\n                move up to 1 from me.hand to me.laid",
            '            choose one of\n                option "stay"\n                    set me.secret to 1\n'
            '                option "go"\n                    move up to 1 from me.hand to me.laid',
        )
        then = self.one(
            "            move all from me.laid to open_cards",
            "            move all from me.laid to me.hand",
            '            log "{me} {me.laid.size}"',
            "            set me.bid to openly(me.secret)",
            f"            set told to min(9, {self.number()})",
            "            if me.laid is not empty and players.size > 2\n                eliminate me",
            "            for each c in me.laid\n                show c to me.left",
        )
        return ["        together each player", first, "        each player", then]

    # ---- the game ----

    def game(self) -> str:
        """The text of the game."""
        turn = [line for _ in range(self.random.randint(1, 3)) for line in self.statement(2, 12)]
        self.numbers, self.cards = [], []
        parts = [
            self.one("told", "list(p in players: p.pts)", "list(p in players: p.bid)"),
            self.one("told", "told", "count_of", "list(p in players: p.secret)", "deck.size"),
        ]
        self.parts.append(
            f"position met up to 999 = {', '.join(parts)}\nopen value tax = {self.one('1', 'told', 'count_of')}"
        )
        self.parts.append(f"value strength of p: Player = {self.of_p()}")
        amount = self.one("1", "c.rank", self.one("p.secret", "p.pts"))
        where = self.one("", "", " where p.pts > 2", " where p.secret > 2")
        place = self.one("p.hand", "p.pile", "p.fan", "p.laid")
        self.parts.append(
            f"open value fee of p: Player = {self.one('1', 'p.bid')}\n"
            f"power c: Card in {place} where {self.one('c.rank > 2', 'c is four')}\n"
            f"    modify p.fee {self.one('more', 'at least')} {amount}{where}"
        )
        if self.chance(0.3):
            who = self.one(f"{self.of_p()} > 3", "openly(p.secret > 2)", "p.hand.size > 2")
            then = self.one('log "{p} has it"', "add 1 to told")
            self.parts.append(f"whenever {who} for p in players\n    {then}")
        if self.chance(0.2):
            where = self.one("", f" where {self.of_p()} > 2")
            board = self.one("p.total", "p.fee", self.of_p())
            self.parts.append(f'board "B"\n    show "{{p}} {{{board}}}" for p in players{where}')
        score = self.one("p.pts", "p.pts + p.secret", "p.pts + sum(c in p.hand: c.rank)", "p.bid")
        end = [
            '            choose one of\n                option "earn"\n                    add 1 to me.pts',
            f'                option "wait"{self.one("", f" where {self.truth()}")}',
        ]
        before = self.together() if self.chance(0.3) else []
        play = ["play", "    repeat 2 times", *before, "        each player", *turn, *end]
        ending = [f'score of p\n    item "x" = {score}', "winner p by p.total then shared"]
        return (
            "\n".join(
                [
                    HEAD.format(seed=self.seed) + "\n".join(self.parts),
                    SETUP + "\n".join(play),
                    *ending,
                ]
            )
            + "\n"
        )


def game_of_seed(seed: int) -> str:
    """The game of a seed."""
    return Maker(seed).game()
