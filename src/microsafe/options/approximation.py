"""Published formulas in place of the exact base risk, for comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from microsafe.errors import UsageError, did_you_mean
from microsafe.options.parameter import Parameter

Approximation = Literal["strategy", "sdcmicro", "series", "series1", "series2", "series8"]

USUAL_ACCURACY = 1e-3
_FINEST = 1e-15  # beyond that the exact value is no more exact


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproximationOptions:
    """A formula of the literature instead of the exact base risk; what it misses is told beside it.

    It belongs to one measurement, not to a scenario: limits, suppression and policies rest on exact
    values, and a series is never above them.
    """

    approximation: Annotated[
        Approximation | None,
        Parameter(
            label="Published formula instead of the exact risk",
            help="The exact value, and how far the formula is off, are told beside it.",
            see="methods/individual-risk.md#approximations-by-name",
            choices={
                "strategy": "p/(f - q) above f = 40",
                "sdcmicro": "p/(f - q) from f = 3 on",
                "series": "as many powers of q as the wished accuracy asks for by the note",
                "series1": "up to the first power of q",
                "series2": "up to the second",
                "series8": "the first eight terms, as mu-ARGUS",
            },
            unset="the exact value",
        ),
    ] = None
    accuracy: Annotated[
        float | None,
        Parameter(
            label="Wished accuracy of the series",
            help="Above 0 and below 1. The order of the series is the least j above "
            "-log accuracy / log f, by cell.",
            metavar="E",
            unset="0.001",
            only_with="approximation=series",
        ),
    ] = None

    def __post_init__(self) -> None:
        """Refuse a formula that is not known, and an accuracy without a series."""
        known = get_args(Approximation)
        if self.approximation is not None and self.approximation not in known:
            hint = did_you_mean(self.approximation, known)
            raise UsageError(f"Unknown approximation {self.approximation!r}.{hint}")
        if self.accuracy is None:
            return
        if self.approximation != "series":
            raise UsageError("An accuracy belongs to the approximation 'series'. Name that too.")
        if not _FINEST <= self.accuracy < 1:
            raise UsageError(f"The accuracy must be from {_FINEST:g} to below 1.")

    def options(self) -> dict[str, Any]:
        """Return the fields by name."""
        return {"approximation": self.approximation, "accuracy": self.accuracy}

    @property
    def wished(self) -> float:
        """The accuracy of a series, as said or usual."""
        return USUAL_ACCURACY if self.accuracy is None else self.accuracy
