"""`Study`, the whole of its verbs, and `study`, which opens a file or a frame as one."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from microsafe.engine import open_engine
from microsafe.errors import UsageError
from microsafe.options.declaration import find_defaults, merge_declarations
from microsafe.options.parameter import variable_names
from microsafe.options.reading import EngineOptions, reading_options
from microsafe.options.scenario import Assumptions
from microsafe.options.signature import with_options
from microsafe.options.study import StudyOptions
from microsafe.studies.declarations import AUTO, find_declarations, read_declarations
from microsafe.studies.release import ReleaseVerbs


class Study(ReleaseVerbs):
    """Data and the scenarios under which its risk is measured.

    It never changes: a verb that protects returns a new one.

    Attributes:
        engine: Where the records are.
        scenarios: Key sets with their assumptions; the first is the default.
        notices: What to know about how the data were read.
        steps: What was done to the data so far.
        declarations: What persons said of variables, by name.
    """

    __slots__ = ()


@with_options(StudyOptions)
def study(data: object, options: StudyOptions) -> Study:  # noqa: D417
    """Open a file or a frame for study.

    Args:
        data: Path of a file (.csv, .parquet, .sav, .dta, .sas7bdat, .xpt, .xlsx, .rds, mu-ARGUS
            .asc), or a pandas, Polars or PyArrow frame. With `engine="spark"` also a Spark frame,
            the name of a table, or a folder of Parquet files.
        OPTIONS

    Example:
        >>> import microsafe as ms
        >>> s = ms.study("lfs.sav", keys=["region", "age"], weight="w")  # doctest: +SKIP
        >>> s.risk()  # doctest: +SKIP
    """
    codes = variable_names(options.na)
    reading = reading_options(options) | {"na": tuple(code for code in codes if code != AUTO)}
    where = {part.name: getattr(options, part.name) for part in fields(EngineOptions)}
    opened = open_engine(data, progress=options.progress, **where, **reading)
    files = isinstance(data, str | Path) and isinstance(options.join, str | Path | None)
    notices, described = read_declarations(options.codebook, opened.schema)
    made = Study(
        engine=opened,
        notices=(*opened.notices, *notices),
        _input={"file": data, **reading} if files else {},
    )
    declarations = find_declarations(
        opened,
        merge_declarations(described, options.variables),
        auto=AUTO in codes,
        decimal=options.decimal or "",
        thousands=options.thousands or "",
        progress=options.progress,
    )
    made = made.declare(declarations) if declarations else made
    return _under_assumptions(made, options, declared=bool(declarations))


def _under_assumptions(made: Study, options: StudyOptions, *, declared: bool) -> Study:
    """Return the study with the scenario that is named, or else declared; with none otherwise."""
    given = {part.name: getattr(options, part.name) for part in fields(Assumptions)}
    given["keys"] = variable_names(options.keys)
    roles = find_defaults(made.declarations)
    names = ("keys", "weight", "household")
    if declared and not any(given[name] for name in names) and not roles.keys:
        return made
    given |= {name: given[name] or getattr(roles, name) for name in names}
    if given["keys"]:
        return replace(made, scenarios=()).with_scenario("main", **given, progress=options.progress)
    if given["weight"] is not None or given["household"] is not None:
        raise UsageError("A weight or household belongs to a scenario: name its keys too.")
    return made
