"""Record swapping: households change places with others that are like them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Annotated, Any

import numpy as np

from microsafe.display import Rate, show_percent
from microsafe.draws import Draws, check_seed
from microsafe.engine.record_access import Selection
from microsafe.errors import InputError, UsageError
from microsafe.notices import Notice, make_notice
from microsafe.options.parameter import Parameter, Why, value_in_words
from microsafe.options.signature import list_fields
from microsafe.progress import Progress
from microsafe.schema import Variable
from microsafe.sentences import Sentence
from microsafe.steps.base import (
    AppliedStep,
    DeclaredStudy,
    GlossaryTerm,
    Step,
    StepContext,
    StepOutcome,
)
from microsafe.steps.changed_variable import finite_number
from microsafe.steps.loss import CATEGORIES
from microsafe.steps.numeric_step import forms_of
from microsafe.steps.perturbation import (
    ExchangeChances,
    PerturbationState,
    Transition,
    copy_name,
    flag_name,
    hide_variable,
    released_name,
)
from microsafe.steps.record_table import Codes, RecordTable
from microsafe.steps.role_defaults import find_household
from microsafe.steps.swap.households import HouseholdRecords, find_risky_homes
from microsafe.steps.swap.kernel import (
    MatchCounts,
    SwapPairs,
    class_households,
    find_eligible,
    swap_households,
)
from microsafe.sums import Floats, sum_by

_USUAL_K = 3
_BY_COUNT = "by how many are alike in the area"
_BY_RISK = "by risk in the area"
_SAME = 1e-9  # relative change of a total that is rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MovedVariable:
    """A variable that moves.

    Attributes:
        name: Of the variable.
        old: Code of each record before; 0 where it is missing.
        new: And after.
    """

    name: str
    old: Codes
    new: Codes

    @classmethod
    def of(
        cls, table: RecordTable, homes: HouseholdRecords, name: str, codes: Codes
    ) -> MovedVariable:
        """Give members the code of their household; who misses one goes on missing it."""
        old: Codes = table.columns[released_name(name)]
        return cls(name=name, old=old, new=np.where(old > 0, codes[homes.of_record], 0))

    def link(
        self, known: PerturbationState, classes: Codes, flag: str, number: int
    ) -> ExchangeChances:
        """Return chances of the variable: the share of each class that got another value.

        Args:
            known: What it was in.
            classes: Of the records; 0 for those that could not move.
            flag: Hidden variable that holds them.
            number: Of the step.
        """
        shown = self.old > 0
        sizes = np.bincount(classes[shown], minlength=1)
        changed = np.bincount(classes[shown & (self.old != self.new)], minlength=len(sizes))
        categories = known.full.categories(released_name(self.name))
        could = self.old[shown & (classes > 0)]
        counts = np.bincount(could, minlength=len(categories) + 1)[1:]
        shares = counts / max(int(counts.sum()), 1)
        return ExchangeChances(
            step=number,
            by=(flag,),
            shares=dict(zip(categories, shares.tolist(), strict=True)),
            changed={
                (str(each),): float(changed[each] / sizes[each]) for each in np.flatnonzero(changed)
            },
        )


def _tell_sets(sets: Sequence[Sequence[str]]) -> str:
    return "; ".join(value_in_words(tuple(each)) for each in sets)


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Step):
    """Exchange the areas of households that stand out with those of others like them."""

    do = "swap"
    title = "Record swapping"
    public = (
        "Record swapping. Some households exchanged the areas in which they live with other "
        "households of the same size that are like them."
    )
    term = GlossaryTerm(
        name="record swapping",
        meaning="Households that stand out in their area exchange its codes with similar "
        "households elsewhere, so that nobody can be sure that a household lives where the file "
        "says.",
        see="[Record swapping](methods/record-swapping.md)",
        sdcmicro="`recordSwap` (`hierarchy` = areas, `similar` = profile, `risk_variables` = "
        "risk_keys, `k_anonymity` = k, `swaprate` = rate, `carry_along` = carry)",
        muargus="targeted record swapping",
    )
    place = "any"
    touches = frozenset({"key", "other", "weight"})
    loss = CATEGORIES

    household: Annotated[
        str,
        Parameter(
            label="Household",
            help="Its members move together.",
            control="variable",
            changed=False,
        ),
    ] = field(default="", kw_only=False)
    areas: Annotated[
        Sequence[str],
        Parameter(
            label="Areas",
            help="Nested: choose the coarsest first, the finest last.",
            control="variables",
            ordered=True,
        ),
    ] = field(default=(), kw_only=False)
    carry: Annotated[
        Sequence[str],
        Parameter(label="Moved along", help="Further variables that belong to the area."),
    ] = ()
    profile: Annotated[
        Sequence[Sequence[str]],
        Parameter(
            label="Partners agree on",
            example='[["hsize", "sex"], ["hsize"]]',
            help="Sets of variables, tried in turn. Partners always have equally many members.",
            control="sets",
            changed=False,
            words=_tell_sets,
        ),
    ] = ()
    rate: Annotated[
        Rate, Parameter(label="Share of households that move", help="At least, such as 5 %.")
    ] = 0.05
    risk_keys: Annotated[
        Sequence[str],
        Parameter(
            label="Risk variables",
            help="People stand out by them; by the keys that do not move if none is named.",
            changed=False,
        ),
    ] = ()
    k: Annotated[
        int | None,
        Parameter(
            label="Fewest alike in an area",
            help="Households with rarer members move; 3 if left empty.",
            way=_BY_COUNT,
        ),
    ] = None
    above: Annotated[
        Rate | None,
        Parameter(
            label="Risk in the area above",
            help="Households with a member of more risk move.",
            way=_BY_RISK,
        ),
    ] = None
    seed: Annotated[
        int,
        Parameter(
            label="Seed",
            help="Anyone with the seed and the original file can tell who was moved.",
            control="seed",
        ),
    ] = field(repr=False)
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        Step.__post_init__(self)
        check_seed(self.seed, "of record swapping")
        if not self.household or not self.areas:
            raise UsageError("Name the household and the areas, or declare them by their roles.")
        moved = (self.household, *self.targets)
        for name in moved:
            if moved.count(name) > 1:
                raise UsageError(f"{name!r} is named twice. Name household, areas and carry once.")
        for name in {name for each in (*self.profile, self.risk_keys) for name in each}:
            if name in moved:
                raise UsageError(
                    f"{name!r} cannot be moved and be part of the profile or of what people stand "
                    "out by. Take it out there; areas are counted anyway."
                )
        if not 0 <= finite_number(self.rate, "The share of households that move") <= 1:
            raise UsageError(
                "The share of households that move must be from 0 to 1; 0.05 is usual."
            )
        if self.k is not None and self.above is not None:
            raise UsageError("Record swapping takes one of k and above. Leave one out.")
        if self.k is not None and (isinstance(self.k, bool) or self.k < 1):
            raise UsageError("k of record swapping must be 1 or more; 3 is usual.")
        if self.above is not None and not 0 < self.above < 1:
            raise UsageError("The risk above which households move must be between 0 and 1.")

    @classmethod
    def declared_options(
        cls,
        given: Mapping[str, Any],  # noqa: ARG003
        study: DeclaredStudy,
    ) -> Mapping[str, Any]:
        """Return the household and the areas."""
        return {"household": find_household(study) or "", "areas": study.roles.geography}

    @property
    def targets(self) -> tuple[str, ...]:
        """What moves."""
        return (*self.areas, *self.carry)

    @property
    def hides_spread(self) -> bool:
        """Yes: what areas lost tells how many households moved."""
        return True

    def in_words(self, taken: AppliedStep | None = None) -> str:
        """Name the areas and the rate, and how many moved if that is known."""
        text = f"swap {value_in_words(self.targets)} of at least {self.rate:.3g} of households"
        if taken is None:
            return text
        facts: Mapping[str, Any] = taken.facts
        moved = sum(facts["swapped"].values())
        return f"{text}: {moved:,} of {facts['households']:,} moved"

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say by level how many moved and how many could not, and what became of totals."""
        facts: Mapping[str, Any] = taken.facts
        swapped: Mapping[str, int] = facts["swapped"]
        moved = sum(swapped.values())
        share = show_percent(moved / max(facts["households"], 1))
        rows: list[tuple[str, str]] = [
            (Sentence("result-households-moved"), f"{moved:,} ({share})")
        ]
        rows += [(Sentence("result-moved-at"), f"{name}: {n:,}") for name, n in swapped.items()]
        rows += [
            (Sentence("result-no-partner"), f"{name}: {n:,}")
            for name, n in facts["stuck"].items()
            if n
        ]
        if facts["lacking"]:
            rows.append((Sentence("result-lacking"), f"{facts['lacking']:,}"))
        if facts["left"]:
            rows.append((Sentence("result-without-area"), f"{facts['left']:,}"))
        rows += [
            (Sentence("result-total-change"), f"{name}: {show_percent(change)}")
            for name, change in facts["totals"].items()
            if change > _SAME
        ]
        return rows

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Find partners, and exchange their areas.

        Raises:
            InputError: Areas are not nested or too few, values differ between members, or records
                have no household.
            UsageError: A variable that is named cannot be used for that.
        """
        number = len(before.steps) + 1
        known = before.perturbation or PerturbationState(full=before.engine)
        risk_keys = self._find_risk_keys(before)
        self._check_variables(before, known)
        known, flag = self._with_copies(known, number)
        weight = next((scenario.weight for scenario in before.scenarios if scenario.weight), None)
        table = self._read(known, risk_keys, weight, flag, progress)
        weights = None if weight is None else self._weights(known, table, weight)
        homes = HouseholdRecords.of(table, self.household)
        codes = {name: homes.find_shared(table, released_name(name), name) for name in self.targets}
        there = np.flatnonzero(np.logical_and.reduce([code > 0 for code in codes.values()]))
        areas = [codes[name][there] for name in self.areas]
        self._check_areas(known, areas)
        progress("record swapping", 0.0)
        inside = homes.restrict(there)
        combination = table.number_strata(risk_keys)[inside.records]
        crowds = MatchCounts.of(areas, inside.of_record, combination)
        must = crowds.below(_USUAL_K if self.k is None else self.k)
        if self.above is not None:
            seen = None if weights is None else weights[inside.records]
            must = find_risky_homes(areas, inside.of_record, combination, seen, self.above)
        profiles = self._profiles(table, homes, there)
        draws = Draws(seed=self.seed, step=number, variable=self.household)
        found = swap_households(
            areas,
            crowds,
            profiles,
            lambda draw: draws.words(inside.numbers, draw),
            must=must,
            rate=self.rate,
        )
        classes = np.zeros(len(homes.numbers), np.int64)
        classes[there] = class_households(must, crowds, find_eligible(areas[-1], profiles))
        partner = np.arange(len(homes.numbers))
        partner[there] = there[found.partner]
        moves = [
            MovedVariable.of(table, homes, name, code[partner]) for name, code in codes.items()
        ]
        facts = self._facts(found, len(homes.numbers), len(there))
        facts["totals"] = self._compare_totals(weight, weights, moves)
        after = self._exchange(known, table, moves, flag, number, classes[homes.of_record])
        return StepOutcome(
            engine=after.full,
            scenarios=before.scenarios,
            taken=AppliedStep(step=self, facts=facts),
            notices=tuple(self._notices(before, facts, weight)),
            perturbation=after,
        )

    def _exchange(
        self,
        known: PerturbationState,
        table: RecordTable,
        moves: Sequence[MovedVariable],
        flag: str,
        number: int,
        classes: Codes,
    ) -> PerturbationState:
        """Put what moved into the released values, and say what is known of chances."""
        schema = known.full.schema
        made = table.replace(
            {released_name(move.name): move.new for move in moves}
            | {flag: classes.astype(str).astype(object)},
            {released_name(move.name): schema[released_name(move.name)] for move in moves}
            | {flag: Variable(name=flag)},
        )
        transitions = {
            move.name: Transition(
                words=Sentence("swapping-of", names=(move.name,)),
                origin=copy_name(move.name, number),
                links=(move.link(known, classes, flag, number),),
            )
            for move in moves
        }
        return replace(
            known,
            full=made,
            transitions={**known.transitions, **transitions},
            copies={**known.copies, flag: ("", True)},
        )

    def _find_risk_keys(self, before: StepContext) -> tuple[str, ...]:
        keys = (key for scenario in before.scenarios for key in scenario.keys)
        others = {self.household, *self.targets}
        found = tuple(self.risk_keys or dict.fromkeys(k for k in keys if k not in others))
        if not found:
            raise UsageError(
                "Nobody can stand out in an area by no variable. Name risk_keys, or keys of a "
                "scenario besides the areas."
            )
        return found

    def _check_variables(self, before: StepContext, known: PerturbationState) -> None:
        schema = before.engine.schema
        profile = (name for each in self.profile for name in each)
        for name in (self.household, *self.targets, *profile, *self.risk_keys):
            if schema[name].kind not in ("integer", "number", "text"):
                raise InputError(f"{name!r} holds no codes that could be compared. Leave it out.")
            if name in known.transitions and name not in self.risk_keys:
                raise UsageError(
                    f"{name!r} was perturbed itself ({known.transitions[name].words}). Name a "
                    "variable that was not, or take this step first."
                )

    def _with_copies(self, known: PerturbationState, number: int) -> tuple[PerturbationState, str]:
        """Add copies of what moves, and a variable for the classes of records."""
        made = known.with_copies(self.targets, (), number)
        flag = flag_name(self.household, number)
        hidden = hide_variable(made.full.schema[self.household], flag)
        return replace(made, full=made.full.copy_variable(self.household, hidden)), flag

    def _read(
        self,
        known: PerturbationState,
        risk_keys: Sequence[str],
        weight: str | None,
        flag: str,
        progress: Progress,
    ) -> RecordTable:
        codes = [
            self.household,
            *(name for each in self.profile for name in each),
            *risk_keys,
            *map(released_name, self.targets),
        ]
        numbers = [weight] if weight is not None and weight not in codes else []
        forms = forms_of(numbers, codes) | {flag: "text"}
        return RecordTable.read(known.full, Selection(forms=forms), progress)

    def _weights(self, known: PerturbationState, table: RecordTable, weight: str) -> Floats:
        """Weight of each record; 0 where it has none."""
        values = table.columns[weight]
        if table.selection.forms[weight] == "code":
            values = np.array([np.nan, *map(float, known.full.categories(weight))])[values]
        known_weights: Floats = np.where(values > 0, values, 0.0)
        return known_weights

    def _check_areas(self, known: PerturbationState, areas: Sequence[Codes]) -> None:
        source = known.full.schema.source
        for name, codes in zip(self.areas, areas, strict=True):
            if len(np.unique(codes)) < 2:
                raise InputError(
                    f"{source} has fewer than two areas of {name!r}, so that nobody can move to "
                    "another. Leave it out, or name another variable."
                )
        for (coarse, outer), (fine, inner) in pairwise(zip(self.areas, areas, strict=True)):
            width = int(outer.max()) + 1
            lies_in = np.bincount(np.unique(inner * width + outer) // width)
            torn = int(np.count_nonzero(lies_in > 1))
            if torn:
                raise InputError(
                    f"{torn:,} areas of {fine!r} lie in more than one of {coarse!r}. Name areas "
                    "from coarse to fine, each within one of those before it; where a code means "
                    "different areas, put that of the coarser one before it."
                )

    def _profiles(self, table: RecordTable, homes: HouseholdRecords, there: Codes) -> list[Codes]:
        """What partners must agree on, in turn; the number of members is always part of it."""
        found = []
        for names in self.profile or ((),):
            codes = homes.size
            for name in names:
                shared = homes.find_shared(table, name)
                both = codes * (int(shared.max(initial=0)) + 1) + shared
                codes = np.unique(both, return_inverse=True)[1].reshape(-1)
            found.append(codes[there])
        return found

    def _facts(self, found: SwapPairs, households: int, there: int) -> dict[str, Any]:
        """What is known of the exchange."""
        levels = range(len(self.areas))
        return {
            "households": households,
            "swapped": {
                self.areas[level]: int(np.count_nonzero(found.level == level)) for level in levels
            },
            "stuck": dict(zip(self.areas, found.stuck, strict=True)),
            "lacking": found.lacking,
            "left": households - there,
        }

    def _compare_totals(
        self, weight: str | None, weights: Floats | None, moves: Sequence[MovedVariable]
    ) -> dict[str, float]:
        """By level, the largest relative change of the weighted total of an area."""
        if weights is None or weight in self.carry:
            return {}
        found = {}
        for move in moves[: len(self.areas)]:
            count = int(move.old.max(initial=0)) + 1
            before, after = (sum_by(codes, weights, count)[1:] for codes in (move.old, move.new))
            change = np.abs(after - before) / np.where(before > 0, before, np.inf)
            found[move.name] = float(change.max(initial=0.0))
        return found

    def _notices(
        self, before: StepContext, facts: Mapping[str, Any], weight: str | None
    ) -> list[Notice]:
        found = []
        if any(name in scenario.keys for scenario in before.scenarios for name in self.targets):
            found.append(make_notice("swap-targeted"))
        changed = {name: change for name, change in facts["totals"].items() if change > _SAME}
        if changed:
            found.append(make_notice("swap-weights", name=weight, changes=changed))
        stuck = {name: count for name, count in facts["stuck"].items() if count}
        if stuck:
            found.append(make_notice("swap-stuck", counts=stuck))
        if facts["lacking"]:
            found.append(make_notice("swap-lacking", count=facts["lacking"]))
        return found
