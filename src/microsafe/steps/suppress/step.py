"""Local suppression: from scenarios to demands on cells, and from blanks to records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, count
from math import comb
from typing import Any, ClassVar, NamedTuple, TypeVar, get_args

import numpy as np

from microsafe.display import shorten_list
from microsafe.draws import check_seed
from microsafe.engine import Engine
from microsafe.errors import InputError, UsageError, did_you_mean
from microsafe.notices import make_notice
from microsafe.options.scenario import Scenario
from microsafe.options.signature import list_fields
from microsafe.options.suppression import Guarantee, SuppressOptions
from microsafe.progress import Progress
from microsafe.risk import (
    Reference,
    readable_notice,
)
from microsafe.sentences import Sentence
from microsafe.steps.base import (
    AppliedStep,
    DeclaredStudy,
    FindFamilies,
    GlossaryTerm,
    Step,
    StepContext,
    StepOutcome,
    Touch,
)
from microsafe.steps.loss import CATEGORIES
from microsafe.steps.perturbation import PerturbationState, released_name
from microsafe.steps.suppress.blanks import CellBlanks
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.steps.suppress.demands import (
    as_perturbed,
    combine_levels,
    cost_of_members,
    criterion_of,
    find_household_limits,
    find_limit,
    household_demand,
    key_bits,
)
from microsafe.steps.suppress.families import (
    FamilyTreatment,
    is_by_families,
    protect_families,
)
from microsafe.steps.suppress.household_blanks import by_household, find_joint_blanks
from microsafe.steps.suppress.key_defaults import find_declared
from microsafe.steps.suppress.key_sets import PER_SET
from microsafe.steps.suppress.own_guarantee import blank_own, blank_strict, cost_of_keys, leaning
from microsafe.steps.suppress.priced_blanks import price_values
from microsafe.steps.suppress.shared_guarantee import blank_shared
from microsafe.steps.suppress.view.blanks import blank_view
from microsafe.steps.suppress.view.table import PER_COMBINATION
from microsafe.steps.suppress.view.treatment import Treatment

_Limit = TypeVar("_Limit", int, float)

EXAMPLES = 5
_MOST_COMBINATIONS = 1 << 20
_FIXED = "{name!r} is a weight or household and cannot be blanked."


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Suppress(SuppressOptions, Step):
    """Blank keys until no record is unsafe."""

    do = "suppress"
    title = "Local suppression"
    public = (
        "Local suppression. In some records values of key variables were replaced by missing, so "
        "that no record stands out by its combination of values."
    )
    term = GlossaryTerm(
        name="local suppression",
        meaning="Removing single values of key variables in single records, as few as possible. "
        "A suppressed value is called a blank.",
        see="[Local suppression](methods/suppression.md)",
        sdcmicro="`localSuppression`, `kAnon`",
        muargus="local suppression",
    )
    place = "any"
    touches = frozenset({"key", "other"})
    loss = CATEGORIES
    refusals: ClassVar[Mapping[Touch, str]] = {
        **Step.refusals,
        "weight": _FIXED,
        "household": _FIXED,
    }

    def __post_init__(self) -> None:
        """Validate the fields."""
        Step.__post_init__(self)
        for k in _list_limits(self.k):
            if not isinstance(k, int) or isinstance(k, bool):
                raise UsageError("k is a whole number of records.")
        if self.household is not None:
            for limit in _list_limits(self.household):
                if not 0 < limit <= 1:
                    raise UsageError("The limit on household risk must be above 0 and at most 1.")
            if self.guarantee in ("shared", "view"):
                raise UsageError(
                    "A limit on household risk needs the guarantee 'own' or 'strict'. Make it a "
                    "step of its own."
                )
        if self.guarantee == "view":
            self._check_view()
        elif self.seed is not None:
            raise UsageError("A seed needs the guarantee 'view'. Leave it out.")
        if self.by_value and self.guarantee == "shared":
            raise UsageError("Costs by value need the guarantee 'own' or 'strict'.")
        if self.joint and (self.guarantee != "own" or not self.together):
            raise UsageError("Joint blanks need the guarantee 'own', and members together.")
        if self.up_to is not None and self.levels:
            raise UsageError("Name combinations by size (up_to) or by levels, not both.")
        if (self.up_to is not None or self.levels or self.people) and self.k is None:
            raise UsageError("up_to, levels and people need a count to compare with (k).")
        if self.up_to is not None and self.up_to < 1:
            raise UsageError("Combinations have at least one key: up_to must be at least 1.")
        if any(level < 1 for level in self.levels.values()):
            raise UsageError("Identification levels are 1, 2, 3 and so on.")
        if self.guarantee not in get_args(Guarantee):
            hint = did_you_mean(self.guarantee, get_args(Guarantee))
            raise UsageError(f"There is no guarantee {self.guarantee!r}.{hint}")

    @classmethod
    def declared_options(cls, given: Mapping[str, Any], study: DeclaredStudy) -> Mapping[str, Any]:
        """Return costs, linked variables and levels of keys."""
        return find_declared(given, study)

    def _check_view(self) -> None:
        """Refuse what treats people of the same keys differently, or asks for less than them."""
        if self.seed is not None:
            check_seed(self.seed, "of the guarantee 'view'")
        others = {
            "Costs by value (by_value)": self.by_value,
            "Combinations by size (up_to)": self.up_to is not None,
            "Identification levels (levels)": bool(self.levels),
            "A number of people (people)": self.people,
        }
        for what, given in others.items():
            if given:
                raise UsageError(
                    f"{what} cannot be combined with the guarantee 'view'. Leave it out, or use "
                    "the guarantee 'own'."
                )

    @property
    def targets(self) -> tuple[str, ...]:
        """Variables that are linked; which keys lose values is found out."""
        return tuple(name for key, others in self.linked.items() for name in (key, *others))

    def changed_variables(self, taken: AppliedStep) -> Sequence[str]:
        """Return the keys that lost values, and what is linked to them."""
        keys = [key for key, count in taken.blanks.items() if count]
        return list(dict.fromkeys(chain(keys, *(self.linked.get(key, ()) for key in keys))))

    def in_words(self, taken: AppliedStep | None = None) -> str:  # noqa: ARG002
        """Say what was unsafe, and the guarantee."""
        asked = []
        if isinstance(self.above, int | float):
            asked.append(f"risk above {self.above:g}")
        if isinstance(self.k, int):
            asked.append(f"fewer than {self.k} alike")
        if isinstance(self.household, int | float):
            asked.append(f"household risk above {self.household:g}")
        elif self.household:
            asked.append("household risk by scenario")
        return f"suppress: {', '.join(asked) or 'limits by scenario'} ({self.guarantee})"

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say what was blanked, and who is not safe."""
        listed = ", ".join(f"{key} {count:,}" for key, count in taken.blanks.items() if count)
        rows = [
            (
                Sentence("result-blanks"),
                f"{taken.total:,} ({listed})" if listed else f"{taken.total:,}",
            ),
        ]
        if taken.linked:
            listed = ", ".join(f"{name} {count:,}" for name, count in taken.linked.items())
            rows.append((Sentence("result-linked-blanks"), listed))
        rows.append((Sentence("result-records-changed"), f"{taken.records:,}"))
        if taken.leaning:
            rows.append((Sentence("result-leaning"), f"{taken.leaning:,}"))
        if parted := taken.facts.get("households_parted"):
            rows.append((Sentence("result-households-parted"), f"{parted:,}"))
        return [*rows, (Sentence("result-unsafe"), f"{taken.stuck:,}")]

    def parameters_in_words(self) -> list[tuple[str, str]]:
        """Return the parameters that were given; that members lose values together is usual."""
        usual = "Blank what all members of a household share in all of them"
        return [word for word in Step.parameters_in_words(self) if word[0] != usual]

    def forget_keys(self, gone: Collection[str]) -> Suppress:
        """Return the step as it is where some keys are left out: they are in no cost."""
        cost = self.cost
        if isinstance(cost, Mapping):
            cost = {key: each for key, each in cost.items() if key not in gone}
        return replace(self, cost=cost, spare=tuple(key for key in self.spare if key not in gone))

    def rename_scenarios(self, renamed: Mapping[str, str]) -> Suppress:
        """Return the step that calls scenarios by their new names."""

        def rename(limits: Any) -> Any:
            if not isinstance(limits, Mapping):
                return limits
            return {renamed.get(name, name): limit for name, limit in limits.items()}

        scenarios = tuple(renamed.get(name, name) for name in self.scenarios)
        limits = {name: rename(getattr(self, name)) for name in ("above", "k", "household")}
        return replace(self, scenarios=scenarios, **limits)

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Blank keys so that the scenarios are met together."""
        if before.take_by_person is not None:
            return before.take_by_person(self, progress)
        names = self.scenarios or tuple(scenario.name for scenario in before.scenarios)
        met = [usual_gaps_only(before.scenario(name)) for name in names or (None,)]
        if not before.of_persons:  # there all keys of one wave may be spared
            self.refuse_nothing_to_blank(met)
        if self.household is not None:
            _refuse_without_households(before.engine, met)
        references = {each.name: before.reference(each, progress=progress) for each in met}
        if self.guarantee == "shared":
            _refuse_gaps(references)
        engine, taken = suppress_keys(
            before.engine,
            met,
            self,
            references,
            before.families,
            progress,
            known=before.perturbation,
            list_unsafe=before.of_persons,
        )
        notices = [readable_notice(taken.readable)] if taken.readable else []
        left = _count_left(engine, taken.blanks)
        for many, said in ((0, "key-blanked"), (1, "blank-means-another")):
            if keys := [key for key, shown in left.items() if shown == many]:
                notices.append(make_notice(said, keys=keys))
        return StepOutcome(
            engine=engine, scenarios=before.scenarios, taken=taken, notices=tuple(notices)
        )

    def refuse_nothing_to_blank(self, met: Sequence[Scenario]) -> None:
        """Raise UsageError if all keys of some scenarios are spared."""
        if all(key in self.spare for scenario in met for key in scenario.keys):
            raise UsageError(
                f"All keys are spared ({shorten_list(self.spare)}), so that nothing can be "
                "blanked. Spare fewer keys, or recode them."
            )


def _refuse_without_households(engine: Engine, met: Sequence[Scenario]) -> None:
    """Refuse a limit on households where records are all of one, or none is of any."""
    for scenario in met:
        name = scenario.household
        if name is None or name not in engine.schema:
            continue
        many = len(engine.households(scenario, np.zeros(len(engine.cells(scenario)))).size)
        if many == 1:
            why = "the same in all records, so that there is no other household to be taken for"
        elif many == engine.rows() and not len(engine.categories(name)):
            why = "missing in every record, so that nobody is known to live with anybody"
        else:
            continue
        raise InputError(
            f"{name!r} of {engine.schema.source} is {why}. Name the variable with the number of "
            "the household, or limit the risk of records only."
        )


def _count_left(engine: Engine, blanks: Mapping[str, int]) -> dict[str, int]:
    """Count the categories that are left of the keys that lost values."""
    blanked = [key for key, lost in blanks.items() if lost]
    shown = {key: engine.cells(Scenario(keys=(key,))).codes[0] for key in blanked}
    return {key: int(np.count_nonzero(codes)) for key, codes in shown.items()}


def _list_limits(given: _Limit | Mapping[str, _Limit] | None) -> list[_Limit]:
    """Return the limits that were given, for all scenarios or by scenario."""
    if isinstance(given, Mapping):
        return list(given.values())
    return [] if given is None else [given]


def usual_gaps_only(scenario: Scenario) -> Scenario:
    """Return a scenario that protection can meet, or refuse it."""
    if scenario.missing == scenario.usual_missing and scenario.alpha == 1.0:
        return scenario
    if scenario.estimator == "model":
        raise UsageError(
            "A blank cannot be told from a gap that is a category: give that category a code "
            "(recode) and use missing='integrate'."
        )
    raise UsageError(
        "Protection counts a blank as a wildcard: use missing='wildcard' and alpha=1, "
        "and measure the result under the other rules."
    )


def _refuse_gaps(references: Mapping[str, Reference | None]) -> None:
    """Refuse to let records lean on blanks of others where a model knows of gaps."""
    for found in references.values():
        if found is not None and not found.cells.complete:
            raise UsageError(
                "The guarantee 'shared' counts blanks of others as matches, and the file has gaps "
                "in keys, which are none under the estimator 'model'. Use 'own' or 'strict', or "
                "the estimator 'cell'."
            )


def refuse_other_weights(scenarios: Sequence[Scenario]) -> None:
    """Refuse scenarios that cannot be met together."""
    first = scenarios[0]
    for scenario in scenarios:
        if scenario.weight != first.weight or scenario.clip_weights != first.clip_weights:
            raise UsageError("Scenarios that are met together must share one sampling weight.")


def suppress_keys(
    engine: Engine,
    scenarios: Sequence[Scenario],
    step: Suppress,
    references: Mapping[str, Reference | None],
    find_families: FindFamilies,
    progress: Progress,
    *,
    known: PerturbationState | None = None,
    list_unsafe: bool = False,
) -> tuple[Engine, AppliedStep]:
    """Blank keys so that all scenarios are met together, and list all who stay unsafe if wished."""
    first = scenarios[0]
    refuse_other_weights(scenarios)
    union = tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
    _check_linked(engine, union, step)
    known = known if known is not None and known.find_perturbed(union) else None
    if known is not None and step.guarantee in ("shared", "view"):
        raise UsageError(
            f"The guarantee {step.guarantee!r} cannot follow {known.words(union)}: "
            "use 'own' or 'strict'."
        )
    # Where blanks are shared, records of different weight are dealt with one by one.
    by_weight = step.guarantee == "shared" and first.weight is not None
    keys = union if known is None else known.with_classes(union)
    together = first.with_keys(keys)
    together = replace(together, attack="weight" if by_weight else "all")
    made, stuck, leaners, separated = engine, 0, 0, 0
    unsafe: tuple[int, ...] = ()
    while True:
        start = made
        blanks, demands, shared, treatments = _find_blanks(
            start, scenarios, together, union, step, references, known, progress
        )
        limits = _find_formula_limits(engine, step, scenarios)
        told = by_household(scenarios, together, limits) if step.joint else together
        made = _apply_blanks(start, told, blanks, _find_linked(step, known, union), shared)
        cells = start.cells(told)
        stuck = int(cells.count[blanks.stuck].sum())
        most = max(stuck, EXAMPLES) if list_unsafe else EXAMPLES
        unsafe = tuple(start.find_records(told, blanks.stuck, most=most))
        if step.guarantee == "shared":
            leaners = leaning(cells, demands, blanks)
        made, homeless, parted = _blank_families(
            made, scenarios, together, step, find_families, known, progress
        )
        stuck, separated = stuck + homeless, separated + parted
        # Blanks that spread to members of a household or to linked keys may leave others alone
        # with what they show; only strict minds, so it looks again until nothing changes.
        spreads = any(shared.values()) or any(
            set(names) & set(union) for names in step.linked.values()
        )
        if step.guarantee != "strict" or not spreads or not len(blanks.cell):
            break
    before, after = engine.count_blanks(), made.count_blanks()
    lost = {key: after.get(key, 0) - before.get(key, 0) for key in union}
    others = dict.fromkeys(chain(*step.linked.values()))
    followed = {n: after.get(n, 0) - before.get(n, 0) for n in others if n not in lost}
    apart = step.household is None and not step.together
    constant = find_common_keys(engine, scenarios, union) if apart else {}
    readable = {key for keys in constant.values() for key in keys if lost[key]}
    return made, AppliedStep(
        step=step,
        blanks=lost,
        linked=followed,
        records=made.count_changed_records(engine),
        stuck=stuck,
        examples=unsafe[:EXAMPLES],
        leaning=leaners,
        readable=tuple(key for key in union if key in readable),
        facts={"households_parted": separated} if separated else {},
        _treatments=treatments,
        _unsafe=unsafe if list_unsafe else (),
    )


def _find_formula_limits(
    engine: Engine, step: Suppress, scenarios: Sequence[Scenario]
) -> dict[str, float]:
    """Return the limits on household risk that are by the risks of single members."""
    limits = find_household_limits(step.household, scenarios)
    return {
        scenario.name: limits[scenario.name]
        for scenario in scenarios
        if scenario.name in limits and not is_by_families(engine, scenario)
    }


def _blank_families(
    engine: Engine,
    scenarios: Sequence[Scenario],
    together: Scenario,
    step: Suppress,
    find_families: FindFamilies,
    known: PerturbationState | None,
    progress: Progress,
) -> tuple[Engine, int, int]:
    """Blank keys of families that are told by the joint keys of their members.

    Returns:
        The engine, records that stay unsafe, and households that were parted.
    """
    limits, stuck, parted = find_household_limits(step.household, scenarios), 0, 0
    union = tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
    for scenario in scenarios:
        if scenario.name not in limits or not is_by_families(engine, scenario):
            continue
        if scenario.household is None:
            raise UsageError("Household risk needs a scenario that names the household variable.")
        cells = engine.cells(together.with_keys(union))
        costs = cost_of_keys(cells, step.cost, step.spare, free=step.by_value)
        treatment = FamilyTreatment(
            scenario=scenario,
            limit=limits[scenario.name],
            keys=union,
            costs=dict(zip(union, costs, strict=True)),
            by_value=step.by_value,
            spared=step.spare,
            linked=_find_linked(step, known, union),
        )
        engine, left, alone = protect_families(engine, treatment, find_families, known, progress)
        stuck, parted = stuck + left, parted + alone
    return engine, stuck, parted


class _ChosenBlanks(NamedTuple):
    """Blanks, the demands they meet, keys to blank by household, and treatments by scenario."""

    blanks: CellBlanks
    demands: list[KeySetDemand]
    shared: Mapping[str, tuple[str, ...]]
    treatments: Mapping[str, Treatment]


def _find_blanks(
    engine: Engine,
    scenarios: Sequence[Scenario],
    together: Scenario,
    union: tuple[str, ...],
    step: Suppress,
    references: Mapping[str, Reference | None],
    known: PerturbationState | None,
    progress: Progress,
) -> _ChosenBlanks:
    """Find blanks for the data as they are."""
    cells = engine.cells(together, progress=progress)
    kept = None if known is None else known.kept_keys(cells, union)
    crowds = {
        name: None if found is None else found.look_up(cells) for name, found in references.items()
    }
    demands = [
        made
        for each in scenarios
        for demand in find_demands(engine, each, scenarios, union, step)
        for made in as_perturbed(replace(demand, crowd=crowds[each.name]), each, union, kept)
    ]
    spared, constant = {*step.spare, *together.keys[len(union) :]}, dict[str, tuple[str, ...]]()
    costs = cost_of_keys(cells, step.cost, step.spare, free=step.by_value)

    def afford(sets: int) -> None:
        what = f"to order {sets:,} sets of keys by cost"
        engine.afford(sets * PER_SET, what, "Recode or leave out keys,")

    if step.household is not None or step.together:
        constant = find_common_keys(engine, scenarios, union)
    if step.joint:
        if known is not None:
            raise UsageError("Joint blanks need keys as they were: leave out joint.")
        limits = _find_formula_limits(engine, step, scenarios)
        sizes = find_size_keys(engine, scenarios)
        blanks = find_joint_blanks(
            engine,
            scenarios,
            by_household(scenarios, together, limits),
            demands,
            limits=limits,
            costs=costs,
            by_value=step.by_value,
            # Anybody can count the members of a household: blanking its size hides nothing.
            spared=spared | sizes if limits else spared,
            shared=set(chain(*constant.values())),
            crowds=crowds,
            progress=progress,
        )
        return _ChosenBlanks(blanks, demands, constant, {})
    if step.guarantee == "view":
        asked = {
            each.name: (each, replace(demand, crowd=crowds[each.name]))
            for each in scenarios
            for demand in find_demands(engine, each, scenarios, union, step)
        }
        blanks, treatments = blank_view(
            cells,
            asked,
            costs=costs,
            spared=key_bits(together.keys, spared),
            shared=constant,
            seed=step.seed or 0,
            afford=afford,
            afford_combinations=lambda count: engine.afford(
                count * PER_COMBINATION,
                f"for {count:,} combinations of keys",
                "Recode or leave out keys,",
            ),
            progress=progress,
        )
        return _ChosenBlanks(blanks, demands, constant, treatments)
    if constant:
        costs = cost_of_members(engine, scenarios, constant, costs, together.keys)
    for scenario in scenarios:
        limit = _find_formula_limits(engine, step, scenarios).get(scenario.name)
        if limit is not None:
            demand, households = household_demand(
                engine, scenario, together, limit, references[scenario.name], known
            )
            demand = replace(demand, crowd=crowds[scenario.name])
            demands += as_perturbed(demand, scenario, union, kept)
            # Anybody can count the members of a household: blanking its size hides nothing.
            spared |= {households.size_key} if households.size_key else set()
    prices = price_values(cells.codes, cells.count, costs) if step.by_value else None
    ways: Mapping[str, Callable[..., CellBlanks]] = {
        "own": partial(blank_own, prices=prices),
        "strict": partial(blank_strict, prices=prices),
        "shared": blank_shared,
    }
    blanks = ways[step.guarantee](
        cells,
        demands,
        costs=costs,
        spared=key_bits(together.keys, spared),
        afford=afford,
        progress=progress,
    )
    return _ChosenBlanks(blanks, demands, constant, {})


def find_demands(
    engine: Engine,
    scenario: Scenario,
    scenarios: Sequence[Scenario],
    union: Sequence[str],
    step: Suppress,
) -> Iterator[KeySetDemand]:
    """Go through what must hold for a scenario: for all keys at once, or combinations of them."""
    above = find_limit(step.above, scenario.name, scenarios)
    k = find_limit(step.k, scenario.name, scenarios)
    if step.up_to is None and not step.levels:
        homes = find_household_limits(step.household, scenarios)
        named = any(isinstance(each, Mapping) and each for each in (step.above, step.k, homes))
        if above is None and k is None and named:
            return  # not asked for anything here, but elsewhere
        criterion = criterion_of(scenario, above, k, records=engine.rows(), people=step.people)
        yield KeySetDemand(keys=key_bits(union, scenario.keys), criterion=criterion)
        return
    if above is not None:
        criterion = criterion_of(scenario, above, None, records=engine.rows())
        yield KeySetDemand(keys=key_bits(union, scenario.keys), criterion=criterion)
    if k is not None:
        rare = criterion_of(scenario, None, k, records=engine.rows(), people=step.people)
        for keys in _combinations(scenario.keys, step):
            yield KeySetDemand(keys=key_bits(union, keys), criterion=rare, whole=True)


def _combinations(keys: Sequence[str], step: Suppress) -> list[tuple[str, ...]]:
    """The combinations of keys that must not be rare."""
    if step.up_to is not None:
        many = sum(comb(len(keys), size) for size in range(1, step.up_to + 1))
        if many > _MOST_COMBINATIONS:
            raise InputError(
                f"{len(keys)} keys have {many:,} combinations of at most {step.up_to}, and at most "
                f"{_MOST_COMBINATIONS:,} can be protected. Name fewer keys or a smaller size."
            )
        return [
            combination
            for size in range(1, step.up_to + 1)
            for combination in combinations(keys, size)
        ]
    return combine_levels(keys, step.levels)


def find_size_keys(engine: Engine, scenarios: Sequence[Scenario]) -> set[str]:
    """Return the keys that hold the size of a household, which anybody can count."""
    found = []
    for scenario in scenarios:
        if scenario.household:
            nothing = np.zeros(len(engine.cells(scenario)))
            found.append(engine.households(scenario, nothing).size_key)
    return {key for key in found if key}


def _find_linked(
    step: Suppress, known: PerturbationState | None, union: Sequence[str]
) -> Mapping[str, tuple[str, ...]]:
    """Variables that lose their value with a key; with a perturbed one what is released of it."""
    if known is None:
        return {key: tuple(names) for key, names in step.linked.items()}
    names = {key: (key, *step.linked.get(key, ())) for key in union}
    return {
        key: (*each[1:], *(released_name(name) for name in known.find_perturbed(each)))
        for key, each in names.items()
    }


def find_common_keys(
    engine: Engine, scenarios: Sequence[Scenario], union: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return the keys that all members of a household share, by household variable."""
    homes = dict.fromkeys(scenario.household for scenario in scenarios if scenario.household)
    return {
        home: engine.find_constant_keys(Scenario(keys=tuple(union), household=home))
        for home in homes
    }


def _apply_blanks(
    engine: Engine,
    together: Scenario,
    blanks: CellBlanks,
    linked: Mapping[str, tuple[str, ...]],
    shared: Mapping[str, tuple[str, ...]],
) -> Engine:
    """Blank keys, those that members of a household share in all of them or in none.

    Blanks that spread through one kind of household may have to spread on through another, until
    nothing changes.
    """
    lost: Mapping[str, int] | None = None
    for times in count(1):
        made = engine.blank_keys(
            together,
            blanks.cell,
            blanks.keys,
            blanks.count,
            linked=linked,
            together=tuple(shared.items()) * times,
        )
        if len(set(chain(*shared.values()))) == sum(map(len, shared.values())):
            break  # each key spreads through one kind of household
        if made.count_blanks() == lost:
            break
        lost = made.count_blanks()
    return made


def _check_linked(engine: Engine, keys: Sequence[str], step: Suppress) -> None:
    for key, followers in step.linked.items():
        for name in (key, *followers):
            engine.schema[name]
        if key not in keys:
            raise UsageError(f"{key!r} is not a key, so no variable can be linked to it.")
