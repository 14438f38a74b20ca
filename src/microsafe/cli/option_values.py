"""Parse values of options: text in, a checked value out."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tomllib import TOMLDecodeError, loads
from typing import Any

from microsafe.display import read_rate
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.reason import read_reason


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


def parse_numbers(text: str) -> tuple[float, ...]:
    """Numbers between commas."""
    return tuple(parse_number(part) for part in parse_list(text))


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


def parse_levels(text: str) -> dict[str, int]:
    """Identification levels of keys: KEY=LEVEL,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    levels = {key.strip(): level.strip() for key, _, level in pairs}
    if len(levels) < len(pairs) or not all(level.isdecimal() for level in levels.values()):
        raise argparse.ArgumentTypeError("must be KEY=LEVEL,.. with levels 1, 2, 3 and so on")
    return {key: int(level) for key, level in levels.items()}


def parse_rates_by_key(text: str) -> dict[str, float]:
    """Chances by key: KEY=RATE,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    if not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError("must be KEY=RATE,..")
    return {key.strip(): parse_rate(rate) for key, _, rate in pairs}


def parse_word_or_words_by_key(
    words: Sequence[str],
) -> Callable[[str], str | dict[str, str]]:
    """One of some words for all keys, or KEY=WORD,.. for some."""

    def parse(text: str) -> str | dict[str, str]:
        if "=" not in text:
            if text not in words:
                hint = did_you_mean(text, words)
                raise argparse.ArgumentTypeError(
                    f"must be {', '.join(words)}, or KEY=WORD,.. for some keys.{hint}"
                )
            return text
        pairs = [part.partition("=") for part in parse_list(text)]
        return {key.strip(): word.strip() for key, _, word in pairs}

    return parse


def parse_numbers_by_key(text: str) -> dict[str, float]:
    """Numbers by key: KEY=NUMBER,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    if not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError("must be KEY=NUMBER,..")
    return {key.strip(): parse_number(number) for key, _, number in pairs}


def parse_lists_by_key(text: str) -> dict[str, tuple[str, ...]]:
    """A key, and the names that go with it: KEY=A,B."""
    key, _, names = text.partition("=")
    if not key.strip() or not parse_list(names):
        raise argparse.ArgumentTypeError("must be KEY=NAME,..")
    return {key.strip(): parse_list(names)}


def parse_values_by_key(text: str) -> dict[str, Any]:
    """A key and a value as plans have it, text without quotation marks too: KEY=VALUE."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not key or not equals or not value:
        raise argparse.ArgumentTypeError("must be KEY=VALUE")
    return {key: parse_value(value)}


def parse_value(text: str) -> Any:
    """A value as plans have it, text without quotation marks too."""
    with suppress(TOMLDecodeError):
        return loads(f"value = {text}")["value"]
    return text


def parse_reasons(text: str) -> dict[str, str]:
    """A name and a reason: NAME="reason"."""
    return dict([parse_reason(text)])


def parse_reason(text: str) -> tuple[str, str]:
    """A variable and the reason to keep it: NAME=REASON."""
    name, _, reason = text.partition("=")
    try:
        given = read_reason(reason, f"for {name.strip()}")
    except UsageError as refused:
        raise argparse.ArgumentTypeError(f"is refused. {refused}") from None
    if not name.strip() or not given:
        raise argparse.ArgumentTypeError('must be NAME="reason"')
    return name.strip(), given
