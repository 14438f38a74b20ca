"""Estimate file risk by several models of the population, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from microsafe.cells import Cells
from microsafe.errors import UsageError, did_you_mean
from microsafe.progress import Progress
from microsafe.risk.file.latent import LatentClasses, latent_classes
from microsafe.risk.file.superpopulation import Estimator, cell_sizes, population_uniques
from microsafe.risk.model import posterior
from microsafe.risk.model.estimate import PopulationModel, fit_model
from microsafe.risk.record.individual import individual_risk
from microsafe.risk.table.crosstable import CrossTable
from microsafe.risk.table.loglinear import LoglinearFit, fit
from microsafe.risk.table.poisson import match_chance
from microsafe.sentences import Sentence
from microsafe.sums import Floats, total

ModelName = Literal[
    "loglinear",
    "latent",
    "negative-binomial",
    "benedetti-franconi",
    "pitman",
    "zayatz",
    "snb",
    "dankar",
]
_SWEEPS = ((200, 500), (1000, 2000))  # warm-up and kept, per chain
_SIZES_ONLY = ("pitman", "zayatz", "snb", "dankar")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelEstimate:
    """What one model says.

    Attributes:
        model: Its name.
        tau1: Sample uniques that are unique in the population; None if it has no answer.
        tau2: Sample uniques that a match would re-identify; None if it has no answer.
        risk: E(1/F | f) of the records of each cell; None if it says nothing of records.
        remark: Why there is no answer, or what to know of it.
        latent: The chains, if it is a mixture of latent classes.
    """

    model: ModelName
    tau1: float | None
    tau2: float | None
    risk: Floats | None = None
    remark: str = ""
    latent: LatentClasses | None = None


def model_name(word: str) -> ModelName:
    """Return the model of that name."""
    for known in get_args(ModelName):
        if word == known:
            found: ModelName = known
            return found
    raise UsageError(f"Unknown model {word!r}.{did_you_mean(word, get_args(ModelName))}")


def opinion(
    model: ModelName,
    cells: Cells,
    table: CrossTable,
    *,
    fraction: float | None,
    by_cell: bool,
    seed: int,
    shown: PopulationModel | None = None,
    integrated: Sequence[str] = (),
    progress: Progress,
) -> ModelEstimate:
    """Ask a model that needs no choice of interactions.

    Args:
        model: Which.
        cells: Of the sample.
        table: The same, laid out.
        fraction: Sampling fraction, if it is not to be taken from the weights.
        by_cell: Whether each cell has its own sampling fraction.
        seed: Of the chains of latent classes.
        shown: A model by what records show, where they have gaps that are no categories.
        integrated: The keys of these gaps.
        progress: Progress callback.
    """
    if shown is not None and model == "benedetti-franconi":
        return _benedetti_franconi(shown.f, shown.F)
    if shown is not None and model == "negative-binomial":
        return _independent(cells, fraction, by_cell, integrated, progress)
    if model in _SIZES_ONLY:
        return _by_sizes(model, cells, table, fraction)  # type: ignore[arg-type]
    if model == "latent":
        chains = _chains(cells, fraction, by_cell, seed, progress)
        done = chains.converged
        return ModelEstimate(
            model=model,
            tau1=chains.tau1 if done else None,
            tau2=chains.tau2 if done else None,
            risk=chains.risk if done else None,
            remark=chains.remark,
            latent=chains,
        )
    if model == "benedetti-franconi":
        return _benedetti_franconi(table.f, table.weight)
    return _negative_binomial(table, by_cell, progress)


def of_fit(table: CrossTable, found: LoglinearFit, *, by_cell: bool) -> ModelEstimate:
    """Return the estimate of a log-linear model; none if its fit did not converge."""
    remark = ""
    if not found.converged:
        remark = (
            f"tau is at rest, but after {len(found.distances):,} iterations a margin is still off "
            f"by {found.distances[-1]:.1g} of itself."
        )
    if not found.at_rest:
        remark = Sentence(
            "fit-not-converged", count=len(found.distances), distance=found.distances[-1]
        )
        return ModelEstimate(model="loglinear", tau1=None, tau2=None, remark=remark)
    tau = found.cell if by_cell else found.file
    risk = match_chance(table.f, (1.0 - _fractions(table, by_cell)) * found.fitted)
    return ModelEstimate(model="loglinear", tau1=tau.tau1, tau2=tau.tau2, risk=risk, remark=remark)


def of_population(found: PopulationModel) -> ModelEstimate:
    """Return the estimate of the calibrated model; none if tau did not converge."""
    if not found.converged:
        remark = Sentence("risk-not-at-rest", count=len(found.distances))
        return ModelEstimate(model="loglinear", tau1=None, tau2=None, remark=remark)
    return ModelEstimate(model="loglinear", tau1=found.tau1, tau2=found.tau2, risk=found.risk)


def _chains(
    cells: Cells, fraction: float | None, by_cell: bool, seed: int, progress: Progress
) -> LatentClasses:
    """Run chains, and longer ones if they do not agree."""
    for warmup, kept in _SWEEPS:
        chains = latent_classes(
            cells,
            fraction=fraction,
            inclusion="cell" if by_cell else "file",
            warmup=warmup,
            kept=kept,
            seed=seed,
            progress=progress,
        )
        if chains.converged:
            break
    return chains


def _benedetti_franconi(f: Floats, F: Floats) -> ModelEstimate:
    """The individual risk of a sample unique: F given f is negative binomial with p = f/F."""
    risk, uniques = individual_risk(f, F), f == 1
    return ModelEstimate(
        model="benedetti-franconi",
        tau1=total(np.minimum(1.0, 1.0 / F[uniques])),
        tau2=total(risk[uniques]),
        risk=risk,
    )


def _negative_binomial(table: CrossTable, by_cell: bool, progress: Progress) -> ModelEstimate:
    """Main effects, with means that vary around them as much as the sample shows."""
    found = fit(table, [], progress=progress)
    fractions, uniques = _fractions(table, by_cell), table.uniques
    d = found.dispersion
    alone = posterior.unique_chance(found.fitted[uniques], fractions[uniques], d)
    risk = posterior.match_chance(table.f, found.fitted, fractions, d)
    return ModelEstimate(
        model="negative-binomial",
        tau1=total(alone),
        tau2=total(risk[uniques]),
        risk=risk,
        remark=f"Main effects; squared variation around them {found.dispersion:.3g}.",
    )


def _independent(
    cells: Cells,
    fraction: float | None,
    by_cell: bool,
    integrated: Sequence[str],
    progress: Progress,
) -> ModelEstimate:
    """The same by what records show: gaps are integrated out of main effects, too."""
    found = fit_model(
        cells,
        fraction=fraction,
        by_cell=by_cell,
        integrated=integrated,
        most=0,
        progress=progress,
    )
    return ModelEstimate(
        model="negative-binomial",
        tau1=found.tau1,
        tau2=found.tau2,
        risk=found.risk,
        remark=f"Main effects; squared variation around them {found.dispersion:.3g}.",
    )


def _by_sizes(
    model: Estimator, cells: Cells, table: CrossTable, fraction: float | None
) -> ModelEstimate:
    """Estimators that look only at how many cells there are of each size."""
    found = population_uniques(cell_sizes(cells, fraction=fraction))[model]
    uniques = int(np.count_nonzero(table.uniques))
    tau1 = None if found.sample_share is None else found.sample_share * uniques
    remark = found.reason
    if model == "dankar" and found.uniques is not None:
        remark = f"Dankar's rule takes the estimate of {found.method}."
    return ModelEstimate(model=model, tau1=tau1, tau2=None, remark=remark)


def _fractions(table: CrossTable, by_cell: bool) -> Floats:
    return table.fractions if by_cell else np.full(len(table.f), table.fraction)
