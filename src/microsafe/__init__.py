"""Measure the disclosure risk of survey microdata, and make the file safe to release."""

from importlib.metadata import version

from microsafe.datasets import survey
from microsafe.errors import CancelledError, InputError, MicrosafeError, UsageError
from microsafe.risk import Curve, HouseholdRisk, Limit, Notice, Risk, choose_limit, individual_risk
from microsafe.scenario import Scenario
from microsafe.schema import Schema, Variable
from microsafe.study import Study, study

__version__ = version("microsafe")

__all__ = [
    "CancelledError",
    "Curve",
    "HouseholdRisk",
    "InputError",
    "Limit",
    "MicrosafeError",
    "Notice",
    "Risk",
    "Scenario",
    "Schema",
    "Study",
    "UsageError",
    "Variable",
    "choose_limit",
    "individual_risk",
    "study",
    "survey",
]
