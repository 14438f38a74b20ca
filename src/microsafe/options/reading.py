"""How and where a file is read: the options that a person may give, each said once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from microsafe.options.parameter import Parameter

EngineName = Literal["local", "spark"]
Decimal = Literal[".", ","]
PopulationUse = Literal["check", "F"]


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How a file is read; None leaves it to the file."""

    encoding: Annotated[
        str | None, Parameter(label="Encoding of a text file", unset="detected")
    ] = None
    separator: Annotated[
        str | None,
        Parameter(
            label="Separator of a text file",
            help="One character, or tab.",
            metavar="CHARACTER",
            unset="detected",
        ),
    ] = None
    comment: Annotated[
        str | None,
        Parameter(
            label="Comment mark",
            help="Lines of a text file that begin with this character, such as '#', are left out.",
            metavar="MARK",
        ),
    ] = None
    na: Annotated[
        Sequence[str],
        Parameter(
            label="Values that mean missing",
            help='"auto" for the usual words (NA, ., k.A. and so on) in variables that hold '
            "numbers otherwise.",
            metavar="A,B",
        ),
    ] = ()
    sheet: Annotated[
        str | None,
        Parameter(label="Sheet of a workbook, or data frame in an .RData file", unset="the first"),
    ] = None
    decimal: Annotated[
        Decimal | None,
        Parameter(
            label="Decimal mark of numbers in a text file",
            help="Variables that hold nothing but such numbers are read as numbers.",
        ),
    ] = None
    thousands: Annotated[
        str | None,
        Parameter(label="Thousands mark of numbers in a text file", metavar="MARK"),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Reading(ReadingOptions):
    """How a file is read, and the files that are read with it."""

    meta: Annotated[
        str | Path | None,
        Parameter(
            label="Metadata of a fixed-width file (.rda)",
            control="file",
            metavar="FILE.rda",
            unset="the .rda file beside it",
        ),
    ] = None
    join: Annotated[
        Any,
        Parameter(
            label="File of households",
            see="guides/persons-and-households.md",
            help="Each person in the data file gets the variables of its household.",
            control="file",
        ),
    ] = None
    on: Annotated[
        str | None,
        Parameter(
            label="Household number in both files",
            help="The variable by which the file of households is joined.",
            control="variable",
            only_with="join",
        ),
    ] = None
    join_sheet: Annotated[
        str | None,
        Parameter(label="Sheet of the workbook of households", unset="the first", only_with="join"),
    ] = None


@dataclass(frozen=True, kw_only=True)
class FileOptions(Reading):
    """How a file is read, and what describes it."""

    codebook: Annotated[
        str | Path | None,
        Parameter(
            label="Codebook",
            see="reference/metadata.md",
            help="What variables are, and which are keys: a codebook (.csv), DDI-Codebook (.xml) "
            "or .rda; see microsafe codebook.",
            control="file",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Where the work is done."""

    engine: Annotated[
        EngineName,
        Parameter(
            label="Engine",
            see="guides/spark.md",
            choices={"local": "on this machine", "spark": "with Spark"},
        ),
    ] = "local"
    master: Annotated[
        str | None,
        Parameter(
            label="Spark master",
            help="Such as local[4], yarn, spark://host or sc://host.",
            metavar="URL",
            unset="the session in use, or all cores",
            only_with="engine=spark",
        ),
    ] = None
    memory: Annotated[
        str | int | None,
        Parameter(
            label="Memory limit on this machine",
            see="guides/large-files.md",
            help="Such as 4GB or 500MB; what does not fit waits in private files, or is refused.",
            control="text",
            metavar="SIZE",
            only_with="engine=local",
        ),
    ] = None
    most_cells: Annotated[
        int | None,
        Parameter(
            label="Most key combinations to bring from Spark to this machine",
            metavar="N",
            unset="20 million",
            only_with="engine=spark",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class KnownPopulation:
    """Counts of the population that are known, to check the estimates by."""

    population: Annotated[
        str | Path | None,
        Parameter(
            label="Known population",
            see="methods/population.md",
            help="One row per person, or per combination of keys.",
            control="file",
        ),
    ] = None
    population_count: Annotated[
        str | None,
        Parameter(
            label="Variable of the known population with the number of people",
            metavar="NAME",
            unset="each row is a person",
            only_with="population",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class PopulationOptions(KnownPopulation):
    """Known counts, and what they are used for."""

    population_use: Annotated[
        PopulationUse,
        Parameter(
            label="Use of the known population",
            choices={
                "check": "compare with the estimates",
                "F": "use the counts, so that the risk is 1/F",
            },
            only_with="population",
        ),
    ] = "check"


def reading_options(read: Reading) -> dict[str, Any]:
    """Return how a file is read as options of `study`."""
    return {part.name: getattr(read, part.name) for part in fields(Reading)}
