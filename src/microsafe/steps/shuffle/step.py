"""Data shuffling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from microsafe.codes import missing_texts, spell_code
from microsafe.draws import Draws, Words, check_seed
from microsafe.engine import Engine
from microsafe.engine.record_access import Form, Selection
from microsafe.errors import InputError, UsageError
from microsafe.notices import Notice, make_notice
from microsafe.options.parameter import Identifier, Parameter, Why, value_in_words
from microsafe.options.signature import list_fields
from microsafe.progress import Progress
from microsafe.sentences import Sentence
from microsafe.steps.base import AppliedStep, GlossaryTerm, StepContext, StepOutcome
from microsafe.steps.changed_variable import number
from microsafe.steps.microaggregate.kernel import Flags
from microsafe.steps.number_format import check_names
from microsafe.steps.numeric_step import (
    Numbers,
    NumericStep,
    Seed,
    compare_correlations,
    tell_correlations,
)
from microsafe.steps.record_table import RecordTable
from microsafe.steps.shuffle.kernel import (
    ModelColumn,
    deal_out,
    draw_scores,
    fit_model,
    rank_column,
)
from microsafe.sums import Floats

_FEW = 20  # different numbers in text that may be categories
_MOST = 500  # categories of all variables together
_LEAST = 3  # records that a correlation can be computed from


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle(NumericStep):
    """Deal out the numbers of some variables anew, in an order drawn given other variables."""

    do = "shuffle"
    title = "Data shuffling"
    public = (
        "Data shuffling. Values of numeric variables were dealt out anew at random, so that their "
        "distribution and their relations with other variables are kept."
    )
    term = GlossaryTerm(
        name="data shuffling",
        meaning="Numbers dealt out anew in an order that is drawn given other variables.",
        see="[Data shuffling](methods/shuffling.md)",
        sdcmicro="`shuffle`",
    )

    variables: Numbers = field(kw_only=False)
    given: Annotated[
        Sequence[str],
        Parameter(
            label="Given",
            help="Variables that the new order depends on; relations with them are kept.",
            control="variables",
            changed=False,
        ),
    ]
    seed: Seed = field(repr=False)
    identifier: Identifier = None
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        NumericStep.__post_init__(self)
        check_names(self.variables, {"given": self.given})
        if not self.given:
            raise UsageError("Name at least one variable that the new order depends on (given).")
        check_seed(self.seed, "of shuffling")

    def in_words(self, taken: AppliedStep | None = None) -> str:  # noqa: ARG002
        """Name the variables."""
        return f"shuffle {self.names} given {value_in_words(self.given)}"

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say what became of rank correlations, and what was left out."""
        rows = tell_correlations(taken.facts["correlations"])  # type: ignore[arg-type]
        if taken.facts["redundant"]:
            rows.append((Sentence("result-redundant"), value_in_words(taken.facts["redundant"])))
        return rows

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Draw an order for each variable and deal its values out in it.

        Raises:
            InputError: There are too few values, or too many categories.
        """
        engine = before.engine
        given = {name: _choose_form(engine, name) for name in self.given}
        weight = next((scenario.weight for scenario in before.scenarios if scenario.weight), None)
        forms: dict[str, Form] = {**dict.fromkeys(self.variables, "number"), **given}
        if weight is not None:
            forms.setdefault(weight, "number")
        table = RecordTable.read(
            engine, Selection(forms=forms, identifier=self.identifier), progress
        )
        old = {name: table.numbers_of(name) for name in self.variables}
        step = len(before.steps) + 1
        new, redundant = self._deal_out(
            old,
            [_column(table, name, form) for name, form in given.items()],
            table.columns[weight] if weight is not None and forms[weight] == "number" else None,
            [Draws(seed=self.seed, step=step, variable=name).words(table.numbers) for name in old],
        )
        ranked = {name: table.columns[name] for name in given if given[name] == "number"}
        facts = {
            "correlations": compare_correlations({**old, **ranked}, new),
            "redundant": [name for name, out in zip(given, redundant, strict=True) if out],
        }
        return StepOutcome(
            engine=table.replace(new),
            scenarios=before.scenarios,
            taken=AppliedStep(step=self, facts=facts),
            notices=tuple(self._notices(facts)),
        )

    def _deal_out(
        self,
        old: Mapping[str, Floats],
        given: Sequence[ModelColumn],
        weights: Floats | None,
        words: Sequence[Words],
    ) -> tuple[dict[str, Floats], Sequence[bool]]:
        """New values, and which of the given variables were left out."""
        whole: Flags = np.all([~np.isnan(each) for each in old.values()], axis=0)
        if (count := int(whole.sum())) < _LEAST:
            raise InputError(
                f"Shuffling needs at least {_LEAST} records with values of {self.names}, and the "
                f"file has {count:,}. Shuffle variables apart, or drop them."
            )
        counted = np.ones(len(whole)) if weights is None else np.nan_to_num(weights)
        model = fit_model(
            [rank_column(each).select(whole) for each in old.values()],
            [each.select(whole) for each in given],
            counted[whole] if counted[whole].any() else np.ones(int(whole.sum())),
        )
        scores = draw_scores(model, given, [word[:, 0] for word in words])
        new = {}
        for (name, values), score, word in zip(old.items(), scores, words, strict=True):
            known = ~np.isnan(values)
            new[name] = values.copy()
            new[name][known] = deal_out(values[known], score[known], word[known, 1])
        return new, model.redundant

    def _notices(self, facts: Mapping[str, object]) -> Iterator[Notice]:
        if facts["redundant"]:
            yield make_notice("shuffled-redundant", names=facts["redundant"])


def _choose_form(engine: Engine, name: str) -> Form:
    """Tell whether a variable is given by its ranks or by its categories.

    Text that spells more than a few different numbers is taken for numbers.
    """
    variable = engine.schema[name]
    missing = missing_texts(variable)
    labelled = any(spell_code(code) not in missing for code in variable.labels)
    coded = labelled or variable.measure in ("nominal", "ordinal")
    if variable.kind in ("integer", "number") and not coded:
        return "number"
    categories = engine.categories(name)
    numeric = all(number(category) is not None for category in categories)
    if numeric and not coded and len(categories) > _FEW:
        return "number"
    if len(categories) > _MOST:
        raise InputError(
            f"{name!r} has {len(categories):,} categories, more than the {_MOST} that shuffling "
            "can take account of. Recode it to fewer, or leave it out."
        )
    return "code"


def _column(table: RecordTable, name: str, form: Form) -> ModelColumn:
    """A given variable as the model sees it; missing is a category of its own."""
    values = table.columns[name]
    if form == "number":
        return rank_column(values)
    return ModelColumn(values=values, categories=int(values.max(initial=0)) + 1)
