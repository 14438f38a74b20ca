"""What a step does to risk and to information, side by side, before anybody confirms it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from microsafe.compare.cost_figures import LossByUses
from microsafe.compare.number_changes import CorrelationChange, NumberChange
from microsafe.compare.number_plot_data import NumberPicture
from microsafe.compare.text import plain
from microsafe.display import show_number, show_percent, show_rate, show_risk
from microsafe.results import Result
from microsafe.risk import CellRisk
from microsafe.steps.base import Step
from microsafe.steps.loss import InformationLoss
from microsafe.svg import draw_bars


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Risk of a file in five figures.

    Attributes:
        expected: Re-identifications.
        rate: The same as a share of the records.
        max: Largest risk.
        sample_uniques: Records that no other record matches.
        unsafe: Records above the limit; None where there is none.
        perturbed_by: What was done to keys at random, such as "PRAM of region". Sample uniques are
            then those before it, and not meaningful after it.
    """

    expected: float
    rate: float
    max: float
    sample_uniques: int
    unsafe: int | None
    perturbed_by: str = ""

    @classmethod
    def of(cls, measured: CellRisk, limit: float | None, perturbed_by: str = "") -> Figures:
        """Take the figures from a measurement."""
        return cls(
            perturbed_by=perturbed_by,
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
        numbers: How each number that they change would change, record by record.
        correlations: How correlations of numeric variables would change; None if there are no two.
        pictures: Figures of pictures of these numbers.
        uses: The loss by uses, with the plain one; None if nobody said which matter.
        labels: Of the variables, by name.
    """

    steps: tuple[Step, ...]
    before: Figures
    after: Figures
    information: tuple[InformationLoss, ...]
    numbers: tuple[NumberChange, ...] = ()
    correlations: CorrelationChange | None = None
    pictures: tuple[NumberPicture, ...] = ()
    uses: LossByUses | None = None
    labels: Mapping[str, str] = field(default_factory=dict)

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
        """Bits lost, all variables together."""
        return sum(loss.lost for loss in self.information)

    @property
    def loss(self) -> float:
        """Shares of information lost, all variables together: 2 if two lose all."""
        return sum(loss.share_lost for loss in self.information)

    @property
    def fall_per_bit(self) -> float:
        """What a bit buys; infinite where risk falls and nothing is lost."""
        return self._fall_per(self.lost)

    @property
    def fall_per_loss(self) -> float:
        """What the loss of a whole variable would buy; infinite likewise."""
        return self._fall_per(self.loss)

    def _fall_per(self, lost: float) -> float:
        if lost > 0:
            return self.fall / lost
        return float("inf") if self.fall > 0 else 0.0

    def _rows(self) -> list[tuple[str, str]]:
        before, after = self.before, self.after
        rows = [
            ("expected re-identifications", _change(before.expected, after.expected, show_number)),
            ("re-identification rate", _change(before.rate, after.rate, show_rate)),
            ("largest risk", _change(before.max, after.max, show_risk)),
            ("sample uniques", self._tell_uniques()),
        ]
        if before.unsafe is not None:
            rows.append(("unsafe records", f"{before.unsafe:,} -> {after.unsafe:,}"))
        for loss in self.information:
            categories = f"{loss.categories_before:,} -> {loss.categories_after:,}"
            bits = f"{loss.bits_before:.3f} -> {loss.bits_after:.3f} bits"
            told = f"{bits} ({show_percent(loss.share_lost)} lost)"
            rows += [
                (f"categories of {loss.variable}", categories),
                (f"information on {loss.variable}", told),
            ]
        return [*rows, *(self.uses.rows() if self.uses else ()), *self._number_rows()]

    def _picture(self) -> str:
        states = (("before", self.before), ("after", self.after))
        bars = [(name, figures.expected, show_number(figures.expected)) for name, figures in states]
        return draw_bars("Expected re-identifications", bars)

    def _tell_uniques(self) -> str:
        before, after, words = self.before, self.after, self.after.perturbed_by
        told = f"{before.sample_uniques:,} -> {after.sample_uniques:,}"
        if not words:
            return told
        same = before.sample_uniques == after.sample_uniques
        shown = f"{after.sample_uniques:,}" if same else told
        return f"{shown}, before {words}; not meaningful after it"

    def _number_rows(self) -> Iterator[tuple[str, str]]:
        for number in self.numbers:
            old, new = number.weighted or number.plain
            kind = "weighted mean" if number.weighted else "mean"
            yield f"{kind} of {number.name}", _change(old.mean, new.mean, show_number)
            yield (
                f"standard deviation of {number.name}",
                _change(old.deviation, new.deviation, show_number),
            )
            yield (
                f"{number.name} record by record",
                f"SSE/SST {show_number(number.sse, 3)}, IL1s {show_number(number.il1s, 3)}, "
                f"rank correlation {show_number(number.rank_correlation, 3)}",
            )
        if (found := self.correlations) is not None:
            names = " and ".join(found.where)
            yield "largest change of a correlation", f"{show_number(found.largest, 3)} ({names})"

    @property
    def title(self) -> str:
        """What would be done, in one line."""
        return "Preview: " + "; ".join(step.in_words() for step in self.steps)

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "before": asdict(self.before),
            "after": asdict(self.after),
            "information": [asdict(loss) for loss in self.information],
            "numbers": plain([asdict(number) for number in self.numbers]),
            "correlations": None if self.correlations is None else plain(asdict(self.correlations)),
            **({} if self.uses is None else {"uses": self.uses.summary()}),
        }


def _change(before: float, after: float, show: Callable[[float], str]) -> str:
    return f"{show(before)} -> {show(after)}"
