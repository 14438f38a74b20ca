"""The verbs of a study that average or exchange values; `Study` mounts them."""

from __future__ import annotations

from collections.abc import Iterable
from types import EllipsisType
from typing import TYPE_CHECKING, Literal

from microsafe.errors import UsageError
from microsafe.options.parameter import variable_names
from microsafe.progress import Progress, silent
from microsafe.steps.microaggregate.kernel import Average, Method, Scale
from microsafe.steps.microaggregate.step import Microaggregate
from microsafe.steps.rank_swap import RankSwap
from microsafe.steps.role_defaults import fill_strata, fill_together, find_household
from microsafe.steps.shuffle.step import Shuffle
from microsafe.steps.swap.step import Swap

if TYPE_CHECKING:
    from microsafe.study import Study


def microaggregate(
    self: Study,
    variables: str | Iterable[str],
    *,
    k: int = 3,
    method: Method = "mdav",
    strata: str | Iterable[str] | None = None,
    small: Literal["refuse", "merge"] = "refuse",
    standardise: Scale = "sd",
    measure: Average = "mean",
    weights: bool = False,
    together: str | EllipsisType | None = ...,
    exact: bool | None = None,
    decimals: int | None = None,
    identifier: str | None = None,
    why: str = "",
    progress: Progress = silent,
) -> Study:
    """Return the study with averages of small groups (docs/methods/microaggregation.md).

    Args:
        variables: Whose numbers are averaged.
        k: Least number of records in a group.
        method: `"mdav"`, all variables together, or `"one"`, each alone at the least loss.
        strata: Variables whose categories groups stay within; those that are declared if None.
        small: What becomes of strata below k: `"refuse"`, or `"merge"` with the next one.
        standardise: What variables are divided by before they are compared: `"sd"`, `"range"` or
            `"none"`.
        measure: What stands for a group: `"mean"` or `"median"`.
        weights: Whether averages take account of the weight of the first scenario that has one.
        together: Variable of households that the values belong to; each counts once. If it is not
            given, that of variables whose values members are declared to share.
        exact: Whether all records are compared; up to 20,000 in a stratum if None.
        decimals: Digits behind the point; as many as there were if None.
        identifier: Variable whose lowest value comes first where records tie.
        why: Reason, written to the plan and the report.
        progress: Progress callback.
    """
    variables = variable_names(variables)
    step = Microaggregate(
        variables=variables,
        k=k,
        method=method,
        strata=fill_strata(self, strata, variables),
        small=small,
        standardise=standardise,
        measure=measure,
        weights=weights,
        together=fill_together(self, together, variables),
        exact=exact,
        decimals=decimals,
        identifier=identifier,
        why=why,
    )
    return self.apply(step, progress=progress)


def rank_swap(
    self: Study,
    variables: str | Iterable[str],
    *,
    percent: float = 5.0,
    strata: str | Iterable[str] | None = None,
    seed: int,
    identifier: str | None = None,
    why: str = "",
    progress: Progress = silent,
) -> Study:
    """Return the study with numbers swapped by rank (docs/methods/rank-swapping.md).

    Args:
        variables: Whose numbers are swapped, each by itself.
        percent: How far a value moves at most, in per cent of the ranks.
        strata: Variables whose categories values stay within; those that are declared if None.
        seed: Of the draw.
        identifier: Variable that draws go by instead of the order of records.
        why: Reason, written to the plan and the report.
        progress: Progress callback.
    """
    variables = variable_names(variables)
    step = RankSwap(
        variables=variables,
        percent=percent,
        strata=fill_strata(self, strata, variables),
        seed=seed,
        identifier=identifier,
        why=why,
    )
    return self.apply(step, progress=progress)


def shuffle(
    self: Study,
    variables: str | Iterable[str],
    *,
    given: str | Iterable[str],
    seed: int,
    identifier: str | None = None,
    why: str = "",
    progress: Progress = silent,
) -> Study:
    """Return the study with numbers dealt out anew (docs/methods/shuffling.md).

    Args:
        variables: Whose numbers are dealt out, together if there are several.
        given: Variables that the new order depends on; relations with them are kept.
        seed: Of the draw.
        identifier: Variable that draws go by instead of the order of records.
        why: Reason, written to the plan and the report.
        progress: Progress callback.
    """
    step = Shuffle(
        variables=variable_names(variables),
        given=variable_names(given),
        seed=seed,
        identifier=identifier,
        why=why,
    )
    return self.apply(step, progress=progress)


def swap(
    self: Study,
    household: str | None = None,
    areas: str | Iterable[str] | None = None,
    *,
    carry: str | Iterable[str] = (),
    profile: Iterable[str | Iterable[str]] = (),
    rate: float = 0.05,
    risk_keys: str | Iterable[str] = (),
    k: int | None = None,
    above: float | None = None,
    seed: int,
    why: str = "",
    progress: Progress = silent,
) -> Study:
    """Return the study with households swapped between areas (docs/methods/record-swapping.md).

    Args:
        household: Variable that tells who lives together; as declared, or that of a scenario, if
            None.
        areas: Nested variables, from coarse to fine; those that are declared geography if None.
        carry: Further variables of households that move along.
        profile: Sets of variables of households on which partners must agree, tried in turn; they
            always have equally many members.
        rate: Share of households that move at least.
        risk_keys: Variables by which a person stands out in an area; the keys that do not move if
            empty.
        k: Households with a member who has fewer like him in the area must move; 3 if no limit on
            risk is given.
        above: Instead, those with a member whose risk in the area is above it.
        seed: Of the draw.
        why: Reason, written to the plan and the report.
        progress: Progress callback.
    """
    household = household or find_household(self)
    areas = self.roles.geography if areas is None else variable_names(areas)
    if household is None or not areas:
        raise UsageError("Name the household and the areas, or declare them by their roles.")
    step = Swap(
        household=household,
        areas=areas,
        carry=variable_names(carry),
        profile=tuple(variable_names(each) for each in profile),
        rate=rate,
        risk_keys=variable_names(risk_keys),
        k=k,
        above=above,
        seed=seed,
        why=why,
    )
    return self.apply(step, progress=progress)
