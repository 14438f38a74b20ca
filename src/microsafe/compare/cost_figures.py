"""Figures of what protection cost: uses, variables, groups, means, numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from microsafe.compare.number_changes import CorrelationChange, NumberChange
from microsafe.compare.number_plot_data import NumberPicture
from microsafe.compare.propensity import Propensity
from microsafe.compare.regression import ModelChange
from microsafe.compare.worst_groups import ENOUGH
from microsafe.display import format_grid, keep_on_one_line, show_number, show_percent

BY_USES, PLAIN = "loss by uses", "plain loss"  # never one word for both
UseKind = Literal["variable", "table", "model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UseLoss:
    """What one use lost.

    Attributes:
        kind: `variable`, `table` or `model`.
        name: Of the variable or of those of the table; the formula of a model.
        names: The variables it needs.
        weight: How much it matters.
        loss: From 0 to 1: information lost of a variable or a table, or what confidence intervals
            of a model no longer share, and the detail that recodes took from its variables.
        note: What to know of it.
    """

    kind: UseKind
    name: str
    names: tuple[str, ...]
    weight: float
    loss: float
    note: str = ""

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {name: told for name, told in asdict(self).items() if name != "names"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LossByUses:
    """The loss by the uses that matter, and the plain one beside it.

    Attributes:
        plain: Plain loss: the mean of the keys, whatever they matter; of the variables that were
            compared if there are no keys.
        parts: Uses: variables, then tables, then models.
    """

    plain: float
    parts: tuple[UseLoss, ...]

    @property
    def loss(self) -> float:
        """Loss by uses: the mean of all uses by their weights."""
        weighed = math.fsum(part.weight * part.loss for part in self.parts)
        return weighed / math.fsum(part.weight for part in self.parts)

    @property
    def words(self) -> str:
        """Both losses in a few words."""
        return f"{BY_USES} {show_percent(self.loss)}, {PLAIN} {show_percent(self.plain)}"

    @property
    def notes(self) -> Sequence[str]:
        """What to know of single uses."""
        return [part.note for part in self.parts if part.note]

    def round_figures(self) -> LossByUses:
        """Return the same in nine decimals: fits of models may differ in the last digits."""
        parts = (replace(part, loss=round(part.loss, 9)) for part in self.parts)
        return LossByUses(plain=round(self.plain, 9), parts=tuple(parts))

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield both losses as rows of a result."""
        yield BY_USES, f"{show_percent(self.loss)} of what the uses that matter need"
        yield PLAIN, f"{show_percent(self.plain)} (mean of the keys, all alike)"

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "loss_by_uses": self.loss,
            "plain_loss": self.plain,
            "uses": [part.summary() for part in self.parts],
        }

    def lines(self) -> list[str]:
        """Return a table for a terminal, with both losses."""
        rows = [("use that matters", "kind", "weight", "loss")]
        rows += [
            (
                keep_on_one_line(part.name, 60),
                part.kind,
                show_number(part.weight),
                show_percent(part.loss),
            )
            for part in self.parts
        ]
        rows += [
            (BY_USES, "", "", show_percent(self.loss)),
            (f"{PLAIN} (mean of the keys, all alike)", "", "", show_percent(self.plain)),
        ]
        return format_grid(rows, right=(2, 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """How much of the file was changed; dropped variables are not counted.

    Attributes:
        values: Values blanked or replaced.
        cells: Combinations of keys, as they were, with a record that was changed.
        all_cells: Combinations of keys that there were.
        records: Records in which something was changed.
        weight: People they stand for, as a share of all.
    """

    values: int
    cells: int
    all_cells: int
    records: int
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableLoss:
    """What one variable lost.

    Attributes:
        name: Of the variable.
        key: Whether it is a key.
        known: Records in which it had a value.
        blanks: Of these, how many were blanked.
        replaced: Of these, how many have another value now.
        categories: Number of categories before.
        categories_after: And after.
        agreeing: How many of those before still mean the same.
        entropy: Information in the variable before, in bits a record.
        lost: Information that the protected variable no longer gives, in bits a record.
        dropped: Whether the variable is no longer there.
    """

    name: str
    key: bool
    known: int
    blanks: int
    replaced: int
    categories: int
    categories_after: int
    agreeing: int
    entropy: float
    lost: float
    dropped: bool

    @property
    def blank_share(self) -> float:
        """Blanks as a share of the values there were."""
        return self.blanks / self.known if self.known else 0.0

    @property
    def lost_share(self) -> float:
        """Lost information as a share of what there was."""
        return self.lost / self.entropy if self.entropy else 0.0

    @property
    def recoded(self) -> bool:
        """Whether values were replaced by others."""
        return self.replaced > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupBlanks:
    """How hard blanks of one variable fell on one group of records.

    Attributes:
        name: Variable that was blanked.
        by: Variable that makes the group.
        category: Of that variable, before protection.
        known: Records of the group in which there was a value to lose.
        blanks: Of these, how many were blanked.
    """

    name: str
    by: str
    category: str
    known: int
    blanks: int

    @property
    def share(self) -> float:
        """Share of the group's values that were blanked."""
        return self.blanks / self.known


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """Mean and total of a numeric variable in one category of a key, weighted.

    Attributes:
        category: Of the key; empty for the whole file.
        records: Records that gave the figures before.
        mean: Before and after; NaN if there is nothing to average.
        total: Before and after.
    """

    category: str
    records: int
    mean: tuple[float, float]
    total: tuple[float, float]

    @property
    def mean_change(self) -> float:
        """Change of the mean as a share of what it was; NaN if there is none."""
        return _relative(self.mean)

    @property
    def total_change(self) -> float:
        """Change of the total as a share of what it was; NaN if there is none."""
        return _relative(self.total)


def _relative(pair: tuple[float, float]) -> float:
    before, after = pair
    if before == after:
        return 0.0
    return (after - before) / abs(before) if before else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """How the means and totals of a numeric variable changed by category of a key.

    Attributes:
        name: Numeric variable.
        by: Key; empty for the whole file.
        domains: Its categories.
    """

    name: str
    by: str
    domains: tuple[Domain, ...]

    def worst(self, what: str) -> Domain | None:
        """Return the category with the largest `"mean_change"` or `"total_change"`.

        Categories of fewer than 30 records are left out.
        """
        found = [
            (abs(getattr(domain, what)), domain)
            for domain in self.domains
            if domain.records >= ENOUGH and getattr(domain, what) == getattr(domain, what)
        ]
        return max(found, key=lambda pair: pair[0])[1] if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility:
    """What an analyst of numeric variables finds in the released file.

    Attributes:
        numbers: Numeric variables that were changed.
        correlations: Of all numeric variables: each record counted once, then by weight.
        models: Regressions that were asked for, likewise.
        propensity: Whether a model can tell released records from original ones.
        pictures: Figures of pictures of the variables that were changed, 12 of them at most.
    """

    numbers: tuple[NumberChange, ...]
    correlations: tuple[CorrelationChange, ...]
    models: tuple[ModelChange, ...]
    propensity: Propensity | None
    pictures: tuple[NumberPicture, ...] = ()

    @property
    def il1s(self) -> float:
        """Mean of |x - z| over sqrt(2) standard deviations, all variables together."""
        return _mean([number.il1s for number in self.numbers])

    @property
    def moved(self) -> float:
        """Mean of |x - z| over one standard deviation, all variables together."""
        return _mean([number.moved for number in self.numbers])

    @property
    def sse(self) -> float:
        """Mean of SSE / SST over the variables."""
        return _mean([number.sse for number in self.numbers])


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if value == value]
    return sum(known) / len(known) if known else float("nan")
