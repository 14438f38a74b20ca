"""Engines: where records live and are counted. What each offers is in `engine.base`."""

from microsafe.engine.contract import (
    Engine,
    EngineGap,
    EngineName,
    Households,
    SampleSize,
    WeightFacts,
)
from microsafe.engine.declarations import (
    count_kinds,
    declare_variables,
    find_marked_numbers,
    find_words,
    type_plain_numbers,
)
from microsafe.engine.memory import Memory, size_of
from microsafe.engine.open import open_engine

__all__ = [
    "Engine",
    "EngineGap",
    "EngineName",
    "Households",
    "Memory",
    "SampleSize",
    "WeightFacts",
    "count_kinds",
    "declare_variables",
    "find_marked_numbers",
    "find_words",
    "open_engine",
    "size_of",
    "type_plain_numbers",
]
