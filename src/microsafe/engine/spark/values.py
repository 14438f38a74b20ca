"""Express values in Spark so that they come out as in the embedded engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from microsafe.codes import missing_numbers, missing_texts
from microsafe.schema import Variable

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql.types import DataType

# What Unicode calls white space; Spark's own trim knows the plain blank only.
_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B)))
_SPACE += "\u2028\u2029\u202f\u205f\u3000"
_MICROSECONDS = "yyyy-MM-dd HH:mm:ss.SSSSSS"


def is_text(dtype: DataType) -> bool:
    """Tell whether a column holds text, or nothing at all."""
    return dtype.typeName() in ("string", "char", "varchar", "void")


def is_number(dtype: DataType) -> bool:
    """Tell whether a column holds numbers that are compared as such."""
    return dtype.typeName() in ("byte", "short", "integer", "long", "float", "double")


def comparable(column: Column, dtype: DataType) -> Column:
    """Return what categories are made of: numbers and text as they are, all else as text."""
    if is_number(dtype) or dtype.typeName() in ("string", "array", "map", "struct", "binary"):
        return column
    if dtype.typeName().startswith("timestamp"):
        return sf.date_format(column, _MICROSECONDS)
    return column.cast("string")


def plain_column(column: Column, dtype: DataType) -> Column:
    """Return what rules work on: decimals are numbers, otherwise as `comparable`."""
    return column.cast("double") if dtype.typeName() == "decimal" else comparable(column, dtype)


def strip_text(text: Column) -> Column:
    """Return text without white space around it."""
    return sf.btrim(text, sf.lit(_SPACE))


def drop_missing(column: Column, dtype: DataType, variable: Variable) -> Column:
    """Return a comparable column with null for everything that means missing."""
    if is_number(dtype):
        return sf.when(~is_declared(column, variable), column)
    codes = ["", *missing_texts(variable)]
    return sf.when(~strip_text(column).isin(codes), column)


def is_declared(number: Column, variable: Variable) -> Column:
    """Tell whether a number is declared as missing."""
    codes = missing_numbers(variable)
    result = number.cast("double").isin(codes) if codes else sf.lit(False)
    for low, high in variable.missing_ranges:
        result = result | number.cast("double").between(low, high)
    return result
