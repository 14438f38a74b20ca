"""New numbers for identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import polars as pl

from microsafe.codes import spell_code
from microsafe.draws import check_seed
from microsafe.engine import Engine
from microsafe.engine.transformations import ShuffledValues, Transformation
from microsafe.options.parameter import Chosen, Parameter, Why
from microsafe.options.signature import list_fields
from microsafe.schema import Variable
from microsafe.steps.base import AppliedStep, GlossaryTerm
from microsafe.steps.change import Change
from microsafe.steps.changed_variable import DistinctValues, missing_codes


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Renumber(Change):
    """Replace identifiers by random whole numbers, equal ones by equal ones."""

    do = "renumber"
    title = "New numbers"
    public = (
        "New numbers. Numbers of records or households were replaced by random ones that carry no "
        "information."
    )
    term = GlossaryTerm(
        name="renumber",
        meaning="Replace identifiers by random numbers, equal ones by equal ones.",
        sdcmicro="`createNewID`",
        muargus="household identifier changed or removed on writing",
    )
    touches = frozenset({"key", "other", "household"})
    keeps_places = False

    variable: Chosen = field(kw_only=False)
    seed: Annotated[
        int,
        Parameter(
            label="Seed",
            help="Anyone with the seed and the old identifiers can reverse this.",
            control="seed",
        ),
    ] = field(repr=False)
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        check_seed(self.seed, f"for {self.variable!r}")

    def in_words(self, taken: AppliedStep | None = None) -> str:  # noqa: ARG002
        """Name the variable."""
        return f"renumber {self.variable}"

    def values(self, engine: Engine) -> pl.Series:  # noqa: ARG002
        """Return nothing: it need not know the identifiers, of which there may be millions."""
        return pl.Series([], dtype=pl.String)

    def new_categories(self, variable: Variable, categories: Sequence[str]) -> None:
        """Return nothing: what is drawn goes by all numbers there are, not by those given here."""

    def transformation(self, before: Variable, values: pl.Series) -> Transformation:
        """Work out what new identifiers make of a variable; missing ones stay missing."""
        whole = before.kind in ("integer", "number")
        kept = missing_codes(before, DistinctValues.of(values, before))
        labels = {code: label for code, label in before.labels.items() if spell_code(code) in kept}
        after = replace(
            before, kind=before.kind if whole else "text", labels=labels, measure="nominal"
        )
        return Transformation(rule=ShuffledValues(self.seed), before=before, after=after)
