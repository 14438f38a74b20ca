"""Whether risks are true: predicted against known, record by record and file by file.

`uv run python benchmarks/validation.py --calibration` prints it. The rule was chosen on `cases`
and confirmed once on `more`; both are printed.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from microsafe import individual_risk, study, survey
from microsafe.risk import PopulationModel, fit_model
from populations import Sample, stratified

BINS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
PEOPLE = 2.36  # in a household of the survey
KEYS = ("age", "hsize", "region", "sex", "marital", "education", "occupation", "citizenship")
SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 1.0)  # of sample uniques
ENOUGH = 100  # records in a bin
FEW = 5.0  # people: below this a relative error says nothing
LEFT_OUT = {
    "fly_5_02": "records are flights, most of which repeat daily: several rows per event",
    "sim_hh": "whole households were drawn, and the file has no household identifier",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One file: the model, and what is true, by cell."""

    sample: Sample
    model: PopulationModel
    cell: np.ndarray
    f: np.ndarray
    people: np.ndarray

    @property
    def truth(self) -> np.ndarray:
        """tau1, tau2 and the sum of 1/F over all records."""
        return np.array([*self.sample.truth, (self.f / self.people).sum()])

    @property
    def estimate(self) -> np.ndarray:
        model = self.model
        return np.array([model.tau1, model.tau2, (self.f * model.risk).sum()])

    @property
    def alone(self) -> float:
        """Share of sample uniques."""
        return float((self.f == 1).sum() / self.f.sum())

    @property
    def by_cell(self) -> np.ndarray:
        alone = self.f == 1
        pi = self.model.table.fractions
        return np.array([pi[alone].sum(), self.cell[alone].sum(), (self.f * self.cell).sum()])


def judge(sample: Sample) -> Judged:
    """Fit the model to a sample, and put the truth beside it."""
    data = study(
        sample.frame, keys=sample.keys, weight="weight", clip_weights=True, missing="category"
    )
    scenario = data.scenario()
    cells = data.engine.cells(scenario)
    numbers = data.engine.records(scenario, {"cell": np.arange(len(cells))}, {})
    people = np.zeros(len(cells))
    people[numbers["cell"].to_numpy()] = sample.frame["F_pop"].to_numpy()  # type: ignore[index]
    return Judged(
        sample=sample,
        model=fit_model(cells),
        cell=individual_risk(cells.count, cells.weight),
        f=cells.count.astype(np.float64),
        people=people,
    )


def calibration(samples: Iterable[Sample]) -> None:
    """Print everything."""
    judged = []
    for sample in samples:
        judged.append(judge(sample))
        _print_file(judged[-1])
    groups = {
        name: [each for each in judged if each.sample.group == name] for name in _groups(judged)
    }
    for name, some in {**groups, "all": judged}.items():
        _print_bins(name, some)
    for name, some in {**groups, "all": judged}.items():
        _print_files(name, some)
    _print_shares(judged)
    _print_null()
    _print_cost()


def _groups(judged: Sequence[Judged]) -> list[str]:
    return list(dict.fromkeys(each.sample.group for each in judged))


def _print_file(found: Judged) -> None:
    true, said = found.truth, found.estimate
    ends = ", ".join(f"{low:.0f}–{high:.0f}" for low, high in found.model.interval)
    print(
        f"{found.sample.name:<24} tau1 {said[0]:7.1f} (true {true[0]:5.0f})  tau2 {said[1]:7.1f} "
        f"({true[1]:6.1f})  sum {said[2]:7.1f} ({true[2]:6.1f}, cell {found.by_cell[2]:6.1f})  "
        f"{ends}"
    )


def _print_bins(name: str, judged: Sequence[Judged]) -> None:
    """Mean true over mean predicted risk, by bin of predicted risk."""
    for real in (True, False):
        some = [each for each in judged if not (real and each.sample.name.startswith("sim_"))]
        print(
            f"\nTrue over predicted, {name}, {'real files' if real else 'all files'} ({len(some)})"
        )
        print(
            f"  {'predicted':<12}" + "".join(f"{low:g}–{high:g}".rjust(10) for low, high in _bins())
        )
        for estimator in ("cell", "model"):
            row = []
            for low, high in _bins():
                records = predicted = true = 0.0
                for each in some:
                    risk = each.cell if estimator == "cell" else each.model.risk
                    here = (risk >= low) & ((risk < high) | (high == BINS[-1]))
                    records += each.f[here].sum()
                    predicted += (each.f * risk)[here].sum()
                    true += (each.f / each.people)[here].sum()
                row.append(f"{true / predicted:.2f}" if records >= ENOUGH else "–")
            print(f"  {estimator:<12}" + "".join(f"{each:>10}" for each in row))


def _bins() -> Iterator[tuple[float, float]]:
    yield from pairwise(BINS)


def _print_files(name: str, judged: Sequence[Judged]) -> None:
    """Errors of tau1, tau2 and the sum, and intervals."""
    print(f"\nFiles, {name} ({len(judged)})")
    for left_out in (False, True):
        some = [each for each in judged if not (left_out and each.sample.name in LEFT_OUT)]
        for estimator in ("cell", "model"):
            off = []
            for each in some:
                said = each.by_cell if estimator == "cell" else each.estimate
                off.append(
                    np.where(each.truth >= FEW, said / np.maximum(each.truth, 1.0) - 1, np.nan)
                )
            rms = 100 * np.sqrt(np.nanmean(np.square(off), axis=0))
            counted = np.isfinite(off).sum(axis=0)
            near = int(np.sum(np.abs(np.array(off)[:, 2]) <= 0.1))
            print(
                f"  {estimator:<6} {'two left out' if left_out else 'every file':<13} rms of tau1 "
                f"{rms[0]:.1f} % ({counted[0]} files of {FEW:g} or more), tau2 {rms[1]:.1f} % "
                f"({counted[1]}), sum {rms[2]:.1f} %; sum within 10 % in {near} of {len(some)}"
            )
        whole = [each.estimate[1] / each.truth[1] - 1 for each in some]
        print(
            f"  model, tau2 of whatever size: rms {100 * np.sqrt(np.mean(np.square(whole))):.1f} %"
        )
    held, width = [], []
    for each in judged:
        ends = each.model.interval
        held.append([low <= at <= high for (low, high), at in zip(ends, each.truth, strict=False)])
        width.append(
            [
                (high - low) / max(at, 1.0)
                for (low, high), at in zip(ends, each.estimate, strict=False)
            ]
        )
    answers = sum(each.model.converged for each in judged)
    hits, middle = np.sum(held, axis=0), np.median(width, axis=0)
    print(
        f"  intervals hold tau1 in {hits[0]}, tau2 in {hits[1]} of {len(judged)}; median width "
        f"{middle[0]:.2f}, {middle[1]:.2f} of the estimate; answers {answers}"
    )
    for each in judged:
        if each.sample.name in LEFT_OUT:
            print(f"  left out: {each.sample.name}, {LEFT_OUT[each.sample.name]}")


def _print_shares(judged: Sequence[Judged]) -> None:
    """True over predicted sum of 1/F, file by file, by share of sample uniques."""
    print("\nSum of 1/F, true over predicted: median (range) of the files, by sample uniques")
    for low, high in pairwise(SHARES):
        some = [each for each in judged if low <= each.alone < high or each.alone == high == 1]
        if not some:
            continue
        row = f"  {low:4.0%} to {high:4.0%}  {len(some):>3} files"
        for name in ("cell", "model"):
            off = [
                each.truth[2] / (each.by_cell if name == "cell" else each.estimate)[2]
                for each in some
            ]
            row += f"   {name} {np.median(off):.2f} ({min(off):.2f} to {max(off):.2f})"
        print(row)


def _print_null() -> None:
    """Independent keys, sample stratified by one of them: there is nothing to find."""
    print("\nStratified null: z of B1, B2; dispersion, clumps; terms")
    for seed in range(8):
        model = judge(stratified(seed)).model
        z = [bias.standardised or 0.0 for bias in (model.diagnosis.B1, model.diagnosis.B2)]
        print(
            f"  {z[0]:+.2f} {z[1]:+.2f}   {model.scatter.dispersion:.2f} "
            f"{model.scatter.clumps:.2f}   {len(model.steps)}"
        )


def _print_cost() -> None:
    print("\nCost of the model, eight keys, sparse")
    for records in (100_000, 1_000_000):
        data = study(survey(households=int(records / PEOPLE)).frame, keys=KEYS, weight="weight")
        cells = data.engine.cells(data.scenario())
        start = time.process_time()
        model = fit_model(cells)
        spent = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"  {cells.records:>9,} records, {len(cells):,} of {model.table.cells:,} cells, "
            f"{len(model.steps)} terms: {spent:.1f} CPU s, peak {peak:.2f} GB"
        )
