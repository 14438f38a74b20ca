"""Codebooks: what a person or a file says of variables, apart from the data.

`_table` is a CSV for a spreadsheet, `_ddi` is DDI-Codebook 2.5, `_rda_codebook` the `.rda` of
mu-ARGUS; `_declare` says of a schema what a codebook can hold, `_released` of a file that was
written.

In a codebook a code is what is written there: a text, or a number in a variable of type number.
Whoever applies declarations to data brings codes to the type that the values have.
"""

from microsafe.io.codebook._declare import declare_schema
from microsafe.io.codebook._files import EXTENSIONS, format_codebook, read_codebook, write_codebook
from microsafe.io.codebook._released import check_released, describe_released

__all__ = [
    "EXTENSIONS",
    "check_released",
    "declare_schema",
    "describe_released",
    "format_codebook",
    "read_codebook",
    "write_codebook",
]
