"""Numbers and steps in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from microsafe.codes import Range

SMALL = 10  # counts below this are not given to the public

METHODS = {
    "sample": "Sampling. The released file is a random sample of the original one, drawn with the "
    "same chance for all; weights take account of it.",
    "suppress": "Local suppression. In some records values of key variables were replaced by "
    "missing, so that no record stands out by its combination of values.",
    "recode": "Global recoding. Categories of a variable were combined into broader ones, in all "
    "records alike.",
    "top-code": "Top coding. The largest values of a variable were combined into one class.",
    "bottom-code": "Bottom coding. The smallest values of a variable were combined into one class.",
    "round": "Rounding. Values of a numeric variable were rounded, in all records alike.",
    "drop": "Removal of variables. Some variables are not part of the released file.",
    "renumber": "New numbers. Numbers of records or households were replaced by random ones that "
    "carry no information.",
}

RULES = {
    "record_risk": "Largest risk of a record",
    "expected": "Expected re-identifications",
    "rate": "Re-identification rate",
    "household_risk": "Largest household risk",
    "k": "Fewest records that share their keys",
}

_DONE = {
    "suppress": "Local suppression", "recode": "Global recoding", "top-code": "Top coding",
    "bottom-code": "Bottom coding", "round": "Rounding", "drop": "Variables left out",
    "renumber": "New numbers", "sample": "Sample",
}  # fmt: skip

_FIELDS = {
    "fraction": "Chance of each to be kept",
    "above": "Unsafe if the risk is above",
    "k": "Records that must share the keys",
    "guarantee": "Guarantee",
    "costs": "Cost of a blank",
    "spare": "Keys not to be blanked",
    "scenarios": "Scenarios to meet",
    "linked": "Variables that lose their value with a key",
    "suppress.household": "Unsafe if the household risk is above",
    "up_to": "Keys in a combination, at most",
    "levels": "Identification levels of keys",
    "people": "People in the population counted, not records",
    "breaks": "Classes begin at",
    "names": "Codes of the classes",
    "keep": "Characters of a code that are kept",
    "level": "Levels climbed",
    "labels": "Labels of the new codes",
    "missing": "Missing codes",
    "groups": "New codes from old",
    "other": "Code of all others",
    "limit": "From",
    "bottom-code.limit": "Up to",
    "code": "Code",
    "base": "To multiples of",
    "from_keys": "Keys among them",
    "variables": "Variables",
}

GUARANTEES = {
    "own": "own: every record is safe by its own blanks",
    "strict": "strict: safe even if records with gaps are ignored",
    "shared": "shared: blanks of other records count",
}


def method(step: Any) -> str:
    """Return what kind of step this is, in a sentence or two, without its parameters."""
    return METHODS.get(_kind(step), f"{title(step)}.")


def title(step: Any) -> str:
    """Return the name of a step."""
    kind = _kind(step)
    return _DONE.get(kind, kind.replace("-", " ").capitalize())


def _kind(step: Any) -> str:
    return str(step.do).replace("_", "-")


def parameters(step: Any) -> list[tuple[str, str]]:
    """Return the parameters of a step that were given, in words."""
    if not is_dataclass(step):
        return []
    found = []
    for each in fields(step):
        value = getattr(step, each.name)
        if each.name in ("why", "variable") or each.name.startswith("_") or _nothing(value):
            continue
        known = _FIELDS.get(f"{_kind(step)}.{each.name}") or _FIELDS.get(each.name)
        say = _VALUES.get(each.name, said)
        found.append((known or each.name.replace("_", " ").capitalize(), say(value)))
    return found


def _nothing(value: Any) -> bool:
    return value is None or value is False or (hasattr(value, "__len__") and len(value) == 0)


def said(value: Any) -> str:
    """Return a value of a step in words."""
    if isinstance(value, Mapping):
        return "; ".join(f"{said(name)}: {said(each)}" for name, each in value.items())
    if isinstance(value, tuple | list | set | frozenset):
        return ", ".join(said(each) for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def groups_in_words(groups: Mapping[str, Sequence[str | Range]]) -> str:
    """Return new codes, each with the old codes and ranges of codes that become it."""
    return "; ".join(
        f"{new}: {', '.join(code_in_words(code) for code in old)}" for new, old in groups.items()
    )


def code_in_words(code: str | Range) -> str:
    """Return a code, or a range of codes of which an empty end is open."""
    if isinstance(code, str):
        return code
    low, high = code
    if not low:
        return f"up to {high}"
    return f"{low} to {high}" if high else f"{low} and above"


_VALUES: Mapping[str, Callable[[Any], str]] = {
    "guarantee": GUARANTEES.__getitem__,
    "groups": groups_in_words,
    "classification": lambda levels: ", then ".join(map(said, levels)),
}


def figure(value: float) -> str:
    """Return a number with as many digits as a reader needs."""
    if math.isnan(value):
        return "–"
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"


def odds(risk: float) -> str:
    """Return a risk as a number and as odds."""
    if not risk > 0:
        return "0"
    return f"{risk:.4g} (1 in {1 / risk:,.0f})"


def percent(share: float, digits: int = 1) -> str:
    """Return a share in per cent; what is not nothing never looks like nothing."""
    if math.isnan(share):
        return "–"
    least = 10.0**-digits
    if 0 < 100 * share < least / 2:
        return f"under {least:.{digits}f}%"
    return f"{100 * share:.{digits}f}%"


def signed(share: float, digits: int = 1) -> str:
    """Return a change in per cent, with its sign."""
    if math.isnan(share):
        return "–"
    if share == 0:
        return "none"
    text = f"{100 * share:+.{digits}f}%"
    if float(text[:-1]) == 0:
        return f"under {10.0**-digits:.{digits}f}%"
    return text.replace("-", "−")


def points(change: float, digits: int = 2) -> str:
    """Return a change of a share in percentage points."""
    least = 10.0**-digits
    if 0 < 100 * change < least / 2:
        return f"under {least:.{digits}f}"
    return f"{100 * change:.{digits}f}"


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
