"""What each key adds to the risk of the file."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.display import show_number
from microsafe.results import ResultTable
from microsafe.svg import draw_bars


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contribution:
    """What one key adds to the risk of the file.

    Attributes:
        key: The key variable.
        without: Expected re-identifications if it were left out.
        fall: How many fewer that is.
    """

    key: str
    without: float
    fall: float


class KeyContributions(ResultTable[Contribution]):
    """What each key adds to the expected re-identifications, the worst first."""

    title = "Expected re-identifications that each key adds"
    headings = ("key", "adds", "without it")
    right = (1, 2)

    def _cells(self) -> list[tuple[str, ...]]:
        return [(each.key, show_number(each.fall), show_number(each.without)) for each in self]

    def _picture(self) -> str:
        return draw_bars(self.title, [(e.key, e.fall, show_number(e.fall)) for e in self])
