"""Whether the first line of a table holds names or, there being none, the first record.

Names are quoted in messages. Those of a record would tell what a respondent answered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from microsafe.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBER = re.compile(r"[-+]?(?=.*\d)[\d.,' \u00a0\u202f]+(?:e[-+]?\d+)?\s*%?", re.IGNORECASE)
_DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:[T ]\d{1,2}:\d{2}.*)?", re.DOTALL)
_BETWEEN = re.compile(r"[\s,;|:]+")


def check_names(source: str, names: Sequence[str], place: str) -> Sequence[str]:
    """Return the names, unless they look like the values of a record.

    Args:
        source: What messages call the file.
        names: As they stand there, without blanks around them.
        place: Where they stand: "line" or "row".

    Raises:
        InputError: One of them is a number or a date. It is not quoted.
    """
    if any(map(_is_value, names)) or (len(names) == 1 and _is_line(names[0])):
        raise InputError(
            f"{source} has a first {place} that does not look like names of variables: there are "
            f"numbers or dates in it. Put a {place} of names above the records, each beginning "
            "with a letter."
        )
    return names


def _is_value(name: str) -> bool:
    return bool(_NUMBER.fullmatch(name) or _DATE.fullmatch(name))


def _is_line(name: str) -> bool:
    """Tell whether the only name is a line of values that was not cut into its fields."""
    return any(part[:1].isdigit() for part in _BETWEEN.split(name))
