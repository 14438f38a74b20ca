"""Risk of records, households and files: pure functions over cells."""

from microsafe.risk.advice import (
    Notice,
    household_notices,
    key_notices,
    missing_notices,
    readable_notice,
    weight_notices,
)
from microsafe.risk.diversity import Diversity
from microsafe.risk.filerisk import FileRisk
from microsafe.risk.household import HouseholdRisk, hazard, household_risk
from microsafe.risk.individual import Approximation, individual_risk
from microsafe.risk.limit import Curve, Limit, choose_limit
from microsafe.risk.measure import Measured, measure
from microsafe.risk.result import Contribution, Risk, limit_rows, limit_summary, table
from microsafe.risk.tabulation import Tabulation
from microsafe.risk.uniques import Uniques

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
    "Risk",
    "Tabulation",
    "Uniques",
    "choose_limit",
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
    "table",
    "weight_notices",
]
