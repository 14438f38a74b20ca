"""Attack models: the chance that the intruder tries a record at all."""

from __future__ import annotations

import numpy as np

from microsafe.scenario import Attack
from microsafe.sums import Floats


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
