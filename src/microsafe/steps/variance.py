"""What numbers lose that were averaged or exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from microsafe.engine import Engine
from microsafe.engine.gate import Selection
from microsafe.errors import InputError
from microsafe.steps.loss import ENTROPY, Information, LossMeasure


def _variance_lost(before: Engine, after: Engine, names: Sequence[str]) -> tuple[Information, ...]:
    """Compare numbers by the share of variance that released ones still explain.

    Entropy does not see that values were exchanged; a variable without numbers has only that.
    """
    found = []
    same = before.rows() == after.rows()  # no sample was drawn in between
    for each in ENTROPY.measure(before, after, names):
        with suppress(InputError):  # no numbers, or none any more
            if same:
                share = _share_explained(before, after, each.variable)
                each = replace(each, bits_after=each.bits_before * share)
        found.append(each)
    return tuple(found)


def _share_explained(before: Engine, after: Engine, name: str) -> float:
    """Squared correlation of values before and after, of records that have both."""
    numbers = Selection(forms={name: "number"})
    sums = np.zeros((3, 3))
    shift = None
    for old, new in zip(before.columns(numbers), after.columns(numbers), strict=True):
        pair = old.columns[name], new.columns[name]
        both = ~(pair[0].missing | pair[1].missing)
        if shift is None and both.any():
            shift = float(pair[0].data[both].mean())
        rows = [np.ones(int(both.sum())), *(each.data[both] - (shift or 0.0) for each in pair)]
        sums += [[float(np.sum(a * b)) for b in rows] for a in rows]
    count = max(sums[0, 0], 1.0)
    covariance = sums[1:, 1:] / count - np.outer(sums[0, 1:], sums[0, 1:]) / count**2
    spread = covariance[0, 0] * covariance[1, 1]
    return float(min(covariance[0, 1] ** 2 / spread, 1.0)) if spread > 0 else 0.0


VARIANCE = LossMeasure(name="variance", measure=_variance_lost)
