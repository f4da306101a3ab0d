"""A model of Through the Ages, written from its clause list and tables alone, without its rules file.

`cards` reads the tables. `state` is the position on the table, and `tokens`, `armies` and `ratings` are sums over
it. The other modules are the rules by chapter of the clause list. `game` plays.
"""
