"""Sampling: how many are kept, and of what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from microsafe.display import Rate
from microsafe.options.parameter import Parameter, Why


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOptions:
    """Options of a sample."""

    fraction: Annotated[
        Rate,
        Parameter(
            label="Sampling fraction",
            help="Chance of each household or record to be kept, such as 0.5 or 50 %.",
            metavar="X",
        ),
    ] = field(kw_only=False)
    seed: Annotated[
        int,
        Parameter(
            label="Seed",
            help="Anyone with the seed and the order of the input knows who is in the sample.",
            control="seed",
            metavar="N",
        ),
    ] = field(repr=False)
    household: Annotated[
        str | None,
        Parameter(
            label="Household",
            help="Households are kept as a whole; without one, records are drawn.",
            control="variable",
            changed=False,
        ),
    ] = None
    weight: Annotated[
        str,
        Parameter(
            label="Weight",
            help="It is divided by the sampling fraction, and created if there is none of that "
            "name. Scenarios that have a weight must have this one.",
            metavar="NAME",
        ),
    ] = "weight"
    why: Why = ""
