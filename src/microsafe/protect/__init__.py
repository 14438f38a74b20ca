"""Protection: pure functions that decide what to change, from cells."""

from microsafe.protect.blanks import Blanks
from microsafe.protect.combinations import Combinations, minimal_combinations
from microsafe.protect.criterion import Criterion
from microsafe.protect.shared import shared
from microsafe.protect.suppress import Demand, cost_of_keys, leaning, own, strict

__all__ = [
    "Blanks",
    "Combinations",
    "Criterion",
    "Demand",
    "cost_of_keys",
    "leaning",
    "minimal_combinations",
    "own",
    "shared",
    "strict",
]
