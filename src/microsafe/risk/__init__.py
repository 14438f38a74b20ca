"""Risk of records, households and files: pure functions over cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microsafe.lazily import load_lazily

if TYPE_CHECKING:
    from microsafe.notices import Notice
    from microsafe.risk.counts.areas import SmallAreas
    from microsafe.risk.counts.diversity import Diversity
    from microsafe.risk.counts.recoverable_blanks import (
        KeyGuesses,
        RecoverableBlanks,
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
    from microsafe.risk.record.missing_key_rules import GapFigures, gap_rows, gap_summary
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
    "RecoverableBlanks",
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

# Who counts records does not wait for what is loaded to model a population.
_MODULES = {
    "CellRisk": "risk.record.measure",
    "Contribution": "risk.record.contributions",
    "Curve": "risk.record.limit",
    "Diversity": "risk.counts.diversity",
    "Families": "risk.family.members",
    "FamilyChances": "risk.family.model",
    "FamilyModel": "risk.family.model",
    "FamilyView": "risk.family.members",
    "FileRisk": "risk.file.estimate",
    "GapFigures": "risk.record.missing_key_rules",
    "RecoverableBlanks": "risk.counts.recoverable_blanks",
    "HouseholdLimit": "risk.record.household",
    "HouseholdRisk": "risk.record.household",
    "KeptKeys": "risk.record.retention",
    "KeyContributions": "risk.record.contributions",
    "KeyGuesses": "risk.counts.recoverable_blanks",
    "Limit": "risk.record.limit",
    "MatchingPeople": "risk.record.reference",
    "MeasuredFamilies": "risk.family.measure",
    "MergedModel": "risk.model.recodes",
    "Notice": "notices",
    "NumericRisk": "risk.numeric.result",
    "OtherFigures": "risk.record.result",
    "Population": "risk.record.population",
    "PopulationCheck": "risk.record.population",
    "PopulationModel": "risk.model.estimate",
    "PopulationUse": "risk.record.population",
    "Reference": "risk.record.reference",
    "Risk": "risk.record.result",
    "SmallAreas": "risk.counts.areas",
    "SpecialUniques": "risk.counts.uniques",
    "StandardErrors": "risk.record.precision",
    "Tabulation": "risk.counts.tabulation",
    "TellingVariable": "risk.counts.telling",
    "TellingVariables": "risk.counts.telling",
    "arrange_families": "risk.family.members",
    "check_population": "risk.record.population",
    "choose_limit": "risk.record.limit",
    "estimator_notices": "risk.record.advice",
    "fit_model": "risk.model.estimate",
    "gap_answer_notices": "risk.record.advice",
    "gap_notices": "risk.record.advice",
    "gap_rows": "risk.record.missing_key_rules",
    "gap_summary": "risk.record.missing_key_rules",
    "guess_blanks": "risk.counts.recoverable_blanks",
    "guess_by_variable": "risk.counts.recoverable_blanks",
    "hazard": "risk.record.household",
    "household_notices": "risk.record.advice",
    "household_risk": "risk.record.household",
    "individual_risk": "risk.record.individual",
    "key_notices": "risk.record.advice",
    "limit_notices": "risk.record.advice",
    "limit_rows": "risk.record.limit",
    "measure": "risk.record.measure",
    "measure_families": "risk.family.measure",
    "member_limit": "risk.record.household",
    "missing_notices": "risk.record.advice",
    "model_notices": "risk.model.advice",
    "other_rows": "risk.record.result",
    "other_summary": "risk.record.result",
    "readable_notice": "risk.record.advice",
    "standard_errors": "risk.record.precision",
    "weight_notices": "risk.record.advice",
}


if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = load_lazily(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
