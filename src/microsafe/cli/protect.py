"""What `combinations`, `sample` and `suppress` do."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from microsafe.cli.commands import inputs_of, open_file, open_study
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets
from microsafe.compare.guarantees import GUARANTEES, count_unsafe, price_guarantees
from microsafe.display import format_grid, format_rows, show_number, show_percent, show_risk
from microsafe.errors import UsageError
from microsafe.io import check_writable
from microsafe.notices import Notice
from microsafe.progress import Progress
from microsafe.risk import Risk, gap_rows, gap_summary, other_rows, other_summary
from microsafe.steps.sample import Sample
from microsafe.steps.suppress.step import Suppress
from microsafe.studies.declared_options import fill_suppression, usable_levels
from microsafe.studies.study import Study
from microsafe.variables.inventory import Inventory
from microsafe.variables.listing import refuse_identifiers

_COMPARED_UP_TO = 5_000_000  # records


def combinations(chosen: argparse.Namespace, console: Console) -> int:
    """List the combinations of values that make records unsafe."""
    study = open_study(chosen, console.progress)
    levels = chosen.level
    if not levels and chosen.k is not None and chosen.max_size is None:
        levels = usable_levels(study.roles.levels, study.scenarios)
    found = study.combinations(
        above=chosen.above,
        k=chosen.k,
        max_size=chosen.max_size,
        levels=levels,
        progress=console.progress,
    )
    codes = found.count_codes(chosen.by_code) if chosen.by_code else []
    if chosen.json:
        told: dict[str, Any] = {}
        if chosen.by_code:
            told["by_code"] = [asdict(each) for each in codes]
        if levels and not chosen.level:
            told["declared"] = {"levels": dict(levels)}
        console.print_json(found.summary() | told)
        return 0
    heads = [f"of {size}" for size in found.by_size]
    sizes = [("keys", "combinations")]
    sizes += [(str(size), f"{count:,}") for size, count in found.by_size.items()]
    keys = [("key", "combinations", *heads)]
    ranked = sorted(found.by_key.items(), key=lambda pair: -pair[1])
    for key, count in ranked:
        parts = found.by_key_and_size[key].values()
        keys.append((key, f"{count:,}", *(f"{each:,}" for each in parts)))
    console.say(
        [
            f"{len(found):,} minimal unsafe combinations in "
            f"{found.unsafe_records:,} unsafe records",
            *_say_declared({} if chosen.level else {"levels": levels}),
            "",
            "By number of keys:",
            *format_grid(sizes, right=(0, 1)),
            "",
            "By key, combinations it takes part in:",
            *format_grid(keys, right=range(1, len(heads) + 2)),
        ]
    )
    if codes:
        rows = [("code", "records", *heads)]
        for each in codes:
            counts = (each.records, *each.by_size.values())
            rows.append((each.code, *(f"{count:,}" for count in counts)))
        grid = format_grid(rows, right=range(1, len(heads) + 2))
        console.say(["", f"By code of {chosen.by_code}:", *grid])
    console.print_notices(study.notices)
    return 0


def sample(chosen: argparse.Namespace, console: Console) -> int:
    """Draw a sample and write it."""
    check_targets(inputs_of(chosen), {chosen.output: ()}, engine=chosen.engine)
    check_writable(Path(chosen.output))
    step = Sample(
        fraction=chosen.fraction,
        seed=chosen.seed,
        household=chosen.household,
        weight=chosen.weight,
    )
    study = open_file(chosen, console.progress)
    study._check_output(chosen.output)
    study = study.apply(step, progress=console.progress)
    taken = study.steps[-1]
    written = study.write(
        chosen.output, drop=chosen.drop, keep=dict(chosen.kept), progress=console.progress
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
    console.print_notices((*study.notices, *file_notices(written)))
    return 0


def suppress(chosen: argparse.Namespace, console: Console) -> int:
    """Suppress keys, measure again, write the file; 1 if some record stays unsafe."""
    if chosen.above is None and chosen.k is None and chosen.household_above is None:
        raise UsageError("Say what is unsafe: give --above, --k or --household-above.")
    check_targets(inputs_of(chosen), {chosen.output: ()}, engine=chosen.engine)
    check_writable(Path(chosen.output))
    progress = console.progress
    study = open_study(chosen, progress)
    study._check_output(chosen.output)
    if chosen.drop:
        study = study.drop(chosen.drop)
    keep = dict(chosen.kept)
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
    options |= fill_suppression(
        study,
        costs=chosen.cost,
        linked=dict(chosen.linked) or None,
        levels=chosen.level or None,
        by_k=chosen.k is not None and chosen.up_to is None,
    )
    given = {"costs": chosen.cost, "linked": chosen.linked, "levels": chosen.level}
    declared = {name: options[name] or {} for name, each in given.items() if not each}
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
                "linked": dict(done.linked),
                "declared": declared,
                "total": done.total,
                "records_changed": done.records,
                "before": _summarise_risk(before, unsafe[0]),
                "after": _summarise_risk(after, unsafe[1]),
                "stuck": done.stuck,
                "leaning": done.leaning,
                "unchanged": list(written.unchanged),
                "notices": [each.text for each in (*after.notices, *file_notices(written))],
            }
        )
    else:
        guarantees = _compare_guarantees(study, protected, before, options, chosen, progress)
        console.say(
            [
                f"Suppression in {study.schema.source}, written to {Path(chosen.output).name}",
                *_say_declared(declared),
                *_format_change(protected, before, after, unsafe),
                *guarantees,
                *format_unchanged(written),
            ]
        )
        console.print_notices((*after.notices, *file_notices(written)))
    if done.stuck:
        console.complain(_describe_stuck(done.stuck, done.examples, chosen.spare))
    return 1 if unsafe[1] or done.stuck else 0


def _say_declared(declared: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What was taken from declarations of the variables, as no option says otherwise."""
    levels = [f"{key} {level}" for key, level in declared.get("levels", {}).items()]
    costs = [f"{key} {cost:g}" for key, cost in declared.get("costs", {}).items() if cost != 1]
    linked = [f"{', '.join(names)} with {key}" for key, names in declared.get("linked", {}).items()]
    parts = {
        "identification levels (--level)": levels,
        "costs of a blank (--cost)": costs,
        "linked variables (--linked)": linked,
    }
    lines = [f"  {words}: {', '.join(each)}" for words, each in parts.items() if each]
    return ["As the variables are declared:", *lines] if lines else []


def count_failing(study: Study, risk: Risk, options: dict[str, Any]) -> int:
    """Return the number of records that fail the criterion in the data as they are."""
    beyond = ("household", "up_to", "levels", "people")
    if not any(options[name] for name in beyond):
        return count_unsafe(risk, options["above"], options["k"])
    # Those that would need further blanks, none being spared.
    done = study.suppress(**(options | {"spare": ()})).steps[-1]
    return done.records + done.stuck


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
    linked = [("linked", "blanks"), *((name, f"{n:,}") for name, n in done.linked.items())]
    return [
        *format_grid(figures, right=(1, 2)),
        *(format_rows(gap_rows(after.gaps)) if after.gaps else ()),
        "",
        f"{done.total:,} blanks (suppressed values) in {done.records:,} records:",
        *format_grid(blanks, right=(1,)),
        *(["", *format_grid(linked, right=(1,))] if done.linked else ()),
    ]


def file_notices(written: Inventory) -> list[Notice]:
    """What a person must know of how a file was written."""
    return [each for each in written.notices if each.topic == "file"]


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
    step = Suppress(**options, guarantee=chosen.guarantee)
    for price in price_guarantees(
        study,
        step,
        known={chosen.guarantee: protected},
        only=(chosen.guarantee,) if large else GUARANTEES,
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
