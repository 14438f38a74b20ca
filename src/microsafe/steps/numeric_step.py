"""Base of the steps that perturb several numeric variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Annotated, ClassVar

from microsafe.arrays import correlate, middle_ranks
from microsafe.engine.record_access import Form
from microsafe.options.parameter import Parameter, value_in_words
from microsafe.sentences import Sentence
from microsafe.steps.base import Step, Touch
from microsafe.steps.loss import NUMBERS
from microsafe.sums import Floats

Numbers = Annotated[Sequence[str], Parameter(label="Variables", control="variables", numeric=True)]
Strata = Annotated[
    Sequence[str],
    Parameter(
        label="Strata",
        help="Values stay within the same categories of these variables.",
        control="variables",
        changed=False,
    ),
]

Seed = Annotated[
    int,
    Parameter(
        label="Seed",
        help="Anyone with the seed and the original file can do the same again.",
        control="seed",
    ),
]


class NumericStep(Step):
    """Base of the kinds that give numbers of some variables other values, `variables`."""

    __slots__ = ()

    place = "any"
    touches = frozenset({"other"})
    loss = NUMBERS
    refusals: ClassVar[Mapping[Touch, str]] = {
        **Step.refusals,
        "key": "{name!r} is a key of scenario {scenario!r}, and its risk could not be measured "
        "after numbers were exchanged or averaged. Recode it to bands instead, or leave it out of "
        "the keys.",
    }
    variables: Sequence[str]

    @property
    def targets(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(self.variables)

    @property
    def subject(self) -> str:
        """The variable, if there is one only."""
        return self.variables[0] if len(self.variables) == 1 else ""

    @property
    def names(self) -> str:
        """The variables in words."""
        return value_in_words(self.variables)


def forms_of(numbers: Sequence[str], codes: Sequence[str]) -> dict[str, Form]:
    """Return how variables go out: as numbers, or as codes."""
    return {**dict.fromkeys(numbers, "number"), **dict.fromkeys(codes, "code")}


def compare_correlations(
    before: Mapping[str, Floats], after: Mapping[str, Floats]
) -> dict[str, tuple[float, float]]:
    """Return rank correlations before and after of all pairs of which one was changed.

    Args:
        before: Variables.
        after: Those that were changed.
    """
    old = {name: middle_ranks(value) for name, value in before.items()}
    new = old | {name: middle_ranks(value) for name, value in after.items()}
    return {
        f"{one}, {other}": (correlate(old[one], old[other]), correlate(new[one], new[other]))
        for one, other in combinations(before, 2)
        if one in after or other in after
    }


def tell_correlations(changes: Mapping[str, Sequence[float]]) -> list[tuple[str, str]]:
    """Say how each rank correlation changed."""
    return [
        (
            Sentence("result-correlation"),
            Sentence("correlation-change", pair=pair, before=before, after=after),
        )
        for pair, (before, after) in changes.items()
    ]
