"""Numbers before and after."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.compare.number_pictures import Axis, JointCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberDrawing:
    """A numeric variable before and after, in bins with round edges.

    Attributes:
        variable: Its name.
        weighted: Whether shares are of the weight; of the records if not.
        axis: Of both distributions.
        before: Share in each bin before.
        after: And after.
        joint: Records by their value before (rows) and after (columns).
    """

    variable: str
    weighted: bool
    axis: Axis
    before: tuple[float, ...]
    after: tuple[float, ...]
    joint: JointCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationTable:
    """How correlations of numeric variables changed.

    Attributes:
        weighted: Whether they are weighted.
        pairs: How many there are.
        largest: Largest absolute difference.
        where: Of which two variables.
        mean: Mean absolute difference.
        names: Variables of both matrices: those that changed most.
        before: Correlations before, a row for each of them.
        after: And after.
    """

    weighted: bool
    pairs: int
    largest: float
    where: tuple[str, str]
    mean: float
    names: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]
