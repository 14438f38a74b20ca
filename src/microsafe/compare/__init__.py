"""What protection cost: blanks, tables, information, means."""

from microsafe.compare.cost import compare
from microsafe.compare.result import (
    Comparison,
    Domain,
    Group,
    Means,
    TableChange,
    Touched,
    Utility,
    VariableLoss,
)

__all__ = [
    "Comparison",
    "Domain",
    "Group",
    "Means",
    "TableChange",
    "Touched",
    "Utility",
    "VariableLoss",
    "compare",
]
