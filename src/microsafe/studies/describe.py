"""The verbs that say what variables are, look at them, and hand the records out.

Nothing is refused here: frames stay in memory, with the analyst who opened them, and what may
leave in a file is asked by `write` and by a release (`release.py`, `plan/run.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import polars as pl

from microsafe.display import shorten_list
from microsafe.engine import Engine, declare_variables, type_plain_numbers
from microsafe.engine.record_order import NewOrder
from microsafe.errors import InputError, UsageError
from microsafe.io.formats import spells_out
from microsafe.io.pandas import frame_to_pandas
from microsafe.notices import Notice, make_notice
from microsafe.options.declaration import Declaration, check_roles, find_defaults
from microsafe.progress import Progress, silent
from microsafe.schema import Code
from microsafe.studies.core import StudyCore
from microsafe.studies.declarations import propose_declarations
from microsafe.studies.frames import import_library
from microsafe.studies.variable_description import describe_variables
from microsafe.studies.variable_inventory import make_inventory
from microsafe.studies.variable_preview import SHOWN, preview_variables
from microsafe.variables.decide import Keep
from microsafe.variables.description import Description, VariablePreviews
from microsafe.variables.inventory import Inventory
from microsafe.variables.roles import named_role

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]
    import pyarrow as pa

AnyStudy = TypeVar("AnyStudy", bound="DescribeVerbs")


class DescribeVerbs(StudyCore):
    """A study whose variables can be declared and described."""

    __slots__ = ()

    def declare(self, variables: Mapping[str, Declaration]) -> Self:
        """Return the study in which something is said of variables, before any step.

        A declaration takes the place of an earlier one of the same variable; `Declaration()` takes
        it back. If the study has no scenario and keys are declared, the scenario is made of the
        roles.

        Args:
            variables: What is said, by name.

        Raises:
            UsageError: A step was taken: go back to the data as read (`rollback(0)`) first.
            UnknownVariableError: A variable is not there.
            InputError: Values are not what they are declared to be.

        Example:
            >>> import microsafe as ms
            >>> s = ms.study("lfs.csv")  # doctest: +SKIP
            >>> s.declare({"age": ms.Declaration(type="number", missing=("NA",))})  # doctest: +SKIP
        """
        if self.steps:
            raise UsageError(
                "Variables are declared before the first step. Go back to the data as read "
                "(rollback(0)), declare, and take the steps again."
            )
        said = {**self.declarations, **variables}
        said = {name: value for name, value in said.items() if value != Declaration()}
        check_roles(said)
        as_read = self._as_read or self.engine
        for name in variables:
            as_read.schema[name]
        engine = declare_variables(as_read, said)
        made = replace(self, engine=engine, declarations=said, _as_read=as_read, _models={})
        roles = find_defaults(said)
        if made.scenarios or not roles.keys:
            return made
        return made.with_scenario(
            "main", keys=roles.keys, weight=roles.weight, household=roles.household
        )

    def propose_declarations(
        self, names: Iterable[str] | None = None, *, progress: Progress = silent
    ) -> dict[str, Declaration]:
        """Return what the values suggest to declare, on top of what is declared already.

        Words such as NA in a column of numbers are proposed as missing. `study.declare` takes all
        of it, or a part.

        Args:
            names: Which variables to look at; all if None.
            progress: Progress callback.
        """
        return propose_declarations(self, names, progress=progress)

    def preview_variables(
        self,
        names: Iterable[str] | None = None,
        *,
        most: int = SHOWN,
        progress: Progress = silent,
    ) -> VariablePreviews:
        """Show variables as read and declared: types, missing codes, categories and counts.

        Values that tell people apart are never shown.

        Args:
            names: Which variables; all if None.
            most: Categories, or bins, of each that are shown.
            progress: Progress callback.

        Example:
            >>> import microsafe as ms
            >>> len(ms.survey(1, households=60).preview_variables(["sex", "age"]))
            2
        """
        return preview_variables(self, names, most=most, progress=progress)

    def describe(self, *, progress: Progress = silent) -> Description:
        """Look at every variable: kind, categories, missing values, probable role.

        At most eight keys are proposed, each with its reason and what it adds to those before it,
        as counted on the cells of all of them (docs/methods/inventory.md).

        Args:
            progress: Progress callback.
        """
        return describe_variables(self, progress=progress)

    def inventory(
        self,
        *,
        keep: Mapping[str, str] | Iterable[Keep] = (),
        progress: Progress = silent,
    ) -> Inventory:
        """List all variables: what makes each delicate, and what becomes of it.

        What is recognised is what the data show before protection, or the sample as drawn;
        decisions are those of the scenarios, of the steps taken and of `keep`
        (docs/methods/inventory.md).

        Args:
            keep: Reason to keep a variable, by name.
            progress: Progress callback.
        """
        return make_inventory(self, keep=keep, progress=progress)

    def to_polars(self) -> pl.DataFrame:
        """Return the records as they now are as a Polars frame: what `write` would write.

        Raises:
            InputError: There is no room for them, or Spark has more than may come here.
        """
        return self.engine.table()

    def to_pandas(self) -> pd.DataFrame:
        """Return the records as they now are as a pandas frame, with the index that came in.

        Raises:
            UsageError: pandas is not installed.
            InputError: As `to_polars`.
        """
        pandas = import_library("pandas")
        made: Any = self.engine.frame()
        if not isinstance(made, pandas.DataFrame):
            made = frame_to_pandas(made if isinstance(made, pl.DataFrame) else self.engine.table())
        found: pd.DataFrame = made
        return found

    def to_arrow(self) -> pa.Table:
        """Return the records as they now are as a PyArrow table.

        Raises:
            UsageError: PyArrow is not installed.
            InputError: As `to_polars`.
        """
        import_library("pyarrow")
        return self.engine.table().to_arrow()

    def _write_file(
        self,
        path: str | Path,
        *,
        notes: bool = True,
        blanks: Mapping[str, Code] | None = None,
        shuffle: NewOrder | None = None,
        prune: bool = False,
        progress: Progress = silent,
    ) -> tuple[Notice, ...]:
        """Write the data without asking for anything; return what to know of the file.

        `write` has its gate, and a release another.
        """
        engine, typed = self._type_numbers(Path(path))
        told = engine.write(
            str(path), notes=notes, blanks=blanks, shuffle=shuffle, prune=prune, progress=progress
        )
        if not typed:
            return told
        names, count = shorten_list(typed), len(typed)
        return (make_notice("numbers-typed", name=Path(path).name, names=names, count=count), *told)

    def _type_numbers(self, path: Path) -> tuple[Engine, tuple[str, ...]]:
        """Return the data as a format with types has them, if they are from one without.

        Keys, numbers of people, and what somebody calls text or categories keep their spelling.
        """
        file = self._input.get("file")
        if file is None or not spells_out(Path(file)) or spells_out(path):
            return self.engine, ()
        spelled = {key for scenario in self.scenarios for key in scenario.keys}
        spelled |= {scenario.household for scenario in self.scenarios if scenario.household}
        spelled |= {
            name
            for name, said in self.declarations.items()
            if said.type in ("text", "category") or said.role in ("key", "geography", "id")
        }
        free = [
            variable.name
            for variable in self.schema
            if variable.name not in spelled
            and named_role(variable) not in ("identifier", "household", "key")
        ]
        return type_plain_numbers(self.engine, free)

    def _new_order(self, seed: int) -> NewOrder:
        """Return the order of records that a seed gives, households of the scenarios together.

        Raises:
            UsageError: Only their order tells waves of a person apart.
        """
        if any(scenario.person for scenario in self.scenarios):
            panel = self._of_persons()._panel
            if panel.records.variable is None and not panel.records.are_events:
                raise UsageError(
                    "Only the order of the records tells waves of a person apart, and they are "
                    "shuffled. Name the variable that tells waves apart (wave), or keep the order "
                    "(keep_order)."
                )
        homes = dict.fromkeys(
            scenario.household for scenario in self.scenarios if scenario.household
        )
        return NewOrder(seed=seed, households=tuple(name for name in homes if name in self.schema))

    def _check_output(self, path: str | Path) -> None:
        """Raise what `write` would say of the format, before any work is done for it."""
        self.engine.check_output(str(path))


def declare_alike(study: AnyStudy, other: AnyStudy) -> AnyStudy:
    """Return another state of the same data with what is said of a study, as far as it holds.

    A variable that was recoded to text is no number any more.

    Args:
        study: With what is said.
        other: Such as the released file.
    """
    for name, said in study.declarations.items():
        if name not in other.schema:
            continue
        made = other.declare({name: replace(said, role=None, linked=(), order=())})
        try:
            made.engine.values(name)
        except InputError:
            made = other.declare({name: Declaration(missing=said.missing)})
        other = made
    return other
