"""Microaggregation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Literal, cast

import numpy as np
from numpy.typing import NDArray

from microsafe.display import show_percent
from microsafe.engine.gate import Selection
from microsafe.errors import InputError, UsageError
from microsafe.notices import Notice, make_notice
from microsafe.perturb.decimals import count_decimals, round_to
from microsafe.perturb.mdav import tell_after
from microsafe.perturb.microaggregation import (
    Average,
    Flags,
    Method,
    Microaggregation,
    Scale,
    information_lost,
)
from microsafe.progress import Progress
from microsafe.schema import Variable
from microsafe.steps.base import Before, Outcome, Taken, Term
from microsafe.steps.columns import (
    Codes,
    RecordTable,
    Units,
    average_variable,
    check_room,
    split_strata,
)
from microsafe.steps.numeric import (
    Identifier,
    Numbers,
    NumericStep,
    Strata,
    check_decimals,
    check_names,
    forms_of,
)
from microsafe.steps.parameter import Parameter, Why
from microsafe.steps.weights import shared_household, tell_weight, weight_of
from microsafe.sums import Floats

_LEAST = 2  # records in a group
_WEIGHT_DECIMALS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Microaggregate(NumericStep):
    """Replace numbers by averages of groups of at least k similar records.

    Attributes:
        variables: Which; grouped all together, or each alone.
        k: Least number of records in a group.
        method: `"mdav"`, all variables together, or `"one"`, each alone at the least loss.
        strata: Variables whose categories groups stay within.
        small: What becomes of strata below k: `"refuse"`, or `"merge"` with the next one.
        standardise: What variables are divided by before they are compared.
        measure: What stands for a group.
        weights: Whether averages take account of the weight of the first scenario.
        together: Variable of households that the values belong to; each counts once.
        exact: Whether all records are compared; up to 20,000 in a stratum if None.
        decimals: Digits behind the point; as many as there were if None.
        identifier: Variable whose lowest value comes first where records tie, instead of the
            first record.
        why: Reason, written to the plan and the report.
    """

    do = "microaggregate"
    touches = frozenset({"other", "weight"})
    reweighs = True
    title = "Microaggregation"
    public = (
        "Microaggregation. Values of numeric variables were replaced by the averages of small "
        "groups of similar records."
    )
    term = Term(
        name="microaggregation",
        meaning="Numbers replaced by averages of groups of at least k similar records.",
        see="[Microaggregation](methods/microaggregation.md)",
        sdcmicro='`microaggregation`; `"mdav"` is the same, `"onedims"` and `"single"` lose more '
        'than `"one"`; use `"mdav"` for `pca`, `pppca`, `clust*`, `influence` and `rmd`',
        muargus="(numerical) micro-aggregation",
    )

    variables: Numbers
    k: Annotated[
        int, Parameter(label="Records in a group", help="At least so many share each value.")
    ] = 3
    method: Annotated[
        Method,
        Parameter(
            label="Method",
            choices={
                "mdav": "all variables together (MDAV)",
                "one": "each variable alone, at the least loss",
            },
        ),
    ] = "mdav"
    strata: Strata = ()
    small: Annotated[
        Literal["refuse", "merge"],
        Parameter(
            label="Strata that are too small",
            choices={"refuse": "are refused", "merge": "join the next one"},
            only_with="strata",
        ),
    ] = "refuse"
    standardise: Annotated[
        Scale,
        Parameter(
            label="Variables are divided by",
            choices={"sd": "their standard deviation", "range": "their range", "none": "nothing"},
            only_with="method=mdav",
        ),
    ] = "sd"
    measure: Annotated[
        Average,
        Parameter(
            label="A group is shown by", choices={"mean": "its mean", "median": "its median"}
        ),
    ] = "mean"
    weights: Annotated[
        bool, Parameter(label="Weighted", help="Weighted means keep weighted totals.")
    ] = False
    together: Annotated[
        str | None,
        Parameter(
            label="Household",
            help="For values that all members of a household share: each household counts once.",
            control="variable",
            changed=False,
        ),
    ] = None
    exact: Annotated[
        bool | None,
        Parameter(
            label="Compare all records",
            help="Otherwise only up to 20,000 are, and more are grouped in blocks.",
            only_with="method=mdav",
        ),
    ] = None
    decimals: Annotated[
        int | None,
        Parameter(label="Decimals", help="As many as the variable shows if left empty."),
    ] = None
    identifier: Identifier = None
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        household = (self.together,) if self.together else ()
        check_names(self.variables, {"strata": self.strata, "household": household})
        if not isinstance(self.k, int) or isinstance(self.k, bool) or self.k < _LEAST:
            raise UsageError("Groups of one record protect nobody. Choose a k of 2 or more.")
        check_decimals(self.decimals)

    @property
    def how(self) -> Microaggregation:
        """How records are grouped and averaged."""
        return Microaggregation(
            k=self.k,
            method=self.method,
            scale=self.standardise,
            average=self.measure,
            exact=self.exact,
        )

    def in_words(self, taken: Taken | None = None) -> str:
        """Name the variables and the size of groups, and what was lost if that is known."""
        alone = ", each alone" if self.method == "one" and len(self.variables) > 1 else ""
        text = f"microaggregate {self.names} in groups of {self.k} or more{alone}"
        if taken is None:
            return text
        return f"{text}: {_tell_loss(taken)} of variance lost"

    def results(self, taken: Taken) -> list[tuple[str, str]]:
        """Say what was lost, how records were grouped, and what was left."""
        facts = taken.facts
        rows = [("Variance lost", _tell_loss(taken))]
        if facts["in_blocks"]:
            rows.append(("Grouped", "in blocks, as there are too many records to compare them all"))
        if facts["left"]:
            rows.append(("Records with values left as they were", f"{facts['left']:,}"))
        return [*rows, *tell_weight(taken)]

    def public_results(self, taken: Taken, *, matrix: bool) -> list[tuple[str, str]]:  # noqa: ARG002
        """Say what was lost."""
        return [("Variance lost", _tell_loss(taken)), *tell_weight(taken)]

    def apply(self, before: Before, progress: Progress) -> Outcome:
        """Group the records of each stratum and put averages in the place of values.

        Raises:
            UsageError: Averages are to be weighted, and there is no weight.
            InputError: There are too few records, or values cannot be averaged.
        """
        changed = weight_of(self, before)
        weight = self._find_weight(before)
        together = self.together
        if changed is not None and together is None:
            together = shared_household(before, changed, self.variables[0])
        numbers = [*self.variables, *([weight] if weight else [])]
        codes = [*self.strata, *([together] if together else [])]
        selection = Selection(forms=forms_of(numbers, codes), identifier=self.identifier)
        table = RecordTable.read(before.engine, selection, progress)
        if self.method == "one":
            before.engine.afford(
                8 * self.k * len(table.numbers),
                f"for groups of {self.k:,} among {len(table.numbers):,} records",
                "Choose a smaller k,",
            )
        values = np.stack([table.numbers_of(name) for name in self.variables])
        strata = table.number_strata(self.strata)
        units = Units.by_record(len(strata))
        if together:
            units = Units.by_household(table.columns[together])
            for name in (*self.variables, *self.strata):
                units.check_constant(table.columns[name], name, together)
        digits = {
            name: count_decimals(row[~np.isnan(row)]) if self.decimals is None else self.decimals
            for name, row in zip(self.variables, values, strict=True)
        }
        if changed is not None and self.decimals is None:
            name = self.variables[0]
            digits[name] = _more_decimals(before.engine.schema[name], values[0], digits[name])
        for name, row in zip(self.variables, values, strict=True):
            check_room(before.engine.schema[name], row, digits[name])
        counted = units.add_up(table.columns[weight]) if weight else None
        if changed is not None:  # so that sums over records are kept, not over households
            counted = units.add_up(np.ones(len(strata)))
        made, facts = self._aggregate(
            values[:, units.first], strata[units.first], counted, progress
        )
        rounded = {
            name: round_to(row, digits[name])[units.of_record]
            for name, row in zip(self.variables, made, strict=True)
        }
        after = {
            name: average_variable(before.engine.schema[name], row, digits[name])
            for name, row in rounded.items()
        }
        facts["variance_lost"] = information_lost(values, np.stack(list(rounded.values())))
        return Outcome(
            engine=table.replace(rounded, after),
            scenarios=before.scenarios,
            taken=Taken(step=self, facts=facts),
            notices=tuple(self._notices(facts)),
        )

    def _find_weight(self, before: Before) -> str | None:
        if not self.weights:
            return None
        found = next((each.weight for each in before.scenarios if each.weight), None)
        if found is None:
            raise UsageError(
                "There is no weight to average by. Name one in the scenario, or leave out weights."
            )
        if found in self.strata:
            raise UsageError(f"{found!r} cannot be both the weight and a stratum.")
        if found in self.variables:
            raise UsageError(f"{found!r} cannot be averaged by itself. Leave out weights.")
        return found

    def _aggregate(
        self, values: Floats, strata: Codes, weights: Floats | None, progress: Progress
    ) -> tuple[Floats, dict[str, object]]:
        """Averages, and what there is to say of them."""
        known: Flags = ~np.isnan(values)
        rows = np.any(known, axis=0)[None, :] if self.method == "mdav" else known
        self._check_size(int(rows.sum(axis=1).min()))
        strata = self._join_small(strata, rows)
        result, grouped, blocks = values.copy(), known & False, False
        done = 0

        def tell(count: int) -> None:
            progress("microaggregation", count / len(strata))

        for records in split_strata(strata):
            tell(done)
            inside = None if weights is None else weights[records]
            made = self.how.aggregate(values[:, records], inside, tell=tell_after(tell, done))
            done += len(records)
            result[:, records], grouped[:, records] = made
            blocks |= self.how.in_blocks(len(records))
        left = int((known & ~grouped).any(axis=0).sum())
        return result, {"left": left, "in_blocks": blocks}

    def _check_size(self, count: int) -> None:
        if count < 2 * _LEAST:
            raise InputError(
                f"Microaggregation needs at least {2 * _LEAST} records with values of "
                f"{self.names}, and the file has {count:,}. Drop the variables, or suppress them."
            )
        if 2 * self.k > count:
            raise InputError(
                f"{count:,} records with values of {self.names} do not make two groups of "
                f"{self.k:,}. Choose a k of at most {count // 2:,}."
            )

    def _join_small(self, strata: Codes, rows: Flags) -> Codes:
        """Strata in which there are groups of k; those below have joined the next one."""
        counts = np.stack([np.bincount(strata[row], minlength=strata.max() + 1) for row in rows])
        small = ((counts > 0) & (counts < self.k)).any(axis=0)
        if small.any() and self.small == "refuse":
            names, many = ", ".join(map(repr, self.strata)), int(small.sum())
            raise InputError(
                f"Fewer than {self.k:,} records with values are in {many:,} of the strata of "
                f'{names}. Join such strata with the next ones (small = "merge"), or name fewer or '
                "coarser ones."
            )
        return join_strata(counts, self.k)[strata]

    def _notices(self, facts: Mapping[str, object]) -> Iterator[Notice]:
        if self.method == "one" and len(self.variables) > 1:
            yield make_notice("microaggregated-alone", names=self.names)
        if facts["left"]:
            yield make_notice("microaggregated-left", count=facts["left"], names=self.names)


def _tell_loss(taken: Taken) -> str:
    return show_percent(cast(float, taken.facts["variance_lost"]))


def _more_decimals(variable: Variable, values: Floats, shown: int | None) -> int | None:
    """Digits behind the point of averages of weights, as there is room: sums must not change."""
    for digits in () if shown is None else range(_WEIGHT_DECIMALS, shown, -1):
        with suppress(InputError):
            check_room(variable, values, digits)
            return digits
    return shown


def join_strata(counts: NDArray[np.int64], k: int) -> Codes:
    """Return new numbers of strata: one with too few records joins the next, the last the other.

    Args:
        counts: Records by kind, a row each, and stratum.
        k: Least number of records, if there are any.
    """
    joined = np.zeros(counts.shape[1], np.int64)
    number, inside = 0, np.zeros(len(counts), np.int64)
    for stratum, count in enumerate(counts.T):
        joined[stratum] = number
        inside = inside + count
        if not ((inside > 0) & (inside < k)).any():
            number, inside = number + 1, inside * 0
    joined[joined == number] = max(number - 1, 0)
    return joined
