"""Tables of figures in the kind of frame that came in, and the records in any kind.

Records that are handed out stay in memory, with the analyst who opened them; nothing is refused
here. What may leave is asked where files are written.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import polars as pl

from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.io.pandas import frame_to_pandas
from microsafe.results import MakeFrame

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]
    import pyarrow as pa

    from microsafe.study import Study


def frame_maker(engine: Engine) -> MakeFrame:
    """Return what makes a frame of columns."""
    return lambda columns: engine.convert_table(pl.DataFrame(columns))


def to_polars(self: Study) -> pl.DataFrame:
    """Return the records as they now are as a Polars frame: what `write` would write.

    Raises:
        InputError: There is no room for them, or Spark has more than may come here.
    """
    return self.engine.table()


def to_pandas(self: Study) -> pd.DataFrame:
    """Return the records as they now are as a pandas frame, with the index that came in.

    Raises:
        UsageError: pandas is not installed.
        InputError: As `to_polars`.
    """
    pandas = _import_library("pandas")
    made: Any = self.engine.frame()
    if not isinstance(made, pandas.DataFrame):
        made = frame_to_pandas(made if isinstance(made, pl.DataFrame) else self.engine.table())
    found: pd.DataFrame = made
    return found


def to_arrow(self: Study) -> pa.Table:
    """Return the records as they now are as a PyArrow table.

    Raises:
        UsageError: PyArrow is not installed.
        InputError: As `to_polars`.
    """
    _import_library("pyarrow")
    return self.engine.table().to_arrow()


def _import_library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(
            f"{name} is not installed. Install it (pip install {name}), or use to_polars()."
        ) from None
