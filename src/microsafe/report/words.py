"""Rules in words, and what is too small for the public."""

from __future__ import annotations

from microsafe.report.texts import mark

SMALL = 10  # counts below this are not given to the public

RULES = mark(
    {
        "record_risk": "Largest risk of a record",
        "expected": "Expected re-identifications",
        "rate": "Re-identification rate",
        "household_risk": "Largest household risk",
        "household_rate": "Household re-identification rate",
        "expected_households": "Expected households re-identified",
        "tau1": "Sample uniques that are population uniques",
        "tau1_share": "Share of the sample uniques that are population uniques",
        "tau2": "Expected correct matches with sample uniques",
        "k": "Fewest records that share their keys",
        "gaps": "Expected with missing keys weighed, as a multiple",
        "given_away": "Suppressed values guessed right beyond chance",
        "inventory": "Variables without a decision, and direct identifiers",
        "estimator": "Expected by the model, as a multiple of the estimate by cell",
    }
)
