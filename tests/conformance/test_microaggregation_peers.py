"""Microaggregation against brute force, sdcMicro and mu-ARGUS on the CASC reference files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from microsafe.steps.microaggregate.kernel import Microaggregation, standardise
from microsafe.steps.microaggregate.mdav import find_groups
from oracle import information_lost

FILES = ("tarragona", "census", "eia")


@pytest.fixture(scope="module")
def golden(peers: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((peers / "perturb" / "golden.json").read_text())
    return found


def table(peers: Path, name: str) -> dict[str, np.ndarray]:
    path = peers / "perturb" / f"{name}.csv"
    with path.open() as lines:
        names = lines.readline().strip().split(",")
    columns = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2).T
    return dict(zip(names, columns, strict=True))


def average(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    _, groups = np.unique(groups, return_inverse=True)
    return np.array([(np.bincount(groups, each) / np.bincount(groups))[groups] for each in values])


@pytest.mark.parametrize("k", [3, 4, 5, 10])
@pytest.mark.parametrize("name", FILES)
def test_mdav_by_the_handbook(peers: Path, golden: dict[str, Any], name: str, k: int) -> None:
    values = np.array(list(table(peers, name).values()))
    groups = find_groups(standardise(values, "sd"), k)
    wanted = table(peers, f"{name}_mdav_groups")[f"k{k}"]
    assert groups.tolist() == wanted.astype(int).tolist()
    after, grouped = Microaggregation(k=k).aggregate(values)
    assert grouped.all()
    figures = golden["mdav"][name][str(k)]
    assert 100 * information_lost(values, after) == pytest.approx(figures["handbook"], rel=1e-11)
    assert groups.max() + 1 == figures["groups"]


@pytest.mark.parametrize("k", [3, 5])
@pytest.mark.parametrize("name", FILES)
def test_mdav_of_sdcmicro(peers: Path, name: str, k: int) -> None:
    values = np.array(list(table(peers, name).values()))
    theirs = average(values, table(peers, f"sdcmicro_mdav_{name}_k{k}")["group"])
    ours, _ = Microaggregation(k=k).aggregate(values)
    lost = information_lost(values, ours)  # records that tie may change groups
    assert lost == pytest.approx(information_lost(values, theirs), rel=1e-11)


@pytest.mark.parametrize("k", [3, 5, 10])
@pytest.mark.parametrize("name", FILES)
def test_least_squares_of_each_variable(
    peers: Path, golden: dict[str, Any], name: str, k: int
) -> None:
    for variable, values in table(peers, name).items():
        wanted = golden["optimal_univariate_sse"][name][variable]
        after, _ = Microaggregation(k=k, method="one").aggregate(values[None, :])
        lost = float(((after - values) ** 2).sum())
        assert lost == pytest.approx(wanted[str(k)], rel=1e-9, abs=1e-14 * wanted["sst"]), variable


def test_eleven_enterprises(golden: dict[str, Any]) -> None:
    facts = golden["eleven_enterprises"]
    values = np.array(facts["surface_employees"], float).T
    assert find_groups(standardise(values, "sd"), 3).tolist() == facts["mdav_handbook_k3"]["label"]
    after, _ = Microaggregation(k=3).aggregate(values)
    lost = 100 * information_lost(values, after)
    assert lost == pytest.approx(facts["mdav_handbook_k3"]["il"], rel=1e-12)
    assert lost > facts["optimum_k3"]["il"]
