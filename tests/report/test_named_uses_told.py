"""Tables and models that matter: the board sees them, the public learns what they lost."""

from __future__ import annotations

import re
from io import BytesIO

import pytest

import microsafe as ms
from microsafe.compare import Comparison
from microsafe.report import Content, ReportCover, render_report

FORMULA = "income ~ age + sex"
USES = ms.Uses(
    tables=(ms.TableUse(of=("region", "marital")),), models=(ms.ModelUse(formula=FORMULA),)
)


@pytest.fixture(scope="module")
def study() -> ms.Study:
    made = ms.survey(1, households=300)
    keys = ["region", "sex", "age", "marital"]
    found = ms.study(
        made.frame, keys=keys, weight="weight", estimator="cell", household="household"
    )
    return found.recode("age", breaks=[0, 15, 30, 45, 60, 75]).suppress(above=0.02)


@pytest.fixture(scope="module")
def comparison(study: ms.Study) -> Comparison:
    return study.compare(
        tables=[("region", "marital"), ("sex",)], models=[FORMULA, "sex ~ age"], uses=USES
    )


def write(comparison: Comparison, audience: str, *, language: str = "en") -> str:
    cover = ReportCover(language=language)
    content = Content(source="survey", comparison=comparison, cover=cover)
    return render_report(content, audience, ".html").decode()  # type: ignore[arg-type]


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_board_sees_pictures_and_figures(comparison: Comparison) -> None:
    page = write(comparison, "board")
    text = plain(page)
    assert page.count("<figure") >= 4
    assert 'aria-label="Changes of the table region × marital: the largest is' in page
    assert f'aria-label="Coefficients of {FORMULA} before and after."' in page
    assert "Logistic regression: sex ~ age" in text
    change = next(each for each in comparison.named_tables() if len(each.names) == 2)
    assert change.plain is not None
    for side in (change, change.plain):
        assert f"{side.hellinger:.4f}" in text
    for model in comparison.utility.models:  # type: ignore[union-attr]
        assert f"Mean overlap of the intervals: {100 * model.overlap:.1f} %" in text


def test_absolute_and_relative_changes_have_columns_of_their_own(comparison: Comparison) -> None:
    heads = re.findall(r"<thead>(.*?)</thead>", write(comparison, "board"), re.DOTALL)
    told = [plain(each) for each in heads]
    assert sum("Change, points" in each and "Relative change, %" in each for each in told) == 2
    assert sum("Before (95 % interval)" in each for each in told) == 4


def test_few_records_have_no_relative_change(comparison: Comparison) -> None:
    grid = comparison.named_tables()[0].grid
    assert grid is not None
    text = plain(write(comparison, "board"))
    assert "Cells of fewer than 30 records have no relative change." in text


def test_groups_that_lost_most_stand_beside_the_whole_file(comparison: Comparison) -> None:
    text = plain(write(comparison, "board"))
    worst = comparison.hardest[0]
    assert f"{100 * worst.lost:.1f} %" in text
    assert "Groups that lost most of what the keys tell (30 or more records)." in text


def test_the_public_sees_no_cell_and_no_coefficient(comparison: Comparison) -> None:
    text = plain(write(comparison, "public"))
    assert "region × marital" in text
    assert FORMULA in text
    for secret in ("95 % interval", "widowed", "Northport", "age = ", "Relative change"):
        assert secret not in text
    for model in comparison.utility.models:  # type: ignore[union-attr]
        assert f"{100 * model.overlap:.1f}" not in text


def test_in_german(comparison: Comparison) -> None:
    text = plain(write(comparison, "board", language="de"))
    for each in ("Tabelle region × marital", "Lineare Regression", "(Konstante)", "gewichtet"):
        assert each in text
    assert "confidence" not in text


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".pdf", ".docx"])
def test_in_other_formats(comparison: Comparison, suffix: str) -> None:
    content = Content(source="survey", comparison=comparison)
    made = render_report(content, "board", suffix)
    assert len(made) > 100_000  # pictures
    if suffix == ".docx":
        from zipfile import ZipFile

        names = ZipFile(BytesIO(made)).namelist()
        assert sum(each.endswith(".png") for each in names) == 4


def test_a_model_that_is_gone(study: ms.Study) -> None:
    gone = study.drop("sex", from_keys=True).compare(models=[FORMULA])
    assert "cannot be fitted any more" in plain(write(gone, "board"))


@pytest.mark.slow
def test_same_bytes(comparison: Comparison) -> None:
    assert write(comparison, "board") == write(comparison, "board")
