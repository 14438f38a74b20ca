"""Engines: where records live and are counted."""

from microsafe.engine.base import Engine, Households, Summary, WeightFacts
from microsafe.engine.local import Local

__all__ = ["Engine", "Households", "Local", "Summary", "WeightFacts"]
