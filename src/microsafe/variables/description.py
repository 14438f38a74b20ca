"""Every variable at a glance, as text and as a page for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from microsafe.display import keep_on_one_line, show_percent
from microsafe.engine import Summary
from microsafe.results import ResultTable
from microsafe.svg import draw_bars
from microsafe.variables.roles import order_keys


class Description(ResultTable[Summary]):
    """Every variable at a glance, in the order of the file."""

    title = "Variables"
    headings = ("variable", "type", "categories", "missing", "probable role", "why", "label")
    right = (2, 3)

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            (e.name, e.kind, f"{e.categories:,}", f"{e.missing:,}", e.role, e.reason, e.label)
            for e in self
        ]

    @property
    def proposed(self) -> tuple[Summary, ...]:
        """The keys that are proposed, at most eight, best known first."""
        return order_keys(self)

    def _remarks(self) -> Sequence[str]:
        keys = self.proposed
        if not keys:
            return ()
        names = ", ".join(keep_on_one_line(each.name) for each in keys)
        alone = keys[-1].uniques
        told = (
            "" if alone is None else f"; {show_percent(alone)} of the records are alone with theirs"
        )
        return (f"Proposed keys: {names}{told}.",)

    def _picture(self) -> str:
        keys = [each for each in self.proposed if each.uniques is not None]
        if keys:
            bars = [(each.name, each.uniques or 0.0, _show_gain(each)) for each in keys]
            return draw_bars("Records alone with a proposed key and those above it", bars)
        ranked = sorted(self, key=lambda each: -each.categories)
        counts = [(each.name, float(each.categories), f"{each.categories:,}") for each in ranked]
        return draw_bars("Categories", counts)


def _show_gain(key: Summary) -> str:
    return f"{show_percent(key.uniques or 0.0)} (+{100 * (key.adds or 0.0):.1f})"
