"""The files of mu-ARGUS: data of fixed width or free format, their metadata, recodes.

`rda` reads the metadata and `write_rda` writes them; `_fixed_width` knows where the characters of
fixed-width data stand; `read_argus` and `write_argus` are the format; `grc` reads and writes
recodes.
"""

from microsafe.io.argus.grc import GrcRecode, read_grc, write_grc
from microsafe.io.argus.read_argus import find_metadata, read
from microsafe.io.argus.write_argus import write

__all__ = ["GrcRecode", "find_metadata", "read", "read_grc", "write", "write_grc"]
