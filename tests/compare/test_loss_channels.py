"""The loss of a step is one figure, from wherever it is told, and equal to counting by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import microsafe as ms
from compare.test_loss import lost_by_hand
from microsafe.cli import main
from microsafe.compare.step_loss import measure_mean
from microsafe.display import show_percent
from microsafe.io import write
from microsafe.report.document import Grid, join, plain_text
from microsafe.report.sections.cost import board_cost
from microsafe.steps import STEPS, Members, Sample, Suppress
from microsafe.steps.base import Step
from steps import test_recode as common

Capture = pytest.CaptureFixture[str]
OPTIONS = ("--keys", ",".join(common.KEYS), "--weight", "weight", "--household", "household")
APART = ("household", "weight")  # they tell nothing that anybody would tabulate


def known(study: ms.Study, name: str) -> list[Any]:
    """Values of a variable, None where there is none."""
    gaps = study.schema[name].missing
    return [None if each in gaps else each for each in study.engine.table()[name].to_list()]


def by_hand(start: ms.Study, done: ms.Study, name: str) -> float:
    """The share lost, by going through the records."""
    old = known(start, name)
    new = known(done, name) if name in done.schema else [None] * len(old)
    is_number = name not in (*common.KEYS, *APART) and all(
        isinstance(each, int | float | None) and not isinstance(each, bool) for each in (*old, *new)
    )
    if is_number and len({*old}) > 21 and name in done.schema:
        pairs = [(x, z) for x, z in zip(old, new, strict=True) if x is not None]
        x, z = np.array([each for each in pairs if each[1] is not None], float).T
        return 1 - len(x) / len(pairs) * float(np.corrcoef(x, z)[0, 1]) ** 2
    places: dict[Any, int] = {None: 0}
    codes = [[places.setdefault(each, len(places)) for each in side] for side in (old, new)]
    bits, lost = lost_by_hand(*codes)
    return lost / bits if bits else 0.0


def two_files(start: ms.Study, done: ms.Study, folder: Path, capsys: Capture) -> dict[str, float]:
    paths = folder / "before.sav", folder / "after.sav"
    for path, study in zip(paths, (start, done), strict=True):
        write(study.engine.table(), study.schema, path)
    assert main(["compare", *map(str, paths), *OPTIONS, "--json"]) == 0
    losses = json.loads(capsys.readouterr().out)["losses"]
    return {each["name"]: each["lost"] / (each["entropy"] or 1.0) for each in losses}


def report_rows(done: ms.Study) -> dict[str, str]:
    content: Any = SimpleNamespace(comparison=done.compare(), labels={}, prices=())
    losses = next(each for each in board_cost(content) if isinstance(each, Grid))
    return {plain_text(row[0]): plain_text(join(row, " ")) for row in losses.rows}


def test_every_kind_of_step_is_told() -> None:
    assert {type(step) for step in common.CASES.values()} | {Members, Sample} == {*STEPS.values()}


@common.every
def test_one_figure_from_every_channel(step: Step, tmp_path: Path, capsys: Capture) -> None:
    start = common.opened()
    done = start.apply(step)
    found = {each.variable: each.share_lost for each in start.preview(step).information}
    for name, share in found.items():
        assert share == pytest.approx(by_hand(start, done, name), abs=1e-9)
    compared = done.compare()
    told = {each.name: each.lost_share for each in compared.losses}
    files = two_files(start, done, tmp_path, capsys)
    rows = report_rows(done)
    assert {*files} | {name for name in told if not told[name]} == {*told} == {*rows}
    for name, share in told.items():
        assert share == found.get(name, 0.0)
        assert files.get(name, 0.0) == pytest.approx(share, abs=1e-12)
        assert show_percent(share) in rows[name]
    for name in found.keys() - told.keys() - {*APART}:  # no key, and no longer there
        assert found[name] == 1.0
        assert name in compared.dropped
        assert f"all lost: {name}" in repr(compared)


def test_suggestions_tell_what_their_steps_lose(tmp_path: Path, capsys: Capture) -> None:
    start = common.opened()
    kinds = set()
    for each in start.suggest(most=1000):
        (information,) = each.information
        done, name = start.apply(each.step), information.variable
        assert start.preview(done).information == each.information
        assert each.loss == pytest.approx(by_hand(start, done, name), abs=1e-9)
        assert {row.name: row.lost_share for row in done.compare().losses}[name] == each.loss
        if each.step.do not in kinds:
            assert two_files(start, done, tmp_path, capsys)[name] == pytest.approx(each.loss)
        kinds.add(each.step.do)
    assert kinds == {"recode", "drop", "top_code", "bottom_code"}


def test_prices_of_guarantees(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "survey.sav"
    write(common.SURVEY.frame, common.SURVEY.schema, path)
    written = ["-o", str(tmp_path / "safe.sav")]
    assert main(["suppress", str(path), *OPTIONS, "--estimator", "cell", "--k", "2", *written]) == 0
    text, start = capsys.readouterr().out, common.opened()
    for guarantee in ("own", "strict", "shared"):
        (row,) = re.findall(rf"^ *{guarantee}\b.*$", text, re.MULTILINE)
        done = start.apply(Suppress(k=2, guarantee=guarantee))  # type: ignore[arg-type]
        shares = [each.lost_share for each in done.compare().losses if each.key]
        assert measure_mean(start, done, common.KEYS) == pytest.approx(np.mean(shares))
        assert show_percent(float(np.mean(shares))) in row


def test_candidates_of_a_proposal() -> None:
    start = common.opened(keys=["region", "age", "sex"], household=None)
    for each in start.propose(policy=ms.Policy(record_risk=0.05), touched=0.1).candidates[:3]:
        rows = [row for row in each.study.compare().losses if row.key]
        assert each.loss == pytest.approx(np.mean([row.lost_share for row in rows]), rel=1e-9)
        found = {row.variable: row.share_lost for row in start.preview(each.study).information}
        assert all(row.lost_share == found.get(row.name, 0.0) for row in rows)


def test_numbers_of_one_file_lose_more_the_coarser_they_are() -> None:
    """Rounded, cut or moved: one measure, so that steps can be weighed against each other."""
    start = common.opened()
    loss = [
        start.preview(start.round("income", base=base)).information[0].share_lost
        for base in (1, 100, 1000)
    ]
    assert loss == sorted(loss)
    assert loss[1] < 0.01 < start.preview(common.CASES["noise"]).information[0].share_lost
    both = start.round("income", base=1000).microaggregate("income")
    assert both.compare().losses[-1].lost_share >= loss[-1]
