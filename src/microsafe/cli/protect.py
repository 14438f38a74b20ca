"""What `combinations`, `sample` and `suppress` do."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from microsafe.cli.commands import opened, unasked
from microsafe.cli.output import check_targets, print_json, print_notices, say
from microsafe.io import check_writable
from microsafe.progress import Progress
from microsafe.risk import Risk
from microsafe.steps.sample import Sample
from microsafe.study import Study
from microsafe.text import align_columns

_COMPARED_UP_TO = 5_000_000  # records


def combinations(chosen: argparse.Namespace, progress: Progress) -> int:
    """List what makes records unsafe."""
    study = opened(chosen, progress)
    found = study.combinations(
        above=chosen.above, k=chosen.k, max_size=chosen.max_size, progress=progress
    )
    if chosen.json:
        print_json(found.summary())
        return 0
    say(f"{len(found):,} minimal unsafe combinations in {found.unsafe_records:,} unsafe records")
    sizes = [("keys", "combinations")]
    sizes += [(str(size), f"{count:,}") for size, count in found.by_size.items()]
    say(["", "By size:", *align_columns(sizes, right=(0, 1))])
    keys = [("key", "combinations")]
    ranked = sorted(found.by_key.items(), key=lambda pair: -pair[1])
    keys += [(key, f"{count:,}") for key, count in ranked]
    say(["", "That a key takes part in:", *align_columns(keys, right=(1,))])
    print_notices(study.notices)
    return 0


def sample(chosen: argparse.Namespace, progress: Progress) -> int:
    """Draw a sample and write it."""
    check_targets([chosen.file, chosen.meta], {chosen.output: ()}, engine=chosen.engine)
    check_writable(Path(chosen.output))
    step = Sample(
        fraction=chosen.fraction,
        seed=chosen.seed,
        household=chosen.household,
        weight=chosen.weight,
    )
    study = unasked(chosen, progress)
    study.check_output(chosen.output)
    study = study.apply(step, progress=progress)
    study.write(chosen.output, progress=progress)
    taken = study.steps[-1]
    if chosen.json:
        print_json(
            {"fraction": step.fraction, "household": step.household, "weight": step.weight}
            | taken.figures()["drawn"]
        )
        return 0
    say(
        [
            f"Sample of {study.schema.source}, written to {Path(chosen.output).name}",
            f"  {taken.words}",
        ]
    )
    print_notices(study.notices)
    return 0


def suppress(chosen: argparse.Namespace, progress: Progress) -> int:
    """Blank keys, measure again, write the file; 1 if some record stays unsafe."""
    check_targets([chosen.file, chosen.meta], {chosen.output: ()}, engine=chosen.engine)
    check_writable(Path(chosen.output))
    study = opened(chosen, progress)
    study.check_output(chosen.output)
    options: dict[str, Any] = {
        "above": chosen.above,
        "k": chosen.k,
        "costs": chosen.cost,
        "spare": chosen.spare,
        "household": chosen.household_above,
        "up_to": chosen.up_to,
        "people": chosen.people,
    }
    before = study.risk(limit=chosen.above, progress=progress)
    protected = study.suppress(**options, guarantee=chosen.guarantee, progress=progress)
    after = protected.risk(limit=chosen.above, progress=progress)
    protected.write(chosen.output, progress=progress)
    done = protected.steps[-1]
    left = [failing(study, before, options), failing(protected, after, options)]
    if chosen.json:
        print_json(
            {
                "blanks": dict(done.blanks),
                "total": done.total,
                "records_changed": done.records,
                "before": _figures(before, left[0]),
                "after": _figures(after, left[1]),
                "stuck": done.stuck,
                "leaning": done.leaning,
            }
        )
    else:
        say(_report(study, protected, before, after, left, options, chosen, progress))
        print_notices(after.notices)
    if done.stuck:
        numbers = ", ".join(f"{number:,}" for number in done.examples)
        first = f"; the first are records {numbers}" if numbers else ""
        spared = f"because keys are spared ({', '.join(chosen.spare)})"
        cause = spared if chosen.spare else "in so small a file"
        print(
            f"microsafe: {done.stuck:,} records stay unsafe {cause}{first}.",
            file=sys.stderr,
        )
    return 1 if left[1] or done.stuck else 0


def failing(study: Study, risk: Risk, options: dict[str, Any]) -> int:
    """Return the records that fail the criterion in the data as they are."""
    if options["household"] is None and options["up_to"] is None and not options["people"]:
        return unsafe(risk, options["above"], options["k"])
    # Those that would need further blanks, none being spared.
    done = study.suppress(**(options | {"spare": ()})).steps[-1]
    return done.records + done.stuck


def unsafe(risk: Risk, above: float | None, k: int | None) -> int:
    """Return the records above a limit or in cells that are too small."""
    fails = np.zeros(len(risk.measured.f), np.bool_)
    if above is not None:
        fails |= risk.measured.risk > above
    if k is not None:
        fails |= risk.measured.f < k
    return risk.measured.count(fails)


def _figures(risk: Risk, failing: int) -> dict[str, Any]:
    return {"max": risk.max, "expected": risk.expected, "unsafe": failing}


def _report(
    study: Study,
    protected: Study,
    before: Risk,
    after: Risk,
    left: Sequence[int],
    options: dict[str, Any],
    chosen: argparse.Namespace,
    progress: Progress,
) -> list[str]:
    """The change in figures, the blanks by key, and the three guarantees side by side."""
    figures = [
        ("", "before", "after"),
        ("unsafe records", *(f"{count:,}" for count in left)),
        ("sample uniques", f"{before.sample_uniques:,}", f"{after.sample_uniques:,}"),
        ("largest risk", f"{before.max:.6g}", f"{after.max:.6g}"),
        ("expected re-identifications", f"{before.expected:,.6g}", f"{after.expected:,.6g}"),
    ]
    done = protected.steps[-1]
    blanks = [("key", "blanks"), *((key, f"{count:,}") for key, count in done.blanks.items())]
    rows = [
        ("guarantee", "blanks", "records changed", "safe through others only", "unsafe by chance")
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
        weighed = other.with_scenario("weighed", keys=chosen.keys, missing="expected")
        weighed_risk = weighed.risk("weighed", progress=progress)
        still = unsafe(weighed_risk, chosen.above, chosen.k)
        mark = " *" if guarantee == chosen.guarantee else ""
        rows.append(
            (
                guarantee + mark,
                f"{step.total:,}",
                f"{step.records:,}",
                f"{step.leaning:,}",
                f"{still:,}",
            )
        )
    return [
        f"Suppression in {study.schema.source}, written to {Path(chosen.output).name}",
        *align_columns(figures, right=(1, 2)),
        "", f"{done.total:,} blanks in {done.records:,} records:",
        *align_columns(blanks, right=(1,)),
        "", "What the guarantee cost:" if large else "What each guarantee would cost (* was used):",
        *align_columns(rows, right=(1, 2, 3, 4)),
        "  safe through others only: what the record shows was not safe in the original file",
        "  unsafe by chance: if a gap counts with the chance that it hides the right category",
    ]  # fmt: skip
