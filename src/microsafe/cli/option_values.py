"""Values of options: text in, a checked value out."""

from __future__ import annotations

import argparse
import math
import re
from pathlib import Path

from microsafe.display import read_rate

_MOST_DIMENSIONS = 60


def parse_path(text: str) -> Path | str:
    """A file of this machine; an address, or a folder that ends in "/", is for Spark alone."""
    return text if "://" in text or text.endswith("/") else Path(text)


def parse_list(text: str) -> tuple[str, ...]:
    """Names between commas; one that contains a comma or outer spaces goes in double quotes."""
    parts = re.findall(r'\s*"([^"]*)"\s*(?:,|$)|([^,]+)', text)
    return tuple(name for quoted, plain in parts if (name := quoted or plain.strip()))


def parse_number(text: str) -> float:
    """A finite number."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError("must be finite")
    return number


def parse_rate(text: str) -> float:
    """A risk, rate or share: 0.01, 1% or "1 in 100"."""
    try:
        rate = read_rate(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a rate: write 0.01, 1% or '1 in 100'"
        ) from None
    if not 0 <= rate <= 1:
        raise argparse.ArgumentTypeError("must lie between 0 and 1, or 0% and 100%")
    return rate


def parse_rates(text: str) -> tuple[float, ...]:
    """Several rates between commas."""
    return tuple(parse_rate(part) for part in parse_list(text))


def parse_amount(text: str) -> float:
    """A number of at least 0."""
    number = parse_number(text)
    if number < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return number


def parse_count(text: str) -> int:
    """A whole number of at least 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("must be a whole number of at least 0")
    return int(text)


def parse_port(text: str) -> int:
    """The number of a port."""
    if (number := parse_count(text)) > 65535:
        raise argparse.ArgumentTypeError("must be at most 65535")
    return number


def parse_range(text: str) -> tuple[int, ...]:
    """Whole numbers: 2, 1-3 or 1,3."""
    numbers: list[int] = []
    for part in parse_list(text):
        first, _, last = (text.strip() for text in part.partition("-"))
        highest = min(parse_count(last or first), _MOST_DIMENSIONS)
        numbers += range(parse_count(first), highest + 1)
    if not numbers:
        raise argparse.ArgumentTypeError("must be whole numbers such as 2, 1-3 or 1,3")
    return tuple(numbers)


def parse_costs(text: str) -> dict[str, float] | str:
    """Costs of suppressing keys: KEY=COST,.. or "entropy"."""
    if text == "entropy":
        return text
    pairs = [part.partition("=") for part in parse_list(text)]
    if not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError("must be KEY=COST,.. or entropy")
    return {key.strip(): parse_number(cost) for key, _, cost in pairs}


def parse_levels(text: str) -> dict[str, int]:
    """Identification levels of keys: KEY=LEVEL,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    levels = {key.strip(): level.strip() for key, _, level in pairs}
    if len(levels) < len(pairs) or not all(each.isdecimal() for each in levels.values()):
        raise argparse.ArgumentTypeError("must be KEY=LEVEL,.. with levels 1, 2, 3 and so on")
    return {key: int(level) for key, level in levels.items()}


def parse_linked(text: str) -> tuple[str, tuple[str, ...]]:
    """A key and the variables that lose their value where it does: KEY=A,B."""
    key, _, names = text.partition("=")
    if not key.strip() or not parse_list(names):
        raise argparse.ArgumentTypeError("must be KEY=NAME,..")
    return key.strip(), parse_list(names)


def parse_errors(text: str) -> dict[str, float]:
    """Chances by key: KEY=RATE,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    if not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError("must be KEY=RATE,..")
    return {key.strip(): parse_rate(rate) for key, _, rate in pairs}


def parse_reason(text: str) -> tuple[str, str]:
    """A variable and the reason to keep it: NAME=REASON."""
    name, _, reason = text.partition("=")
    if not name.strip() or not reason.strip():
        raise argparse.ArgumentTypeError('must be NAME="reason"')
    return name.strip(), reason.strip()


def parse_interactions(text: str) -> str | int | tuple[str, ...]:
    """Interactions of a log-linear model: auto, 1, 2 or A*B,.."""
    if text == "auto":
        return text
    return int(text) if text.isascii() and text.isdigit() else parse_list(text)


def parse_combination(text: str) -> dict[str, list[str]]:
    """A combination of categories: KEY=VALUE|VALUE,KEY=VALUE,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    if not all(equals and values for _, equals, values in pairs):
        raise argparse.ArgumentTypeError("must be KEY=VALUE|VALUE,KEY=VALUE,..")
    return {key.strip(): values.split("|") for key, _, values in pairs}


def parse_numbers(text: str) -> tuple[float, ...]:
    """Numbers between commas."""
    return tuple(parse_number(part) for part in parse_list(text))


def parse_groups(text: str) -> dict[str, list[str | tuple[str | None, str | None]]]:
    """New codes from old: NEW=OLD|OLD|LOW..HIGH,NEW=OLD,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    if not pairs or not all(new.strip() and equals and old for new, equals, old in pairs):
        raise argparse.ArgumentTypeError("must be NEW=OLD|OLD|LOW..HIGH,NEW=OLD,..")
    return {new.strip(): [_code_or_range(each) for each in old.split("|")] for new, _, old in pairs}


def _code_or_range(text: str) -> str | tuple[str | None, str | None]:
    low, dots, high = (part.strip() for part in text.partition(".."))
    return (low or None, high or None) if dots else low


def parse_labels(text: str) -> dict[str, str]:
    """Labels by code: CODE=LABEL,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    if not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError("must be CODE=LABEL,..")
    return {code.strip(): label.strip() for code, _, label in pairs}
