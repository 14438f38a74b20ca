"""The risk of the file as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from microsafe.engine.base import Engine
from microsafe.engine.roles import named_role
from microsafe.errors import InputError, UsageError
from microsafe.measuring.counts import LEAVE_OUT_KEYS, ignore_attack
from microsafe.measuring.perturbed import before_perturbation, perturbed_notices, perturbed_words
from microsafe.measuring.reference import fit_once, model_reference
from microsafe.notices import Notice, make_notice
from microsafe.progress import Progress, silent
from microsafe.results import find_labels
from microsafe.risk import FileRisk
from microsafe.risk.file.estimate import USUAL_BANDS
from microsafe.risk.file.estimate import file_risk as estimate_file_risk
from microsafe.risk.file.opinion import model_name
from microsafe.risk.file.options import bands_of, impossible_cells, terms_named
from microsafe.risk.record.wildcard import matches
from microsafe.scenario import Scenario

if TYPE_CHECKING:
    from microsafe.study import Study

_PER_CELL_OF_A_MODEL = 750  # bytes
_ROWS_OF_A_PERSON = 10  # at most; what repeats more often identifies a school or a firm


def file_risk(
    self: Study,
    scenario: str | None = None,
    *,
    model: str = "loglinear",
    interactions: Literal["auto"] | int | Iterable[str | Sequence[str]] = "auto",
    fraction: float | None = None,
    pi: Literal["cell", "file"] = "cell",
    impossible: Iterable[Mapping[str, Sequence[str]]] = (),
    opinions: Iterable[str] = ("benedetti-franconi", "negative-binomial"),
    bands: Sequence[float] = USUAL_BANDS,
    seed: int = 1,
    progress: Progress = silent,
) -> FileRisk:
    """Estimate how many sample uniques are unique in the population.

    Args:
        scenario: Name of the scenario; the first if None.
        model: `"loglinear"`, `"latent"`, `"negative-binomial"`, `"benedetti-franconi"`,
            `"pitman"`, `"zayatz"`, `"snb"` or `"dankar"`.
        interactions: Of the log-linear model: `"auto"` searches for them; a number takes
            all of so many keys (1 for main effects); or a list such as `["age*sex"]`.
        fraction: Sampling fraction, where the file has no weight.
        pi: Whether the sampling fraction is taken for each `"cell"` or for the `"file"`.
        impossible: Combinations that nobody can have, as categories by key.
        opinions: Other models to ask.
        bands: Shares of population uniques up to which risk is very low, low and moderate.
        seed: Of random draws.
        progress: Progress callback.
    """
    # A model has no use for wildcards: missing is a level of a key like the others.
    chosen = replace(ignore_attack(self.scenario(scenario)), missing="category", alpha=1.0)
    if (chosen.weight is None) == (fraction is None):
        raise UsageError(
            "The risk of the file needs either a sampling weight or the sampling fraction. "
            "Give one of them."
        )
    if fraction is not None and not 0 < fraction <= 1:
        raise UsageError("The sampling fraction must be above 0 and at most 1.")
    if pi not in ("cell", "file"):
        raise UsageError("pi must be 'cell' or 'file'.")
    words, told = perturbed_words(self, chosen), perturbed_notices(self, chosen)
    self = before_perturbation(self, chosen)
    cells = self.engine.cells(chosen, progress=progress)
    what = f"for a model of {len(cells):,} combinations of keys"
    self.engine.afford(len(cells) * _PER_CELL_OF_A_MODEL, what, LEAVE_OUT_KEYS)
    asked, named = model_name(model), terms_named(chosen.keys, interactions)
    others = [model_name(each) for each in opinions]
    auto = (asked == "loglinear" and named == "auto") or "loglinear" in others
    never = impossible_cells(cells, impossible)
    usual = auto and fraction is None and pi == "cell" and not never
    found = estimate_file_risk(
        cells,
        chosen,
        source=self.engine.schema.source,
        model=asked,
        interactions=named,
        fraction=fraction,
        by_cell=pi == "cell",
        impossible=never,
        opinions=others,
        bands=bands_of(bands),
        seed=seed,
        attach=partial(self.engine.records, chosen),
        fitted=fit_once(self, chosen, progress=progress) if usual else None,
        clusters=self.engine.membership(chosen)
        if auto and not usual and chosen.household
        else None,
        notices=(*(repeated_rows(self.engine, chosen) if auto else ()), *told),
        progress=progress,
    )
    return replace(found, perturbed_by=words, labels=find_labels(self.schema, chosen.keys))


def tau(
    self: Study, scenario: str | None = None, *, progress: Progress = silent
) -> tuple[int, float, float]:
    """Estimate the risk of the file as it would be released, blanks and all.

    Returns:
        How many records are alone with what they still show, how many of them are unique in the
        population (tau1), and how many a match would re-identify (tau2), by the model of the
        file without blanks.

    Raises:
        NoEstimateError: The model gives no estimate.
    """
    chosen = replace(
        ignore_attack(self.scenario(scenario)), estimator="model", missing="wildcard", alpha=1.0
    )
    cells = before_perturbation(self, chosen).engine.cells(chosen, progress=progress)
    crowd = model_reference(self, chosen, progress=progress).look_up(cells)
    return (0, 0.0, 0.0) if crowd is None else crowd.tau(matches(cells, progress=progress))


def repeated_rows(engine: Engine, scenario: Scenario) -> tuple[Notice, ...]:
    """Say which identifier repeats, so that several records may belong to one person."""
    used = {*scenario.keys, scenario.weight, scenario.household}
    for variable in engine.schema:
        named = named_role(variable) == "identifier"  # by its metadata or its name
        if not named or variable.name in used:
            continue
        alone = Scenario(keys=(variable.name,))
        try:
            cells = engine.cells(alone)
        except InputError:  # too many values to look at: then nothing can be said
            continue
        known = cells.codes[0] > 0
        values, records = int(np.count_nonzero(known)), int(cells.count[known].sum())
        if records / _ROWS_OF_A_PERSON <= values < records:
            figures = {"name": variable.name, "categories": values, "records": records}
            return (make_notice("file-rows-repeat", **figures),)
    return ()
