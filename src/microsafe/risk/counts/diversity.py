"""l-diversity and t-closeness: what the keys give away even where nobody is singled out.

Records that an intruder cannot tell apart form a class. If they share the value of a sensitive
variable, the intruder learns it without knowing which record is whose. l-diversity asks for
several values in every class, t-closeness for values spread as in the whole file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.display import show_number
from microsafe.errors import UsageError
from microsafe.results import AttachToRecords, Result
from microsafe.risk.counts.equivalence_classes import ClassValues
from microsafe.sums import Floats, sum_by
from microsafe.svg import draw_bars

_ROUNDING = 1e-12  # three equally frequent values must count as three


def distinct(values: ClassValues) -> NDArray[np.int64]:
    """Return the number of values in each class: distinct l-diversity."""
    return np.bincount(values.of, minlength=values.classes).astype(np.int64)


def entropy_diversity(values: ClassValues) -> Floats:
    """Return exp(entropy) of each class: the number of equally frequent values that equals.

    A class is entropy l-diverse if this is at least l. It is 0 where there is no value.

    References:
        Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007).
    """
    share = values.share
    exponent = -sum_by(values.of, share * np.log(share), values.classes)
    return np.where(values.total > 0, np.exp(np.maximum(exponent, 0.0)), 0.0)


def recursive_diversity(values: ClassValues, c: float = 2.0) -> NDArray[np.int64]:
    """Return for each class the largest l for which it is recursively (c, l)-diverse.

    With counts r_1 >= r_2 >= ... that is r_1 < c (r_l + r_{l+1} + ...). It is 0 where not even
    l = 1 holds, which needs c <= 1, or where there is no value.

    References:
        Machanavajjhala and others (2007).
    """
    count = values.count[np.lexsort((-values.count, values.of))]
    before = np.cumsum(count) - count  # counts are whole numbers: sums are exact
    rest = values.total[values.of] - (before - before[values.start])
    held = count[values.start] < c * rest
    return np.bincount(values.of[held], minlength=values.classes).astype(np.int64)


def equal_distance(values: ClassValues) -> Floats:
    """Return the distance of each class from the file if all values are equally far apart.

    This is half the sum of absolute differences of shares; 0 where there is no value.

    References:
        Li, Li and Venkatasubramanian (2007).
    """
    overall = (values.overall / values.overall.sum())[values.value]
    excess = sum_by(values.of, np.abs(values.share - overall) - overall, values.classes)
    return np.where(values.total > 0, np.clip((1 + excess) / 2, 0.0, 1.0), 0.0)


def ordered_distance(values: ClassValues) -> Floats:
    """Return the distance of each class from the file if values are places on a line.

    With m values it is Σ_i |P_i - Q_i| / (m - 1) over the cumulated shares of class and file;
    0 where there is no value.

    References:
        Li, Li and Venkatasubramanian (2007).
    """
    most = len(values.overall)
    if most < 2:
        return np.zeros(values.classes)
    of, place, start = values.of, values.value, values.start
    upto = np.cumsum(values.count)
    share = (upto - (upto - values.count)[start]) / values.total[of]
    file = np.cumsum(values.overall) / values.overall.sum()
    area = np.concatenate([[0.0], np.cumsum(file)])
    # Between two of its values the cumulated share of a class stays while that of the file
    # grows: below it up to a place that can be looked up, above it from there on.
    until = np.append(np.where(of[1:] == of[:-1], place[1:], most), most)
    cross = np.clip(np.searchsorted(file, share), place, until)
    below = share * (cross - place) - (area[cross] - area[place])
    above = (area[until] - area[cross]) - share * (until - cross)
    head = np.where(start == np.arange(len(of)), area[place], 0.0)  # before its first value
    distance = sum_by(of, head + below + above, values.classes) / (most - 1)
    return np.clip(distance, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SensitiveVariable:
    """l-diversity and t-closeness of one sensitive variable, class by class.

    Attributes:
        name: Of the variable.
        ordered: Whether its values were taken as places on a line.
        counted: Records with a value in each class.
        distinct: Number of values (distinct l-diversity).
        entropy: exp(entropy) of the values (entropy l-diversity).
        recursive: Largest l for which the class is (c, l)-diverse.
        distance: From the values of the whole file (t-closeness).
    """

    name: str
    ordered: bool
    counted: Floats
    distinct: NDArray[np.int64]
    entropy: Floats
    recursive: NDArray[np.int64]
    distance: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Diversity(Result):
    """l-diversity and t-closeness of some sensitive variables.

    Attributes:
        cells: Of the keys; each makes a class.
        variables: What was found, by sensitive variable.
        l: Diversity that is asked for.
        c: Of recursive diversity.
        t: Distance that is tolerated.
        perturbed_by: What was done to keys; the figures are those before it, as they mean nothing
            after.
        labels: Of the variables, by name.
    """

    cells: Cells
    variables: Mapping[str, SensitiveVariable]
    l: float  # noqa: E741  # the field's name
    c: float
    t: float
    _attach: AttachToRecords
    perturbed_by: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> SensitiveVariable:
        """Return what was found of one variable."""
        if name not in self.variables:
            raise UsageError(f"{name!r} is not among the sensitive variables of this result.")
        return self.variables[name]

    def figures(self, name: str) -> dict[str, Any]:
        """Return the worst class and the records that fall short, measure by measure.

        Classes in which no record has a value give nothing away and are left out.
        """
        found = self[name]
        some = found.counted > 0
        result: dict[str, Any] = {"ordered": found.ordered}
        for measure in ("distinct", "entropy", "recursive"):
            values: NDArray[Any] = getattr(found, measure)
            fails = some & (values < self.l * (1 - _ROUNDING))
            result[measure] = {
                "min": values[some].min().item(),
                "below": int(self.cells.count[fails].sum()),
            }
        fails = some & (found.distance > self.t)
        result["distance"] = {
            "max": found.distance[some].max().item(),
            "above": int(self.cells.count[fails].sum()),
        }
        return result

    def records(self) -> Any:
        """Return a frame with all measures of every record, in input order."""
        columns = {
            f"{name}_{measure}": getattr(found, measure)
            for name, found in self.variables.items()
            for measure in ("distinct", "entropy", "recursive", "distance")
        }
        return self._attach(columns, {})

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "records": self.cells.records,
            "classes": len(self.cells),
            "l": self.l,
            "c": self.c,
            "t": self.t,
            "sensitive": {name: self.figures(name) for name in self.variables},
            **self._told_perturbed,
        }

    @property
    def title(self) -> str:
        """One line that says what was measured."""
        return f"Diversity within {len(self.cells):,} classes of {', '.join(self.cells.keys)}"

    def _picture(self) -> str:
        below = [(name, self.figures(name)["distinct"]["below"]) for name in self.variables]
        bars = [(name, count, f"{count:,}") for name, count in below]
        return draw_bars(f"Records in classes of fewer than {self.l:g} values", bars)

    def _rows(self) -> Iterator[tuple[str, str]]:
        for name in self.variables:
            found = self.figures(name)
            for measure in ("distinct", "entropy", "recursive"):
                least, below = found[measure]["min"], found[measure]["below"]
                text = f"at least {show_number(least)}; {below:,} records below {self.l:g}"
                yield f"{name}, {measure}", text
            far = found["distance"]
            text = f"at most {show_number(far['max'])}; {far['above']:,} records above {self.t:g}"
            yield f"{name}, distance", text


def measure_diversity(
    name: str, values: ClassValues, *, c: float = 2.0, ordered: bool = False
) -> SensitiveVariable:
    """Compute all measures of one sensitive variable."""
    return SensitiveVariable(
        name=name,
        ordered=ordered,
        counted=values.total,
        distinct=distinct(values),
        entropy=entropy_diversity(values),
        recursive=recursive_diversity(values, c),
        distance=ordered_distance(values) if ordered else equal_distance(values),
    )
