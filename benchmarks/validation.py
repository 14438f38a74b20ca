"""How far off every estimator is on samples whose population is known.

    uv run python benchmarks/validation.py             all estimators, about twenty minutes
    uv run python benchmarks/validation.py --quick     without latent classes, two minutes
    uv run python benchmarks/validation.py --cases     one line for each sample, too
    uv run python benchmarks/validation.py --gaps      matches through gaps after suppression only
    uv run python benchmarks/validation.py --blanked   what suppressed records still show
    uv run python benchmarks/validation.py --calibration   risks of records against the truth

Samples: the shared truth cases where they are present (eusilcP and births served to choose the
method, adult and mort to confirm it), and populations simulated here (populations.py).
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

import blanked
import gaps
from calibration import calibration
from microsafe import study
from microsafe.risk import FileRisk
from populations import Sample, simulated

PEERS = Path(os.environ.get("MICROSAFE_PEERS", Path(__file__).parents[2] / "shared" / "peers"))
CHOSEN_ON = ("eusilcP", "births")
SIZES = ("pitman", "zayatz", "snb", "dankar")


def truth_cases(index: str = "cases.csv", group: str | None = None) -> Iterator[Sample]:
    """Read shared samples from complete populations, if they are here."""
    folder = PEERS / "truth"
    if not (folder / index).exists():
        return
    with (folder / index).open() as lines:
        for case in csv.DictReader(lines):
            keys = tuple(case["keys"].split("|"))
            (path,) = (folder / "samples").glob(f"{case['case']}.csv*")
            frame = pl.read_csv(path, schema_overrides=dict.fromkeys(keys, pl.String))
            usual = "development" if case.get("pop") in CHOSEN_ON else "confirmation"
            yield Sample(name=case["case"], group=group or usual, frame=frame, keys=keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one estimator said of one sample."""

    estimator: str
    sample: Sample
    tau1: float | None
    tau2: float | None
    records: float | None = None
    inside: tuple[bool, bool] | None = None


def answers(sample: Sample, *, latent: bool) -> Iterator[Answer]:
    """Ask every estimator."""
    data = study(sample.frame, keys=sample.keys, weight="weight", clip_weights=True)
    opinions = ("benedetti-franconi", "negative-binomial", *SIZES, *(("latent",) if latent else ()))
    asked = {
        "model of the population": data.file_risk(opinions=opinions),
        "main effects": data.file_risk(interactions=1, opinions=()),
        "all two-way": data.file_risk(interactions=2, opinions=()),
    }
    for name, found in asked.items():
        yield Answer(
            estimator=name,
            sample=sample,
            tau1=found.tau1,
            tau2=found.tau2,
            records=_records(found, found.opinion.risk),
            inside=_inside(found, sample),
        )
    for each in asked["model of the population"].opinions:
        risk = _records(asked["model of the population"], each.risk)
        inside = None
        if each.latent is not None and each.tau1 is not None:
            ends = each.latent.interval("tau1"), each.latent.interval("tau2")
            inside = _covers(ends, sample)
        yield Answer(
            estimator=each.model,
            sample=sample,
            tau1=each.tau1,
            tau2=each.tau2,
            records=risk,
            inside=inside,
        )


def _records(found: FileRisk, risk: np.ndarray | None) -> float | None:
    return None if risk is None else float(risk @ found.table.f)


def _inside(found: FileRisk, sample: Sample) -> tuple[bool, bool] | None:
    return None if found.interval is None else _covers(found.interval, sample)


def _covers(
    ends: tuple[tuple[float, float], tuple[float, float]], sample: Sample
) -> tuple[bool, bool]:
    first, second = (
        low <= true <= high for (low, high), true in zip(ends, sample.truth, strict=True)
    )
    return first, second


def report(group: str, found: list[Answer]) -> None:
    """Print bias and root mean square error in per cent, and the coverage of intervals."""
    samples = {answer.sample.name: answer.sample for answer in found}
    print(f"\n{group}: {len(samples)} samples; errors in %, bias / root mean square")
    print(
        f"  {'estimator':<25}{'tau1':>16}{'tau2':>16}{'all records':>16}{'inside 95 %':>16}  none"
    )
    for name in dict.fromkeys(answer.estimator for answer in found):
        mine = [answer for answer in found if answer.estimator == name]
        expected = [1.0 / each.sample.frame["F_pop"].to_numpy() for each in mine]
        columns = [
            _errors(
                [(each.tau1, each.sample.truth[0]) for each in mine if each.sample.truth[0] >= 5]
            ),
            _errors([(each.tau2, each.sample.truth[1]) for each in mine]),
            _errors(
                [(each.records, float(e.sum())) for each, e in zip(mine, expected, strict=True)]
            ),
        ]
        covered = [each.inside for each in mine if each.inside is not None]
        inside = "–"
        if covered:
            hits = np.sum(covered, axis=0)
            inside = f"{hits[0]}, {hits[1]} of {len(covered)}"
        missing = sum(each.tau1 is None for each in mine)
        print(
            f"  {name:<25}"
            + "".join(f"{each:>16}" for each in columns)
            + f"{inside:>16}  {missing or ''}"
        )


def _errors(pairs: list[tuple[float | None, float]]) -> str:
    off = np.array([estimate / true - 1.0 for estimate, true in pairs if estimate is not None])
    if not len(off):
        return "–"
    return f"{100 * off.mean():+.0f} / {100 * np.sqrt((off**2).mean()):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave out latent classes")
    parser.add_argument("--cases", action="store_true", help="print every sample, too")
    parser.add_argument("--replicates", type=int, default=3, help="of each simulated design")
    parser.add_argument("--gaps", action="store_true", help="look at gaps after suppression only")
    parser.add_argument("--blanked", action="store_true", help="records after suppression only")
    parser.add_argument("--calibration", action="store_true", help="risks against the truth")
    chosen = parser.parse_args()
    if chosen.gaps:
        gaps.report(truth_cases(), cases=chosen.cases)
        return
    if chosen.blanked:
        blanked.report(chosen.replicates)
        return
    warnings.simplefilter("error")
    if chosen.calibration:
        calibration((*truth_cases(group="cases"), *truth_cases("more.csv", "more")))
        return
    found: dict[str, list[Answer]] = {}
    for sample in (*truth_cases(), *simulated(chosen.replicates)):
        print(f"\r{sample.name:<60}", end="", file=sys.stderr, flush=True)
        said = list(answers(sample, latent=not chosen.quick))
        found.setdefault(sample.group, []).extend(said)
        if chosen.cases:
            true1, true2 = sample.truth
            print(f"{sample.name}: truth {true1:.0f}, {true2:.1f}")
            for each in said:
                print(f"    {each.estimator:<25} tau1 {each.tau1}, tau2 {each.tau2}")
    print(file=sys.stderr)
    for group, said in found.items():
        report(group, said)


if __name__ == "__main__":
    main()
