"""A closer look: unsafe combinations, special uniques, sparse tables, diversity, models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import numpy as np

from microsafe.app.messages import MOST_CATEGORIES, MOST_ROWS
from microsafe.app.messages.diagnostics import (
    AreaFigures,
    AreaGroup,
    AreasQuery,
    AreaTableRow,
    AttackerRow,
    CodeRow,
    CodeShare,
    CombinationFigures,
    CombinationsQuery,
    DimensionRow,
    DiversityFigures,
    DiversityQuery,
    DiversityRow,
    FileModels,
    FileRiskQuery,
    KeyRow,
    KeyShare,
    ModelRow,
    SensitiveRow,
    SparseTableRow,
    TabulationFigures,
    TabulationQuery,
    UniqueFigures,
    UniquesQuery,
)
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.risk import Band
from microsafe.app.messages.study import KeyValue
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import Session
from microsafe.options.scenario import Scenario
from microsafe.risk import Diversity, SpecialUniques, Tabulation
from microsafe.risk.counts.areas import AreaTable
from microsafe.risk.counts.diversity import SensitiveVariable
from microsafe.risk.model.estimate_variance import Interval
from microsafe.studies.categories import is_telling, spell_labels
from microsafe.studies.perturbed_keys import perturbed_notices, perturbed_words
from microsafe.studies.study import Study
from microsafe.sums import Floats
from microsafe.variables.profile import Bin

_MOST_VALUES = 8  # of a class that are told apart


def find_combinations(request: Request[CombinationsQuery, None]) -> CombinationFigures:
    """List what makes records unsafe by key, dimension and code."""
    query, study = request.query, request.session.study()
    scenario = _find_scenario(study, query.scenario)
    if scenario.missing != scenario.usual_missing or scenario.alpha != 1.0:
        raise Refusal(
            422,
            "Unsafe combinations are found where a missing value may stand for any category.",
            "Choose that in Scenario, or make a second scenario for it.",
        )
    levels = dict(map(_parse_level, query.levels)) if query.by == "levels" else {}
    if query.by == "levels" and not levels:
        raise Refusal(422, "No key has an identification level.", "Give at least one key level 1.")
    by_risk = query.by == "risk"
    if by_risk and query.above is None:
        raise Refusal(422, "Give the risk above which a combination is unsafe.")
    found = study.combinations(
        scenario.name,
        above=query.above if by_risk else None,
        k=None if by_risk else query.k,
        max_size=None if levels else query.max_size,
        levels=levels,
        progress=request.progress,
    )
    sizes = tuple(found.by_size)
    by_key = found.by_key_and_size
    codes = _Codes(request.session, study._of(scenario.name))
    return CombinationFigures(
        records=found.cells.records,
        unsafe_records=found.unsafe_records,
        combinations=len(found),
        dimensions=sizes,
        counts=tuple(found.by_size.values()),
        keys=tuple(
            codes.make_row(
                key,
                by_key[key].values(),
                (),
                [
                    (code.code, code.records, code.by_size.values())
                    for code in found.count_codes(key)
                ],
            )
            for key in found.cells.keys
        ),
        perturbed=found.perturbed_by,
    )


def _parse_level(text: str) -> tuple[str, int]:
    key, _, level = text.rpartition("=")
    if not level.isascii() or not level.isdecimal():
        raise Refusal(422, "Identification levels are 1, 2, 3 and so on.")
    return key, int(level)


def _find_scenario(study: Study, name: str) -> Scenario:
    if not study.scenarios:
        raise Refusal(409, "There is no scenario yet.", "Choose the key variables first.")
    return study.scenario(name or None)


class _Codes:
    """Codes of keys with their labels; none of keys whose codes tell people apart."""

    def __init__(self, session: Session, study: Study) -> None:
        self._session, self._study, self._records = session, study, study.engine.rows()

    def find_label(self, key: str) -> str:
        """Return the label of a variable."""
        return self._study.schema[key].label

    def find_names(
        self, key: str, codes: Iterable[str | None]
    ) -> Callable[[str | None], KeyValue] | None:
        """Return what names a code, or None if the codes must not be listed."""
        labels = spell_labels(self._study.schema[key])
        there = [code for code in codes if code is not None]
        panel = self._study._panel
        of_records = key if panel is None else panel.find_key(key)
        telling = self._session.is_private(of_records) or is_telling(there, labels, self._records)
        if telling or len(there) > MOST_CATEGORIES:
            return None
        return lambda code: KeyValue(code=code, label=labels.get(code or "", ""))

    def make_row(
        self,
        key: str,
        counts: Iterable[int],
        of: Iterable[int],
        codes: Sequence[tuple[str | None, int, Iterable[int]]],
    ) -> KeyRow:
        """Return a key with its codes: each with its records and its counts."""
        name = self.find_names(key, [code for code, _, _ in codes])
        return KeyRow(
            key=key,
            label=self.find_label(key),
            counts=tuple(counts),
            of=tuple(of),
            codes=()
            if name is None
            else tuple(
                CodeRow(value=name(code), records=records, counts=tuple(parts))
                for code, records, parts in codes
            ),
            hidden=len(codes) if name is None else 0,
        )


def find_uniques(request: Request[UniquesQuery, None]) -> UniqueFigures:
    """Score records by the minimal sample uniques that they have."""
    query, study = request.query, request.session.study()
    scenario = _find_scenario(study, query.scenario)
    if scenario.missing == "expected" or scenario.alpha != 1.0:
        raise Refusal(
            422,
            "Special uniques need whole counts.",
            "In Scenario, let a missing value stand for any category, or be one of its own.",
        )
    found = study.uniques(
        scenario.name,
        max_size=query.max_size,
        fraction=query.fraction,
        progress=request.progress,
    )
    codes = _Codes(request.session, study._of(scenario.name))
    count = found.cells.count
    return build_message(
        UniqueFigures,
        found,
        records=found.cells.records,
        combinations=len(found),
        dimensions=tuple(found.by_size),
        counts=tuple(found.by_size.values()),
        largest=float(found.score.max(initial=0.0)),
        scores=_count_scores(found.score, count),
        dis=_count_scores(found.dis, count),
        largest_dis=float(found.dis.max(initial=0.0)),
        keys=tuple(
            KeyShare(
                key=key,
                label=codes.find_label(key),
                share=share,
                codes=_list_shares(found, key, codes),
            )
            for key, share in sorted(found.by_key.items(), key=lambda pair: -pair[1])
        ),
        perturbed=found.perturbed_by,
    )


def _list_shares(found: SpecialUniques, key: str, codes: _Codes) -> tuple[CodeShare, ...]:
    shares = found.by_category(key)
    name = codes.find_names(key, found.cells.categories[found.cells.keys.index(key)])
    if name is None:
        return ()
    return tuple(CodeShare(value=name(code), share=share) for code, share in shares.items())


def _count_scores(scores: Floats, count: np.ndarray) -> tuple[Bin, ...]:
    """Count records with a score in bins from one of 1, 2, 5 times a power of ten to the next."""
    there = scores > 0
    if not there.any():
        return ()
    low, high = scores[there].min(), scores[there].max()
    powers = range(int(np.floor(np.log10(low))) - 1, int(np.ceil(np.log10(high))) + 2)
    edges = np.array([float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)])
    first = int(np.searchsorted(edges, low, side="right")) - 1
    last = int(np.searchsorted(edges, high, side="right"))
    place = np.searchsorted(edges, scores[there], side="right") - 1
    records = np.bincount(place - first, count[there], last - first).astype(np.int64)
    return tuple(
        Bin(low=float(edges[first + at]), high=float(edges[first + at + 1]), records=int(record))
        for at, record in enumerate(records)
    )


def tabulate_keys(request: Request[TabulationQuery, None]) -> TabulationFigures:
    """Make every table of a few keys and count the sparse cells."""
    query, study = request.query, request.session.study()
    scenario = _find_scenario(study, query.scenario)
    if query.min_weight is not None and scenario.weight is None:
        raise Refusal(
            422, "A minimum number of people needs a sampling weight.", "Mark it in Scenario."
        )
    found = study.tabulation(
        scenario.name,
        dimensions=range(1, max(1, min(query.dimension, len(scenario.keys))) + 1),
        min_count=3 if query.min_count is None and query.min_weight is None else query.min_count,
        min_weight=query.min_weight,
        progress=request.progress,
    )
    worst = sorted(found.tables, key=lambda each: (-each.violations, len(each.keys)))
    cells = found.measured.cells
    codes = _Codes(request.session, study._of(scenario.name))
    return TabulationFigures(
        records=cells.records,
        in_sparse=found.in_violation,
        dimensions=tuple(found.by_dimension),
        rows=tuple(
            DimensionRow(
                dimension=size,
                tables=int(value["tables"]),
                cells=int(value["cells"]),
                sparse=int(value["violations"]),
            )
            for size, value in found.by_dimension.items()
        ),
        tables=tuple(
            SparseTableRow(
                keys=group.keys, cells=group.cells, sparse=group.violations, records=group.records
            )
            for group in worst[:MOST_ROWS]
        ),
        all_tables=len(found.tables),
        keys=tuple(_make_sparse_row(found, key, codes) for key in cells.keys),
        attackers=(
            build_message(AttackerRow, found.prosecutor(), who="prosecutor"),
            build_message(AttackerRow, found.journalist(), who="journalist"),
        ),
        perturbed=found.perturbed_by,
    )


def measure_areas(request: Request[AreasQuery, None]) -> AreaFigures:
    """Say how sure the survey is of the people in small areas, and what to merge."""
    query, study = request.query, request.session.study()
    scenario = _find_scenario(study, query.scenario)
    if scenario.weight is None:
        raise Refusal(422, "Small areas need a sampling weight.", "Mark it in Scenario.")
    found = study.areas(
        query.areas,
        scenario.name,
        parent=query.parent or None,
        limit=query.limit,
        progress=request.progress,
    )
    codes = _Codes(request.session, study)
    return AreaFigures(
        clusters=found.clusters,
        by_household=found.household is not None,
        limit=found.limit,
        tables=tuple(_make_area_row(table, codes) for table in found.tables),
        perturbed=perturbed_words(study, scenario),
    )


def _make_area_row(table: AreaTable, codes: _Codes) -> AreaTableRow:
    """Return a table; groups only of variables whose codes may be listed."""
    name = codes.find_names(table.keys[0], [cell.categories[0] for cell in table.cells])
    groups = [] if name is None else table.groups.items()
    return AreaTableRow(
        keys=table.keys,
        cells=len(table.cells),
        above=len(table.above),
        largest=table.largest,
        merge=tuple(
            AreaGroup(
                code=new,
                label=" + ".join(name(code).label or code for code in old) if name else "",
                codes=old,
            )
            for new, old in groups
        ),
        supported=table.supported,
    )


def _make_sparse_row(found: Tabulation, key: str, codes: _Codes) -> KeyRow:
    cells = found.measured.cells
    place = cells.keys.index(key)
    names: tuple[str | None, ...] = (None, *cells.categories[place])
    records = np.bincount(cells.codes[place], cells.count, len(names)).astype(np.int64)
    levels = [found.levels[size, key] for size in found.by_dimension]
    order = [*range(1, len(names)), 0]  # missing comes last
    return codes.make_row(
        key,
        (int(low.sum()) for _, low in levels),
        (int(whole.sum()) for whole, _ in levels),
        [
            (names[code], int(records[code]), [int(low[code]) for _, low in levels])
            for code in order
            if any(whole[code] for whole, _ in levels)
        ],
    )


def compare_models(request: Request[FileRiskQuery, None]) -> FileModels:
    """Estimate the risk of the file by a model that somebody chose, and by others."""
    query, study = request.query, request.session.study()
    scenario = _find_scenario(study, query.scenario)
    if scenario.weight is None and query.fraction is None:
        raise Refusal(
            422,
            "The risk of the file needs a sampling weight or the sampling fraction.",
            "Mark the weight in Scenario, or give the fraction.",
        )
    found = study.file_risk(
        scenario.name,
        model=query.model,
        interactions=_read_interactions(query.interactions),
        fraction=query.fraction if scenario.weight is None else None,
        pi=query.pi,
        opinions=[opinion for opinion in query.opinions if opinion != query.model],
        progress=request.progress,
    )
    placed = {notice.text for notice in perturbed_notices(study, scenario)}
    told = found.summary()
    return build_message(
        FileModels,
        found,
        interval=_make_band(found.interval),
        coverage=told["interval_coverage"] or "",
        interactions=tuple(found.interactions),
        fraction=found.table.fraction,
        models=tuple(
            build_message(ModelRow, opinion) for opinion in (found.opinion, *found.opinions)
        ),
        notices=tuple(notice.text for notice in found.notices if notice.text not in placed),
        perturbed=found.perturbed_by,
    )


def _make_band(interval: tuple[Interval, Interval] | None) -> Band | None:
    return None if interval is None else Band(tau1=interval[0], tau2=interval[1])


def _read_interactions(given: tuple[str, ...]) -> Literal["auto"] | int | tuple[str, ...]:
    if not given:
        return "auto"
    alone = given[0] if len(given) == 1 else ""
    return int(alone) if alone.isascii() and alone.isdecimal() else given


def measure_diversity(request: Request[DiversityQuery, None]) -> DiversityFigures:
    """Measure l-diversity and t-closeness of the variables that somebody chose."""
    query, study = request.query, request.session.study()
    scenario = _find_scenario(study, query.scenario)
    found = study.diversity(
        query.sensitive,
        scenario.name,
        ordered=query.ordered,
        l=query.l,
        c=query.c,
        t=query.t,
        progress=request.progress,
    )
    return build_message(
        DiversityFigures,
        found,
        records=found.cells.records,
        classes=len(found.cells),
        variables=tuple(
            _make_sensitive_row(found, variable, study) for variable in found.variables.values()
        ),
        perturbed=found.perturbed_by,
    )


def _make_sensitive_row(found: Diversity, of: SensitiveVariable, study: Study) -> SensitiveRow:
    told = found.figures(of.name)
    there = of.counted > 0
    values = np.minimum(of.distinct[there], _MOST_VALUES)
    records = np.bincount(values, found.cells.count[there], _MOST_VALUES + 1).astype(np.int64)
    last = int(np.flatnonzero(records).max(initial=1))
    return build_message(
        SensitiveRow,
        of,
        label=study.schema[of.name].label,
        measures=(
            *(
                DiversityRow(measure=each, worst=told[each]["min"], records=told[each]["below"])
                for each in ("distinct", "entropy", "recursive")
            ),
            DiversityRow(
                measure="distance",
                worst=told["distance"]["max"],
                records=told["distance"]["above"],
            ),
        ),
        values=tuple(records[1 : last + 1].tolist()),
    )
