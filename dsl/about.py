"""Defines, as plain data, the facts about a game that lists and pages show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from attrs import frozen

Weight = Literal["light", "medium", "heavy"]
WEIGHTS: Final[tuple[Weight, ...]] = get_args(Weight)


@frozen
class AboutGame:
    """Facts about a game. Empty facts are not shown."""

    designer: str = ""
    publisher: str = ""
    minutes: tuple[int, int] | None = None
    """The minimum and the maximum number of minutes that a match takes."""
    mechanisms: tuple[str, ...] = ()
    weight: Weight | None = None

    def as_data(self) -> dict[str, Any]:
        """Return the facts as plain data for JSON."""
        return {
            "designer": self.designer,
            "publisher": self.publisher,
            "minutes": None if self.minutes is None else [*self.minutes],
            "mechanisms": [*self.mechanisms],
            "weight": self.weight,
        }

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> AboutGame:
        """Restore the facts from the data that `as_data` returns."""
        minutes = data["minutes"]
        return cls(
            str(data["designer"]),
            str(data["publisher"]),
            None if minutes is None else (int(minutes[0]), int(minutes[1])),
            tuple(map(str, data["mechanisms"])),
            data["weight"],
        )


NOTHING_SAID: Final = AboutGame()
