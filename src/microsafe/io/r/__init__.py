"""Data frames of R: `.rds`, `.RData` and `.rda`.

No library reads them well: `rdata` needs pandas and xarray, gives dates as plain numbers and other
values for 64-bit integers, and stops at functions; `pyreadr` has a licence that this tool could not
be given away under, and gives other values for dates that are stored as whole numbers. Both lose
labels and missing codes.
"""

from microsafe.io.r.read_r import list_sheets, read
from microsafe.io.r.write_r import as_stored, write

__all__ = ["as_stored", "list_sheets", "read", "write"]
