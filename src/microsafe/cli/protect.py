"""What `combinations`, `sample` and `suppress` do."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from microsafe.cli.commands import open_file, open_study
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets
from microsafe.compare.loss import measure_mean
from microsafe.display import format_grid, format_rows, show_number, show_percent, show_risk
from microsafe.errors import UsageError
from microsafe.inventory import Inventory
from microsafe.inventory.verbs import refuse_identifiers
from microsafe.io import check_writable
from microsafe.progress import Progress
from microsafe.risk import Risk, gap_rows, gap_summary, other_rows, other_summary
from microsafe.steps.sample import Sample
from microsafe.study import Study

_COMPARED_UP_TO = 5_000_000  # records


def combinations(chosen: argparse.Namespace, console: Console) -> int:
    """List the combinations of values that make records unsafe."""
    study = open_study(chosen, console.progress)
    found = study.combinations(
        above=chosen.above, k=chosen.k, max_size=chosen.max_size, progress=console.progress
    )
    if chosen.json:
        console.print_json(found.summary())
        return 0
    sizes = [("keys", "combinations")]
    sizes += [(str(size), f"{count:,}") for size, count in found.by_size.items()]
    keys = [("key", "combinations")]
    ranked = sorted(found.by_key.items(), key=lambda pair: -pair[1])
    keys += [(key, f"{count:,}") for key, count in ranked]
    console.say(
        [
            f"{len(found):,} minimal unsafe combinations in "
            f"{found.unsafe_records:,} unsafe records",
            "",
            "By number of keys:",
            *format_grid(sizes, right=(0, 1)),
            "",
            "By key, combinations it takes part in:",
            *format_grid(keys, right=(1,)),
        ]
    )
    console.print_notices(study.notices)
    return 0


def sample(chosen: argparse.Namespace, console: Console) -> int:
    """Draw a sample and write it."""
    check_targets([chosen.file, chosen.meta], {chosen.output: ()}, engine=chosen.engine)
    check_writable(Path(chosen.output))
    step = Sample(
        fraction=chosen.fraction,
        seed=chosen.seed,
        household=chosen.household,
        weight=chosen.weight,
    )
    study = open_file(chosen, console.progress)
    study.check_output(chosen.output)
    study = study.apply(step, progress=console.progress)
    taken = study.steps[-1]
    written = study.write(
        chosen.output, drop=chosen.drop, keep=dict(chosen.keep), progress=console.progress
    )
    if chosen.json:
        console.print_json(
            {"fraction": step.fraction, "household": step.household, "weight": step.weight}
            | taken.figures()["drawn"]
            | {"unchanged": list(written.unchanged)}
        )
        return 0
    console.say(
        [
            f"Sample of {study.schema.source}, written to {Path(chosen.output).name}",
            f"  {taken.words}",
            *format_unchanged(written),
        ]
    )
    console.print_notices(study.notices)
    return 0


def suppress(chosen: argparse.Namespace, console: Console) -> int:
    """Suppress keys, measure again, write the file; 1 if some record stays unsafe."""
    if chosen.above is None and chosen.k is None and chosen.household_above is None:
        raise UsageError("Say what is unsafe: give --above, --k or --household-above.")
    check_targets([chosen.file, chosen.meta], {chosen.output: ()}, engine=chosen.engine)
    check_writable(Path(chosen.output))
    progress = console.progress
    study = open_study(chosen, progress)
    study.check_output(chosen.output)
    if chosen.drop:
        study = study.drop(chosen.drop)
    keep = dict(chosen.keep)
    refuse_identifiers(study.inventory(keep=keep, progress=progress))
    options: dict[str, Any] = {
        "above": chosen.above,
        "k": chosen.k,
        "costs": chosen.cost,
        "spare": chosen.spare,
        "household": chosen.household_above,
        "up_to": chosen.up_to,
        "levels": chosen.level,
        "people": chosen.people,
    }
    both = not chosen.no_model
    before = study.risk(limit=chosen.above, both=both, progress=progress)
    protected = study.suppress(**options, guarantee=chosen.guarantee, progress=progress)
    after = protected.risk(limit=chosen.above, both=both, progress=progress)
    written = protected.write(chosen.output, keep=keep, prune=True, progress=progress)
    done = protected.steps[-1]
    unsafe = [count_failing(study, before, options), count_failing(protected, after, options)]
    if chosen.json:
        console.print_json(
            {
                "blanks": dict(done.blanks),
                "total": done.total,
                "records_changed": done.records,
                "before": _summarise_risk(before, unsafe[0]),
                "after": _summarise_risk(after, unsafe[1]),
                "stuck": done.stuck,
                "leaning": done.leaning,
                "unchanged": list(written.unchanged),
                "notices": [notice.text for notice in after.notices],
            }
        )
    else:
        guarantees = _compare_guarantees(study, protected, before, options, chosen, progress)
        console.say(
            [
                f"Suppression in {study.schema.source}, written to {Path(chosen.output).name}",
                *_format_change(protected, before, after, unsafe),
                *guarantees,
                *format_unchanged(written),
            ]
        )
        console.print_notices(after.notices)
    if done.stuck:
        console.complain(_describe_stuck(done.stuck, done.examples, chosen.spare))
    return 1 if unsafe[1] or done.stuck else 0


def count_failing(study: Study, risk: Risk, options: dict[str, Any]) -> int:
    """Return the number of records that fail the criterion in the data as they are."""
    beyond = ("household", "up_to", "levels", "people")
    if not any(options[name] for name in beyond):
        return count_unsafe(risk, options["above"], options["k"])
    # Those that would need further blanks, none being spared.
    done = study.suppress(**(options | {"spare": ()})).steps[-1]
    return done.records + done.stuck


def count_unsafe(risk: Risk, above: float | None, k: int | None, *, people: bool = False) -> int:
    """Return the number of records above a risk limit or in cells of fewer than k."""
    fails = np.zeros(len(risk.measured.f), np.bool_)
    if above is not None:
        fails |= risk.measured.risk > above
    if k is not None:
        fails |= (risk.measured.F if people else risk.measured.f) < k
    return risk.measured.count(fails)


def _summarise_risk(risk: Risk, unsafe: int) -> dict[str, Any]:
    return {
        "max": risk.max,
        "expected": risk.expected,
        "unsafe": unsafe,
        "estimator": risk.scenario.estimator,
        **other_summary(risk, risk.limit),
        **gap_summary(risk.gaps),
    }


def _describe_stuck(stuck: int, examples: Sequence[int], spared: Sequence[str]) -> str:
    cause = f"keys are spared ({', '.join(spared)})" if spared else "the file is too small"
    numbers = ", ".join(f"{number:,}" for number in examples)
    first = f" (the first are records {numbers})" if numbers else ""
    return (
        f"{stuck:,} records{first} stay unsafe because {cause}. Spare fewer keys, or recode them."
    )


def _format_change(protected: Study, before: Risk, after: Risk, unsafe: Sequence[int]) -> list[str]:
    """The figures before and after, and the suppressed values by key."""
    figures = [
        ("", "before", "after"),
        ("unsafe records", *(f"{count:,}" for count in unsafe)),
        ("sample uniques", f"{before.sample_uniques:,}", f"{after.sample_uniques:,}"),
        ("largest risk", show_risk(before.max), show_risk(after.max)),
        (
            "expected re-identifications",
            show_number(before.expected),
            show_number(after.expected),
        ),
    ]
    beside = [dict(other_rows(risk, risk.limit)) for risk in (before, after)]
    figures += [
        (name, *(each.get(name, "–") for each in beside))
        for name in dict.fromkeys([*beside[0], *beside[1]])
    ]
    done = protected.steps[-1]
    blanks = [("key", "blanks"), *((key, f"{count:,}") for key, count in done.blanks.items())]
    return [
        *format_grid(figures, right=(1, 2)),
        *(format_rows(gap_rows(after.gaps)) if after.gaps else ()),
        "",
        f"{done.total:,} blanks (suppressed values) in {done.records:,} records:",
        *format_grid(blanks, right=(1,)),
    ]


def format_unchanged(written: Inventory) -> list[str]:
    """What a person must know of a working file."""
    names = textwrap.wrap(", ".join(written.unchanged) or "none", 96)
    return [
        "",
        "A working file, not a release: records are in the order of the input, and these variables "
        "are unchanged:",
        *(f"  {line}" for line in names),
    ]


def _compare_guarantees(
    study: Study,
    protected: Study,
    before: Risk,
    options: dict[str, Any],
    chosen: argparse.Namespace,
    progress: Progress,
) -> list[str]:
    """What each guarantee costs, side by side."""
    rows: list[tuple[str, ...]] = [
        ("guarantee", "blanks", "records changed", "lost", "only by others", "unsafe if guessed")
    ]
    # In a large file the other guarantees would take far more memory than the work itself.
    large = before.n > _COMPARED_UP_TO or chosen.memory is not None
    for guarantee in (chosen.guarantee,) if large else ("own", "strict", "shared"):
        if guarantee == "shared" and chosen.household_above is not None:
            continue  # household risk is met by own and strict blanks only
        other = protected
        if guarantee != chosen.guarantee:
            other = study.suppress(**options, guarantee=guarantee, progress=progress)
        step = other.steps[-1]
        mark = " *" if guarantee == chosen.guarantee else ""
        counts = (f"{count:,}" for count in (step.total, step.records))
        lost = show_percent(measure_mean(study, other, study.scenario().keys))
        guessed = _count_guessed(other, chosen, progress)
        rows.append((guarantee + mark, *counts, lost, f"{step.leaning:,}", guessed))
    return [
        "",
        "Cost of the guarantee:" if large else "Cost of each guarantee (* was used):",
        *format_grid(rows, right=(1, 2, 3, 4, 5)),
        "  lost: share of the information, mean of the keys",
        "  only by others: records protected only by other records' suppressions",
        "  unsafe if guessed: records unsafe if an intruder guesses what blanks hide",
    ]


def _count_guessed(study: Study, chosen: argparse.Namespace, progress: Progress) -> str:
    """Records that fail if blanks count by what they hide; a dash unless all keys are judged."""
    if chosen.up_to or chosen.level or chosen.household_above is not None:
        return "–"
    weighed = study.with_scenario("weighed", keys=chosen.keys, missing="expected")
    risk = weighed.risk("weighed", both=False, progress=progress)
    return f"{count_unsafe(risk, chosen.above, chosen.k, people=chosen.people):,}"
