"""Attack models: the chance that a record is tried at all, and that its keys are right."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from microsafe.cells import Cells
from microsafe.options.scenario import Attack
from microsafe.sums import Floats


def chance_of_agreement(error: Mapping[str, float], cells: Cells) -> Floats:
    """Return P(V = 0), the chance that the keys a record shows are as the intruder knows them.

    Args:
        error: Chance, by key, that it is recorded with error.
        cells: Whose keys are meant; a missing key cannot disagree.

    Assumes:
        Errors of different keys are independent, and whoever finds a disagreement does not link
        the record. With fewer keys the chance rises, so protection takes it for certain.

    References:
        Polettini (2003), "Some remarks on the individual risk methodology", section 4.
    """
    result = np.ones(len(cells))
    for key, codes in zip(cells.keys, cells.codes, strict=True):
        result *= np.where(codes > 0, 1.0 - error.get(key, 0.0), 1.0)
    return result


def chance_of_attack(
    attack: Attack, *, f: Floats, F: Floats, weight: Floats, records: int
) -> Floats:
    """Return P(L), the chance that a record is attacked, cell by cell.

    Args:
        attack: `"all"` (M3, and M4 with a factor) 1; `"random"` (M1) 1/n; `"ratio"` (M2) f/F;
            `"weight"` (M5) 1/w.
        f: Sample frequency.
        F: Estimated population frequency.
        weight: Sampling weight of each record of the cell.
        records: Records in the file, n.

    Assumes:
        With "ratio" and "weight" risk may rise when a key is left out, so protection by
        blanking must be measured again.

    References:
        Polettini (2003), "Some remarks on the individual risk methodology", section 4.2.
    """
    match attack:
        case "all":
            return np.ones_like(f)
        case "random":
            return np.full_like(f, 1.0 / records)
        case "ratio":
            return f / F
        case "weight":
            return 1.0 / weight
