"""The verbs that protect: each applies a step with a signature of its own.

A kind of step without one is applied by `study.apply(step)`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from types import EllipsisType
from typing import Any, Literal, Self

from microsafe.errors import UsageError
from microsafe.io.argus.grc import read_grc
from microsafe.options.parameter import variable_names
from microsafe.progress import Progress, silent
from microsafe.schema import Code
from microsafe.steps.drop import Drop
from microsafe.steps.microaggregate.kernel import Average, Method, Scale
from microsafe.steps.microaggregate.step import Microaggregate
from microsafe.steps.noise.kernel import NoiseKind
from microsafe.steps.noise.step import Noise, Zeros
from microsafe.steps.pram.step import Pram
from microsafe.steps.rank_swap import RankSwap
from microsafe.steps.recode import Old, Recode, recode_from_grc
from microsafe.steps.renumber import Renumber
from microsafe.steps.rounding import Round
from microsafe.steps.sample import Sample
from microsafe.steps.shuffle.step import Shuffle
from microsafe.steps.suppress.step import Costs, Guarantee, Suppress
from microsafe.steps.swap.step import Swap
from microsafe.steps.tails.kernel import Replacement
from microsafe.steps.tails.step import BottomCode, TopCode
from microsafe.studies.declared_options import (
    fill_strata,
    fill_suppression,
    fill_together,
    find_household,
)
from microsafe.studies.measure import MeasureVerbs


class ProtectVerbs(MeasureVerbs):
    """A study that can be protected."""

    __slots__ = ()

    def sample(
        self,
        fraction: float,
        *,
        seed: int,
        household: str | EllipsisType | None = ...,
        weight: str | None = None,
        why: str = "",
        progress: Progress = silent,
    ) -> Self:
        """Return the study of a random sample; the first step of all (docs/methods/sampling.md).

        Args:
            fraction: Chance of each household or record to be kept, above 0 and below 1.
            seed: Of the draw.
            household: Variable whose records are kept or left together, None to draw records;
                that of the first scenario if not given.
            weight: Variable that is divided by the fraction, and added if there is none of that
                name; that of the scenarios, or else `"weight"`, if None.
            why: Reason, written to the plan and the report.
            progress: Progress callback.
        """
        if isinstance(household, EllipsisType):
            household = self.scenarios[0].household if self.scenarios else None
        if weight is None:
            weight = next((each.weight for each in self.scenarios if each.weight), "weight")
        step = Sample(fraction=fraction, seed=seed, household=household, weight=weight, why=why)
        return self.apply(step, progress=progress)

    def recode(
        self,
        variable: str,
        into: Mapping[Any, Sequence[Old] | Code] | Iterable[float] | None = None,
        *,
        groups: Mapping[Any, Sequence[Old] | Code] | None = None,
        other: Code | None = None,
        breaks: Iterable[float] | None = None,
        names: Iterable[Code] = (),
        keep: int | None = None,
        classification: Sequence[Mapping[Any, Code]] | Mapping[Any, Code] | None = None,
        level: int | None = None,
        labels: Mapping[Any, str] | None = None,
        missing: Iterable[Code] | None = None,
        grc: str | os.PathLike[str] | None = None,
        why: str = "",
    ) -> Self:
        """Return the study with fewer categories of a variable (docs/methods/recoding.md).

        Args:
            variable: What to recode.
            into: Bounds of bands or groups: short for `breaks` or `groups`.
            groups: New code by its old codes; a pair `(20, 29)` is a range, None an open end.
            other: Code for all that is not named in `groups` or `classification`.
            breaks: Lower bounds of bins; the last bin is open.
            names: Codes of the bins instead of `"20-29"` and the like.
            keep: How many characters of a code to keep.
            classification: Parent by code, one mapping for each level upward.
            level: How many levels to climb; all if None.
            labels: Of the new codes.
            missing: New missing codes, in the order of the old; those if None.
            grc: A recode of mu-ARGUS instead of all these.
            why: Reason, written to the plan and the report.
        """
        if into is not None:
            if any(way is not None for way in (groups, breaks, keep, classification, grc)):
                raise UsageError(f"Recode {variable!r} in one way, not in several.")
            groups, breaks = _read_bands(variable, into)
        if grc is not None:
            if any(way is not None for way in (groups, breaks, keep, classification)):
                raise UsageError(f"Recode {variable!r} by a .grc file or by other means, not both.")
            return self.apply(recode_from_grc(read_grc(grc), variable, why=why))
        step = Recode(
            variable=variable,
            groups=groups,  # type: ignore[arg-type]  # the step settles types
            other=other,
            breaks=None if breaks is None else tuple(breaks),
            names=tuple(names),
            keep=keep,
            classification=classification,  # type: ignore[arg-type]
            level=level,
            labels=labels or {},
            missing=None if missing is None else tuple(missing),
            why=why,
        )
        return self.apply(step)

    def top_code(
        self,
        variable: str,
        limit: float | None = None,
        *,
        share: float | None = None,
        replace: Replacement | None = None,
        strata: str | Iterable[str] = (),
        least: int | None = None,
        code: Code | None = None,
        label: str = "",
        why: str = "",
        progress: Progress = silent,
    ) -> Self:
        """Return the study with one code for all numbers from a limit upward (see `TopCode`)."""
        step = TopCode(
            variable=variable, limit=limit, share=share, replace=replace,
            strata=variable_names(strata), least=least, code=code, label=label, why=why,
        )  # fmt: skip
        return self.apply(step, progress=progress)

    def bottom_code(
        self,
        variable: str,
        limit: float | None = None,
        *,
        share: float | None = None,
        replace: Replacement | None = None,
        strata: str | Iterable[str] = (),
        least: int | None = None,
        code: Code | None = None,
        label: str = "",
        why: str = "",
        progress: Progress = silent,
    ) -> Self:
        """Return the study with one code for all numbers from a limit downward."""
        step = BottomCode(
            variable=variable, limit=limit, share=share, replace=replace,
            strata=variable_names(strata), least=least, code=code, label=label, why=why,
        )  # fmt: skip
        return self.apply(step, progress=progress)

    def round(
        self,
        variable: str,
        base: float,
        *,
        random: bool = False,
        identifier: str | None = None,
        seed: int | None = None,
        why: str = "",
    ) -> Self:
        """Return the study with a variable rounded to multiples of a base.

        Args:
            variable: What to round.
            base: 10 rounds to tens, 0.5 to halves.
            random: Whether to the multiple below or above, with a chance by closeness.
            identifier: Variable by which records draw; their place in the input if None.
            seed: Of random rounding.
            why: Reason, written to the plan and the report.
        """
        step = Round(
            variable=variable, base=base, random=random, identifier=identifier, seed=seed, why=why
        )
        return self.apply(step)

    def noise(
        self,
        variables: str | Iterable[str],
        *,
        seed: int,
        kind: NoiseKind = "multiplicative",
        variance: float = 0.1,
        strata: str | Iterable[str] = (),
        zeros: Zeros = "keep",
        lowest: float | None = None,
        highest: float | None = None,
        decimals: int | None = None,
        publish_variance: bool = False,
        identifier: str | None = None,
        why: str = "",
        progress: Progress = silent,
    ) -> Self:
        """Return the study with noise on numeric variables (docs/methods/noise.md).

        Args:
            variables: What to change; numbers, and no keys.
            seed: Of the draws. Anyone with the seed can take the noise off again.
            kind: `"multiplicative"`, `"additive"`, `"correlated"` or `"restored"`.
            variance: Of the noise, as a ratio to that of the variable; of a factor, itself.
            strata: Categorical variables; moments are those of each stratum.
            zeros: Whether to `"keep"` zeros as they are, or `"perturb"` them as well.
            lowest: No value passes it: what would is mirrored.
            highest: Likewise.
            decimals: Digits behind the point; as many as the variable shows if None.
            publish_variance: Whether the public report tells the variance.
            identifier: Variable by which records draw; their place in the input if None.
            why: Reason, written to the plan and the report.
            progress: Progress callback.
        """
        step = Noise(
            variables=variable_names(variables),
            kind=kind,
            variance=variance,
            strata=variable_names(strata),
            zeros=zeros,
            lowest=lowest,
            highest=highest,
            decimals=decimals,
            publish_variance=publish_variance,
            identifier=identifier,
            seed=seed,
            why=why,
        )
        return self.apply(step, progress=progress)

    def drop(
        self, variables: str | Iterable[str], *, from_keys: bool = False, why: str = ""
    ) -> Self:
        """Return the study without some variables.

        Args:
            variables: Which.
            from_keys: Whether keys may be among them, and leave their scenarios too.
            why: Reason, written to the plan and the report.
        """
        names = (variables,) if isinstance(variables, str) else tuple(variables)
        return self.apply(Drop(variables=names, from_keys=from_keys, why=why))

    def microaggregate(
        self,
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
    ) -> Self:
        """Return the study with averages of small groups (docs/methods/microaggregation.md).

        Args:
            variables: Whose numbers are averaged.
            k: Least number of records in a group.
            method: `"mdav"`, all variables together, or `"one"`, each alone at the least loss.
            strata: Variables whose categories groups stay within; those that are declared if None.
            small: What becomes of strata below k: `"refuse"`, or `"merge"` with the next one.
            standardise: What variables are divided by before they are compared: `"sd"`, `"range"`
                or `"none"`.
            measure: What stands for a group: `"mean"` or `"median"`.
            weights: Whether averages take account of the weight of the first scenario that has one.
            together: Variable of households that the values belong to; each counts once. If it is
                not given, that of variables whose values members are declared to share.
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
        self,
        variables: str | Iterable[str],
        *,
        percent: float = 5.0,
        strata: str | Iterable[str] | None = None,
        seed: int,
        identifier: str | None = None,
        why: str = "",
        progress: Progress = silent,
    ) -> Self:
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
        self,
        variables: str | Iterable[str],
        *,
        given: str | Iterable[str],
        seed: int,
        identifier: str | None = None,
        why: str = "",
        progress: Progress = silent,
    ) -> Self:
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
        self,
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
    ) -> Self:
        """Return the study with households swapped between areas (docs/methods/record-swapping.md).

        Args:
            household: Variable that tells who lives together; as declared, or that of a scenario,
                if None.
            areas: Nested variables, from coarse to fine; those that are declared geography if None.
            carry: Further variables of households that move along.
            profile: Sets of variables of households on which partners must agree, tried in turn;
                they always have equally many members.
            rate: Share of households that move at least.
            risk_keys: Variables by which a person stands out in an area; the keys that do not move
                if empty.
            k: Households with a member who has fewer like him in the area must move; 3 if no limit
                on risk is given.
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

    def renumber(self, variable: str, *, seed: int, why: str = "") -> Self:
        """Return the study with random numbers for an identifier, equal ones for equal ones."""
        return self.apply(Renumber(variable=variable, seed=seed, why=why))

    def pram(
        self,
        variable: str,
        *,
        seed: int,
        keep: float | None = None,
        matrix: Mapping[Any, Mapping[Any, float]] | None = None,
        band: int | None = None,
        change: float | None = None,
        strata: str | Iterable[str] | None = None,
        within: Iterable[Iterable[Code]] = (),
        above: float | None = None,
        together: str | EllipsisType | None = ...,
        identifier: str | None = None,
        why: str = "",
        progress: Progress = silent,
    ) -> Self:
        """Return the study with categories of a variable replaced at random (docs/methods/pram.md).

        Args:
            variable: Whose categories.
            seed: Of the random numbers.
            keep: Least chance that a value stays; 0.9 if no other way is named.
            matrix: Chances instead: for each category those of all that it may become.
            band: Values move at most so many places in the order of the categories.
            change: Largest chance to move, with `band`.
            strata: Variables; categories are exchanged among records that agree on them. Those that
                are declared if None.
            within: Groups of categories that may be exchanged; all may if empty.
            above: Only records whose risk is above it are changed.
            together: Household variable: one draw for all members. If it is not given, that of a
                variable whose value members are declared to share.
            identifier: Variable by which records draw instead of their place in the file.
            why: Reason, written to the plan and the report.
            progress: Progress callback.
        """
        step = Pram(
            variable=variable,
            seed=seed,
            keep=keep,
            matrix=matrix or {},
            band=band,
            change=change,
            strata=fill_strata(self, strata, (variable,)),
            within=tuple(tuple(group) for group in within),  # type: ignore[arg-type]  # made texts
            above=above,
            together=fill_together(self, together, (variable,)),
            identifier=identifier,
            why=why,
        )
        return self.apply(step, progress=progress)

    def suppress(
        self,
        above: float | Mapping[str, float] | None = None,
        *,
        k: int | Mapping[str, int] | None = None,
        guarantee: Guarantee = "own",
        costs: Costs = None,
        spare: Iterable[str] = (),
        scenarios: Iterable[str] = (),
        linked: Mapping[str, tuple[str, ...]] | None = None,
        household: float | Mapping[str, float] | None = None,
        up_to: int | None = None,
        levels: Mapping[str, int] | None = None,
        people: bool = False,
        together: bool = True,
        by_value: bool = False,
        joint: bool = False,
        why: str = "",
        progress: Progress = silent,
    ) -> Self:
        """Return the study with as few keys blanked as make every record safe.

        All scenarios are met together. With the attack models "ratio" and "weight" a record is
        protected as if it were attacked for certain, which covers them; and keys that may be
        recorded with error as if they never were.

        Args:
            above: Records with a risk above it are unsafe; a number, or one by scenario.
            k: Number of records that must share its keys; likewise.
            guarantee: `"own"`, `"strict"` or `"shared"` (docs/methods/suppression.md).
            costs: Cost of suppressing each key (default 1), or `"entropy"`; as declared if None.
            spare: Keys that must not be blanked.
            scenarios: Names of the scenarios to meet; all if empty.
            linked: Variables that lose their value wherever a key does, by key; as declared if
                None.
            household: Households with a risk above it are unsafe too (own and strict only);
                likewise.
            up_to: Apply `k` to all combinations of at most so many keys.
            levels: Apply `k` to combinations by identification level, as mu-ARGUS does; levels that
                are declared for all keys if None, `{}` for all keys at once.
            people: Apply `k` to people in the population as estimated, not to records.
            together: Whether keys that all members of a household share are blanked in all of them.
            by_value: Whether a blank costs the cost of its key for each bit that the value tells.
            joint: Whether members of a household get the blanks that are cheapest for all together.
            why: Reason, written to the plan and the report.
            progress: Progress callback.
        """
        names = variable_names(scenarios)
        declared = fill_suppression(
            self,
            costs=costs,
            linked=linked,
            levels=levels,
            by_k=k is not None and up_to is None,
            scenarios=names,
        )
        step = Suppress(
            above=above,
            k=k,
            guarantee=guarantee,
            costs=declared["costs"],
            spare=variable_names(spare),
            scenarios=names,
            linked={key: variable_names(each) for key, each in declared["linked"].items()},
            household=household,
            up_to=up_to,
            levels=declared["levels"],
            people=people,
            together=together,
            by_value=by_value,
            joint=joint,
            why=why,
        )
        return self.apply(step, progress=progress)


def _read_bands(
    variable: str, into: object
) -> tuple[Mapping[Any, Sequence[Old] | Code] | None, Iterable[float] | None]:
    """Return the groups or the lower bounds that the second word of `recode` stands for."""
    if isinstance(into, Mapping):
        return into, None
    if isinstance(into, Iterable) and not isinstance(into, str | bytes):
        return None, into
    raise UsageError(
        f"Recode {variable!r} into bounds of bands or groups, such as [0, 15, 30] or "
        '{"north": ["1", "2"]}, or name the way: groups=, breaks=, keep=, classification=.'
    )
