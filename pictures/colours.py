"""Define colours by their names in the rules, colours of seats, and text colours that are readable on them."""

from __future__ import annotations

from functools import cache

SEATS = ("#0a6ebd", "#d55e00", "#0b8a63", "#b8457f", "#8a6d00", "#4b4fc4")
"""The colours of players if the rules name none; people who cannot tell red from green can distinguish them."""

HUES = (
    "#48637c",
    "#8a5a35",
    "#3f7f5f",
    "#8f4f6f",
    "#6b6f2a",
    "#5a54a0",
    "#a0522d",
    "#2d7d86",
    "#7a4a4a",
    "#4f6f3a",
)
"""The colours of values whose names are not colours."""

NAMED = {
    "amber": "#f0a500",
    "beige": "#e8dcc0",
    "black": "#26282c",
    "blue": "#2673b8",
    "bronze": "#9c6b3f",
    "brown": "#8a5a35",
    "crimson": "#b3123a",
    "cyan": "#27a3b5",
    "emerald": "#0b8a63",
    "gold": "#d9a520",
    "gray": "#80868f",
    "green": "#2f8f46",
    "grey": "#80868f",
    "indigo": "#4b4fc4",
    "ivory": "#f4efe0",
    "lime": "#94c11f",
    "magenta": "#c23b8f",
    "navy": "#1f3a6e",
    "ochre": "#c98a1b",
    "olive": "#7c7a2d",
    "orange": "#e5811d",
    "pink": "#e58bb0",
    "purple": "#7b4aa6",
    "red": "#c8372d",
    "scarlet": "#d22f27",
    "silver": "#b5bbc4",
    "tan": "#cfb083",
    "teal": "#1d8c8c",
    "turquoise": "#2fb5a8",
    "violet": "#7b4aa6",
    "white": "#f7f6f2",
    "yellow": "#f2c230",
    "clubs": "#2a2f36",
    "diamonds": "#c43a2b",
    "hearts": "#c62d3a",
    "spades": "#23272e",
}
_DARK, _LIGHT = "#16181b", "#ffffff"


@cache
def colour_of(word: str) -> str | None:
    """Return the colour that a word names, alone or as a part of a name such as `dark_red` or `red_site`,
    or None.
    """
    if word in NAMED:
        return NAMED[word]
    found = [part for part in word.casefold().replace(" ", "_").split("_") if part in NAMED]
    return NAMED[found[0]] if len(found) == 1 else None


@cache
def name_of(word: str) -> str:
    """Return the name of the colour that a word names, such as `red` for `dark_red`."""
    colour = colour_of(word)
    return next(name for name, value in NAMED.items() if value == colour)


def classes() -> str:
    """Return the rules of a stylesheet that give elements the colours of names, seats and hues by their
    classes.
    """
    named = [(f"c-{name}", colour) for name, colour in NAMED.items()]
    seats = [(f"seat-{number}", colour) for number, colour in enumerate(SEATS)]
    hues = [(f"hue-{number}", colour) for number, colour in enumerate(HUES)]
    return "\n".join(
        f".rw-{name} {{ --rw-fill: {colour}; --rw-ink: {ink_on(colour)}; }}"
        for name, colour in (*named, *seats, *hues)
    )


@cache
def ink_on(colour: str) -> str:
    """Return black or white, whichever has more contrast on a colour."""
    return _DARK if contrast(colour, _DARK) >= contrast(colour, _LIGHT) else _LIGHT


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, as defined by WCAG."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
