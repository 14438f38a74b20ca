"""Risk of records, households and files: pure functions over cells."""

from microsafe.notices import Notice
from microsafe.risk.counts.diversity import Diversity
from microsafe.risk.counts.tabulation import Tabulation
from microsafe.risk.counts.uniques import SpecialUniques
from microsafe.risk.file.estimate import FileRisk
from microsafe.risk.model.estimate import PopulationModel, fit_model
from microsafe.risk.record.advice import (
    household_notices,
    key_notices,
    missing_notices,
    readable_notice,
    weight_notices,
)
from microsafe.risk.record.household import HouseholdRisk, hazard, household_risk
from microsafe.risk.record.individual import Approximation, individual_risk
from microsafe.risk.record.limit import Curve, Limit, choose_limit
from microsafe.risk.record.measure import Measured, measure
from microsafe.risk.record.result import Contribution, Risk, limit_rows, limit_summary

__all__ = [
    "Approximation",
    "Contribution",
    "Curve",
    "Diversity",
    "FileRisk",
    "HouseholdRisk",
    "Limit",
    "Measured",
    "Notice",
    "PopulationModel",
    "Risk",
    "SpecialUniques",
    "Tabulation",
    "choose_limit",
    "fit_model",
    "hazard",
    "household_notices",
    "household_risk",
    "individual_risk",
    "key_notices",
    "limit_rows",
    "limit_summary",
    "measure",
    "missing_notices",
    "readable_notice",
    "weight_notices",
]
