"""Engines: where records live and are counted."""

from microsafe.engine.base import Drawn, Engine, Households, Summary, WeightFacts
from microsafe.engine.local import Local
from microsafe.engine.memory import Memory, size_of

__all__ = ["Drawn", "Engine", "Households", "Local", "Memory", "Summary", "WeightFacts", "size_of"]
