"""Base of the steps that give one variable other values by a rule."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, ClassVar

import polars as pl

from microsafe.codes import spell_code
from microsafe.engine import Engine
from microsafe.engine.transformations import ShuffledValues, Transformation, renew_values
from microsafe.errors import UsageError
from microsafe.options.parameter import Parameter
from microsafe.progress import Progress
from microsafe.schema import Variable
from microsafe.steps.base import AppliedStep, Step, StepContext, StepOutcome
from microsafe.steps.loss import CATEGORIES
from microsafe.steps.perturbation import released_name

Numeric = Annotated[str, Parameter(label="Variable", control="variable", numeric=True)]


class Change(Step):
    """Base of the kinds that change one variable as a whole, `variable`."""

    __slots__ = ()

    place = "any"
    touches = frozenset({"key", "other"})
    loss = CATEGORIES
    keeps_places: ClassVar[bool] = True  # records of one value have one value still
    variable: str

    @property
    def targets(self) -> tuple[str, ...]:
        """The variable."""
        return (self.variable,)

    @property
    def subject(self) -> str:
        """The variable."""
        return self.variable

    @abstractmethod
    def transformation(self, before: Variable, values: pl.Series) -> Transformation:
        """Work out what it does to a variable.

        Args:
            before: The variable as it is.
            values: Its distinct values, missing codes included.

        Raises:
            UsageError: It does not suit the variable.
        """

    def new_categories(self, variable: Variable, categories: Sequence[str]) -> Sequence[str] | None:
        """Return what each category becomes."""
        return self.apply_rule(variable, categories)

    def apply_rule(self, variable: Variable, categories: Sequence[str]) -> Sequence[str]:
        """Return what the rule makes of each category."""
        values = pl.Series(list(categories), dtype=pl.String)
        if variable.kind in ("integer", "number"):
            values = values.cast(pl.Float64)
        change = self.transformation(variable, values)
        return [spell_code(value) for value in renew_values(values, change)]

    def recode_released(self, name: str, full: Engine) -> Engine | None:
        """Apply the rule to released values, unless it draws new ones."""
        hidden = full.schema[released_name(name)]
        change = self.transformation(hidden, full.values(hidden.name))
        return None if isinstance(change.rule, ShuffledValues) else full.transform_variable(change)

    def values(self, engine: Engine) -> pl.Series:
        """Return the distinct values that it must look at."""
        return engine.values(self.variable)

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:  # noqa: ARG002
        """Have the engine apply the rule."""
        variable = before.engine.schema[self.variable]
        if variable.kind == "other":
            raise UsageError(
                f"{variable.name!r} holds lists or other compound values, which have no codes. "
                "Drop it."
            )
        change = self.transformation(variable, self.values(before.engine))
        return StepOutcome(
            engine=before.engine.transform_variable(change),
            scenarios=before.scenarios,
            taken=AppliedStep(step=self),
        )
