"""PRAM: categories replaced at random, by chances that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any, cast

import numpy as np

from microsafe.codes import spell_code
from microsafe.display import Rate, show_number, show_percent
from microsafe.draws import Draws, check_seed
from microsafe.errors import InputError, UsageError
from microsafe.notices import Notice, make_notice
from microsafe.options.parameter import Chosen, Identifier, Parameter, Why
from microsafe.options.scenario import Scenario
from microsafe.options.signature import list_fields
from microsafe.progress import Progress
from microsafe.schema import Code
from microsafe.sentences import Sentence
from microsafe.steps.base import (
    AppliedStep,
    DeclaredStudy,
    GlossaryTerm,
    Step,
    StepContext,
    StepOutcome,
)
from microsafe.steps.loss import CATEGORIES
from microsafe.steps.perturbation import (
    ClassChances,
    PerturbationState,
    Transition,
    copy_name,
    released_name,
)
from microsafe.steps.pram.design import (
    PER_CHANCE,
    PramChances,
    PramDesign,
    check_categories,
    check_households,
    check_strata,
    code_of,
    count_classes,
    count_weighed,
    judge_kept,
    make_matrices,
    order_categories,
    randomise,
    weigh_as,
)
from microsafe.steps.risky_records import flag_records
from microsafe.steps.role_defaults import find_strata

_USUAL_KEEP = 0.9
_BY_CHANCE = "each value stays with at least this chance; totals stay right on average"
_BY_PLACES = "by a few places, for categories that are ordered"
_BY_MATRIX = "by chances of your own"


def _yes_or_no(answer: object) -> Sentence:
    return Sentence("yes" if answer else "no")


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Pram(Step):
    """Replace categories of a variable at random (post-randomisation)."""

    do = "pram"
    title = "PRAM"
    public = (
        "PRAM (post-randomisation). Values of a categorical variable were replaced at random by "
        "other categories of the same variable, with chances that were fixed beforehand."
    )
    term = GlossaryTerm(
        name="PRAM",
        meaning="Post-randomisation: categories of a variable replaced at random, with known "
        "chances, so that nobody can be sure that a record shows the truth.",
        see="[PRAM](methods/pram.md)",
        sdcmicro="`pram`, `pram_strata` (`pd` = keep, `alpha` has no counterpart)",
        muargus="PRAM",
    )
    place = "any"
    touches = frozenset({"key", "other"})
    loss = CATEGORIES

    variable: Chosen = field(kw_only=False)
    keep: Annotated[
        Rate | None,
        Parameter(
            label="Least chance to stay",
            help="A value stays with at least this chance, such as 0.9 or 90 %; 0.9 if left empty.",
            way=_BY_CHANCE,
        ),
    ] = None
    matrix: Annotated[
        Mapping[Any, Mapping[Any, float]],
        Parameter(
            label="Chances",
            example="{a={a=0.9, b=0.1}, b={b=1.0}}",
            help="Each row says what becomes of a category, and sums to 1.",
            control="matrix",
            way=_BY_MATRIX,
        ),
    ] = field(default_factory=dict)
    band: Annotated[
        int | None,
        Parameter(
            label="Places to move",
            help="In the order of the categories, both ways.",
            way=_BY_PLACES,
        ),
    ] = None
    change: Annotated[
        Rate | None,
        Parameter(label="Largest chance to move", help="Goes with places to move.", way=_BY_PLACES),
    ] = None
    strata: Annotated[
        Sequence[str],
        Parameter(
            label="Strata",
            help="Categories are exchanged among records that agree on these variables.",
            changed=False,
        ),
    ] = ()
    within: Annotated[
        Sequence[Sequence[Code]],
        Parameter(
            label="Groups of categories that may be exchanged",
            example='[["a", "b"], ["c", "d"]]',
            help="All may if there is no group; a category of no group stays as it is.",
            control="groups",
            way=_BY_CHANCE,
        ),
    ] = ()
    above: Annotated[
        Rate | None,
        Parameter(label="Only records with a risk above", help="All records if it is left out."),
    ] = None
    together: Annotated[
        str | None,
        Parameter(
            label="Household",
            help="All its members get the same value; they must have the same before.",
            control="variable",
            changed=False,
        ),
    ] = None
    identifier: Identifier = None
    seed: Annotated[
        int,
        Parameter(
            label="Seed",
            help="Anyone with the seed can tell much of who was changed.",
            control="seed",
        ),
    ] = field(repr=False)
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        Step.__post_init__(self)
        put, name = partial(object.__setattr__, self), self.variable
        matrix = {
            spell_code(old): {spell_code(new): float(value) for new, value in row.items()}
            for old, row in self.matrix.items()
        }
        put("matrix", matrix)
        put("within", tuple(tuple(map(spell_code, group)) for group in self.within))
        check_seed(self.seed, f"for {name!r}")
        ways = [self.keep is not None, bool(matrix), self.band is not None]
        if sum(ways) > 1:
            raise UsageError(f"PRAM of {name!r} takes one of keep, matrix and band.")
        self._check_chances()
        if self.within and (matrix or self.band is not None):
            raise UsageError(f"Groups of categories of {name!r} (within) go with keep only.")
        listed = [code for group in self.within for code in group]
        if len(listed) > len(set(listed)):
            raise UsageError(f"A category of {name!r} is in two groups. Take it out of one.")
        if name in self.strata or len(self.strata) > len(set(self.strata)):
            raise UsageError(f"Strata are variables other than {name!r}, each named once.")

    def _check_chances(self) -> None:
        name = self.variable
        if self.keep is not None and not 0 < self.keep < 1:
            raise UsageError(f"keep of {name!r} must be above 0 and below 1.")
        if (self.band is None) != (self.change is None):
            raise UsageError(f"band and change of {name!r} go together. Give both.")
        if self.band is not None and self.band < 1:
            raise UsageError(f"band of {name!r} must be at least 1.")
        if self.change is not None and not 0 < self.change <= 1:
            raise UsageError(f"change of {name!r} must be above 0 and at most 1.")
        if self.above is not None and not 0 < self.above < 1:
            raise UsageError(f"The risk above which {name!r} is changed must be between 0 and 1.")

    @classmethod
    def declared_options(cls, given: Mapping[str, Any], study: DeclaredStudy) -> Mapping[str, Any]:
        """Return strata, and the household of values that members share."""
        return find_strata(given, study)

    @property
    def targets(self) -> tuple[str, ...]:
        """The variable."""
        return (self.variable,)

    @property
    def subject(self) -> str:
        """The variable."""
        return self.variable

    @property
    def hides_spread(self) -> bool:
        """Unless chances follow from what is told: with two categories the loss gives them away."""
        bounded = self.strata or self.within or self.above is not None
        return self.keep is None or bool(bounded)

    @property
    def ways(self) -> PramChances:
        """How chances are made."""
        keep = self.keep
        if keep is None and not self.matrix and self.band is None:
            keep = _USUAL_KEEP
        return PramChances(
            keep=keep,
            matrix=self.matrix,
            band=self.band,
            change=self.change,
            within=cast("tuple[tuple[str, ...], ...]", self.within),
        )

    def in_words(self, taken: AppliedStep | None = None) -> str:
        """Say how, and how many values were changed if that is known."""
        ways = self.ways
        how = "by a given matrix"
        if ways.keep is not None:
            how = f"each value kept with a chance of at least {ways.keep:g}"
        elif ways.band is not None:
            how = f"moved by at most {ways.band} with a chance of at most {ways.change:g}"
        if self.strata:
            how += f", within {', '.join(self.strata)}"
        if self.above is not None:
            how += f", records with a risk above {self.above:g}"
        text = f"PRAM of {self.variable}: {how}"
        if taken is None or "values" not in taken.facts:
            return text
        values, kept = self._counts(taken)
        return f"{text}; {values - kept:,} of {values:,} values changed"

    def _counts(self, taken: AppliedStep) -> tuple[int, int]:
        facts: Mapping[str, Any] = taken.facts
        return int(facts["values"]), int(facts["kept"])

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say how many values stayed, what was expected, and what it adds to standard errors."""
        facts: Mapping[str, Any] = taken.facts
        values, kept = self._counts(taken)
        rows: list[tuple[str, str]] = [
            (
                Sentence("result-values-changed"),
                f"{values - kept:,} ({show_percent(1 - kept / max(values, 1))})",
            ),
            (
                Sentence("result-values-kept"),
                Sentence(
                    "values-kept",
                    kept=kept / max(values, 1),
                    expected=facts["expected"] / max(values, 1),
                    deviation=facts["deviation"] / max(values, 1),
                ),
            ),
            (Sentence("result-frequencies-kept"), _yes_or_no(facts["keeps_margin"])),
        ]
        if facts.get("added_error"):
            largest = max(facts["added_error"].values())
            rows.append((Sentence("result-added-error"), show_percent(largest)))
        if facts.get("single"):
            rows.append((Sentence("result-single-strata"), f"{facts['single']:,}"))
        return rows

    def public_results(self, taken: AppliedStep, *, matrix: bool) -> list[tuple[str, str]]:
        """Say whether frequencies are kept, and the chances if they are to be published."""
        keeps = taken.facts["keeps_margin"]
        told: list[tuple[str, str]] = [(Sentence("result-frequencies-kept"), _yes_or_no(keeps))]
        chances: Any = taken.facts.get("matrix")
        if not matrix or not chances:
            return told
        for old, row in chances.items():
            told.append((old, "; ".join(f"{new}: {show_number(p, 4)}" for new, p in row.items())))
        return told

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Draw new categories.

        Raises:
            InputError: The variable has no categories to exchange, or other data do not suit.
            UsageError: A variable that is named cannot be used for that.
        """
        number = len(before.steps) + 1
        known = before.perturbation or PerturbationState(full=before.engine)
        self._check_variables(before, known)
        known = known.with_copies((self.variable,), self.strata, number)
        design = self._find_design(known, before, number, progress)
        made, facts = randomise(design)
        judge_kept(self.variable, facts)
        old = known.transitions.get(self.variable)
        origin = copy_name(self.variable, number)
        words = Sentence("pram-of", names=(self.variable,))
        start = old or Transition(words=words, origin=origin)
        chances = ClassChances(
            by=design.by, categories=design.categories, matrices=design.matrices_by_text()
        )
        changed = replace(start, links=(*start.links, chances))
        copies = {**known.copies, **({design.flag: ("", True)} if design.flag else {})}
        if old is not None:
            made = made.drop_variables((origin,))
            del copies[origin]
        after = replace(
            known,
            full=made,
            transitions={**known.transitions, self.variable: changed},
            copies=copies,
        )
        return StepOutcome(
            engine=made,
            scenarios=before.scenarios,
            taken=AppliedStep(step=self, facts=facts),
            notices=tuple(self._notices(before, known, facts)),
            perturbation=after,
        )

    def _find_design(
        self, known: PerturbationState, before: StepContext, number: int, progress: Progress
    ) -> PramDesign:
        """Find out the chances.

        Args:
            known: Has copies of the variables that the step rests on.
            before: The data.
            number: Of the step in the plan.
            progress: Progress callback.

        Raises:
            InputError: The data do not suit it.
        """
        engine, start = known.full, copy_name(self.variable, number)
        strata = {name: copy_name(name, number) for name in self.strata}
        by = tuple(strata.values())
        categories = tuple(engine.categories(start))
        check_categories(self.variable, self.ways, categories)
        check_strata(engine, strata)
        if self.together is not None:
            check_households(engine, self.together, {self.variable: start, **strata})
        flag = None
        if self.above is not None:
            engine, flag = flag_records(
                before, engine, self.variable, number, above=self.above,
                household=self.together, identifier=self.identifier, progress=progress,
            )  # fmt: skip
            by = (*by, flag)
        weighed = weigh_as(before.scenarios, (*by, start), self.together)
        cells = count_weighed(engine, weighed, progress=progress)
        classes, count, weight = count_classes(cells, categories)
        what = f"for {len(classes):,} matrices of {len(categories):,} categories"
        size = len(classes) * len(categories) ** 2 * PER_CHANCE
        engine.afford(size, what, "Name fewer strata, or recode the variable,")
        chosen = np.ones(len(classes), np.bool_)
        if flag is not None:
            chosen = classes[:, -1] == code_of("1", cells.categories[len(by) - 1])
        order = order_categories(engine.schema[start], categories)
        return PramDesign(
            engine=engine,
            target=released_name(self.variable),
            start=start,
            by=by,
            flag=flag,
            categories=categories,
            order=order,
            classes=classes,
            texts=tuple(cells.categories[: len(by)]),
            count=count,
            weight=weight,
            matrices=make_matrices(self.variable, self.ways, categories, order, weight, chosen),
            household=self.together,
            identifier=self.identifier,
            weighed=weighed,
            draws=Draws(seed=self.seed, step=number, variable=self.variable),
        )

    def _check_variables(self, before: StepContext, known: PerturbationState) -> None:
        schema = before.engine.schema
        variable = schema[self.variable]
        if variable.kind not in ("integer", "number", "text"):
            raise InputError(
                f"{variable.name!r} holds no codes that could be exchanged. Recode it first."
            )
        for name in (*self.strata, *filter(None, (self.together, self.identifier))):
            schema[name]
            if name in known.transitions:
                raise UsageError(
                    f"{name!r} was perturbed itself ({known.transitions[name].words}). Name a "
                    "variable that was not, or take this step first."
                )
        if self.together is not None and self.together in (self.variable, *self.strata):
            raise UsageError(f"{self.together!r} cannot be the household and a variable of PRAM.")

    def _notices(
        self, before: StepContext, known: PerturbationState, facts: Mapping[str, Any]
    ) -> list[Notice]:
        found = []
        if self.together is None and self._is_shared(before, known):
            found.append(make_notice("perturbed-members", name=self.variable))
        if self.above is not None:
            found.append(make_notice("perturbed-targeted", name=self.variable))
        if facts.get("single"):
            found.append(make_notice("pram-single", name=self.variable, count=facts["single"]))
        return found

    def _is_shared(self, before: StepContext, known: PerturbationState) -> bool:
        """Tell whether all members of every household have the same value, and some are two."""
        homes = {scenario.household for scenario in before.scenarios if scenario.household}
        for home in sorted(homes):
            asked = Scenario(keys=(self.variable,), household=home)
            sizes = known.full.households(asked, np.zeros(len(known.full.cells(asked)))).size
            if sizes.max() > 1 and known.full.find_constant_keys(asked):
                return True
        return False
