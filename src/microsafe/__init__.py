"""Measure the disclosure risk of survey microdata, and make the file safe to release."""

from microsafe.compare import Comparison
from microsafe.datasets import survey
from microsafe.errors import CancelledError, InputError, MicrosafeError, UsageError
from microsafe.policy import Policy
from microsafe.risk import (
    Curve,
    Diversity,
    FileRisk,
    HouseholdRisk,
    Limit,
    Notice,
    Risk,
    SpecialUniques,
    Tabulation,
    choose_limit,
    individual_risk,
)
from microsafe.scenario import Scenario
from microsafe.schema import Schema, Variable
from microsafe.steps.suppression import Combinations
from microsafe.study import Study, study

__all__ = [
    "CancelledError",
    "Combinations",
    "Comparison",
    "Curve",
    "Diversity",
    "FileRisk",
    "HouseholdRisk",
    "InputError",
    "Limit",
    "MicrosafeError",
    "Notice",
    "Policy",
    "Risk",
    "Scenario",
    "Schema",
    "SpecialUniques",
    "Study",
    "Tabulation",
    "UsageError",
    "Variable",
    "choose_limit",
    "individual_risk",
    "study",
    "survey",
]


def __getattr__(name: str) -> str:
    # Looking the version up takes longer than a small file; do it only if asked.
    if name == "__version__":
        from importlib.metadata import version

        return version("microsafe")
    raise AttributeError(f"module 'microsafe' has no attribute {name!r}")
