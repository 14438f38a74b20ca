"""What perturbation of the keys did to the risk of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.display import show_number
from microsafe.sums import Floats, total

_AT_ONCE = 1 << 22  # chances
_MOST = 1 << 27

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class PerturbedFigures:
    """Figures on the perturbation of keys.

    Attributes:
        words: What was done, such as "PRAM of region".
        expected_before: Expected re-identifications before it.
        kept_expected: Those among records that keep all their keys, as expected: by the chances.
        kept_realised: The same of those that did keep them; None if it was not counted.
        informed_gain: How much more an intruder hits who knows the chances and has a register, as
            measured inside the file; None if that takes too long.
        new_combinations: Combinations of keys in the released file that no original record has.
        new_records: Records that show them.
    """

    words: str
    expected_before: float
    kept_expected: float
    kept_realised: float | None
    informed_gain: float | None
    new_combinations: int | None
    new_records: int | None

    @property
    def remark(self) -> str:
        """What is said of a figure that stops being evidence."""
        return f", before {self.words}; not meaningful after it"

    def rows(self) -> list[tuple[str, str]]:
        """Return the figures as names and texts."""
        kept = f"{show_number(self.kept_expected)}"
        if self.kept_realised is not None:
            kept += f" (realised {show_number(self.kept_realised)})"
        rows = [
            ("perturbed", self.words),
            ("expected before that", show_number(self.expected_before)),
            ("expected among records with their keys kept", kept),
        ]
        if self.informed_gain is not None:
            gain = f"{show_number(self.informed_gain, 3)} times"
            rows.append(("an informed intruder hits", gain))
        if self.new_combinations is not None:
            new = f"{self.new_combinations:,} ({self.new_records:,} records)"
            rows.append(("combinations that no original record has", new))
        return rows

    def summary(self) -> dict[str, Any]:
        """Return the figures for scripts."""
        return asdict(self)


def informed_gain(
    context: Places, rows: Sequence[tuple[Places, Floats]], exact: float
) -> float | None:
    """Return how much more an intruder hits who knows the chances, as if the file were everybody.

    He picks for a released combination z the person for whom it is most probable. By Bayes he is
    right with the chance max M(z|x) / Σ M(z|x), and Σ M(z|x) records are released as z: so he
    hits Σ max M(z|x) in all, over z. Whoever looks for equal keys hits Σ M(x|x) / f.

    Args:
        context: Of each cell, which combination of unperturbed keys it has.
        rows: For each perturbed key the row of each cell in a table of chances, and the table.
        exact: What an intruder hits who looks for equal keys.

    Returns:
        The ratio, at least 1; None if there are too many combinations.
    """
    width = int(np.prod([table.shape[1] for _, table in rows]))
    if len(context) * width > _MOST or not exact:
        return None
    order = np.argsort(context, kind="stable")
    step = max(_AT_ONCE // width, 1)
    hits, carried, last = 0.0, np.zeros(width), -1
    for start in range(0, len(order), step):
        some = order[start : start + step]
        chances = np.ones((len(some), 1))
        for place, table in rows:
            chances = (chances[:, :, None] * table[place[some]][:, None, :]).reshape(len(some), -1)
        here = context[some]
        first = np.flatnonzero(np.concatenate([[True], here[1:] != here[:-1]]))
        best = np.maximum.reduceat(chances, first, axis=0)
        if here[0] == last:
            best[0] = np.maximum(best[0], carried)
        elif last >= 0:
            hits += float(carried.sum())
        hits += total(best[:-1].sum(axis=1))
        carried, last = best[-1], int(here[-1])
    hits += float(carried.sum())
    return max(hits / exact, 1.0)
