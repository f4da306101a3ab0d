"""Writes a card game of any length: a fair with many guilds, each with cards, prices and a season.

Every guild is written in full, as a designer would write the next expansion. So twice as many lines have twice as
many cards, places, values, powers, actions, choices and scores.
"""

from __future__ import annotations

BEGINNING = """\
# The Long Fair: one season after the other, each guild sells its cards.
game "The Long Fair"
    players 2

player
    state coins: 0..999 = 40
    state fame: 0..999

rule earn(n: 0..9)
    add n to me.coins
"""

GUILD = """
# ---- Guild {n} ----
piece Guild{n}
    price: 1..9
    points: 0..9
    row smith_{n}, {a}, 2
    row baker_{n}, {b}, 1
    row mason_{n}, {c}, 4
    row scribe_{n}, 2, 0

zone stall_{n}: set of Guild{n}

player
    zone table_{n}: set of Guild{n}
    state favor_{n}: 0..3

open value price_{n} of p: Player (card: Guild{n}) at least 0 = card.price - p.favor_{n}
value worth_{n} of p: Player = sum(card in p.table_{n}: card.points) + p.favor_{n}

power smith_{n} in p.table_{n}
    modify p.price_{n}(card) less 1 where card.points > 0
power baker_{n} in p.table_{n}
    after buy_{n}(card) as p where card is not baker_{n}
        add 1 to p.fame

rule season_{n}
    move all from Guild{n} to stall_{n}
    repeat 2 times
        each player
            surely choose one of
                do buy_{n}
                do praise_{n}
                option "wait"
                    do earn({d})

action buy_{n}(card in stall_{n})
    say "buy the {{card}} for {{me.price_{n}(card)}}"
    needs me.table_{n}.size < 3 else "your table is full"
    needs me.coins >= me.price_{n}(card) else "the {{card}} costs {{me.price_{n}(card)}}"
    pay me.price_{n}(card) from me.coins
    move card to me.table_{n}
    if card is mason_{n}
        may do praise_{n}

action praise_{n}
    say "praise guild {n}"
    needs me.favor_{n} < 2 else "they have heard enough"
    pay 1 from me.coins
    add 1 to me.favor_{n}
"""

ITEM = '    item "guild {n}" = p.worth_{n}\n'
SEASON = "    do season_{n}\n"


def long_fair(lines: int) -> str:
    """A game of about this many lines."""
    each = GUILD.count("\n") + ITEM.count("\n") + SEASON.count("\n")
    guilds = max(1, round((lines - BEGINNING.count("\n") - 8) / each))
    numbers = range(1, guilds + 1)
    return "".join(
        (
            BEGINNING,
            *(
                GUILD.format(n=n, a=1 + n % 5, b=1 + n % 3, c=3 + n % 6, d=1 + n % 4)
                for n in numbers
            ),
            "\nplay\n",
            *(SEASON.format(n=n) for n in numbers),
            "\nscore of p\n",
            *(ITEM.format(n=n) for n in numbers),
            '    item "fame" = p.fame\n\nwinner p by p.total then shared\n',
        )
    )
