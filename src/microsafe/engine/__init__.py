"""Engines: where records live and are counted. What each offers is in `engine.base`."""

from microsafe.engine.base import (
    Drawn,
    Engine,
    EngineName,
    Gap,
    Households,
    Summary,
    WeightFacts,
)
from microsafe.engine.memory import Memory, size_of
from microsafe.engine.opening import open_engine

__all__ = [
    "Drawn",
    "Engine",
    "EngineName",
    "Gap",
    "Households",
    "Memory",
    "Summary",
    "WeightFacts",
    "open_engine",
    "size_of",
]
