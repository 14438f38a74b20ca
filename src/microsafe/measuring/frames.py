"""Small tables of figures, in the kind of frame that came in."""

from __future__ import annotations

import polars as pl

from microsafe.engine import Engine
from microsafe.results import MakeFrame


def frame_maker(engine: Engine) -> MakeFrame:
    """Return what makes a frame of columns."""
    return lambda columns: engine.convert_table(pl.DataFrame(columns))
