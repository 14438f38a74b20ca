"""The inventory: every variable has a role and a decision before anything is called safe."""

from microsafe.inventory.decide import Decision, DecisionRole, Keep, reasons_to_keep
from microsafe.inventory.recognise import Finding, FindingKind, recognise
from microsafe.inventory.result import Inventory, InventoryRow

__all__ = [
    "Decision",
    "DecisionRole",
    "Finding",
    "FindingKind",
    "Inventory",
    "InventoryRow",
    "Keep",
    "reasons_to_keep",
    "recognise",
]
