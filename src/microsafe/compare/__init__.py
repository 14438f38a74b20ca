"""What protection cost: blanks, tables, information, means."""

from microsafe.compare.cost import compare
from microsafe.compare.result import Comparison, Domain, Group, Loss, Means, TableChange, Touched

__all__ = ["Comparison", "Domain", "Group", "Loss", "Means", "TableChange", "Touched", "compare"]
