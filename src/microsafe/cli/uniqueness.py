"""What `uniques`, `tabulate` and `diversity` do."""

from __future__ import annotations

import argparse
from pathlib import Path

from microsafe.cli.commands import label_of, opened
from microsafe.cli.output import (
    check_targets,
    print_json,
    print_notices,
    say,
    write_records,
)
from microsafe.progress import Progress
from microsafe.risk import Diversity, SpecialUniques, Tabulation
from microsafe.study import Study
from microsafe.text import align_columns

_SHOWN = 10


def uniques(chosen: argparse.Namespace, progress: Progress) -> int:
    """Find the minimal sample uniques."""
    _check(chosen)
    study = opened(chosen, progress)
    found = study.uniques(max_size=chosen.max_size, fraction=chosen.fraction, progress=progress)
    _finish(chosen, study, found, progress)
    if not chosen.json:
        say(_what_makes_unique(found))
    return 0


def tabulate(chosen: argparse.Namespace, progress: Progress) -> int:
    """Find the cells of small tables that are too small."""
    _check(chosen)
    study = opened(chosen, progress)
    found = study.tabulation(
        dimensions=chosen.dimensions,
        min_count=chosen.min_count or None,
        min_weight=chosen.min_weight,
        progress=progress,
    )
    _finish(chosen, study, found, progress)
    if not chosen.json:
        say(_where_too_small(found, study))
    return 0


def diversity(chosen: argparse.Namespace, progress: Progress) -> int:
    """Measure what the keys give away of sensitive variables."""
    _check(chosen)
    study = opened(chosen, progress)
    found = study.diversity(
        chosen.sensitive,
        ordered=chosen.ordered,
        l=chosen.l,
        c=chosen.c,
        t=chosen.t,
        progress=progress,
    )
    _finish(chosen, study, found, progress)
    return 0


def _check(chosen: argparse.Namespace) -> None:
    targets: dict[Path | str | None, tuple[str, ...]] = {chosen.records: (".csv", ".parquet")}
    check_targets([chosen.file, chosen.meta], targets, engine=chosen.engine)


def _finish(
    chosen: argparse.Namespace,
    study: Study,
    found: SpecialUniques | Tabulation | Diversity,
    progress: Progress,
) -> None:
    """Write the table of records if asked to, and print the figures."""
    out: Path | str | None = chosen.records
    if out is not None:
        progress("writing records", 0.0)
        write_records(study.engine, found, out, progress)
    if chosen.json:
        print_json(found.summary() | {"notices": [notice.text for notice in study.notices]})
        return
    say(repr(found))
    print_notices(study.notices)


def _what_makes_unique(found: SpecialUniques) -> list[str]:
    """How many MSUs there are by size, and what each key has to do with them."""
    sizes = [("keys", "MSUs"), *((str(k), f"{n:,}") for k, n in found.by_size.items())]
    ranked = sorted(found.by_key.items(), key=lambda pair: -pair[1])
    keys = [("key", "share of the score"), *((key, f"{share:.1%}") for key, share in ranked)]
    return [
        "", "By size:", *align_columns(sizes, right=(0, 1)),
        "", "From MSUs with a key:", *align_columns(keys, right=(1,)),
    ]  # fmt: skip


def _where_too_small(found: Tabulation, study: Study) -> list[str]:
    """The categories with the largest share of records in cells that are too small."""
    rows = [("key", "category", "records", "in such a cell", "share")]
    worst = sorted(found.records_by_category().rows(), key=lambda row: -row[-1])
    for key, category, records, low, share in worst[:_SHOWN]:
        shown = label_of(study.schema[key], category)
        rows.append((key, shown, f"{records:,}", f"{low:,}", f"{share:.1%}"))
    return ["", "Records in cells that are too small:", *align_columns(rows, right=(2, 3, 4))]
