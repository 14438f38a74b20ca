"""What a step does to risk and to information, side by side, before anybody confirms it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from microsafe.display import format_rows, show_number, show_percent, show_rate, show_risk
from microsafe.engine import Engine
from microsafe.errors import InputError
from microsafe.risk import Measured
from microsafe.scenario import Scenario
from microsafe.steps.kinds import BottomCode, Drop, Recode, Renumber, Round, Sample, Step, TopCode
from microsafe.steps.sample import sample_in_words
from microsafe.sums import entropy


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Information:
    """What a variable tells before and after: entropy in bits, and categories.

    Entropy is that of the records in which the variable is not missing, each counted once.
    """

    variable: str
    bits_before: float
    bits_after: float
    categories_before: int
    categories_after: int

    @property
    def lost(self) -> float:
        """Bits lost; rounding errors are no loss."""
        return max(0.0, self.bits_before - self.bits_after)

    @property
    def share_lost(self) -> float:
        """Bits lost as a share of those before."""
        return self.lost / self.bits_before if self.bits_before else 0.0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Preview:
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

    def __repr__(self) -> str:
        """Return the figures for a terminal."""
        title = "Preview: " + "; ".join(in_words(step) for step in self.steps)
        return "\n".join([title, *format_rows(self._rows())])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(value)}</td></tr>"
            for name, value in self._rows()
        )
        title = escape("; ".join(in_words(step) for step in self.steps))
        return f"<table><caption>{title}</caption>{rows}</table>"


def _change(before: float, after: float, show: Callable[[float], str]) -> str:
    return f"{show(before)} -> {show(after)}"


def information(before: Engine, after: Engine, names: Sequence[str]) -> tuple[Information, ...]:
    """Compare what some variables tell in two states of the data; a dropped one tells nothing."""
    return tuple(
        compare_information(name, _counts(before, name), _counts(after, name)) for name in names
    )


def compare_information(
    name: str, before: NDArray[np.int64], after: NDArray[np.int64]
) -> Information:
    """Compare a variable by the records of each category."""
    return Information(
        variable=name,
        bits_before=entropy(before),
        bits_after=entropy(after),
        categories_before=int(np.count_nonzero(before)),
        categories_after=int(np.count_nonzero(after)),
    )


def _counts(engine: Engine, name: str) -> NDArray[np.int64]:
    """Records of each category; none if there are no categories to count."""
    if name not in engine.schema:
        return np.zeros(0, np.int64)
    try:
        cells = engine.cells(Scenario(keys=(name,)))
    except InputError:  # all missing, or nothing that can be compared
        return np.zeros(0, np.int64)
    return cells.count[cells.codes[0] > 0]


def in_words(step: Step) -> str:
    """Say in a few words what a step does."""
    match step:
        case Recode(variable=name, groups=groups) if groups is not None:
            if len(groups) > 1:
                return f"recode {name} into {len(groups)} groups"
            ((new, old),) = groups.items()
            spelt = ["-".join(map(str, each)) if isinstance(each, tuple) else each for each in old]
            return f"recode {name}: {', '.join(map(str, spelt))} into {new}"
        case Recode(variable=name, breaks=breaks) if breaks is not None:
            widths = {b - a for a, b in pairwise(breaks)}
            wide = f" of {min(widths):g}" if len(widths) == 1 else f" from {len(breaks)} breaks"
            return f"recode {name} into bins{wide}"
        case Recode(variable=name, keep=keep) if keep is not None:
            return f"keep {keep} characters of {name}"
        case Recode(variable=name):
            return f"recode {name} by its classification"
        case TopCode(variable=name, limit=limit):
            return f"top-code {name} at {limit:g}"
        case BottomCode(variable=name, limit=limit):
            return f"bottom-code {name} at {limit:g}"
        case Round(variable=name, base=base):
            return f"round {name} to multiples of {base:g}"
        case Renumber(variable=name):
            return f"renumber {name}"
        case Drop(variables=names):
            return f"drop {', '.join(names)}"
        case Sample():
            return sample_in_words(step)
        case _:
            return step.do
