"""The inventory: every variable has a role and a decision before anything is called safe."""

from microsafe.inventory.decide import Decision, DecisionRole, Keep, reasons_to_keep
from microsafe.inventory.intruders import Intruder, propose_intruders
from microsafe.inventory.meanings import RoleGuess
from microsafe.inventory.recognise import Finding, FindingKind, recognise
from microsafe.inventory.result import Inventory, InventoryRow
from microsafe.inventory.roles import guess_roles, order_keys, tells_apart

__all__ = [
    "Decision",
    "DecisionRole",
    "Finding",
    "FindingKind",
    "Intruder",
    "Inventory",
    "InventoryRow",
    "Keep",
    "RoleGuess",
    "guess_roles",
    "order_keys",
    "propose_intruders",
    "reasons_to_keep",
    "recognise",
    "tells_apart",
]
