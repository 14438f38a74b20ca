"""What a step does to risk and to information, side by side, before anybody confirms it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from microsafe.display import show_number, show_percent, show_rate, show_risk
from microsafe.results import Result
from microsafe.risk import Measured
from microsafe.steps.base import Step
from microsafe.steps.loss import Information


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Risk of a file in five figures; `unsafe` is None where there is no limit."""

    expected: float
    rate: float
    max: float
    sample_uniques: int
    unsafe: int | None

    @classmethod
    def of(cls, measured: Measured, limit: float | None) -> Figures:
        """Take the figures from a measurement."""
        return cls(
            expected=measured.expected,
            rate=measured.expected / measured.cells.records,
            max=float(measured.risk.max()),
            sample_uniques=measured.count(measured.f == 1),
            unsafe=None if limit is None else measured.count(measured.risk > limit),
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Preview(Result):
    """Risk and information before and after some steps.

    Attributes:
        steps: What would be done.
        before: Risk without them.
        after: Risk with them.
        information: What each variable that they change would tell.
    """

    steps: tuple[Step, ...]
    before: Figures
    after: Figures
    information: tuple[Information, ...]

    @property
    def step(self) -> Step:
        """The last of the steps."""
        return self.steps[-1]

    @property
    def fall(self) -> float:
        """How many re-identifications fewer are expected."""
        return self.before.expected - self.after.expected

    @property
    def lost(self) -> float:
        """Bits of entropy lost, all variables together."""
        return sum(each.lost for each in self.information)

    @property
    def fall_per_bit(self) -> float:
        """What a bit buys; infinite where risk falls and nothing is lost."""
        if self.lost > 0:
            return self.fall / self.lost
        return float("inf") if self.fall > 0 else 0.0

    def _rows(self) -> list[tuple[str, str]]:
        before, after = self.before, self.after
        rows = [
            ("expected re-identifications", _change(before.expected, after.expected, show_number)),
            ("re-identification rate", _change(before.rate, after.rate, show_rate)),
            ("largest risk", _change(before.max, after.max, show_risk)),
            ("sample uniques", f"{before.sample_uniques:,} -> {after.sample_uniques:,}"),
        ]
        if before.unsafe is not None:
            rows.append(("unsafe records", f"{before.unsafe:,} -> {after.unsafe:,}"))
        for each in self.information:
            categories = f"{each.categories_before:,} -> {each.categories_after:,}"
            bits = f"{each.bits_before:.3f} -> {each.bits_after:.3f} bits"
            rows += [
                (f"categories of {each.variable}", categories),
                (f"entropy of {each.variable}", f"{bits} ({show_percent(each.share_lost)} lost)"),
            ]
        return rows

    @property
    def title(self) -> str:
        """What would be done, in one line."""
        return "Preview: " + "; ".join(step.in_words() for step in self.steps)

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "before": asdict(self.before),
            "after": asdict(self.after),
            "information": [asdict(each) for each in self.information],
        }


def _change(before: float, after: float, show: Callable[[float], str]) -> str:
    return f"{show(before)} -> {show(after)}"
