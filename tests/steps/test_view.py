"""The guarantee `view`: against brute force on small tables, and what it promises of files."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.cells import Cells
from microsafe.cli import main
from microsafe.errors import InputError, UsageError
from microsafe.risk.model import posterior
from microsafe.steps.suppress.criterion import SafetyCriterion
from microsafe.steps.suppress.view import table as table_module
from microsafe.steps.suppress.view.household_views import find_household_views
from microsafe.steps.suppress.view.pools import find_views
from microsafe.steps.suppress.view.table import Crowding, PeopleTable, list_combinations
from microsafe.steps.suppress.view.treatment import Treatment
from microsafe.sums import Exact
from profiles import examples

Shown = tuple[int, ...]  # by key; 0 is a blank


class Toy:
    """A population whose means stand in a table; code 0 is a level that nobody has."""

    def __init__(self, means: np.ndarray) -> None:
        self.table = np.pad(means, [(1, 0)] * means.ndim)
        self.keys = tuple(f"k{j}" for j in range(means.ndim))
        self.categories = tuple(tuple(map(str, range(size))) for size in means.shape)
        self.spread, self.simplified, self.by_scatter = None, 0, None

    def means(self, codes, shown):
        out = tuple(j for j in range(self.table.ndim) if not shown >> j & 1)
        summed = self.table.sum(axis=out, keepdims=True)
        return summed[tuple(0 if j in out else codes[j] for j in range(self.table.ndim))]

    def match_chance(self, f, mean, fraction):
        return posterior.match_chance(f, mean, fraction, 0.2)

    def above(self, f, mean, fraction, limit):
        return self.match_chance(f, mean, fraction) > limit


def draw_table(seed: int, sizes: Shown, people: float) -> tuple[PeopleTable, Crowding]:
    rng = np.random.default_rng(seed)
    means = people * rng.dirichlet(np.full(int(np.prod(sizes)), 0.4)).reshape(sizes)
    means[means < 1e-4] = 0.0
    f = rng.binomial(rng.poisson(means), 0.1).astype(np.int64)
    f[np.unravel_index(int(means.argmax()), sizes)] += 1
    codes = np.nonzero(f)
    toy = Toy(means)
    cells = Cells(
        keys=toy.keys,
        categories=toy.categories,
        codes=tuple((code + 1).astype(np.uint8) for code in codes),
        count=f[codes],
        weights=Exact.split(10.0 * f[codes]),
    )
    made = list_combinations(cells, toy)
    criteria = (SafetyCriterion(above=0.1),)
    return made, Crowding(criteria=criteria, model=toy, mean_weight=made.mean_weight)


class Brute:
    """The same by lists of combinations, as the method's page has it."""

    def __init__(self, table: PeopleTable, crowding: Crowding) -> None:
        self.cells = [tuple(int(code[i]) for code in table.codes) for i in range(len(table))]
        self.figures = list(zip(table.f, table.weight, table.mass, strict=True))
        self.crowding = crowding

    def unsafe(self, rows: list[int]) -> bool:
        sums = [np.array([sum(self.figures[i][part] for i in rows)]) for part in range(3)]
        return bool(self.crowding.unsafe(*sums)[0])

    def people(self, rows: list[int]) -> float:
        return sum(self.figures[i][2] for i in rows)

    def pools(self, rows: list[int], keys: Shown) -> list[list[int]]:
        found: dict[Shown, list[int]] = {}
        for i in rows:
            shown = tuple(0 if j in keys else code for j, code in enumerate(self.cells[i]))
            found.setdefault(shown, []).append(i)
        return list(found.values())

    def find(self, costs: list[float], allowed: Shown) -> list[Shown]:
        keys: list[Shown] = [()] * len(self.cells)
        left = [i for i in range(len(self.cells)) if self.unsafe([i])]
        sets = [s for n in range(1, len(allowed) + 1) for s in combinations(allowed, n)]
        for cost in sorted({sum(costs[j] for j in s) for s in sets}):
            level = [s for s in sets if sum(costs[j] for j in s) == cost]
            safe = {
                s: sum(self.people(p) for p in self.pools(left, s) if not self.unsafe(p))
                for s in level
            }
            for some in sorted(level, key=lambda s: (-round(safe[s], 9), len(s), s)):
                for pool in self.pools(left, some):
                    if not self.unsafe(pool):
                        for i in pool:
                            keys[i] = some
                        left = [i for i in left if i not in pool]
        for rest in self.pools(left, allowed):
            for i in rest:
                keys[i] = allowed
            self._fill_up(rest, keys, allowed)
        return keys

    def _fill_up(self, rest: list[int], keys: list[Shown], allowed: Shown) -> None:
        spared = [j for j in range(len(self.cells[0])) if j not in allowed]
        views: dict[tuple[Shown, Shown], list[int]] = {}
        for i, cell in enumerate(self.cells):
            same = all(cell[j] == self.cells[rest[0]][j] for j in spared)
            if same and keys[i] and i not in rest:
                shown = tuple(0 if j in keys[i] else code for j, code in enumerate(cell))
                views.setdefault((keys[i], shown), []).append(i)
        order = sorted(
            views.items(),
            key=lambda each: (
                self.people(each[1]) * sum(code > 0 for code in each[0][1]), each[1][0]
            ),
        )  # fmt: skip
        have, joined = list(rest), []
        for _, view in order:
            if not self.unsafe(have):
                break
            have, joined = have + view, joined + view
        if not self.unsafe(have):
            for i in joined:
                keys[i] = allowed


@examples(60)
@given(
    seed=st.integers(0, 10_000),
    sizes=st.sampled_from([(4,), (3, 2), (4, 3, 2), (2, 2, 2, 2), (5, 3, 3)]),
    people=st.sampled_from([30.0, 200.0, 2_000.0]),
    costs=st.sampled_from([(1.0, 1.0, 1.0, 1.0), (1.0, 2.0, 1.0, 3.0), (2.0, 0.5, 1.5, 1.0)]),
    spared=st.sampled_from([(), (0,)]),
)
def test_the_blanks_are_those_of_brute_force(
    seed: int, sizes: Shown, people: float, costs: tuple[float, ...], spared: Shown
) -> None:
    table, crowding = draw_table(seed, sizes, people)
    allowed = tuple(j for j in range(len(sizes)) if j not in spared)
    unsafe = crowding.unsafe(table.f, table.weight, table.people)
    found = find_views(
        table,
        crowding,
        unsafe,
        costs=costs[: len(sizes)],
        allowed=sum(1 << j for j in allowed),
    )
    expected = Brute(table, crowding).find(list(costs), allowed)
    assert found.tolist() == [sum(1 << j for j in keys) for keys in expected]


@examples(40)
@given(seed=st.integers(0, 10_000), people=st.sampled_from([200.0, 2_000.0]))
def test_whoever_knows_how_all_are_treated_finds_as_many_as_claimed(
    seed: int, people: float
) -> None:
    table, crowding = draw_table(seed, (4, 3, 3), people)
    unsafe = crowding.unsafe(table.f, table.weight, table.people)
    masks = find_views(table, crowding, unsafe, costs=[1.0] * 3, allowed=7)
    treatment = Treatment(table=table, crowding=crowding, masks=masks)
    views: dict[Shown, list[int]] = {}
    for i in range(len(table)):
        blank = [0 if masks[i] >> j & 1 else int(code[i]) for j, code in enumerate(table.codes)]
        views.setdefault(tuple(blank), []).append(i)
    brute = Brute(table, crowding)
    few = treatment.find_unsafe(unsafe)
    for view in views.values():
        for i in view:
            assert few[i] == (table.f[i] > 0 and brute.unsafe(view))
    assert not masks[~unsafe].any()  # whoever is safe in full is shown in full
    every = [np.array([sum(each[part] for each in brute.figures)]) for part in range(3)]
    assert few.any() <= bool(crowding.unsafe(*every)[0] or unsafe.all())


def test_combinations_are_all_that_have_people_or_records() -> None:
    table, _ = draw_table(3, (4, 3, 2), 500.0)
    means = table_module.LEAST
    drawn = {tuple(int(code[i]) for code in table.codes): table.f[i] for i in range(len(table))}
    assert list(drawn) == sorted(drawn)
    assert all(people > means or f > 0 for people, f in zip(table.people, table.f, strict=True))
    assert len(drawn) <= 4 * 3 * 2
    assert table.mass.sum() == pytest.approx(500.0, rel=1e-3)


def test_people_who_are_drawn_stand_for_those_of_too_many_combinations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, _ = draw_table(5, (6, 5, 4), 4_000.0)
    monkeypatch.setattr(table_module, "LARGEST", 10)
    some, _ = draw_table(5, (6, 5, 4), 4_000.0)
    again, _ = draw_table(5, (6, 5, 4), 4_000.0)
    assert all(map(np.array_equal, some.codes, again.codes))
    assert np.array_equal(some.mass, again.mass)
    rows = {tuple(int(code[i]) for code in whole.codes): i for i in range(len(whole))}
    where = [rows[tuple(int(code[i]) for code in some.codes)] for i in range(len(some))]
    assert np.allclose(some.people, whole.people[where])
    drawn = some.f > 0
    assert np.array_equal(some.mass[drawn], some.people[drawn])
    assert some.mass.sum() == pytest.approx(4_000.0, rel=0.05)


@examples(25)
@given(seed=st.integers(0, 10_000), shared=st.sampled_from([1, 3]))
def test_households_of_one_kind_are_treated_alike(seed: int, shared: int) -> None:
    table, crowding = draw_table(seed, (4, 3, 3), 2_000.0)
    unsafe = crowding.unsafe(table.f, table.weight, table.people)
    masks = find_household_views(table, crowding, unsafe, costs=[1.0] * 3, allowed=7, shared=shared)
    kinds: dict[Shown, set[int]] = {}
    for i, mask in enumerate(masks.tolist()):
        kind = tuple(int(table.codes[j][i]) for j in range(3) if shared >> j & 1)
        kinds.setdefault(kind, set()).add(mask & shared)
    assert all(len(treated) == 1 for treated in kinds.values())
    few = Treatment(table=table, crowding=crowding, masks=masks).find_unsafe(unsafe)
    every = [np.array([each.sum()]) for each in (table.f, table.weight, table.mass)]
    assert not few.any() or bool(crowding.unsafe(*every)[0])


def make_survey(seed: int = 4, rows: int = 1_500) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    home = np.sort(rng.integers(0, rows // 3, rows))
    region = rng.choice(9, rows // 3 + 1, p=rng.dirichlet(np.full(9, 0.8)))[home]
    age = rng.choice(12, rows, p=rng.dirichlet(np.full(12, 1.0)))
    job = (age // 3 + rng.choice(5, rows, p=rng.dirichlet(np.full(5, 0.7)))) % 7
    return pl.DataFrame(
        {"region": region, "age": age, "job": job, "sex": rng.integers(0, 2, rows), "home": home}
    ).with_columns(w=pl.lit(25.0))


KEYS = ["region", "age", "job", "sex"]


@pytest.fixture(scope="module")
def study() -> ms.Study:
    return ms.study(make_survey(), keys=KEYS, weight="w", estimator="model")


def test_it_touches_the_records_that_own_touches(study: ms.Study) -> None:
    own, view = (study.suppress(above=0.05, guarantee=each) for each in ("own", "view"))  # type: ignore[arg-type]
    assert own.steps[-1].records == view.steps[-1].records > 100
    assert own.steps[-1].total <= view.steps[-1].total
    assert view.steps[-1].stuck == own.steps[-1].stuck == 0
    assert view.risk(limit=0.05, one_estimator=True).limit.unsafe == 0
    touched = [each.frame.select(KEYS).fill_null("") for each in (study, own, view)]
    before, *after = [each.rows() for each in touched]
    first, second = ([a != b for a, b in zip(before, some, strict=True)] for some in after)
    assert first == second
    assert view.undo() is study


@pytest.mark.parametrize("first", ["own", "view"])
def test_who_is_seen_through_after_an_earlier_step_is_counted(study: ms.Study, first) -> None:
    once = study.suppress(above=0.05, guarantee=first)
    twice = once.suppress(above=0.03, guarantee="view")
    views = twice.risk(limit=0.03, one_estimator=True)
    above = int(views.measured.cells.count[views.views > 0.03].sum())
    assert twice.steps[-1].stuck == above > 0
    (told,) = [each for each in twice.notices if each.id == "view-parted"]
    assert told.figures["count"] == above
    shown = twice.risk(one_estimator=True).records()["risk_view"].to_numpy()
    unsafe = 1 + np.flatnonzero(shown > 0.03)
    assert list(twice.steps[-1].examples) == unsafe[:5].tolist()
    alone = study.suppress(above=0.03, guarantee="view")
    assert alone.steps[-1].stuck == 0
    assert float(alone.risk(one_estimator=True).views.max()) <= 0.03
    policy = ms.Policy(intruders={"method": 0.03})
    verdicts = {
        each: next(row.met for row in each.intruders(policy=policy) if row.name == "method")
        for each in (twice, alone)
    }
    assert list(verdicts.values()) == [False, True]


def test_the_order_of_records_does_not_matter(study: ms.Study) -> None:
    frame = make_survey()
    other = ms.study(
        frame.sample(fraction=1.0, shuffle=True, seed=3), keys=KEYS, weight="w", estimator="model"
    )
    one, two = (
        each.suppress(above=0.05, guarantee="view").frame.sort(pl.all(), nulls_last=True)
        for each in (study, other)
    )
    assert one.equals(two)


def test_a_count_asks_for_records_that_are_blanked_alike(study: ms.Study) -> None:
    view = study.suppress(k=3, guarantee="view")
    shown = view.frame.select(KEYS)
    assert view.steps[-1].stuck == 0
    assert min(shown.group_by(KEYS).len()["len"]) >= 3


def test_members_of_a_household_lose_what_they_share_together() -> None:
    home = ms.study(make_survey(), keys=KEYS, weight="w", household="home", estimator="model")
    view = home.suppress(above=0.05, guarantee="view")
    assert view.steps[-1].stuck == 0
    shown = view.frame.group_by("home").agg(pl.col("region").is_null().n_unique())
    assert set(shown["region"]) == {1}


def test_several_scenarios_are_met_together(study: ms.Study) -> None:
    both = study.with_scenario(
        "register", keys=["region", "age"], weight="w", estimator="model"
    ).suppress(above={"main": 0.05, "register": 0.01}, guarantee="view")
    assert set(both.steps[-1]._treatments) == {"main", "register"}
    assert both.risk(limit=0.05, one_estimator=True).limit.unsafe == 0
    assert both.risk("register", limit=0.01, one_estimator=True).limit.unsafe == 0


def test_without_a_weight_the_file_is_the_population() -> None:
    whole = ms.study(make_survey().drop("w"), keys=KEYS)
    view = whole.suppress(above=0.2, guarantee="view")
    assert min(view.frame.select(KEYS).group_by(KEYS).len()["len"]) >= 5


def test_spared_keys_leave_some_unsafe_and_say_so(study: ms.Study) -> None:
    spared = study.suppress(above=0.05, guarantee="view", spare=["region", "age"])
    assert spared.steps[-1].stuck > 0
    assert spared.steps[-1].blanks["region"] == 0


def test_gaps_look_like_blanks() -> None:
    frame = make_survey().with_columns(
        job=pl.when(pl.int_range(pl.len()) % 9 == 0).then(None).otherwise("job")
    )
    gaps = ms.study(frame, keys=KEYS, weight="w", estimator="model")
    view = gaps.suppress(above=0.05, guarantee="view")
    assert view.steps[-1].total > 0
    assert view.frame["job"].null_count() == (
        frame["job"].null_count() + view.steps[-1].blanks["job"]
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"by_value": True}, "Costs by value"),
        ({"k": 3, "up_to": 2}, "Combinations by size"),
        ({"k": 3, "levels": {"age": 1}}, "Identification levels"),
        ({"k": 3, "people": True}, "A number of people"),
        ({"household": 0.1}, "A limit on household risk"),
        ({"joint": True}, "Joint blanks"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_it_cannot_promise_is_refused(
    study: ms.Study, options: dict[str, object], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        study.suppress(above=0.05, guarantee="view", **options)  # type: ignore[arg-type]


def test_files_with_gaps_are_touched_where_own_touches_them() -> None:
    rng = np.random.default_rng(7)
    frame = make_survey().with_columns(
        pl.when(pl.Series(rng.random(1_500) < 0.06)).then(None).otherwise(key).alias(key)
        for key in ("age", "job")
    )
    gaps = ms.study(frame, keys=KEYS, weight="w", estimator="model")
    own, view = (gaps.suppress(above=0.05, guarantee=each) for each in ("own", "view"))  # type: ignore[arg-type]
    assert view.steps[-1].records == own.steps[-1].records
    assert view.steps[-1].stuck == 0
    risk = view.risk(limit=0.05)
    assert risk.limit is not None
    assert risk.limit.unsafe == 0
    assert risk.views is not None
    assert risk.views.max() <= 0.05


def test_what_no_view_can_meet_is_refused() -> None:
    few = make_survey(rows=60)
    study = ms.study(few, keys=KEYS, weight="w", household="home", estimator="model")
    with pytest.raises(UsageError, match=r"all 60 records together.*Raise the limit"):
        study.suppress(above=1e-6, guarantee="view")
    with pytest.raises(UsageError, match=r"above 0\. Give keys"):
        study.suppress(above=0.05, guarantee="view", cost={"age": 0.0})
    for guarantee in ("own", "view"):
        with pytest.raises(UsageError, match=r"All keys are spared.* Spare fewer keys"):
            study.suppress(above=0.05, guarantee=guarantee, spare=KEYS)  # type: ignore[arg-type]


def test_one_household_and_a_constant_key() -> None:
    one = make_survey(rows=90).with_columns(home=pl.lit(1), region=pl.lit(3))
    study = ms.study(one, keys=KEYS, weight="w", household="home", estimator="model")
    done = study.suppress(above=0.05, guarantee="view")
    assert done.steps[-1].blanks["region"] in (0, 90)
    with pytest.raises(
        InputError, match=r"'home'.* same in all records.*limit the risk of records"
    ):
        study.suppress(household=0.05)


BAD = {
    "all keys spared": ("--guarantee view --spare region,age,job", 2, "All keys are spared"),
    "no view can": ("--guarantee view --above 1e-8", 2, "Raise the limit"),
    "cost of zero": ("--guarantee view --cost age=0", 2, "small one, such as 0.1"),
    "one household": ("--household-above 0.1 --household one", 3, "limit the risk of records"),
    "constant": ("--household-above 0.1 --household sex", 3, "limit the risk of records"),
}


@pytest.mark.parametrize("case", BAD)
def test_the_command_line_refuses_and_writes_nothing(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, code, words = BAD[case]
    frame = make_survey(rows=120).with_columns(one=pl.lit("h1"), sex=pl.lit(2))
    frame.write_csv(tmp_path / "survey.csv")
    asked = ["--keys", "region,age,job", "--weight", "w", "--estimator", "model"]
    if "--household " not in options:
        asked += ["--household", "home"]
    if "--above" not in options:
        asked += ["--above", "0.05"]
    files = [str(tmp_path / "survey.csv"), "-o", str(tmp_path / "safe.csv")]
    assert main(["suppress", *files, *asked, *options.split()]) == code
    assert words in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["survey.csv"]


def test_a_blank_that_means_another_category_says_so() -> None:
    frame = make_survey().with_columns(sex=pl.Series(np.arange(1_500) < 2).cast(pl.Int64))
    rare = ms.study(frame, keys=["sex"], weight="w", estimator="model")
    done = rare.suppress(k=3, guarantee="view")
    assert done.steps[-1].blanks["sex"] > 0
    assert "blank-means-another" in [each.id for each in done.notices]
