"""Risks, rates and shares, which may be written as 0.01, "1%" or "1 in 100"."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import InitVar
from typing import Annotated, Any, Union, cast, get_args, get_origin

from microsafe.display import RATE, read_rate


def read_rates(value: object, hint: Any) -> object:
    """Return a value with numbers in place of texts such as "1%" where its type means a rate.

    Args:
        value: As it was given.
        hint: Its type, with extras.

    Raises:
        ValueError: A text is no rate.
    """
    if isinstance(hint, InitVar):
        return read_rates(value, hint.type)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        is_rate = RATE in hint.__metadata__ and isinstance(value, str)
        return read_rate(cast("str", value)) if is_rate else read_rates(value, inner[0])
    if origin in (Union, types.UnionType):
        for part in inner:
            value = read_rates(value, part)
    elif isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, dict):
        return {word: read_rates(item, inner[1]) for word, item in value.items()}
    return value


def means_rate(hint: Any) -> bool:
    """Tell whether a type has a rate in it."""
    if isinstance(hint, InitVar):
        return means_rate(hint.type)
    if get_origin(hint) is Annotated and RATE in hint.__metadata__:
        return True
    return any(means_rate(part) for part in get_args(hint))
