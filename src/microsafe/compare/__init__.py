"""What protection cost: blanks, tables, information, means."""

from microsafe.compare.comparison import Comparison
from microsafe.compare.cost import compare
from microsafe.compare.cost_figures import (
    Domain,
    GroupBlanks,
    Means,
    Touched,
    Utility,
    VariableLoss,
)
from microsafe.compare.regression import Coefficient, ModelChange
from microsafe.compare.tables import TableChange, TableFigures, TableGrid, read_tables
from microsafe.compare.worst_groups import GroupLoss

__all__ = [
    "Coefficient",
    "Comparison",
    "Domain",
    "GroupBlanks",
    "GroupLoss",
    "Means",
    "ModelChange",
    "TableChange",
    "TableFigures",
    "TableGrid",
    "Touched",
    "Utility",
    "VariableLoss",
    "compare",
    "read_tables",
]
