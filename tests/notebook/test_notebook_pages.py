"""Every result prints itself: as text, and as a page with labels and a small picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from microsafe.io import write
from microsafe.results import make_page
from microsafe.svg import draw_bars, draw_columns

KEYS = ["region", "sex", "age"]
EVIL = '<script>alert("x")</script>&'
RESULTS: dict[str, Callable[[ms.Study], Any]] = {
    "study": lambda s: s,
    "protected study": lambda s: s.recode("age", [0, 30, 60]).suppress(0.05),
    "describe": lambda s: s.describe(),
    "preview_variables": lambda s: s.preview_variables(),
    "inventory": lambda s: s.inventory(),
    "risk": lambda s: s.risk(limit=0.02),
    "contributions": lambda s: s.risk().contributions(),
    "limit": lambda s: s.limit(risk=0.02),
    "household limit": lambda s: s.limit(household_risk=0.05),
    "combinations": lambda s: s.combinations(k=3),
    "uniques": lambda s: s.uniques(),
    "tabulation": lambda s: s.tabulation(),
    "areas": lambda s: s.areas("region"),
    "diversity": lambda s: s.diversity(["marital", "occupation"]),
    "file_risk": lambda s: s.file_risk(interactions=1),
    "suggest": lambda s: s.suggest(most=3),
    "preview": lambda s: s.preview(s.recode("age", [0, 30, 60])),
    "compare": lambda s: s.recode("age", [0, 30, 60]).suppress(0.05).compare(),
    "numeric_risk": lambda s: s.noise("income", seed=1).numeric_risk("income"),
    "propose": lambda s: s.propose(policy=ms.Policy(record_risk=0.05)),
}
NO_LABELS = {"limit", "household limit", "numeric_risk"}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> ms.Study:
    """A survey in SPSS, whose labels are markup."""
    made = ms.survey(1, households=150)
    variables = tuple(replace(v, label=f"{v.name} {EVIL}") for v in made.schema)
    path = tmp_path_factory.mktemp("labels") / "survey.sav"
    write(made.frame, replace(made.schema, variables=variables), path)
    return ms.study(path, keys=KEYS, weight="weight", household="household")


class Reader(HTMLParser):
    """The tags of a page, all of them closed, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name.startswith("on") or name == "href" for name, _ in attrs)
        self.tags.add(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_a_page_with_labels_and_a_picture(study: ms.Study, name: str) -> None:
    found = RESULTS[name](study)
    text, page = repr(found), found._repr_html_()
    assert "object at 0x" not in text
    assert "array(" not in text
    read = Reader(page)
    assert {"table", "figcaption", "svg"} <= read.tags
    assert "script" not in read.tags
    assert len(page) < 40_000
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) == 1
    picture = ET.fromstring(pictures[0])  # noqa: S314  # ours
    assert picture.get("role") == "img"
    assert [each.text for each in picture if each.tag.endswith("title")] != [""]
    if name not in NO_LABELS:
        assert EVIL in read.text
    assert page == RESULTS[name](study)._repr_html_() or name == "propose"


def test_pages_show_no_value_that_the_text_does_not() -> None:
    secrets = [f"secret{n:03d}x" for n in range(60)]
    rows = 600
    frame = pl.DataFrame(
        {
            "place": [secrets[n * n % 60] for n in range(rows)],
            "job": [f"hidden{n % 7}" for n in range(rows)],
            "ill": [f"private{n % 5}" for n in range(rows)],
            "weight": [3.5] * rows,
        }
    )
    study = ms.study(frame, keys=["place", "job"], weight="weight")
    results = [
        study, study.suppress(k=2), study.describe(), study.inventory(), study.risk(limit=0.1),
        study.risk().contributions(), study.limit(risk=0.1), study.combinations(k=5),
        study.uniques(), study.tabulation(), study.diversity("ill"), study.suggest(),
        study.suppress(k=5).compare(), study.file_risk(interactions=1),
    ]  # fmt: skip
    for found in results:
        values = set(re.findall(r"(?:secret|hidden|private)\w+", found._repr_html_()))
        assert values <= set(re.findall(r"(?:secret|hidden|private)\w+", repr(found)))


def test_bars_are_in_proportion_and_many_are_cut() -> None:
    bars = [(f"v{n} {EVIL}", float(n), f"{n} %") for n in range(40)]
    picture = ET.fromstring(draw_bars(f"Shares {EVIL}", bars))  # noqa: S314
    widths = [float(each.get("width", 0)) for each in picture if each.tag.endswith("rect")]
    assert len(widths) == 12
    assert widths[-1] > 0
    assert [round(width / widths[-1] * 11, 2) for width in widths] == list(range(12))
    words = "".join(picture.itertext())
    assert "and 28 more" in words
    assert "<script>" in words
    nothing = ET.fromstring(draw_bars("none", [("a", 0.0, "0"), ("b", float("nan"), "–")]))  # noqa: S314
    assert [each.get("width") for each in nothing if each.tag.endswith("rect")] == ["0", "0"]
    assert draw_bars("none", []) == ""


def test_nothing_is_drawn_outside_a_picture() -> None:
    long = [("recode age into bins of 5 years from 0 to 100", 2.0, "1,234,567 (100.0 %)")]
    for bars in (long, [("a", 1.0, "1")]):
        picture = ET.fromstring(draw_bars("t", bars))  # noqa: S314
        wide = float(picture.get("width", 0))
        bar = next(each for each in picture if each.tag.endswith("rect"))
        words = [each for each in picture if each.tag.endswith("text")]
        assert float(bar.get("x", 0)) > 6 * len(words[1].text or "")
        assert float(words[2].get("x", 0)) + 6 * len(words[2].text or "") <= wide


def test_labels_stand_by_the_names_of_a_table() -> None:
    labels = {"age": "Age in years", "sex": "Sex", "w": "Weight"}
    table = make_page("T", [("age", "1"), ("sex", "2")], head=("v", "n"), right=(1,), labels=labels)
    assert re.findall(r"age<br/><span[^>]*>Age in years</span>", table)
    assert re.findall(r"text-align:right[^>]*>1<", table)
    assert ">Sex<" not in table
    assert table.count("Age in years") == 1
    assert "<b>w</b> Weight" in table
    figures = make_page("T", [("age", "1")], labels=labels)
    assert "<b>age</b> Age in years; <b>w</b> Weight" in figures


def test_a_description_tells_the_keys_it_proposes(study: ms.Study) -> None:
    described = study.describe()
    names = [each.name for each in described.proposed]
    assert 0 < len(names) <= 8
    assert [each.place for each in described.proposed] == list(range(1, len(names) + 1))
    assert f"Proposed keys: {', '.join(names)}; " in repr(described)
    svg = re.findall(r"<svg.*?</svg>", described._repr_html_(), re.DOTALL)[0]
    assert all(f">{name}<" in svg for name in names)


def test_columns_have_a_mark() -> None:
    picture = ET.fromstring(draw_columns("Risks", [1, 0, 4], ends=("low", "high"), mark=0.5))  # noqa: S314
    heights = [float(each.get("height", 0)) for each in picture if each.tag.endswith("rect")]
    assert heights[1] == 0
    assert heights[2] == pytest.approx(4 * heights[0])
    assert any(each.tag.endswith("line") for each in picture)
    assert draw_columns("Risks", [], ends=("", ""), mark=None) == ""


def test_tables_of_results_are_still_tuples(study: ms.Study) -> None:
    described, added = study.describe(), study.risk().contributions()
    assert isinstance(described, tuple)
    assert described == study.describe()
    assert tuple(each.name for each in described) == study.schema.names
    assert [each.fall for each in added] == sorted((each.fall for each in added), reverse=True)
    assert "probable role" in repr(described)
    assert "without it" in repr(added)
    assert repr(study.limit(risk=0.02)).startswith("Limit on the risk of records")
    assert study.limit(risk=0.02) == study.limit(risk=0.02)
    assert study.limit(risk=0.02).summary()["limit"] == 0.02


def test_names_of_many_characters_do_not_break_a_page() -> None:
    frame = pl.DataFrame({"a" * 300: [1, 2] * 50, "b\x00\n" + EVIL: [1, 1] * 50})
    study = ms.study(frame, keys=frame.columns)
    for found in (study, study.risk(), study.describe(), study.combinations(k=3)):
        page = found._repr_html_()
        assert "<script" not in page
        svg = re.findall(r"<svg.*?</svg>", page, re.DOTALL)[0]
        assert "a" * 100 not in svg
        ET.fromstring(svg)  # noqa: S314
        assert unescape(page)


def test_the_picture_of_a_study_tells_its_types_and_costs_no_reading(tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    study = ms.study(path, keys=["a"])
    path.unlink()
    assert "few.csv" in study._repr_html_()
