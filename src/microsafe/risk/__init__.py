"""Risk of records, households and files: pure functions over cells."""

from microsafe.notices import Notice
from microsafe.risk.counts.areas import SmallAreas
from microsafe.risk.counts.diversity import Diversity
from microsafe.risk.counts.recoverable_blanks import (
    GivenAway,
    KeyGuesses,
    guess_blanks,
    guess_by_variable,
)
from microsafe.risk.counts.tabulation import Tabulation
from microsafe.risk.counts.telling import TellingVariable, TellingVariables
from microsafe.risk.counts.uniques import SpecialUniques
from microsafe.risk.family.measure import MeasuredFamilies, measure_families
from microsafe.risk.family.members import Families, FamilyView, arrange_families
from microsafe.risk.family.model import FamilyChances, FamilyModel
from microsafe.risk.file.estimate import FileRisk
from microsafe.risk.model.advice import model_notices
from microsafe.risk.model.estimate import PopulationModel, fit_model
from microsafe.risk.model.recodes import MergedModel
from microsafe.risk.numeric.result import NumericRisk
from microsafe.risk.record.advice import (
    estimator_notices,
    gap_answer_notices,
    gap_notices,
    household_notices,
    key_notices,
    limit_notices,
    missing_notices,
    readable_notice,
    weight_notices,
)
from microsafe.risk.record.contributions import Contribution, KeyContributions
from microsafe.risk.record.gaps import GapFigures, gap_rows, gap_summary
from microsafe.risk.record.household import (
    HouseholdLimit,
    HouseholdRisk,
    hazard,
    household_risk,
    member_limit,
)
from microsafe.risk.record.individual import individual_risk
from microsafe.risk.record.limit import Curve, Limit, choose_limit, limit_rows
from microsafe.risk.record.measure import CellRisk, measure
from microsafe.risk.record.population import (
    Population,
    PopulationCheck,
    PopulationUse,
    check_population,
)
from microsafe.risk.record.precision import StandardErrors, standard_errors
from microsafe.risk.record.reference import MatchingPeople, Reference
from microsafe.risk.record.result import OtherFigures, Risk, other_rows, other_summary
from microsafe.risk.record.retention import KeptKeys

__all__ = [
    "CellRisk",
    "Contribution",
    "Curve",
    "Diversity",
    "Families",
    "FamilyChances",
    "FamilyModel",
    "FamilyView",
    "FileRisk",
    "GapFigures",
    "GivenAway",
    "HouseholdLimit",
    "HouseholdRisk",
    "KeptKeys",
    "KeyContributions",
    "KeyGuesses",
    "Limit",
    "MatchingPeople",
    "MeasuredFamilies",
    "MergedModel",
    "Notice",
    "NumericRisk",
    "OtherFigures",
    "Population",
    "PopulationCheck",
    "PopulationModel",
    "PopulationUse",
    "Reference",
    "Risk",
    "SmallAreas",
    "SpecialUniques",
    "StandardErrors",
    "Tabulation",
    "TellingVariable",
    "TellingVariables",
    "arrange_families",
    "check_population",
    "choose_limit",
    "estimator_notices",
    "fit_model",
    "gap_answer_notices",
    "gap_notices",
    "gap_rows",
    "gap_summary",
    "guess_blanks",
    "guess_by_variable",
    "hazard",
    "household_notices",
    "household_risk",
    "individual_risk",
    "key_notices",
    "limit_notices",
    "limit_rows",
    "measure",
    "measure_families",
    "member_limit",
    "missing_notices",
    "model_notices",
    "other_rows",
    "other_summary",
    "readable_notice",
    "standard_errors",
    "weight_notices",
]
