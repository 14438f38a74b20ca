"""The report: what each audience reads, and that no text can become anything but text."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, partial
from html.parser import HTMLParser
from itertools import pairwise
from types import SimpleNamespace

import polars as pl
import pytest

import microsafe as ms
from microsafe.compare import compare
from microsafe.display import show_number, show_percent, show_rate
from microsafe.errors import UsageError
from microsafe.options.policy import Verdict
from microsafe.report import Content, RiskBeforeAndAfter, report_html
from microsafe.report.document import Picture
from microsafe.report.markup import escape, fill_template
from microsafe.report.sections import population_uniques
from microsafe.report.shown_numbers import signed_percent
from microsafe.steps import BottomCode, Recode, Suppress, TopCode
from microsafe.steps.base import AppliedStep

LIMIT = 0.0137
HOSTILE = "<script>alert(1)</script>\"'&{x}\u202egnp\x00\x1b\x07\ud800</td>\u05d0"
TAGS = set(
    re.findall(
        r"\w+",
        "html head meta title style body main header p h1 h2 h3 section table caption thead tbody "
        "tr th td bdi small dl div dt dd strong span ul li figure figcaption svg g path defs use "
        "rect text clippath nav ol a code footer br",
    )
)


def recode(hostile: str = "") -> AppliedStep:
    """A recode by groups, ranges among them."""
    groups = {hostile + "1": ("2", ("3", "5"), ("9", ""), ("", "1"), hostile + "7")}
    return AppliedStep(step=Recode(variable=hostile + "region", groups=groups, why=hostile))


@cache
def content(hostile: str = "") -> Content:
    """Everything a report may hold; with hostile text in every place for text."""
    stored = hostile.replace("\ud800", "")  # no frame holds half a character
    names = {"region": stored + "region", "marital": stored + "marital"} if hostile else {}
    frame = ms.survey(households=400).frame.rename(names)
    if hostile:
        made = pl.lit(stored) + pl.col(names["marital"]).cast(pl.String)
        frame = frame.with_columns(made.alias(names["marital"]))
    region, marital = names.get("region", "region"), names.get("marital", "marital")
    study = ms.study(
        frame, keys=[region, "sex", "age"], weight="weight", estimator="cell", household="household"
    )
    study = study.with_scenario(hostile + "register", keys=[region, marital, "hsize"])
    safe = study.suppress(above=LIMIT, spare=[region], why=hostile + "the board's wish")
    cost = compare(study.engine, safe.engine, study.scenarios, by=["education"])
    return Content(
        source=hostile + "lfs.sav",
        sha256="f00d" * 16 + hostile,
        output=hostile + "lfs-safe.sav",
        output_sha256="beef" * 16 + hostile,
        comparison=replace(
            cost, notes=(*cost.notes, hostile), dropped=(hostile,) if hostile else ()
        ),
        measured=[
            RiskBeforeAndAfter(
                before=study.risk(each.name, limit=LIMIT),
                after=safe.risk(each.name, limit=LIMIT),
                why=hostile + "neighbours know this",
            )
            for each in study.scenarios
        ],
        steps=(*safe.steps, recode(hostile)),
        verdicts=[
            Verdict(rule="record_risk", scenario="main", limit=LIMIT, value=0.0136, met=True),
            Verdict(
                rule=hostile + "rate", scenario=hostile + "main", limit=0.00123, value=0.00456,
                met=False, reason=hostile + "on site only",
            ),
        ],
        labels={region: hostile + "Region of residence", "age": hostile},
        versions={"microsafe": "0.1.0" + hostile, hostile + "numpy": "2.0"},
        plan="microsafe = 1\n" + hostile,
    )  # fmt: skip


class Page(HTMLParser):
    """All tags, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += "" if self.open[-1:] == ["style"] else data


@pytest.mark.parametrize("audience", ["board", "public"])
@pytest.mark.parametrize("hostile", ["", HOSTILE])
def test_the_page_is_sound_and_asks_for_nothing(audience, hostile):
    text = report_html(content(hostile), audience=audience)
    text.encode("utf-8")
    page = Page(text)
    assert page.open == []
    assert {tag for tag, _ in page.tags} <= TAGS
    assert not re.search(r"https?:|//[a-z]|@import|\ssrc=|javascript:", text)
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", text
    )
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert tag != "th" or attributes["scope"] in ("col", "row")
        attached = "download" in attributes  # the plan, inside the page
        start = "data:application/toml;base64," if attached else "#"
        assert attributes.get("href", "#").startswith(start if tag == "a" else "#")
    identities = [a["id"] for _, a in page.tags if "id" in a]
    assert len(identities) == len(set(identities))
    assert ("html", {"lang": "en-GB"}) in page.tags
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in text
    if hostile:
        assert "<script>alert(1)</script>" in page.text  # shown, not run
        assert "\u05d0" in page.text


@pytest.mark.parametrize("audience", ["board", "public"])
def test_same_content_same_bytes(audience):
    first = report_html(content(), audience=audience)
    assert first == report_html(content(), audience=audience)
    assert not re.search(r"\b20[2-9]\d-\d\d-\d\d\b", first)


def test_headings_go_down_by_one_step_and_figures_have_words():
    page = Page(report_html(content(), audience="board"))
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    figures = [a for tag, a in page.tags if tag == "figure"]
    assert len(figures) == 2
    assert all("before" in str(a["aria-label"]) for a in figures)
    assert all(a.get("aria-hidden") == "true" for tag, a in page.tags if tag == "svg")


def test_the_board_reads_everything():
    text = Page(report_html(content(), audience="board")).text
    done = content().steps[0]
    for wanted in (
        "lfs.sav", "f00d" * 16, "beef" * 16, "Scenario “main”", "Scenario “register”",
        "neighbours know this", "the board's wish", "limit 0.0137", "on site only", "not met",
        "Release by override.", "Expected households re-identified", "plan.toml", "numpy",
        "Local suppression", f"{sum(done.blanks.values()):,}", "Hellinger distance", "0.25",
        f"{content().measured[0].before.expected:.4g}",
    ):  # fmt: skip
        assert wanted in text, wanted


def test_the_public_reads_nothing_that_helps_an_intruder():
    made = content()
    text = report_html(made, audience="public")
    shown = Page(text).text
    for wanted in ("Local suppression", "Hellinger distance", "Information lost", "beef" * 16):
        assert wanted in shown, wanted
    secret = {"0.0137", "1.37", "1 in", "f00d", "0.0136", "0.00123", "0.123", "0.00456", "limit"}
    secret |= {"microsafe = 1", "on site only", "the board's wish", "neighbours", "scenario"}
    for each in made.measured:
        for risk in (each.before, each.after):
            secret |= {f"{risk.max:.3g}", f"{risk.expected:.4g}", f"{risk.expected:.3g}"}
            secret |= {show_number(risk.max, 3), show_rate(risk.rate).removesuffix(" %")}
            secret |= {f"{100 * risk.rate:.4f}", f"{risk.sample_uniques:,}"}
            secret |= {f"{risk.limit.unsafe:,}"} if risk.limit.unsafe > 99 else set()
    # A single digit may be the number of a step, or a code.
    for word in {word for word in secret if len(word) > 1} - {"0.0000"}:
        whole = rf"(?<![\d.,\w]){re.escape(word)}(?![\d\w]|[.,]\d)"
        assert not re.search(whole, shown, re.IGNORECASE), word
    exact = {f"{count:,}" for count in made.steps[0].blanks.values() if count > 99}
    exact |= {f"{each.hellinger:.4f}" for each in made.comparison.tables if each.hellinger > 1e-4}
    exact |= {f"{100 * each.blank_share:.2f}" for each in made.comparison.losses if each.blanks}
    assert not [word for word in exact if word in shown]


def test_the_public_is_not_told_small_counts():
    made = content()
    losses = tuple(
        replace(loss, blanks=count, known=10_000 * count)
        for loss, count in zip(made.comparison.losses, (7, 9, 10, 1, 3), strict=False)
    )
    rare = replace(made, comparison=replace(made.comparison, losses=losses))
    text = report_html(rare, audience="public")
    assert text.count("fewer than 10 values") == 4
    assert text.count("less than 1 %") >= 1
    # Bars are as coarse as the words beside them.
    cells = re.findall(r"fewer than 10 values<svg.*?</svg>", text)
    assert all('<rect width="0.00"' in cell for cell in cells)


def test_the_public_is_shown_no_category():
    study = ms.study(
        pl.DataFrame(
            {
                "job": ["clerk"] * 60 + ["astronaut"] * 3,
                "sex": ["f", "m", "f"] * 21,
                "w": [5.0] * 63,
            }
        ),
        keys=["job", "sex"],
        weight="w",
        estimator="cell",
    )
    safe = study.suppress(k=5)
    cost = compare(study.engine, safe.engine, study.scenarios)
    made = Content(source="jobs.csv", comparison=cost, steps=safe.steps)
    assert "astronaut" in report_html(made, audience="board")
    public = report_html(made, audience="public")
    assert "astronaut" not in public
    assert "clerk" not in public


def test_a_report_of_little():
    made = content()
    bare = Content(source="x", comparison=made.comparison)
    for audience in ("board", "public"):
        Page(report_html(bare, audience=audience))
    assert "Not judged." in report_html(bare, audience="board")


@pytest.mark.slow
def test_verdict_in_one_line():
    made = content()
    met, unmet = made.verdicts
    barred = replace(made, verdicts=[met, replace(unmet, reason="")])
    assert "Not to be released." in report_html(barred)
    assert "All rules are met." in report_html(replace(made, verdicts=[met]))


def test_unknown_audience():
    with pytest.raises(UsageError, match="Did you mean 'public'"):
        report_html(content(), audience="publik")  # type: ignore[arg-type]


def test_the_gate():
    assert escape("<b>") == "&lt;b&gt;"
    assert escape(escape("<b>")) == "&lt;b&gt;"
    assert fill_template("<p>{a}{b}</p>", a="{b}", b=escape("&")) == "<p>{b}&amp;</p>"
    assert escape("a\u202eb\x00") == "a\ufffdb\ufffd"
    assert escape("שלום") == "שלום"


def test_ranges_are_told_as_ranges():
    text = report_html(content(), audience="board")
    assert "1: 2, 3 to 5, 9 and above, up to 1, 7" in text


def test_numbers_in_words():
    assert show_percent(0.00001) == "under 0.1 %"
    assert signed_percent(-0.012) == "−1.2 %"
    assert signed_percent(0.0) == "none"


def test_recodes_in_words():
    groups = {1: ["1", (3, 5)], 2: ((9, None),), 3: [(None, 4), "x"], 4: ["a", "b"]}
    step = Recode(variable="v", groups=groups, other=8)
    assert dict(step.parameters_in_words()) == {
        "New codes from old": "1: 1, 3 to 5; 2: 9 and above; 3: up to 4, x; 4: a, b",
        "Code for all others": "8",
    }
    climb = Recode(variable="v", classification=({"11": "1", "12": "1"}, {"1": "A"}))
    assert dict(climb.parameters_in_words()) == {"Classification": "1: 11, 12, then A: 1"}


def test_tails_in_words():
    top, bottom = TopCode(variable="age", limit=85), BottomCode(variable="age", limit=15)
    assert dict(top.parameters_in_words()) == {"From": "85", "Code": "85"}
    assert dict(bottom.parameters_in_words()) == {"Up to": "15", "Code": "15"}


def test_limits_of_a_suppression_in_words():
    step = Suppress(above=0.01, household=0.05, spare=("sex", "age"), linked={"sex": ("name",)})
    assert dict(step.parameters_in_words()) == {
        "Unsafe if the risk is above": "0.01",
        "Guarantee": "own: every record is safe by its own blanks",
        "Keys not to be blanked": "sex, age",
        "Variables that lose their value with a key": "sex: name",
        "Households are unsafe if their risk is above": "0.05",
    }


def test_no_bar_runs_out_of_its_frame():
    """Records that share few risks make higher bars, whether before or after."""
    from microsafe.report.plots import draw_svg, plot_risks

    sides = [
        ms.study(
            pl.DataFrame({"a": a, "w": [9.0] * 90}), keys=["a"], weight="w", estimator="cell"
        ).risk(limit=LIMIT)
        for a in (["x"] * 90, [*map(str, range(60)), *["x"] * 30])
    ]
    for before, after in (sides, sides[::-1]):
        picture = draw_svg(Picture(partial(plot_risks, before, after), "p", "", ""))
        frames = dict(re.findall(r'<clipPath id="([^"]+)">\s*<rect x="[^"]+" y="([^"]+)"', picture))
        bars = re.findall(r'<path d="([^"]+)" clip-path="url\(#([^)]+)\)" style="fill: #', picture)
        assert {frame for _, frame in bars} == set(frames)
        for line, frame in bars:
            heights = [float(y) for y in re.findall(r"[ML] \S+ (\S+)", line)]
            assert min(heights) > float(frames[frame])


@pytest.mark.parametrize(
    ("bias", "text"), [(-0.04, "0.0"), (0.04, "0.0"), (-0.06, "−0.1"), (2.25, "2.2"), (None, "")]
)
def test_a_bias_that_rounds_to_zero_has_no_sign(bias: float | None, text: str) -> None:
    tau = SimpleNamespace(B2=SimpleNamespace(standardised=bias))
    risk = SimpleNamespace(fit=SimpleNamespace(cell=tau, file=None), by_cell=True)
    assert population_uniques._bias(risk) == text  # type: ignore[arg-type]
