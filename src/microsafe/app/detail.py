"""One variable for the recode editor: its categories, or bins where those would be records."""

from __future__ import annotations

from microsafe.app.messages import MOST_CATEGORIES
from microsafe.app.messages.study import Bin, Category, KeyValue, VariableDetail
from microsafe.codes import spell_code
from microsafe.progress import Progress
from microsafe.studies.categories import count_categories, spell_labels
from microsafe.studies.study import Study


def describe_variable(
    study: Study, name: str, progress: Progress, *, private: bool
) -> VariableDetail:
    """Return a variable as it now is.

    Args:
        study: That has it.
        name: Of the variable.
        progress: Progress callback.
        private: Whether its values tell people apart, as numbers of households do.
    """
    variable = study.schema[name]
    table = count_categories(
        study.engine, name, most=MOST_CATEGORIES, private=private, progress=progress
    )
    labels = spell_labels(variable)
    return VariableDetail(
        name=name,
        label=variable.label,
        kind=variable.kind,
        numeric=table.numeric,
        total=table.total,
        categories=tuple(
            Category(code=each.code, label=each.label, records=each.records)
            for each in table.categories
        ),
        bins=()
        if table.categories
        else tuple(Bin(low=each.low, high=each.high, records=each.records) for each in table.bins),
        missing=table.missing,
        missing_codes=tuple(
            KeyValue(code=code, label=labels.get(code, ""))
            for code in map(spell_code, variable.missing)
        ),
    )
