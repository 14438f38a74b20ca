"""`suppress`: suppress key values until no record is unsafe."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields, given_values_of
from microsafe.cli.input import add_file
from microsafe.cli.output import (
    add_exceptions,
    add_json,
    add_output,
    check_working_file,
    file_notices,
    format_unchanged,
)
from microsafe.cli.parser import group_of
from microsafe.cli.scenario import (
    add_criterion,
    add_one_estimator,
    add_scenario,
    format_declared,
    limit_of,
    open_study,
)
from microsafe.display import format_grid, format_rows, show_number, show_percent, show_risk
from microsafe.errors import UsageError
from microsafe.options.policy import Policy
from microsafe.options.suppression import GUARANTEES, Guarantee, SuppressOptions

if TYPE_CHECKING:
    from microsafe.compare.family_protection import FamilyMeasures
    from microsafe.progress import Progress
    from microsafe.risk import Risk
    from microsafe.steps.suppress.step import Suppress
    from microsafe.studies.study import Study

_COMPARED_UP_TO = 5_000_000  # records


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_scenario(command)
    add_criterion(command, required=False)  # a limit on households will do
    add_fields(command, SuppressOptions, "guarantee", "cost", "household")
    add_fields(group_of(command, "details"), SuppressOptions, but=["scenarios", "why"])
    command.set_defaults(guarantee=None)  # own, or as the profile has it
    add_one_estimator(command)
    add_exceptions(command)
    add_output(command, "the protected file: a working file, not a release")
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Suppress keys, measure again, write the file; 1 if some record stays unsafe."""
    from microsafe.steps import Suppress
    from microsafe.studies.variable_inventory import refuse_identifiers
    from microsafe.studies.verb import make_step

    chosen.above = limit_of(chosen, chosen.above)
    if chosen.above is None and chosen.k is None and chosen.household_above is None:
        raise UsageError("Say what is unsafe: give --above, --k or --household-above.")
    check_working_file(chosen)
    progress = console.progress
    study = open_study(chosen, progress)
    chosen.guarantee = chosen.guarantee or _usual_guarantee(chosen, study)
    study._check_output(chosen.output)
    if chosen.drop:
        study = study.drop(chosen.drop)
    keep = dict(chosen.kept)
    refuse_identifiers(study.inventory(keep=keep, progress=progress))
    given = given_values_of(chosen, SuppressOptions)
    step = make_step(Suppress, given, study)
    declared = {
        name: getattr(step, name) or {}
        for name in ("cost", "linked", "levels")
        if name not in given
    }
    before = study.risk(limit=chosen.above, one_estimator=chosen.one_estimator, progress=progress)
    protected = study.apply(step, progress=progress)
    after = protected.risk(
        limit=chosen.above, one_estimator=chosen.one_estimator, progress=progress
    )
    written = protected.write(chosen.output, keep=keep, prune=True, progress=progress)
    families = _measure_families(study, step, chosen, progress)
    done = protected.steps[-1]
    unsafe = [count_failing(study, before, step), count_failing(protected, after, step)]
    if chosen.json:
        console.print_json(
            {
                "blanks": dict(done.blanks),
                "linked": dict(done.linked),
                "declared": declared,
                "total": done.total,
                "records_changed": done.records,
                "before": _summarise_risk(before, unsafe[0]),
                "after": _summarise_risk(after, unsafe[1]),
                "stuck": done.stuck,
                "leaning": done.leaning,
                **(families.summary() if families else {}),
                "unchanged": list(written.unchanged),
                "notices": [notice.text for notice in (*after.notices, *file_notices(written))],
            }
        )
    else:
        guarantees = _compare_guarantees(study, protected, before, step, chosen, progress)
        console.say(
            [
                f"Suppression in {study.schema.source}, written to {Path(chosen.output).name}",
                *format_declared(declared),
                *_format_change(protected, before, after, unsafe),
                *guarantees,
                *(["", f"{families.title}:", *repr(families).splitlines()] if families else []),
                *format_unchanged(written),
            ]
        )
        console.print_notices((*after.notices, *file_notices(written)))
    if done.stuck:
        console.complain(_describe_stuck(done.stuck, done.examples, chosen.spare))
    return 1 if unsafe[1] or done.stuck else 0


def _usual_guarantee(chosen: argparse.Namespace, study: Study) -> Guarantee:
    """Return the guarantee that a profile asks for: blanks tell nothing, if it knows the method."""
    from microsafe.intruders import add_profile

    if chosen.profile is None:
        return "own"
    asked = add_profile(Policy(), chosen.profile, study.scenario())
    return "view" if "method" in asked.intruders else "own"


def count_failing(study: Study, risk: Risk, step: Suppress) -> int:
    """Return the number of records that fail the criterion in the data as they are."""
    from microsafe.compare.guarantees import count_unsafe

    if not (step.household or step.up_to or step.levels or step.people):
        above, k = step.above, step.k
        assert not isinstance(above, Mapping)  # noqa: S101  # nor k: there is one scenario
        assert not isinstance(k, Mapping)  # noqa: S101
        return count_unsafe(risk, above, k)
    # Those that would need further blanks, none being spared.
    done = study.apply(replace(step, spare=())).steps[-1]
    return done.records + done.stuck


def _summarise_risk(risk: Risk, unsafe: int) -> dict[str, Any]:
    from microsafe.risk import gap_summary, other_summary

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
    from microsafe.risk import gap_rows, other_rows

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
    linked = [("linked", "blanks"), *((name, f"{n:,}") for name, n in done.linked.items())]
    return [
        *format_grid(figures, right=(1, 2)),
        *(format_rows(gap_rows(after.gaps)) if after.gaps else ()),
        "",
        f"{done.total:,} blanks (suppressed values) in {done.records:,} records:",
        *format_grid(blanks, right=(1,)),
        *(["", *format_grid(linked, right=(1,))] if done.linked else ()),
    ]


def _measure_families(
    study: Study, step: Suppress, chosen: argparse.Namespace, progress: Progress
) -> FamilyMeasures | None:
    """What protects families, where blanks are asked to; None for a large file."""
    limit = step.household
    large = study.engine.rows() > _COMPARED_UP_TO or chosen.memory is not None
    if limit is None or large:
        return None
    assert not isinstance(limit, Mapping)  # noqa: S101  # there is one scenario
    return study.family_measures(limit=limit, progress=progress)


def _compare_guarantees(
    study: Study,
    protected: Study,
    before: Risk,
    step: Suppress,
    chosen: argparse.Namespace,
    progress: Progress,
) -> list[str]:
    """What each guarantee costs, side by side."""
    from microsafe.compare.guarantees import price_guarantees

    rows: list[tuple[str, ...]] = [
        ("guarantee", "blanks", "records changed", "lost", "only by others", "unsafe if guessed")
    ]
    # In a large file the other guarantees would take far more memory than the work itself.
    large = before.n > _COMPARED_UP_TO or chosen.memory is not None
    for price in price_guarantees(
        study,
        step,
        known={chosen.guarantee: protected},
        only=(chosen.guarantee,) if large else tuple(GUARANTEES),
        progress=progress,
    ):
        if price.taken is None:
            continue  # household risk is met by own and strict blanks only
        mark = " *" if price.guarantee == chosen.guarantee else ""
        counts = (f"{count:,}" for count in (price.taken.total, price.taken.records))
        guessed = "–" if price.guessed is None else f"{price.guessed:,}"
        rows.append(
            (
                price.guarantee + mark,
                *counts,
                show_percent(price.lost),
                f"{price.taken.leaning:,}",
                guessed,
            )
        )
    return [
        "",
        "Cost of the guarantee:" if large else "Cost of each guarantee (* was used):",
        *format_grid(rows, right=(1, 2, 3, 4, 5)),
        "  lost: share of the information, mean of the keys; each record counts once",
        "  only by others: records protected only by other records' suppressions",
        "  unsafe if guessed: records unsafe if an intruder guesses what blanks hide",
    ]
