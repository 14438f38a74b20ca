"""What Spark refuses, with exception and reason; a test tries each of them."""

from __future__ import annotations

from collections.abc import Mapping

from microsafe.engine.contract import Gap
from microsafe.errors import InputError, TooManyCellsError, UsageError

_BOUND = r"more than [\d,]+ combinations of keys"
_COMPARED = "cells must be compared with each other, so all of them must be on this machine"
_MADE_OF_CELLS = "models are fitted to cells, and tables of fewer keys are made of them"
_NO_ORDER = "records of frames and tables have no order, hence no numbers"
_RECORDS = r"more than [\d,]+ records"
_TOGETHER = "values that are looked at together come to this machine"
_ONE_MACHINE = "formats of one machine would bring all records to one machine"

# Those of cells, households and values are refused beyond `most_cells`.
GAPS: Mapping[str, Gap] = {
    "risk with missing keys": Gap(
        error=TooManyCellsError, words=f"{_BOUND}.* missing='wildcard' cannot", reason=_COMPARED
    ),
    "risk with expected matches": Gap(
        error=TooManyCellsError, words=f"{_BOUND}.* missing='expected' cannot", reason=_COMPARED
    ),
    "risk of households": Gap(
        error=TooManyCellsError,
        words=f"{_BOUND}.* households .* cannot do without",
        reason="what the members of a household have in common is known by cell",
    ),
    "risk by weight": Gap(
        error=TooManyCellsError,
        words=f"{_BOUND}.* 'weight' cannot do without",
        reason="records of one cell differ in risk if their weights do",
    ),
    "risk with many weights": Gap(
        error=TooManyCellsError,
        words=f"{_BOUND}.* so many different weights cannot do without",
        reason="distinct pairs of count and weight come to this machine instead of cells",
    ),
    "suppress": Gap(error=TooManyCellsError, words=_BOUND, reason=_COMPARED),
    "combinations": Gap(error=TooManyCellsError, words=_BOUND, reason=_COMPARED),
    "file_risk": Gap(error=TooManyCellsError, words=_BOUND, reason=_MADE_OF_CELLS),
    "file_risk of many households": Gap(
        error=InputError,
        words=r"more than [\d,]+ pairs of household and combination",
        reason="how many members households have in cells comes to this machine",
    ),
    "uniques": Gap(error=TooManyCellsError, words=_BOUND, reason=_MADE_OF_CELLS),
    "tabulation": Gap(error=TooManyCellsError, words=_BOUND, reason=_MADE_OF_CELLS),
    "diversity": Gap(error=TooManyCellsError, words=_BOUND, reason=_MADE_OF_CELLS),
    "recode many values": Gap(
        error=InputError,
        words=r"more than [\d,]+ distinct values",
        reason="rules are applied to distinct values, which come to this machine",
    ),
    "renumber many values": Gap(
        error=InputError,
        words=r"more than [\d,]+ distinct values",
        reason="new identifiers are drawn for all distinct values at once",
    ),
    "compare": Gap(
        error=InputError,
        words=r"more than [\d,]+ combinations of values before and after",
        reason="combinations of values before and after come to this machine",
    ),
    "sample": Gap(error=UsageError, words="has no order, .* Write it to Parquet", reason=_NO_ORDER),
    "sample many households": Gap(
        error=InputError,
        words=r"More than [\d,]+ households .* draw records",
        reason="which households are drawn comes to this machine",
    ),
    "values by record": Gap(
        error=UsageError, words="has no order, .* Name an identifier", reason=_NO_ORDER
    ),
    "values of many records": Gap(error=InputError, words=_RECORDS, reason=_TOGETHER),
    "microaggregate": Gap(
        error=InputError,
        words=rf"a stratum of {_RECORDS}",
        reason="the records of a stratum are looked at together in one task",
    ),
    "rank_swap": Gap(
        error=InputError,
        words=rf"a block of {_RECORDS}",
        reason="records of neighbouring rank change values in one task",
    ),
    "shuffle": Gap(error=InputError, words=_RECORDS, reason=_TOGETHER),
    "swap": Gap(
        error=InputError,
        words=rf"{_RECORDS}|more than [\d,]+ distinct values",
        reason="households are paired all together",
    ),
    "to_polars": Gap(error=InputError, words=_RECORDS, reason="all records come to this machine"),
    "write SPSS": Gap(error=UsageError, words="cannot be written by Spark", reason=_ONE_MACHINE),
    "check SPSS": Gap(error=UsageError, words="cannot be written by Spark", reason=_ONE_MACHINE),
    "text with carriage returns": Gap(
        error=InputError,
        words="carriage returns only, which Spark does not read",
        reason="Spark ends lines at line feeds",
    ),
    "join": Gap(
        error=UsageError,
        words="are joined on this machine, not by Spark",
        reason="Spark joins tables itself, and the households would be held on this machine",
    ),
    "text in an archive": Gap(
        error=InputError,
        words="packed in a way that Spark does not read",
        reason="Spark unpacks files by their extension, .gz among others, and no zip archives",
    ),
    "plan of a frame": Gap(
        error=UsageError,
        words="Write the Spark frame to one",
        reason="a plan is for a file with a checksum, and such a frame has none",
    ),
}
