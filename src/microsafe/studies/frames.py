"""Return tables and records as frames of the kind that came in."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import polars as pl

from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.results import MakeFrame


def frame_maker(engine: Engine) -> MakeFrame:
    """Return what makes a frame of columns."""
    return lambda columns: engine.convert_table(pl.DataFrame(columns))


def import_library(name: str) -> Any:
    """Return a library of frames.

    Raises:
        UsageError: It is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(
            f"{name} is not installed. Install it (pip install {name}), or use to_polars()."
        ) from None
