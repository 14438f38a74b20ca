"""Keep seeds secret: in the plan or a private file beside it, elsewhere as a hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import randbits
from typing import Any

from microsafe.errors import InputError, UsageError
from microsafe.io import replace_file
from microsafe.io.control_file import parse_json, read_control_text
from microsafe.options.parameter import parameters, secrets
from microsafe.steps import STEPS

SEED_BITS = 53  # whole numbers that every program can hold exactly
_ROUNDS = 100_000  # make it slow to try out seeds until a hash fits


def seed_hash(seed: int, salt: str) -> str:
    """Return a hash by which a seed can be recognised, but hardly found.

    Args:
        seed: The secret.
        salt: The checksum of the input and where in the plan the seed stands, so that equal
            seeds of two plans have two hashes.
    """
    return hashlib.pbkdf2_hmac("sha256", str(seed).encode(), salt.encode(), _ROUNDS).hex()[:32]


def seeds_path(plan: Path) -> Path:
    """Return where the seeds lie that a plan leaves out: beside it."""
    return plan.with_suffix(".seeds")


def fill_seeds(table: dict[str, Any], plan: Path, *, draw: bool) -> Mapping[str, int]:
    """Fill in the seeds that a plan leaves out, and return those that were drawn.

    Args:
        table: The plan as it was read; what is wrong with it is told later.
        plan: Path of the plan.
        draw: Whether to draw what is not there.

    Raises:
        UsageError: There is no seed, and none is to be drawn.
    """
    lacking = [*_lacking_in_steps(table.get("step")), *_lacking_in_output(table)]
    known = _read(seeds_path(plan)) if lacking else {}
    drawn: dict[str, int] = {}
    for where, place, values, name in lacking:
        if place not in known:
            if not draw:
                raise UsageError(
                    f"{plan.name} {where} lacks {name!r}. Give a whole number, or "
                    f"run 'microsafe protect', which draws one and keeps it beside the plan."
                )
            drawn[place] = randbits(SEED_BITS)
        values[name] = (known | drawn)[place]
    return drawn


def fill_seeds_from(table: dict[str, Any], steps: Sequence[object]) -> Mapping[str, int]:
    """Fill in the seeds of steps that a plan leaves out from the steps that it stands for.

    Args:
        table: The plan as it was read.
        steps: Those of the plan, with their seeds.

    Returns:
        The seeds, as they are kept beside a plan.
    """
    found: dict[str, int] = {}
    for _, place, values, name in _lacking_in_steps(table.get("step")):
        values[name] = found[place] = getattr(steps[int(place.split()[0]) - 1], name)
    return found


def list_seeds(steps: Sequence[Any], shuffle: int | None) -> Mapping[str, int]:
    """Return the seeds of steps and of the order of records, as a file beside a plan has them."""
    found = {
        f"{number} {step.do} {name}": getattr(step, name)
        for number, step in enumerate(steps, 1)
        for name in secrets(type(step))
    }
    found["output shuffle"] = shuffle
    return {place: seed for place, seed in found.items() if seed is not None}


def seeds_text(seeds: Mapping[str, int]) -> str:
    """Return what the file with seeds has in it."""
    return json.dumps(seeds, indent=2) + "\n"


def _lacking_in_steps(steps: object) -> list[tuple[str, str, dict[str, Any], str]]:
    """Seeds that steps leave out: where in the plan, where in the file of seeds, table and name."""
    return [
        (f"[[step]] {number}", f"{number} {each['do']} {name}", each, name)
        for number, each in enumerate(steps if isinstance(steps, list) else [], 1)
        if isinstance(each, dict) and each.get("do") in STEPS
        for name in secrets(STEPS[each["do"]])
        if name not in each and _is_needed(STEPS[each["do"]], name, each)
    ]


def _is_needed(kind: type, name: str, table: Mapping[str, Any]) -> bool:
    """Whether a step needs a secret: some do only if a switch is on."""
    switch = parameters(kind)[name].only_with
    return not switch or bool(table.get(switch))


def _lacking_in_output(table: dict[str, Any]) -> list[tuple[str, str, dict[str, Any], str]]:
    """The same of the order of the records."""
    output = table.get("output")
    if not isinstance(output, dict):
        return []
    decided = "shuffle" in output or "keep_order" in output
    return [] if decided else [("[output]", "output shuffle", output, "shuffle")]


def keep_seeds(drawn: Mapping[str, int], plan: Path) -> None:
    """Keep seeds that were drawn in a file beside the plan that only its owner can read."""
    path = seeds_path(plan)
    with replace_file(path) as temporary:
        temporary.write_text(seeds_text({**_read(path), **drawn}), "utf-8")


def _read(path: Path) -> dict[str, int]:
    try:
        found = parse_json(read_control_text(path))
    except FileNotFoundError:
        return {}
    except InputError:
        raise
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(type(each) is int for each in found.values()):
        raise InputError(f"{path.name} does not hold the seeds of a plan. Put it back as it was.")
    return found
