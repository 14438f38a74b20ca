"""Codes of known classifications: how they are built, and where they can be cut.

The one place that knows them: recoding by characters (`propose`), and what a variable is
(`traits`, `meanings`). Patterns are read alike by Python, Polars (Rust) and Spark (Java).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from microsafe.variables.vocabulary import Topic


@dataclass(frozen=True, slots=True)
class CodeShape:
    """How the codes of a classification are built.

    Attributes:
        name: Of the classification.
        pattern: That every code matches from end to end.
        cuts: Characters that are left where a code can be cut, most first.
    """

    name: str
    pattern: str
    cuts: tuple[int, ...]


# Codes whose beginning names a coarser category.
CODE_SHAPES: Sequence[CodeShape] = (
    CodeShape(
        "NUTS",
        r"[A-Za-z]{2}([0-9][0-9A-Za-z]{0,2}|[A-Za-z][0-9][0-9A-Za-z]?|[A-Za-z]{2}[0-9])",
        (4, 3, 2),
    ),
    CodeShape("NACE", r"[A-Za-z][0-9]{2}(\.?[0-9]{1,2})?", (5, 4, 3, 1)),
    CodeShape("NACE", r"[0-9]{2}\.[0-9]{1,2}", (4, 2)),
    CodeShape("ZIP", r"[0-9]{5}-[0-9]{4}", (5, 3, 2, 1)),
    CodeShape("postcode", r"[0-9]{4} ?[A-Za-z]{2}", (4, 3, 2, 1)),
    CodeShape("postcode", r"[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]", (3, 1)),
    CodeShape("date", r"(1[89]|20)[0-9]{2}-[01][0-9](-[0-3][0-9]([T ].*)?)?", (7, 4)),
)
BRITISH_POSTCODE = re.compile(r"(([A-Za-z]{1,2})[0-9][0-9A-Za-z]?) ?[0-9][A-Za-z]{2}")

# What names and labels say of codes that are shortened digit by digit, and from how many digits.
DIGIT_CODES: Mapping[Topic, tuple[str, int]] = {
    "occupation": ("ISCO", 2),
    "industry": ("NACE", 2),
    "small area": ("ZIP", 3),
    "area": ("area code", 4),
}

_COUNTRIES = (
    "AL|AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GR|HR|HU|IE|IS|IT|LI|LT|LU|LV|ME|MK|MT|NL|NO|PL|PT|"
    "RO|RS|SE|SI|SK|TR|UK"
)
_DIVISIONS = (
    "A0[1-3]|B0[5-9]|C(1[0-9]|2[0-9]|3[0-3])|D35|E3[6-9]|F4[1-3]|G4[5-7]|H(49|5[0-3])|I5[56]|"
    "J(5[89]|6[0-3])|K6[4-6]|L68|M(69|7[0-5])|N(7[7-9]|8[0-2])|O84|P85|Q8[6-8]|R9[0-3]|S9[4-6]|"
    "T9[78]|U99"
)
_SUB_MAJOR = (
    "0[1-3]|1[1-4]|2[1-6]|3[1-5]|4[1-4]|5[1-4]|6[1-4]|7[1-5]|8[1-3]|9[1-6]"  # ISCO-08 and -88
)

# Narrower: codes of these builds are rarely anything else, whatever the variable is called.
NUTS = rf"^({_COUNTRIES})([0-9][0-9A-Z]{{0,2}}|[A-Z][0-9][0-9A-Z]?|[A-Z]{{2}}[0-9])$"
NACE = rf"^({_DIVISIONS})(\.?[0-9]{{1,2}})?$"
ISCO = rf"^({_SUB_MAJOR})[0-9]{{2}}$"
ICD = r"^[A-TV-Z][0-9][0-9AB]\.?[0-9A-Z]{0,4}$"
POSTCODE = (
    r"^[0-9]{4} ?[A-Z]{2}$|^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$|^[0-9]{5}-[0-9]{4}$"
    r"|^[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}$"
)
