"""Protection: pure functions that decide what to change, from cells."""

from microsafe.steps.suppression.blanks import Blanks
from microsafe.steps.suppression.combinations import Combinations, minimal_combinations
from microsafe.steps.suppression.criterion import Criterion
from microsafe.steps.suppression.own import Demand, cost_of_keys, leaning, own, strict
from microsafe.steps.suppression.shared import shared

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
