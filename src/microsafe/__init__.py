"""Measure the disclosure risk of survey microdata, and make the file safe to release.

The public names are loaded when they are first used, so that `import microsafe` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from microsafe.lazily import load_lazily

if TYPE_CHECKING:
    from microsafe.compare import Comparison
    from microsafe.compare.preview import Preview
    from microsafe.compare.suggest import Suggestions
    from microsafe.datasets import survey
    from microsafe.errors import CancelledError, InputError, MicrosafeError, UsageError
    from microsafe.guides.guide import Guide, guide
    from microsafe.intruders import IntruderTable
    from microsafe.options.declaration import Declaration
    from microsafe.options.policy import Policy
    from microsafe.options.scenario import Scenario
    from microsafe.options.uses import ModelUse, TableUse, Uses
    from microsafe.plan.model import Plan
    from microsafe.plan.release import Release
    from microsafe.propose.proposal import Proposal
    from microsafe.risk import (
        Curve,
        Diversity,
        FileRisk,
        HouseholdLimit,
        HouseholdRisk,
        KeyContributions,
        Limit,
        Notice,
        PopulationCheck,
        Risk,
        SmallAreas,
        SpecialUniques,
        StandardErrors,
        Tabulation,
        choose_limit,
        individual_risk,
    )
    from microsafe.risk.numeric.result import NumericRisk
    from microsafe.schema import Schema, Variable
    from microsafe.steps import (
        BottomCode,
        Drop,
        Members,
        Microaggregate,
        Noise,
        Pram,
        RankSwap,
        Recode,
        Renumber,
        Round,
        Sample,
        Shuffle,
        Step,
        Suppress,
        Swap,
        TopCode,
    )
    from microsafe.steps.suppress.combinations import Combinations
    from microsafe.studies.study import Study, study
    from microsafe.variables.description import Description
    from microsafe.variables.inventory import Inventory

__version__ = "0.1.0"

__all__ = [
    "BottomCode",
    "CancelledError",
    "Combinations",
    "Comparison",
    "Curve",
    "Declaration",
    "Description",
    "Diversity",
    "Drop",
    "FileRisk",
    "Guide",
    "HouseholdLimit",
    "HouseholdRisk",
    "InputError",
    "IntruderTable",
    "Inventory",
    "KeyContributions",
    "Limit",
    "Members",
    "Microaggregate",
    "MicrosafeError",
    "ModelUse",
    "Noise",
    "Notice",
    "NumericRisk",
    "Plan",
    "Policy",
    "PopulationCheck",
    "Pram",
    "Preview",
    "Proposal",
    "RankSwap",
    "Recode",
    "Release",
    "Renumber",
    "Risk",
    "Round",
    "Sample",
    "Scenario",
    "Schema",
    "Shuffle",
    "SmallAreas",
    "SpecialUniques",
    "StandardErrors",
    "Step",
    "Study",
    "Suggestions",
    "Suppress",
    "Swap",
    "TableUse",
    "Tabulation",
    "TopCode",
    "UsageError",
    "Uses",
    "Variable",
    "choose_limit",
    "guide",
    "individual_risk",
    "study",
    "survey",
]

_MODULES = {
    "BottomCode": "steps",
    "CancelledError": "errors",
    "Combinations": "steps.suppress.combinations",
    "Comparison": "compare",
    "Curve": "risk",
    "Declaration": "options.declaration",
    "Description": "variables.description",
    "Diversity": "risk",
    "Drop": "steps",
    "FileRisk": "risk",
    "Guide": "guides.guide",
    "HouseholdLimit": "risk",
    "HouseholdRisk": "risk",
    "InputError": "errors",
    "IntruderTable": "intruders",
    "Inventory": "variables.inventory",
    "KeyContributions": "risk",
    "Limit": "risk",
    "Members": "steps",
    "Microaggregate": "steps",
    "MicrosafeError": "errors",
    "ModelUse": "options.uses",
    "Noise": "steps",
    "Notice": "risk",
    "NumericRisk": "risk.numeric.result",
    "Plan": "plan.model",
    "Policy": "options.policy",
    "PopulationCheck": "risk",
    "Pram": "steps",
    "Preview": "compare.preview",
    "Proposal": "propose.proposal",
    "RankSwap": "steps",
    "Recode": "steps",
    "Release": "plan.release",
    "Renumber": "steps",
    "Risk": "risk",
    "Round": "steps",
    "Sample": "steps",
    "Scenario": "options.scenario",
    "Schema": "schema",
    "Shuffle": "steps",
    "SpecialUniques": "risk",
    "StandardErrors": "risk",
    "Step": "steps",
    "Study": "studies.study",
    "Suggestions": "compare.suggest",
    "Suppress": "steps",
    "Swap": "steps",
    "TableUse": "options.uses",
    "SmallAreas": "risk",
    "Tabulation": "risk",
    "TopCode": "steps",
    "UsageError": "errors",
    "Uses": "options.uses",
    "Variable": "schema",
    "choose_limit": "risk",
    "guide": "guides.guide",
    "individual_risk": "risk",
    "study": "studies.study",
    "survey": "datasets",
}


if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = load_lazily(__name__, _MODULES)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
