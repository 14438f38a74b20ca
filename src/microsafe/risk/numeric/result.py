"""Risk of numeric variables, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microsafe.display import keep_on_one_line, show_number, show_percent
from microsafe.results import Result
from microsafe.risk.numeric.intervals import Intervals
from microsafe.risk.numeric.linkage import Linkage, LinkCounts
from microsafe.svg import draw_bars


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NumericRisk(Result):
    """Whether records can be found again by their numeric variables.

    Attributes:
        source: The file.
        records: In it.
        variables: Numeric variables that an intruder knows exactly.
        keys: Released keys within which records are compared.
        weight: Sampling weight, if there is one.
        linkage: Records whose own original is the nearest to what was released.
        intervals: Records whose original lies near what was released.
        repeats: Over how many draws of other seeds the figures are averaged; 0 if they are those
            of this file.
        perturbed: What was done to keys at random, such as "PRAM of region"; "" if nothing was, or
            nothing is known of it.
        window: Records that are found by who pairs all of them one to one within the ranks by which
            values were swapped; None if none were.
    """

    source: str
    records: int
    variables: tuple[str, ...]
    keys: tuple[str, ...]
    weight: str | None
    linkage: Linkage
    intervals: Intervals
    repeats: int = 0
    perturbed: str = ""
    window: LinkCounts | None = None

    @property
    def found(self) -> LinkCounts:
        """The records that are found by the better of both: the nearest, or inside the window."""
        both = [self.linkage.all, *filter(None, [self.window])]
        return max(both, key=lambda each: each.rate)

    @property
    def title(self) -> str:
        """One line that says what was measured."""
        names = ", ".join(map(keep_on_one_line, self.variables))
        return f"Risk of numeric variables: {keep_on_one_line(self.source)}, {names}"

    def _picture(self) -> str:
        linked = (("all records", self.linkage.all), ("outer 1 %", self.linkage.outer))
        bars = [(name, each.rate, show_percent(each.rate)) for name, each in linked]
        return draw_bars("Linked to their own original", bars)

    def _rows(self) -> Iterator[tuple[str, str]]:
        yield "records", f"{self.records:,}"
        if self.keys:
            yield "compared within equal", ", ".join(map(keep_on_one_line, self.keys))
        if self.perturbed:
            yield "counted with the chance to find the keys", keep_on_one_line(self.perturbed)
        yield "linked to their own original", _show(self.linkage.all)
        yield "nearest by", "ratios" if self.linkage.by_ratios else "differences"
        yield "outer 1 % of the records linked", _show(self.linkage.outer)
        if self.weight is not None:
            yield "linked, adjusted for people outside the file", _show(self.linkage.adjusted)
        if self.window is not None:
            yield "paired one to one inside the window of ranks", _show(self.window)
        found = self.intervals
        unit = "of the ranks" if found.by_ranks else "of a standard deviation"
        yield (
            f"original within {show_percent(found.width)} {unit} on every variable",
            show_percent(found.share),
        )
        if len(found.by_variable) > 1:
            for name, share in found.by_variable.items():
                yield f"  of {keep_on_one_line(name)}", show_percent(share)
        if self.repeats:
            yield "averaged over draws of other seeds", f"{self.repeats:,}"

    def _remarks(self) -> Sequence[str]:
        return (
            "The intruder knows the original values exactly, and that the person is in the file: "
            "an upper bound for others.",
        )

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        linked = self.linkage
        return {
            "records": self.records,
            "variables": list(self.variables),
            "keys": list(self.keys),
            "perturbed": self.perturbed or None,
            "linkage": {
                **_figures(linked.all),
                "by": "ratios" if linked.by_ratios else "differences",
                "outer": _figures(linked.outer),
                "adjusted": _figures(linked.adjusted) if self.weight is not None else None,
                "window": None if self.window is None else _figures(self.window),
            },
            "intervals": {
                "width": self.intervals.width,
                "by": "ranks" if self.intervals.by_ranks else "standard deviation",
                "share": self.intervals.share,
                "variables": dict(self.intervals.by_variable),
            },
            "repeats": self.repeats,
        }


def average_risks(found: Sequence[NumericRisk]) -> NumericRisk:
    """Return the mean of what several draws gave."""
    first, count = found[0], len(found)

    def mean(parts: Sequence[LinkCounts]) -> LinkCounts:
        rate = sum(part.rate for part in parts) / count
        error = sum(part.error**2 for part in parts) ** 0.5 / count
        return replace(parts[0], rate=rate, error=error)

    shares = {
        name: sum(each.intervals.by_variable[name] for each in found) / count
        for name in first.intervals.by_variable
    }
    return replace(
        first,
        linkage=replace(
            first.linkage,
            all=mean([each.linkage.all for each in found]),
            outer=mean([each.linkage.outer for each in found]),
            adjusted=mean([each.linkage.adjusted for each in found]),
        ),
        intervals=replace(
            first.intervals,
            share=sum(each.intervals.share for each in found) / count,
            by_variable=shares,
        ),
        window=mean([each.window for each in found if each.window]) if first.window else None,
        repeats=count,
    )


def _show(found: LinkCounts) -> str:
    text = f"{show_percent(found.rate)} ({show_number(found.expected)} of {found.records:,})"
    if not found.error:
        return text
    return f"{text}, standard error {show_percent(found.error, 2)}"


def _figures(found: LinkCounts) -> dict[str, Any]:
    return {
        "rate": found.rate,
        "expected": found.expected,
        "records": found.records,
        "searched": found.searched,
        "standard_error": found.error,
    }
