"""The variables of a study as columns in Spark."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import polars as pl
from pyspark.sql import functions as sf

from microsafe.engine.spark.rows import Rows, fetch, join_table
from microsafe.engine.spark.values import comparable, drop_missing, plain_column
from microsafe.engine.spark.weights import median, parse_numbers
from microsafe.engine.transformations import Transformation, renew_values
from microsafe.errors import InputError
from microsafe.options.scenario import Scenario
from microsafe.schema import HIDDEN, Schema, Variable

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColumnRef:
    """Where a variable is: the column of its values, their type, and where they are blank."""

    value: str
    dtype: DataType
    blank: str | None = None

    @property
    def columns(self) -> list[str]:
        """The columns that it takes."""
        return [self.value, *([self.blank] if self.blank else [])]

    @property
    def now(self) -> Column:
        """Its values, blanks being null."""
        value = sf.col(self.value)
        return sf.when(~sf.col(self.blank), value) if self.blank else value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Data:
    """Records and where their variables are.

    Attributes:
        schema: What is known of the variables.
        rows: The records.
        refs: By name, where each variable is.
        numbers: Variables read as numbers so far, by the column of their values.
        files: How many records come before each file, once that was asked.
        medians: Of weights that are as they were read, by their column and what becomes of low
            ones.
    """

    schema: Schema
    rows: Rows
    refs: Mapping[str, ColumnRef]
    numbers: dict[str, Column] = field(default_factory=dict)
    files: list[pl.DataFrame] = field(default_factory=list)
    medians: dict[tuple[str, bool], float] = field(default_factory=dict)

    @classmethod
    def of(cls, schema: Schema, frame: DataFrame, order: tuple[str, ...]) -> Data:
        """Take up records as they were read: columns `c0`, `c1`, ..."""
        types = {field.name: field.dataType for field in frame.schema.fields}
        refs = {
            name: ColumnRef(value=f"c{place}", dtype=types[f"c{place}"])
            for place, name in enumerate(schema.names)
        }
        return cls(schema=schema, rows=Rows(base=frame, order=order), refs=refs)

    @property
    def shown_names(self) -> list[str]:
        """All variables but hidden ones, and those whose released values are among these."""
        names = self.schema.names
        return [n for n in names if HIDDEN not in n and f"{n}{HIDDEN}released" not in names]

    def copy_variable(self, name: str, copy: Variable) -> Data:
        """Return data in which a variable is there under another name too."""
        schema = replace(self.schema, variables=(*self.schema, copy))
        return replace(self, schema=schema, refs={**self.refs, copy.name: self.refs[name]})

    def replace_variable(self, name: str, by: str) -> Data:
        """Return data in which another variable has taken the place of one."""
        refs = {variable: ref for variable, ref in self.refs.items() if variable != by}
        schema = self.schema.replace_variable(name, by)
        return replace(self, schema=schema, refs={**refs, name: self.refs[by]})

    def drop_variables(self, names: Collection[str]) -> Data:
        """Return data without some variables."""
        variables = tuple(variable for variable in self.schema if variable.name not in names)
        refs = {name: ref for name, ref in self.refs.items() if name not in names}
        return replace(self, schema=replace(self.schema, variables=variables), refs=refs)

    def frame(self, *names: str) -> DataFrame:
        """Return the columns of some variables."""
        return self.rows.frame({column for name in names for column in self.refs[name].columns})

    def needs(self, scenario: Scenario, *, household: bool = False) -> set[str]:
        """Return the columns that cells are made of, and households if asked."""
        names = [*scenario.keys, *([scenario.weight] if scenario.weight else [])]
        if household and scenario.household:
            names.append(scenario.household)
        return {column for name in names for column in self.refs[name].columns}

    def add_keys(
        self, frame: DataFrame, scenario: Scenario, *, household: bool = False, raw: bool = False
    ) -> DataFrame:
        """Add to a frame what cells are counted by.

        Args:
            frame: It has the columns that are needed.
            scenario: Its keys become `k0`, `k1`, ..., its weight becomes `w`.
            household: Whether its household becomes `h`, null for everything that means missing.
            raw: Whether the weight as it is becomes `raw`.
        """
        columns = {f"k{place}": self.categories(key) for place, key in enumerate(scenario.keys)}
        columns |= self.weights(scenario, raw=raw)
        if household and scenario.household is not None:
            self.refuse_compound(scenario.household)
            columns["h"] = self.known_values(scenario.household)
        return frame.withColumns(columns)

    def weights(self, scenario: Scenario, *, raw: bool = False) -> dict[str, Column]:
        """Return the weight of a scenario as `w`, and as it is as `raw`; nothing without one."""
        if scenario.weight is None:
            return {}
        number = self.number(scenario.weight)
        clip = scenario.clip_weights
        columns = {"w": sf.greatest(number, sf.lit(1.0)) if clip else number}
        return columns | ({"raw": number} if raw else {})

    def median_weight(self, scenario: Scenario, *, few: bool) -> float:
        """Return the median weight, once for a weight as it was read.

        Args:
            scenario: Whose weight.
            few: Whether records are so few that weights come here, in one pass instead of two.
        """
        ref = self.refs[str(scenario.weight)]
        as_read = ref.value in self.rows.base.columns and ref.blank is None
        label = (ref.value, scenario.clip_weights)
        if as_read and label in self.medians:
            return self.medians[label]
        frame = self.rows.frame(set(ref.columns)).withColumns(self.weights(scenario))
        middle = median(frame, "w", self.schema.source, few=few)
        if as_read:
            self.medians[label] = middle
        return middle

    def categories(self, name: str) -> Column:
        """Return what the categories of a variable are made of, as it is now."""
        return comparable(self.refs[name].now, self.refs[name].dtype)

    def with_households(self, scenario: Scenario) -> DataFrame:
        """Return keys, weight and household of all records."""
        needs = self.needs(scenario, household=True)
        return self.add_keys(self.rows.frame(needs), scenario, household=True)

    def known_values(self, name: str) -> Column:
        """Return a variable as it is now, null for everything that means missing."""
        ref = self.refs[name]
        return drop_missing(comparable(ref.now, ref.dtype), ref.dtype, self.schema[name])

    def plain_values(self, name: str) -> Column:
        """Return a variable as rules see it, blanks or not."""
        ref = self.refs[name]
        return plain_column(sf.col(ref.value), ref.dtype)

    def number(self, name: str) -> Column:
        """Return a variable as it is now as numbers; takes a pass of the column if it is text."""
        ref = self.refs[name]
        if ref.value not in self.numbers:
            where = f"Variable {name!r} of {self.schema.source}"
            frame = self.rows.frame([ref.value])
            parsed = parse_numbers(frame, ref.value, ref.dtype, self.schema[name], where)
            self.numbers[ref.value] = parsed
        number = self.numbers[ref.value]
        return sf.when(~sf.col(ref.blank), number) if ref.blank else number

    def refuse_compound(self, name: str) -> None:
        """Raise InputError if a variable has no categories."""
        if self.schema[name].kind == "other":
            raise InputError(
                f"Variable {name!r} of {self.schema.source} holds lists or other compound values, "
                "which cannot be compared. Leave it out."
            )

    def order(self) -> tuple[str, ...]:
        """Return what tells which record comes first: its place, or else all that it says."""
        if self.rows.order:
            return self.rows.order
        unordered = ("map", "variant", "interval")
        return tuple(
            field.name
            for field in self.rows.base.schema.fields
            if not field.dataType.typeName().startswith(unordered)
        )

    def starts(self) -> pl.DataFrame:
        """Return by file how many records come before it, as `start`; one pass, no columns."""
        if not self.files:
            *files, _ = self.rows.order
            counts = self.rows.base.groupBy(*files).agg(sf.count("*").alias("n"))
            sizes = fetch(counts, self.schema.source).sort(files)
            self.files.append(sizes.select(*files, start=pl.col("n").cum_sum() - pl.col("n")))
        return self.files[0]

    def transform(self, change: Transformation, old: pl.Series) -> tuple[Data, pl.Series]:
        """Return the data with other values of a variable, and those values.

        Args:
            change: What is done.
            old: The distinct values of the variable, blanks or not.
        """
        name = change.after.name
        ref, new, value = self.refs[name], renew_values(old, change), self.rows.fresh("v")
        table, on = pl.DataFrame({"old": old, value: new}), {"old": self.plain_values(name)}
        variables = tuple(change.after if v.name == name else v for v in self.schema)
        changed = replace(
            self,
            schema=replace(self.schema, variables=variables),
            rows=self.rows.with_layer(
                (value,), {ref.value}, lambda frame: join_table(frame, on, table)
            ),
            refs={**self.refs, name: replace(ref, value=value, dtype=_spark_type(new.dtype))},
        )
        return changed, new


def _spark_type(dtype: pl.DataType) -> DataType:
    from pyspark.sql import types

    if dtype == pl.String:
        return types.StringType()
    if dtype == pl.Date:
        return types.DateType()
    return types.LongType() if dtype.is_integer() else types.DoubleType()
