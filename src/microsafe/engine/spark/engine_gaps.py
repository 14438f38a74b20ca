"""Declare what Spark refuses, with exception and reason; a test tries each of them."""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.engine.contract import EngineGap
from microsafe.errors import InputError, TooManyCellsError, UsageError

_SAMPLE = "Open a random sample of the file without Spark"
_BESIDE = f"records are put beside each other on one machine. {_SAMPLE} (microsafe sample)"
_BOUND = r"more than [\d,]+ combinations of keys"
_COMPARED = "cells must be compared with each other, so all of them must be on this machine"
_MADE_OF_CELLS = "models are fitted to cells, and tables of fewer keys are made of them"
_NO_ORDER = "records of frames and tables have no order, hence no numbers"
_RECORDS = r"more than [\d,]+ records"
_TOGETHER = "values that are looked at together come to this machine"
_ONE_MACHINE = "formats of one machine would bring all records to one machine"

# Those of cells, households and values are refused beyond `most_cells`.
GAPS: Mapping[str, EngineGap] = {
    "risk with missing keys": EngineGap(
        error=TooManyCellsError, words=f"{_BOUND}.* missing='wildcard' cannot", reason=_COMPARED
    ),
    "risk with expected matches": EngineGap(
        error=TooManyCellsError, words=f"{_BOUND}.* missing='expected' cannot", reason=_COMPARED
    ),
    "risk of households": EngineGap(
        error=TooManyCellsError,
        words=f"{_BOUND}.* households .* cannot do without",
        reason="what the members of a household have in common is known by cell",
    ),
    "risk by weight": EngineGap(
        error=TooManyCellsError,
        words=f"{_BOUND}.* 'weight' cannot do without",
        reason="records of one cell differ in risk if their weights do",
    ),
    "risk with many weights": EngineGap(
        error=TooManyCellsError,
        words=f"{_BOUND}.* so many different weights cannot do without",
        reason="distinct pairs of count and weight come to this machine instead of cells",
    ),
    "risk by the model": EngineGap(error=TooManyCellsError, words=_BOUND, reason=_MADE_OF_CELLS),
    "suppress": EngineGap(error=TooManyCellsError, words=_BOUND, reason=_COMPARED),
    "combinations": EngineGap(error=TooManyCellsError, words=_BOUND, reason=_COMPARED),
    "file_risk": EngineGap(error=TooManyCellsError, words=_BOUND, reason=_MADE_OF_CELLS),
    "file_risk of many households": EngineGap(
        error=InputError,
        words=r"more than [\d,]+ pairs of household and combination",
        reason="how many members households have in cells comes to this machine",
    ),
    "uniques": EngineGap(error=TooManyCellsError, words=_BOUND, reason=_MADE_OF_CELLS),
    "tabulation": EngineGap(error=TooManyCellsError, words=_BOUND, reason=_MADE_OF_CELLS),
    "diversity": EngineGap(error=TooManyCellsError, words=_BOUND, reason=_MADE_OF_CELLS),
    "recode many values": EngineGap(
        error=InputError,
        words=r"more than [\d,]+ distinct values",
        reason="rules are applied to distinct values, which come to this machine",
    ),
    "renumber many values": EngineGap(
        error=InputError,
        words=r"more than [\d,]+ distinct values",
        reason="new identifiers are drawn for all distinct values at once",
    ),
    "compare": EngineGap(
        error=InputError,
        words=r"more than [\d,]+ combinations of values before and after",
        reason="combinations of values before and after come to this machine",
    ),
    "sample": EngineGap(
        error=UsageError, words="has no order, .* Write it to Parquet", reason=_NO_ORDER
    ),
    "sample many households": EngineGap(
        error=InputError,
        words=r"More than [\d,]+ households .* draw records",
        reason="which households are drawn comes to this machine",
    ),
    "members": EngineGap(
        error=InputError,
        words=_RECORDS,
        reason="who is kept of a household is decided on this machine",
    ),
    "values by record": EngineGap(
        error=UsageError, words="has no order, .* Name an identifier", reason=_NO_ORDER
    ),
    "values of many records": EngineGap(error=InputError, words=_RECORDS, reason=_TOGETHER),
    "intruders by record": EngineGap(error=UsageError, words=_SAMPLE, reason=_BESIDE),
    "households by joint keys": EngineGap(error=UsageError, words=_SAMPLE, reason=_BESIDE),
    "variables that tell of keys": EngineGap(error=InputError, words=_SAMPLE, reason=_BESIDE),
    "microaggregate": EngineGap(
        error=InputError,
        words=rf"a stratum of {_RECORDS}",
        reason="the records of a stratum are looked at together in one task",
    ),
    "rank_swap": EngineGap(
        error=InputError,
        words=rf"a block of {_RECORDS}",
        reason="records of neighbouring rank change values in one task",
    ),
    "shuffle": EngineGap(error=InputError, words=_RECORDS, reason=_TOGETHER),
    "swap": EngineGap(
        error=InputError,
        words=rf"{_RECORDS}|more than [\d,]+ distinct values",
        reason="households are paired all together",
    ),
    "to_polars": EngineGap(
        error=InputError, words=_RECORDS, reason="all records come to this machine"
    ),
    "write SPSS": EngineGap(
        error=UsageError, words="cannot be written by Spark", reason=_ONE_MACHINE
    ),
    "check SPSS": EngineGap(
        error=UsageError, words="cannot be written by Spark", reason=_ONE_MACHINE
    ),
    "text with carriage returns": EngineGap(
        error=InputError,
        words="carriage returns only, which Spark does not read",
        reason="Spark ends lines at line feeds",
    ),
    "join": EngineGap(
        error=UsageError,
        words="are joined on this machine, not by Spark",
        reason="Spark joins tables itself, and the households would be held on this machine",
    ),
    "text in an archive": EngineGap(
        error=InputError,
        words="packed in a way that Spark does not read",
        reason="Spark unpacks files by their extension, .gz among others, and no zip archives",
    ),
    "plan of a frame": EngineGap(
        error=UsageError,
        words="Write the Spark frame to one",
        reason="a plan is for a file with a checksum, and such a frame has none",
    ),
}
