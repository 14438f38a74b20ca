"""Traits of the values of a variable, in counts; never a value.

Shapes are patterns of the text of a value that the engines of regular expressions of Polars
(Rust) and of Spark (Java) read alike: no look-around, digits as `[0-9]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.variables.classifications import ICD, ISCO, NACE, NUTS, POSTCODE
from microsafe.variables.codelists import CODE_LISTS, CodeList

LOOKED_AT = 10_000  # distinct values whose shape is judged; more would tell no more

Build = Literal[
    "number",
    "whole",
    "cents",
    "decimals",
    "degrees",
    "position",
    "date",
    "email",
    "phone",
    "national id",
    "name",
    "address",
    "words",
    "year",
    "ISCO",
    "NACE",
    "NUTS",
    "ICD",
    "postcode",
    "digits",
    "letters",
    "undivided",
    "url",
    "network address",
    "key of a program",
    "vehicle",
    "quantity",
    "class",
]
Shape = Build | CodeList

_YEAR, _MONTH, _DAY = "(1[89]|20)[0-9]{2}", "(0[1-9]|1[0-2])", "(0[1-9]|[12][0-9]|3[01])"
_LATER_DAY = "(0?[2-9]|[12][0-9]|3[01])"  # dates that all fall on the first say a month only
_SHORT_MONTH, _SHORT_YEAR = "(0?[1-9]|1[0-2])", "((1[89]|20)?[0-9]{2})"
_DECIMAL = r"-?[0-9]{1,3}\.[0-9]{3,}"
_ANGLE = r"[0-9]{1,3}° ?[0-9]{1,2}['′] ?([0-9]{1,2}(\.[0-9]+)?[\"″])?"  # degrees, minutes, seconds
_MONEY, _UNIT = "(€|[$£¥]|EUR|USD|GBP|CHF)", "(%|‰|kg|g|cm|mm|m|km|m2|h|min|s|l|ml|kWh)"
_AMOUNT = r"[-+]?([0-9]+|[0-9]{1,3}([ .,'’][0-9]{3})+)([.,][0-9]{1,2})?"
_STREET = (
    r"\b(street|st|road|rd|avenue|ave|lane|drive|boulevard|square|rue|chemin|place|calle|avenida|"
    r"plaza|via|viale|piazza|corso|rua|travessa|ulica|ul|aleja|al)\b"
)
_STREET_END = (
    r"(strasse|straße|str|weg|gasse|platz|allee|straat|laan|plein|gatan|vägen|gata|veien|vej|gade|"
    r"katu|tie)\.?"
)

_BUILDS: Mapping[Build, str] = {
    "number": r"^[-+]?([0-9]+([.,][0-9]+)?|[.,][0-9]+)([eE][-+]?[0-9]+)?$",
    "whole": r"^-?[0-9]+$",
    "cents": r"^-?[0-9]+[.,][0-9][1-9]$",
    "decimals": r"^-?[0-9]+[.,][0-9]{3,}$",
    "degrees": r"^-?(1[0-7][0-9]|[1-9]?[0-9])\.[0-9]{3,}$",
    "position": "|".join(
        (
            rf"^{_DECIMAL}[ ,;]+{_DECIMAL}$",
            rf"^(POINT|Point) ?\( ?{_DECIMAL} +{_DECIMAL} ?\)$",
            rf"^{_ANGLE} ?[NS][ ,;]*{_ANGLE} ?[EWO]$",
        )
    ),
    "date": "|".join(
        (
            rf"^{_YEAR}[-/.]?{_MONTH}[-/.]?(0[2-9]|[12][0-9]|3[01])([T ].*)?$",
            rf"^{_LATER_DAY}[-/.]{_SHORT_MONTH}[-/.]{_SHORT_YEAR}$",
            rf"^{_SHORT_MONTH}/{_LATER_DAY}/{_SHORT_YEAR}$",
            rf"^{_LATER_DAY}[ -]?\p{{L}}{{3}}[ -]?{_SHORT_YEAR}$",
        )
    ),
    "email": r"[^@\s]@[^@\s]+\.[^@\s.]{2,}",
    "phone": "|".join(
        (
            r"^(\+|00)[1-9][0-9 ()./-]{6,18}$",
            r"^\(?0[0-9]{1,4}\)?[ /-][0-9][0-9 ./-]{4,12}$",
            r"^(1[ .-])?(\([0-9]{3}\) ?|[0-9]{3}[.-])[0-9]{3}[ .-][0-9]{4}$",
            r"^\([0-9]{2,4}\) ?[0-9]{3,5}[ .-]?[0-9]{4}$",
            r"^[0-9]{3}[ -][0-9]{3}[ -][0-9]{3}$|^[0-9]{2}([ -][0-9]{2}){3,4}$",
            r"^0[1-9][0-9]{8}$|^07[0-9]{9}$|^01[567][0-9]{8,9}$",  # zeros in front are no numbers
            r"^0[0-9](\.[0-9]{2}){4}$|^1[3-9][0-9]{9}$",  # France, China
        )
    ),
    # Born on a day of a month: nine of ten random numbers of that length do not fit.
    "national id": "|".join(
        (
            rf"^({_YEAR}|[0-9]{{2}}){_MONTH}{_DAY}[-+]?[0-9]{{4}}$",  # Sweden
            rf"^{_DAY}{_MONTH}[0-9]{{2}}[-+]?[0-9]{{4}}$",  # Denmark, Iceland
            rf"^{_DAY}{_MONTH}[0-9]{{2}} ?[0-9]{{5}}$",  # Norway
            rf"^{_DAY}{_MONTH}[0-9]{{2}}[-+A-FU-Y][0-9]{{3}}[0-9A-Y]$",  # Finland
            rf"^[0-9]{{2}}[0-389][0-9]{_DAY}[0-9]{{5}}$",  # Poland
            rf"^[0-9]{{2}}\.?{_MONTH}\.?{_DAY}-?[0-9]{{3}}\.?[0-9]{{2}}$",  # Belgium
            rf"^[12] ?[0-9]{{2}} ?{_MONTH} ?[0-9]{{2}} ?[0-9]{{3}} ?[0-9]{{3}}( ?[0-9]{{2}})?$",
            r"^[A-Za-z]{6}[0-9]{2}[A-Za-z][0-9]{2}[A-Za-z][0-9]{3}[A-Za-z]$",  # Italy
            r"^([0-9]{8}|[XYZxyz][0-9]{7})-?[A-Za-z]$",  # Spain
            r"^[A-Za-z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-Da-d]$",  # United Kingdom
            r"^[0-9]{3}-[0-9]{2}-[0-9]{4}$",  # United States
            r"^756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}$",  # Switzerland
            r"^[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}$",  # Brazil
            r"^[A-Z]{4}[0-9]{6}[HM][A-Z]{5}[A-Z0-9][0-9]$",  # Mexico
            r"^[A-Z]{3}[ABCFGHLJPT][A-Z][0-9]{4}[A-Z]$",  # India
            r"^[A-Z0-9<]{9}[0-9<][A-Z<]{3}[0-9]{6}[0-9<][MFX<][0-9]{6}[0-9<]",  # read by machines
            r"^[PIACV][A-Z<][A-Z<]{3}[A-Z0-9<]{0,36}<<[A-Z0-9<]{1,38}$",
        )
    ),
    "name": r"^\p{Lu}[\p{L}'’.-]+,?( \p{Lu}[\p{L}'’.-]*,?){1,3}$",
    "address": rf"(?i){_STREET}.{{0,60}}[0-9]|[0-9].{{0,60}}{_STREET}|{_STREET_END} *[0-9]",
    "words": r"^\S+(\s+\S+){3,}$",
    "year": r"^(1[89]|20)[0-9]{2}$",
    "ISCO": ISCO,
    "NACE": NACE,
    "NUTS": NUTS,
    "ICD": ICD,
    "postcode": POSTCODE,
    "digits": r"[0-9].*[0-9].*[0-9]",
    "quantity": "|".join(
        (
            rf"^{_MONEY}? ?{_AMOUNT} ?({_UNIT}|{_MONEY})?$",
            r"^([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?( ?[AaPp][Mm])?$",
            r"^[0-9]{1,3}/[0-9]{1,3}$",
        )
    ),
    "class": "|".join(
        (
            r"^[A-TV-Z][0-9][0-9AB]\.[0-9A-Z]{1,4}$",  # ICD
            r"^[ABCDGHJLMNPRSV][0-9]{2}[A-Z]{2}[0-9]{2}$",  # ATC
            r"^[0-9]{1,2}(\.[0-9]{1,2}){1,3}$",  # COICOP, CPA, ISIC
            NUTS,
        )
    ),
    "letters": r"^\p{L}[\p{L}'’. ,-]+$",
    "undivided": r"^[\x{3040}-\x{30ff}\x{3400}-\x{9fff}\x{ac00}-\x{d7af}]{2,}",
    "url": "|".join(
        (
            r"(?i)^(https?|ftp)://\S+$|^www\.\S+\.\S+$|^([a-z0-9-]+\.)+[a-z]{2,6}/\S+$",
            r"^@[A-Za-z0-9_.]{3,}$",
        )
    ),
    "network address": "|".join(
        (
            r"^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
            r"([:/][0-9]{1,5})?$",
            r"^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}$|^[0-9A-Fa-f]{4}(\.[0-9A-Fa-f]{4}){2}$",
            r"^([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}$",
            r"^([0-9A-Fa-f]{1,4}:){1,6}(:[0-9A-Fa-f]{1,4}){1,6}$",
        )
    ),
    "key of a program": "|".join(
        (
            r"^\{?[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?$",
            r"^[A-Za-z0-9+/_-]{22}==$|^[A-Za-z0-9+/_-]{27}=$|^[A-Za-z0-9+/_-]{43}=$",
            r"^(0x)?([0-9A-Fa-f]{24}|[0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{48}|"
            r"[0-9A-Fa-f]{56}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{96}|[0-9A-Fa-f]{128})$",
            r"^\$[0-9a-z]{1,9}\$[^ ]{20,200}$|^eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$",
            r"^S-1-[0-9]{1,2}(-[0-9]{1,10}){3,6}$",  # of users of Windows
            r"^[0-7][0-9A-HJKMNP-TV-Z]{25}$|^GA[0-9]\.[0-9]\.[0-9]{6,12}\.[0-9]{9,11}$",
            r"^bc1[02-9ac-hj-np-z]{25,60}$",
        )
    ),
    "vehicle": "|".join(
        (
            r"^([A-HJ-NPR-Z][A-HJ-NPR-Z0-9]|[0-9][A-HJ-NPR-Z])[A-HJ-NPR-Z0-9]{11}[0-9]{4}$",
            # Plates: Germany, France and Italy, the United Kingdom, the Netherlands
            r"^\p{Lu}{1,3}[ -]\p{Lu}{1,2} ?[0-9]{1,4}[EH]?$|^[A-Z]{2}[ -]?[0-9]{3}[ -]?[A-Z]{2}$",
            r"^[A-Z]{2}[0-9]{2} ?[A-Z]{3}$|^([A-Z]{2}-[0-9]{2}|[0-9]{2}-[A-Z]{2})-[0-9A-Z]{2}$",
            r"^[A-Z]{1,3}-[0-9]{2,3}-[A-Z]{1,2}$|^[0-9]{1,2}-[A-Z]{2,3}-[0-9]{1,2}$",
        )
    ),
}

SHAPES: Mapping[Shape, str] = dict([*_BUILDS.items(), *CODE_LISTS.items()])
DECIMALS = r"[.,][0-9]+([eE][-+]?[0-9]+)?$"  # behind the digits of a number


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What the values of a variable look like.

    Attributes:
        name: Of the variable.
        records: In which it is known.
        missing: Records in which it is not.
        distinct: Different values.
        looked: How many of these were looked at for their shape.
        shapes: How many of these have each shape; a value can have several, or none.
        all_numbers: Whether all of them are numbers, those that were not looked at included.
        longest: Characters of the longest value that was looked at, decimals of numbers left out.
        shortest: And of the shortest.
        scheme: Whose check digits nearly all values of a sample have; empty if there is none.
        given_names: Share of the values of a sample that have a usual given name.
        people: Persons or households that the records are of, if several records are of one.
        labels: The same of the labels of its codes; None if they are few.
        falls: Records whose value is lower than that of the record before; None if the records
            have no order.
    """

    name: str
    records: int
    missing: int
    distinct: int
    looked: int = 0
    shapes: Mapping[Shape, int] = field(default_factory=dict)
    all_numbers: bool = False
    longest: int = 0
    shortest: int = 0
    scheme: str = ""
    given_names: float = 0.0
    people: int | None = None
    labels: Traits | None = None
    falls: int | None = None

    def share(self, shape: Shape) -> float:
        """Return the share of the values that were looked at that have a shape."""
        return self.shapes.get(shape, 0) / self.looked if self.looked else 0.0

    @property
    def spread(self) -> float:
        """Different values as a share of the records: 1 if no two records have the same.

        Where several records are of one person or household, as a share of these.
        """
        return min(self.distinct / self.units, 1.0) if self.records else 0.0

    @property
    def units(self) -> int:
        """How many could have a value of their own: records, or else people or households."""
        return self.people if self.people and self.distinct <= self.people else self.records

    @property
    def repeats(self) -> float:
        """Records that share a value, on average."""
        return self.records / self.distinct if self.distinct else 0.0

    @property
    def in_order(self) -> bool:
        """Whether records are, but for one in a hundred, in the order of the values.

        So they might be where that is not known.
        """
        return self.falls is None or 100 * self.falls <= self.records


def spread_out(count: int, most: int = LOOKED_AT) -> NDArray[np.int64]:
    """Return places of so many values that are looked at, the same for the same values."""
    return np.linspace(0, count - 1, min(count, most)).astype(np.int64)
