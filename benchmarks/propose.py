"""Time `Study.propose`, in CPU seconds of this process after cells are counted.

    uv run python benchmarks/propose.py            all of it, some minutes
    uv run python benchmarks/propose.py --quick    a tenth of the records
    uv run python benchmarks/propose.py profiles files rules nodes demo large wide homes growth
                                        peers

The file is the demo's survey, and one like it with a million records whose keys are complete.
What is beside a figure is what was aimed at. `peers` needs the reference data of other programs,
and so do most of `files` and `rules`. With `--cpu` the seconds of a proposal are CPU seconds: for a
machine that others use as well.
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import microsafe as ms
from microsafe.compare.step_loss import measure_mean
from microsafe.datasets import survey
from microsafe.intruders import add_profile
from microsafe.options.proposal import ProposalOptions
from microsafe.propose import clock
from microsafe.propose.clock import STAGE
from microsafe.propose.household_lattice import HouseholdLattice
from microsafe.propose.ladders.ladder import Ladder
from microsafe.propose.problem import pose
from microsafe.propose.proposal import Proposal
from microsafe.propose.search import Archive, PlanSearch
from microsafe.steps import Recode

KEYS = ("region", "hsize", "age", "marital", "citizenship", "occupation")
MORE = ("sex", "education")
USUAL = {"occupation": 0, "citizenship": 1, "education": 3}  # where the survey has gaps
HOUSEHOLDS = 420_000
LIMITS = {"public": 0.05, "scientific": 0.2, "secure": 0.33}  # of the release profiles
CHOSEN: dict[str, Any] = {"seconds": 30.0, "only": ""}  # of files and rules
TESTS = Path(__file__).parents[1] / "tests"
PEERS = Path(__file__).parents[2] / "shared" / "peers"


def groups(key: str, value: np.ndarray) -> list[np.ndarray]:
    """What becomes of the codes of a key of the survey: three rungs, one of sex."""
    if key == "age":
        return [value // 5, value // 10, value // 20]
    if key == "region":
        return [(value - 1) // 2, (value - 1) // 4, (value - 1) // 12]
    if key == "hsize":
        return [np.minimum(value, most) for most in (5, 4, 3)]
    if key == "marital":
        pair = np.where(value == 3, 2, value)
        return [pair, np.where(value == 5, 4, pair), np.minimum(value, 2)]
    if key == "citizenship":
        return [np.minimum(value, most) for most in (6, 4, 2)]
    if key == "occupation":
        tens = np.where(value == 10, 9, value)
        return [tens, np.where(value == 0, 0, 1 + (tens - 1) // 3), (value > 0) * 1]
    if key == "education":
        return [np.minimum(value, 7), value // 3, value // 6]
    return [np.zeros_like(value)]


def ladder(key: str, codes: Sequence[int], rungs: int | None = None) -> list[Recode]:
    made = []
    for new in groups(key, np.array(codes))[: None if rungs is None else rungs - 1]:
        table: dict[str, tuple[str, ...]] = {}
        for old, group in zip(codes, new.tolist(), strict=True):
            table[str(group)] = (*table.get(str(group), ()), str(old))
        made.append(Recode(variable=key, groups=table))
    return made


@cache
def frame(households: int, *, complete: bool) -> pl.DataFrame:
    made = survey(households=households).frame
    known = pl.when(pl.col("education") < 98).then(pl.col("education"))
    made = made.with_columns(known.alias("education"))
    gaps = [pl.col(name).fill_null(value) for name, value in USUAL.items() if complete]
    return made.with_columns(gaps)


class Clock:
    """Notes by the stages that are told when cells were counted and when the plan was found."""

    def __init__(self) -> None:
        self.counted: float | None = None
        self.found: float | None = None
        self._last = time.process_time()

    def __call__(self, stage: str, fraction: float) -> None:
        now = time.process_time()
        if self.counted is None and stage.startswith(STAGE):
            self.counted = self._last
        if self.found is None and stage.startswith(STAGE) and fraction == 1.0:
            self.found = now
        self._last = now


def ask(
    table: pl.DataFrame,
    keys: Sequence[str],
    policy: ms.Policy,
    *,
    cap: float | None,
    rungs: int | None = None,
    household: str | None = None,
    aim: str = "no aim",
    what: str = "",
) -> Proposal:
    """Propose, and print what it took."""
    study = ms.study(table, keys=list(keys), weight="weight", household=household)
    ladders = {
        key: ladder(key, table[key].drop_nulls().unique().sort().to_list(), rungs)
        for key in keys
        if household is None or key != "hsize"  # which can be counted
    }
    told_by, begun = Clock(), time.process_time()
    found = study.propose(
        policy=policy,
        ladders=ladders,
        touched=1.0 if cap is None else cap,
        seconds=math.inf,
        progress=told_by,
    )
    end = time.process_time()
    plan, all_of_it = (float(each) - float(told_by.counted or begun) for each in (told_by.found or end, end))  # fmt: skip  # noqa: E501
    limit = next(iter(policy.rules.values()))
    told = what or f"limit {limit}, cap {cap}"
    search, best = found.search, found.best
    sure = "proved best" if found.status == "proved" else f"gap at most {found.gap:.1%}"
    count = f"{search.priced:3} priced {search.bounded:3} bounded of {search.nodes:,}"
    cost = "no plan" if best is None else f"loss {best.loss:6.2%}, {best.blanks:7,} blanks in {best.touched:7,}, rungs {best.plan.rungs}"  # fmt: skip  # noqa: E501
    caps = f"frontier of {len(found.frontier)} caps {all_of_it:6.2f} s"
    print(f"  {told:24} {plan:6.2f} s ({aim}), {caps}  {sure}  {count}  {cost}", flush=True)
    return found


def profiles(_: int) -> None:
    print("demo, the eight keys that plan new proposes, model, households, ladders as suggested")
    keys = [*KEYS, *MORE]
    for name, limit in LIMITS.items():
        study = ms.study(
            survey().frame, keys=keys, weight="weight", household="household", estimator="model"
        )
        begun, cpu = time.monotonic(), time.process_time()
        found = study.propose(policy=ms.Policy(record_risk=limit))
        took = f"{time.monotonic() - begun:.1f} s wall, {time.process_time() - cpu:.1f} CPU s"
        print(f"  {name:10} {took}  {found.words}  {found.search.nodes:,} nodes")
        for way, each in found.distinct_names.items():
            print(f"    {way:8} {each.touched:,} records, loss {each.loss:.2%}: {each.sentence}")


def changed(table: pl.DataFrame) -> pl.DataFrame:
    """The survey as a panel: marital status and occupation a year later, changed for some."""
    rng = np.random.default_rng(11)
    later = []
    for name in ("marital", "occupation"):
        other = table[name].gather(rng.permutation(table.height))
        stays = pl.Series(rng.random(table.height) < 0.9)
        later.append(pl.select(pl.when(stays).then(table[name]).otherwise(other).alias(f"{name}_2")).to_series())  # fmt: skip  # noqa: E501
    return table.with_columns(later)


def studies(households: int) -> Iterator[tuple[str, Callable[[], ms.Study]]]:
    """Files of many kinds, each with the keys that somebody would name."""
    sys.path.insert(0, str(TESTS / "files"))
    from labour_force import make_labour_force

    def ask_for(data: object, keys: str, weight: str, **more: Any) -> Callable[[], ms.Study]:
        return lambda: ms.study(
            data() if callable(data) else data, keys=keys.split(), weight=weight, estimator="model", **more  # noqa: E501
        )  # fmt: skip

    eight = " ".join(KEYS + MORE)
    home = {"household": "household"}
    yield "demo", ask_for(survey().frame, eight, "weight", **home)
    yield "demo, persons", ask_for(survey().frame, eight, "weight")
    yield "demo, a panel of two waves", ask_for(
        changed(survey().frame), "region sex age marital occupation marital_2 occupation_2", "weight", **home  # noqa: E501
    )  # fmt: skip
    yield "labour force, 61 variables", ask_for(
        lambda: make_labour_force()[0], "REGION URBAN SEX AGE MARITAL CITIZEN EDUC HHSIZE", "WGT",
        household="HHNUM",
    )  # fmt: skip
    peer = PEERS / "sdcmicro"
    yield "sdcMicro testdata", ask_for(
        peer / "in_testdata.csv", "urbrur roof walls water electcon relat sex age",
        "sampling_weight", household="ori_hid",
    )  # fmt: skip
    yield "sdcMicro testdata, 2 % gaps", ask_for(
        peer / "in_testdata_na2pct.csv", "urbrur roof walls water electcon relat sex", "sampling_weight"  # noqa: E501
    )  # fmt: skip
    yield "sdcMicro francdat", ask_for(peer / "in_francdat.csv", "Key1 Key2 Key3 Key4", "w")
    yield (
        "mu-ARGUS demo",
        ask_for(
            PEERS / "muargus" / "demodata" / "Demodata.asc", "REGION SEX AGE MARSTAT", "WEIGHT"
        ),
    )
    yield "SDCNway example", ask_for(
        PEERS / "sdcnway" / "exampledata" / "exampledata.csv",
        "CENREG DAGE EDUC_DET GENDER BORNUSA DRACE3", "WEIGHT",
    )  # fmt: skip
    samples = PEERS / "truth" / "samples"
    for name in ("adult_A1_srs05_s1", "adult_A1_strat05_s1", "adult_A2_srs05_s1"):
        yield name, ask_for(samples / f"{name}.csv", "age5 sex race marital education", "weight")
    for name in ("srs05", "srs10", "strat05", "pois05"):
        path = samples / f"eusilcP_E2_{name}_s1.csv"
        yield f"eusilcP_E2_{name}", ask_for(path, "region hsize sex age5 cit", "weight")
    yield "births_B1_srs05", ask_for(samples / "births_B1_srs05_s1.csv", "mage parity sex educ", "weight")  # fmt: skip  # noqa: E501
    families = PEERS / "families"
    yield "families ohas_05", ask_for(
        lambda: pl.read_csv(families / "ohas_05.csv.gz"),
        "age area dwelling occupation region sex status size", "weight", **home,
    )  # fmt: skip
    yield "families nhts_05", ask_for(
        lambda: pl.read_csv(families / "nhts_05.csv.gz"),
        "age5 driver race region sex status size", "weight", **home,
    )  # fmt: skip
    yield (
        "like the demo, households",
        ask_for(lambda: frame(households // 21, complete=True), eight, "weight", **home),
    )
    yield (
        "like the demo, persons",
        ask_for(lambda: frame(households, complete=True), eight, "weight"),
    )


def files(households: int) -> None:
    """Every kind of file under the limit of each profile, as rows of docs/methods/propose.md."""
    tell_files(households, lambda _, profile: ms.Policy(record_risk=LIMITS[profile]))


def rules(households: int) -> None:
    """The same under all rules of each profile: on families, the method and the re-joiner, too."""
    tell_files(households, lambda study, profile: add_profile(ms.Policy(), profile, study.scenario()))  # fmt: skip  # noqa: E501


def tell_files(households: int, ask_policy: Callable[[ms.Study, str], ms.Policy]) -> None:
    print("| file | records | profile | wall, CPU s | answer | plan | most detail; balanced; fewest blanks |\n|---|---|---|---|---|---|---|")  # fmt: skip  # noqa: E501
    for name, opened in studies(households):
        for profile in LIMITS if CHOSEN["only"] in name else ():
            study = opened()
            begun, cpu = time.monotonic(), time.process_time()
            found = study.propose(policy=ask_policy(study, profile), seconds=CHOSEN["seconds"])
            took = f"{time.monotonic() - begun:.1f}, {time.process_time() - cpu:.1f}"
            sure = "proved" if found.status == "proved" else f"gap {found.gap:.0%}"
            best = found.shown
            plan = "none" if best is None else f"{best.words}, {best.loss:.2%}"
            if found.best is None:
                sure += ", nearest"
            named = "; ".join(f"{e.touched:,} records, {e.loss:.1%}" for e in found.named.values())
            print(f"| {name} | {found.records:,} | {profile} | {took} | {sure} | {plan} | {named} |", flush=True)  # fmt: skip  # noqa: E501


def nodes(_: int) -> None:
    """The search against all nodes: the demo's eight keys, of each ladder three rungs at most."""
    print("demo, eight keys, model, households: best of all nodes, and by the search")
    for limit in (0.05, 0.2, 0.33, 0.01):
        study = ms.study(
            survey().frame, keys=[*KEYS, *MORE], weight="weight", household="household", estimator="model"  # noqa: E501
        )  # fmt: skip
        lattice = pose(study, ms.Policy(record_risk=limit), ProposalOptions(touched=1.0)).lattice
        assert isinstance(lattice, HouseholdLattice)
        ladders = [
            Ladder(key=ladder.key, rungs=tuple(ladder.rungs[i] for i in sorted({0, len(ladder.rungs) // 2, len(ladder.rungs) - 1})))  # noqa: E501
            for ladder in lattice.problem.ladders
        ]  # fmt: skip
        problem = replace(lattice.problem, ladders=tuple(ladders))
        whole = HouseholdLattice(problem, lattice.rule)
        every = Archive()
        for rungs in product(*(range(len(ladder.rungs)) for ladder in ladders)):
            plan = whole.price(rungs)
            if not plan.stuck:
                every.add(plan)
        search = PlanSearch(HouseholdLattice(problem, lattice.rule))
        for cap in (1.0, 0.3, 0.1, 0.05, 0.01):
            most = int(cap * whole.records)
            found, best = search.run(most), every.best(most)
            same = "the same" if found.proved and found.plan == best else "NOT THE SAME"
            said = "no plan" if best is None else f"loss {best.loss:.4%}, {best.touched:,} records"
            print(f"  limit {limit}, cap {cap:4.0%}: {said} of {len(whole.plans):,} nodes; {same} after {found.priced} priced, {found.bounded} bounded", flush=True)  # fmt: skip  # noqa: E501


def peak() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB"


def demo(_: int) -> None:
    print("demo, six keys of four rungs, gaps as they are: at most 400 nodes priced or bounded")
    for limit in (0.01, 0.03):
        for cap in (None, 0.05, 0.01):
            ask(frame(2500, complete=False), KEYS, ms.Policy(record_risk=limit), cap=cap)


def large(households: int) -> None:
    table = frame(households, complete=True)
    print(f"{table.height:,} records, six keys of four rungs (frontier: aim 30)")
    for limit in (0.01, 0.03, 0.001):
        for cap in (None, 0.05, 0.01):
            ask(table, KEYS, ms.Policy(record_risk=limit), cap=cap, aim="aim 10")
    print(f"  peak {peak()}")


def wide(households: int) -> None:
    table = frame(households, complete=True)
    print(f"{table.height:,} records, eight keys")
    for limit in (0.01, 0.03):
        for cap in (None, 0.05, 0.01):
            ask(table, KEYS + MORE, ms.Policy(record_risk=limit), cap=cap, aim="aim 60")
    print(f"  peak {peak()} (aim 2)")


def homes(households: int) -> None:
    print("households: a limit for records and one for households, members share keys")
    table = frame(households, complete=True)
    for limit, cap in ((0.03, None), (0.03, 0.05), (0.01, 0.05), (0.01, None)):
        both = ms.Policy(record_risk=limit, household_risk=limit)
        ask(table, KEYS, both, cap=cap, household="household", aim="aim 60, gap 5 %")
    print(f"  peak {peak()}")
    small = ms.study(
        frame(2500, complete=False), keys=list(KEYS), weight="weight", household="household"
    )
    nothing: dict[str, Any] = {key: [] for key in KEYS}
    both = ms.Policy(record_risk=0.03, household_risk=0.03)
    alone = small.propose(policy=both, ladders=nothing, touched=1.0).best
    assert alone is not None
    equal = small.apply(replace(alone.steps[-1], joint=False))  # type: ignore[call-arg]
    shares = measure_mean(small, equal, KEYS)
    print(f"  demo, limits .03, no recodes: joint {alone.loss:.2%}, equal shares {shares:.2%}, "
          f"{1 - alone.loss / shares:.0%} cheaper (aim 25 %)")  # fmt: skip


def growth(households: int) -> None:
    print("growth with keys and rungs, limit .01, cap 5 %")
    table, policy = frame(households, complete=True), ms.Policy(record_risk=0.01)
    names = KEYS + MORE
    for many in range(2, len(names) + 1):
        ask(table, names[:many], policy, cap=0.05, what=f"{many} keys of 4 rungs")
    for rungs in (2, 3, 4):
        ask(table, KEYS, policy, cap=0.05, rungs=rungs, what=f"6 keys of {rungs} rungs")


def peers(_: int) -> None:
    """What other programs do at the same policy, as rows of docs/methods/propose.md."""
    sys.path.insert(0, str(TESTS))
    from peer_plans import ADULT, argus, outcomes, propose_adult, sdcmicro, whole_records

    files = [("mu-ARGUS's demo, 4 keys, limit .01, no cap (aim 15.0 %)", argus(PEERS))]
    for cap, words in ((1.0, "no cap"), (0.05, "at most 5 % touched"), (0.01, "at most 1 %")):
        files.append((f"sdcMicro's testdata, 4 keys, k = 3, {words}", sdcmicro(PEERS, cap)))
    print("| at the same policy | way | loss | blanks | records |\n|---|---|---|---|---|")
    for name, example in files:
        for each in outcomes(example):
            print(f"| {name} | {each.way} | {each.loss:.2%} | {each.blanks:,} | {each.records:,} |")
    for name in ADULT:
        whole = whole_records(PEERS, name)
        for guarantee in ("own", "strict"):
            with tempfile.TemporaryDirectory() as folder:
                own = propose_adult(PEERS, name, Path(folder), guarantee)  # type: ignore[arg-type]
            less = f"{1 - own.loss / whole.loss:.0%} less (aim 8 %)"
            print(f"| {name}, k = 5, at most 5 % touched: {less} | {guarantee} | {own.loss:.2%} | "
                  f"{own.blanks:,} | {own.records:,} |")  # fmt: skip
        print(f"| {name} | {whole.way} | {whole.loss:.2%} | {whole.blanks:,} | {whole.records:,} |")


PARTS = {"profiles": profiles, "files": files, "rules": rules, "nodes": nodes, "demo": demo, "large": large, "wide": wide, "homes": homes, "growth": growth, "peers": peers}  # fmt: skip  # noqa: E501


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--cpu", action="store_true", help="count CPU seconds, not the wall's")
    parser.add_argument("--seconds", type=float, default=30.0, help="that files and rules may take")
    parser.add_argument("--only", default="", metavar="WORD", help="files with this in their name")
    given = parser.parse_args()
    CHOSEN.update(seconds=given.seconds, only=given.only)
    if given.cpu:
        clock.monotonic = time.process_time
    for part in given.parts or PARTS:
        PARTS[part](HOUSEHOLDS // 10 if given.quick else HOUSEHOLDS)


if __name__ == "__main__":
    main()
