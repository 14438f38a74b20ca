"""Special uniques (SUDA2): records that few of their values are enough to single out.

A minimal sample unique (MSU) is a combination of values that one record alone has, while every
part of it is shared. The fewer values it takes and the more MSUs a record has, the more
special it is, and the likelier to be unique in the population too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.display import show_number, show_percent, show_rate
from microsafe.errors import UsageError
from microsafe.progress import Progress, silent
from microsafe.results import AttachToRecords, MakeFrame, Result, Rows
from microsafe.risk.counts.minimal_unsafe_sets import Afford, combination_columns, minimal_sets
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.sums import Floats, sum_by, total
from microsafe.svg import draw_bars

_POWER = 1.05  # of the score in DIS-SUDA


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SpecialUniques(Result):
    """The minimal sample uniques of a file, and the scores they lead to.

    Attributes:
        cells: Of the file.
        cell: For each MSU the cell of its record.
        keys: The keys it is made of; bit j stands for key j.
        score: SUDA score of the records of each cell; 0 without MSU.
        dis: Their DIS-SUDA score: the score as a chance of a correct match, 0 without MSU.
        contribution: For each key the share of each cell's score from MSUs with that key.
        sample_uniques: Records that no other record matches.
        match: Chance that a unique match of the file is correct (DIS).
        fraction: Sampling fraction that it rests on.
        max_size: Most keys in an MSU that was looked for.
        perturbed_by: What was done to keys; the figures are those before it, as they mean nothing
            after.
        labels: Of the variables, by name.
    """

    cells: Cells
    cell: Index
    keys: Masks
    score: Floats
    dis: Floats
    contribution: tuple[Floats, ...]
    sample_uniques: int
    match: float
    fraction: float
    max_size: int
    _frame: MakeFrame
    _attach: AttachToRecords
    perturbed_by: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of minimal sample uniques."""
        return len(self.cell)

    @property
    def size(self) -> NDArray[np.int64]:
        """Number of keys in each MSU."""
        return np.bitwise_count(self.keys).astype(np.int64)

    @property
    def special(self) -> int:
        """Records with at least one MSU."""
        return int(np.count_nonzero(self.score))

    @property
    def by_size(self) -> dict[int, int]:
        """Number of MSUs of each size."""
        sizes, counts = np.unique(self.size, return_counts=True)
        return dict(zip(sizes.tolist(), counts.tolist(), strict=True))

    @property
    def by_key(self) -> dict[str, float]:
        """Share of the file's total score that comes from MSUs with each key."""
        whole = total(self.score) or 1.0
        parts = (total(self.score * each) / whole for each in self.contribution)
        return dict(zip(self.cells.keys, parts, strict=True))

    def by_category(self, key: str) -> dict[str | None, float]:
        """Share of the total score from MSUs with each category of a key, most first.

        None stands for missing, where that is a category of its own.
        """
        if key not in self.cells.keys:
            raise UsageError(f"{key!r} is not a key of this study.")
        j = self.cells.keys.index(key)
        categories = self.cells.categories[j]
        whole = total(self.score) or 1.0
        parts = sum_by(self.cells.codes[j], self.score * self.contribution[j], len(categories) + 1)
        order = [code for code in np.argsort(-parts, kind="stable").tolist() if parts[code]]
        return {categories[c - 1] if c else None: float(parts[c] / whole) for c in order}

    def table(self) -> Any:
        """Return a frame with one row per MSU: its categories and its size."""
        columns: dict[str, Any] = dict(combination_columns(self.cells, self.cell, self.keys))
        return self._frame(columns | {"size": self.size})

    def records(self) -> Any:
        """Return a frame with MSUs, scores and contributions of every record, in input order."""
        smallest = np.full(len(self.cells), len(self.cells.keys) + 1, np.int64)
        np.minimum.at(smallest, self.cell, self.size)
        msus = np.bincount(self.cell, minlength=len(self.cells))
        columns = {
            "msus": msus.astype(np.int64),
            "smallest": np.where(msus > 0, smallest, 0),
            "score": self.score,
            "dis": self.dis,
        }
        shares = zip(self.cells.keys, self.contribution, strict=True)
        return self._attach(columns | {f"contribution_{key}": each for key, each in shares}, {})

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "records": self.cells.records,
            "sample_uniques": self.sample_uniques,
            "special": self.special,
            "msus": len(self),
            "max_size": self.max_size,
            "by_size": {str(size): count for size, count in self.by_size.items()},
            "by_key": self.by_key,
            "score": {"max": _largest(self.score), "total": total(self.score)},
            "dis": {"fraction": self.fraction, "file": self.match, "max": _largest(self.dis)},
            **self._told_perturbed,
        }

    @property
    def title(self) -> str:
        """One line that says what was measured."""
        return f"Special uniques by {', '.join(self.cells.keys)}, up to {self.max_size} keys"

    def _picture(self) -> str:
        ranked = sorted(self.by_key.items(), key=lambda pair: -pair[1])
        bars = [(key, share, show_percent(share)) for key, share in ranked]
        return draw_bars("Share of the scores with each key", bars)

    def _rows(self) -> Rows:
        return [
            ("records", f"{self.cells.records:,}"),
            ("sample uniques", f"{self.sample_uniques:,}"),
            ("records with an MSU", f"{self.special:,}"),
            ("minimal sample uniques", f"{len(self):,}"),
            ("largest SUDA score", show_number(_largest(self.score))),
            ("largest DIS-SUDA score", show_number(_largest(self.dis))),
            ("chance that a unique match is correct", show_rate(self.match)),
        ]


def special_uniques(
    cells: Cells,
    *,
    fraction: float,
    max_size: int | None = None,
    afford: Afford = lambda _, __: None,
    missing_is_category: bool = False,
    frame: MakeFrame,
    attach: AttachToRecords,
    progress: Progress = silent,
) -> SpecialUniques:
    """Find the minimal sample uniques and score the records by them.

    An MSU of k keys counts prod_{i=k..M} (A - i), where A is the number of keys and M the
    most keys that were looked for, at most A - 1.

    Args:
        cells: Of the file.
        fraction: Sampling fraction for DIS-SUDA, above 0 and at most 1.
        max_size: Most keys in an MSU; all if None.
        afford: Told the number of sets of keys and the bytes that they may take; may refuse them.
        missing_is_category: Whether a gap is a value of its own; it may be any value otherwise.
        frame: Makes a frame of columns.
        attach: Gives records the values of their cells.
        progress: Progress callback.

    Assumes:
        Whoever is special in the sample is likelier to be unique in the population. The score
        ranks records; it is not a probability. DIS-SUDA supposes simple random sampling.

    References:
        Elliot, Manning and Ford (2002); Manning, Haglin and Keane (2008).
    """
    if not 0 < fraction <= 1:
        raise UsageError("The sampling fraction must be above 0 and at most 1.")
    seen = cells.gaps_as_category() if missing_is_category else cells
    found = minimal_sets(seen, _unique, max_size=max_size, afford=afford, progress=progress)
    count = len(cells.keys)
    largest = count if max_size is None else min(max_size, count)
    score, parts = np.zeros(len(cells)), np.zeros((count, len(cells)))
    for mask, holders in found.sets:
        worth = float(prod(count - i for i in range(mask.bit_count(), min(largest, count - 1) + 1)))
        score[holders] += worth
        for j in range(count):
            if mask >> j & 1:
                parts[j, holders] += worth
    pairs = int(cells.count[found.f == 2].sum())
    match = correct_match(len(found.rows), pairs, fraction)
    return SpecialUniques(
        cells=cells,
        cell=np.concatenate([np.empty(0, np.intp), *(each for _, each in found.sets)]),
        keys=np.repeat(
            np.array([mask for mask, _ in found.sets], np.int64),
            [len(each) for _, each in found.sets],
        ),
        score=score,
        dis=dis_scores(score, match),
        contribution=tuple(part / np.where(score > 0, score, 1.0) for part in parts),
        sample_uniques=len(found.rows),
        match=match,
        fraction=fraction,
        max_size=largest,
        _frame=frame,
        _attach=attach,
    )


def correct_match(uniques: int, in_pairs: int, fraction: float) -> float:
    """Return the chance that a unique match of the file is correct (DIS).

    Args:
        uniques: Records that are alone with their keys.
        in_pairs: Records that share their keys with exactly one other.
        fraction: Sampling fraction.

    References:
        Skinner and Elliot (2002), A measure of disclosure risk for microdata.
    """
    if not uniques:
        return 0.0
    return fraction * uniques / (fraction * uniques + (1 - fraction) * in_pairs)


def dis_scores(score: Floats, match: float) -> Floats:
    """Turn scores into chances of a correct match.

    The odds go with score ** 1.05, in such a measure that the harmonic mean of the chances of
    all records with a score is that of the file.
    """
    result = np.zeros(len(score))
    scored = score > 0
    if scored.any() and match > 0:
        inverse = score[scored] ** -_POWER
        result[scored] = 1 / (1 + (1 - match) / match * inverse / (total(inverse) / len(inverse)))
    return result


def _unique(_: Index, __: int, f: Floats, ___: Floats) -> NDArray[np.bool_]:
    return f < 2


def _largest(values: Floats) -> float:
    return float(values.max(initial=0.0))
