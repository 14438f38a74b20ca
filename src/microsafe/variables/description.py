"""Variables at a glance, and as they are read: as text and as a page for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from microsafe.display import keep_on_one_line, show_percent
from microsafe.results import ResultTable
from microsafe.svg import draw_bars
from microsafe.variables.profile import VariableProfile, order_keys


class Description(ResultTable[VariableProfile]):
    """Every variable at a glance, in the order of the file."""

    title = "Variables"
    headings = ("variable", "type", "categories", "missing", "probable role", "why", "label")
    right = (2, 3)
    panel: tuple[str, str | None] | None = None  # person and wave, if records seem to be of waves

    @property
    def panel_words(self) -> str:
        """Say that records seem to be waves of persons; nothing if they do not."""
        if self.panel is None:
            return ""
        person, wave = self.panel
        told = "" if wave is None else f", wave {wave} (--wave)"
        return f"Rows seem to repeat persons: person {person} (--person){told}."

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            (e.name, e.kind, f"{e.distinct:,}", f"{e.missing:,}", e.role, e.reason, e.label)
            for e in self
        ]

    @property
    def proposed(self) -> tuple[VariableProfile, ...]:
        """The keys that are proposed, at most eight, best known first."""
        return order_keys(self)

    def _remarks(self) -> Sequence[str]:
        keys = self.proposed
        panel = [self.panel_words] if self.panel else []
        if not keys:
            return panel
        names = ", ".join(keep_on_one_line(key.name) for key in keys)
        alone = keys[-1].uniques
        told = (
            "" if alone is None else f"; {show_percent(alone)} of the records are alone with theirs"
        )
        return (f"Proposed keys: {names}{told}.", *panel)

    def _picture(self) -> str:
        keys = [each for each in self.proposed if each.uniques is not None]
        if keys:
            bars = [(key.name, key.uniques or 0.0, _show_gain(key)) for key in keys]
            return draw_bars("Records alone with a proposed key and those above it", bars)
        ranked = sorted(self, key=lambda each: -each.distinct)
        counts = [(each.name, float(each.distinct), f"{each.distinct:,}") for each in ranked]
        return draw_bars("Categories", counts)


def _show_gain(key: VariableProfile) -> str:
    return f"{show_percent(key.uniques or 0.0)} (+{100 * (key.adds or 0.0):.1f})"


class VariablePreviews(ResultTable[VariableProfile]):
    """Variables as they would be read, in the order of the file."""

    title = "Variables as read"
    headings = ("variable", "type", "missing codes", "missing", "categories", "first categories")
    right = (3, 4)

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            (
                each.name,
                each.type or "",
                ", ".join(each.missing_codes),
                f"{each.missing:,}",
                f"{each.distinct:,}",
                each.fault or _list_counts(each),
            )
            for each in self
        ]

    def _picture(self) -> str:
        bars = [(each.name, float(each.missing), f"{each.missing:,}") for each in self]
        return draw_bars("Records in which it is missing", [bar for bar in bars if bar[1]])

    def _remarks(self) -> Sequence[str]:
        return [
            *(f"{each.name}: {each.mixture}." for each in self if each.mixture),
            *(f"{each.name}: {each.why_proposed}" for each in self if each.why_proposed),
        ]


def _list_counts(each: VariableProfile) -> str:
    if each.bins:
        shown = [(f"{b.low:g} to <{b.high:g}", b.records) for b in each.bins if b.records][:3]
    else:
        shown = [(c.label or c.code, c.records) for c in each.categories[:3]]
    text = ", ".join(f"{name} ({records:,})" for name, records in shown)
    many = len([b for b in each.bins if b.records]) or each.distinct
    return f"{text}, ..." if shown and many > len(shown) else text
