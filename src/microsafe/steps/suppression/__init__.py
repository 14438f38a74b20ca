"""Protection: pure functions that decide what to change, from cells."""

from microsafe.steps.suppression.blanks import Blanks
from microsafe.steps.suppression.combinations import Combinations, minimal_combinations
from microsafe.steps.suppression.criterion import Criterion
from microsafe.steps.suppression.order import PER_SET
from microsafe.steps.suppression.own import Demand, blank_own, blank_strict, cost_of_keys, leaning
from microsafe.steps.suppression.shared import blank_shared
from microsafe.steps.suppression.singly import blank_shared_singly

__all__ = [
    "PER_SET",
    "Blanks",
    "Combinations",
    "Criterion",
    "Demand",
    "blank_own",
    "blank_shared",
    "blank_shared_singly",
    "blank_strict",
    "cost_of_keys",
    "leaning",
    "minimal_combinations",
]
