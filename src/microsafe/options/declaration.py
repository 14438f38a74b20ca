"""What a person says of a variable where the file does not say it, or says it wrongly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Literal, get_args

from microsafe.codes import code_text
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.parameter import Parameter
from microsafe.options.signature import list_fields
from microsafe.schema import Code

Type = Literal["number", "category", "date", "text"]
DeclaredRole = Literal[
    "key", "weight", "household", "identifier", "sensitive", "stratum", "geography", "id", "other"
]

MOST_DECIMALS = 15


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """What is said of one variable; what is None or empty stays as the file has it."""

    type: Annotated[Type | None, Parameter(label="Type", unset="as found")] = None
    label: Annotated[
        str | None, Parameter(label="Sentence that explains it", unset="that of the file")
    ] = None
    missing: Annotated[
        tuple[Code, ...] | None,
        Parameter(
            label="Codes that mean missing",
            help="An empty list says that no code does.",
            unset="those of the file",
        ),
    ] = None
    labels: Annotated[
        Mapping[Code, str], Parameter(label="Labels by code", unset="those of the file")
    ] = field(default_factory=dict, hash=False)
    order: Annotated[
        tuple[Code, ...], Parameter(label="Codes of an ordered category, from lowest to highest")
    ] = ()
    decimals: Annotated[
        int | None, Parameter(label="Digits behind the decimal point", unset="as found")
    ] = None
    unit: Annotated[
        str,
        Parameter(label="Unit of a number", help="Such as EUR a month.", unset="that of the file"),
    ] = ""
    decimal: Annotated[
        str,
        Parameter(
            label="Decimal mark of numbers that are written as text",
            unset="as the file is read",
        ),
    ] = ""
    thousands: Annotated[
        str, Parameter(label="Their thousands mark", unset="as the file is read")
    ] = ""
    dates: Annotated[
        str, Parameter(label="How dates are written", help="Such as %d.%m.%Y.", unset="%Y-%m-%d")
    ] = ""
    role: Annotated[DeclaredRole | None, Parameter(label="What the variable is for")] = None
    level: Annotated[
        int | None,
        Parameter(
            label="Identification level of a key, or level of geography",
            help="Of a key 1 is the most identifying (IDLEVEL of mu-ARGUS), of geography the "
            "coarsest.",
        ),
    ] = None
    cost: Annotated[
        float | None,
        Parameter(
            label="Cost of a blank in it",
            help="Against 1 for the others (SUPPRESSWEIGHT of mu-ARGUS).",
            unset="1",
        ),
    ] = None
    linked: Annotated[
        tuple[str, ...],
        Parameter(
            label="Variables that are blanked where this one is", help="RELATED of mu-ARGUS."
        ),
    ] = ()
    household_level: Annotated[
        bool | None, Parameter(label="Members of a household share its value")
    ] = None

    identifying: Annotated[
        bool | None,
        Parameter(
            label="Whether it identifies people",
            help="no: it is no identifier, whatever its values look like, in this and other files.",
            unset="judged by its values, name and labels",
        ),
    ] = None

    def __post_init__(self) -> None:
        """Validate the fields, and bring codes into one form."""
        for name in ("missing", "order", "linked"):
            given = getattr(self, name)
            if isinstance(given, str | int | float):
                given = (given,)
            object.__setattr__(self, name, given if given is None else tuple(given))
        labels = {code_text(code): label for code, label in (self.labels or {}).items()}
        object.__setattr__(self, "labels", labels)
        _check_word("type", self.type, get_args(Type))
        _check_word("role", self.role, get_args(DeclaredRole))
        if self.decimal not in ("", ".", ","):
            raise UsageError("The decimal mark must be '.' or ','.")
        if len(self.thousands) > 1 or self.thousands.isalnum():
            raise UsageError("The thousands mark must be one character that is no digit or letter.")
        if self.thousands and self.thousands == (self.decimal or "."):
            raise UsageError("The decimal and the thousands mark cannot be the same.")
        if len(set(self.order)) < len(self.order):
            raise UsageError("A code occurs twice in the order.")
        for name in ("decimals", "level"):
            if not isinstance(getattr(self, name), int | None):
                raise UsageError(f"{name} must be a whole number.")
        if self.decimals is not None and not 0 <= self.decimals <= MOST_DECIMALS:
            raise UsageError(f"decimals must lie between 0 and {MOST_DECIMALS}.")
        if self.level is not None and self.level < 1:
            raise UsageError("A level must be at least 1.")
        if self.cost is not None and not (self.cost > 0 and math.isfinite(self.cost)):
            raise UsageError("A cost must be above 0.")
        self._check_type()

    def _check_type(self) -> None:
        """Refuse fields that belong to another type."""
        fitting: dict[str, tuple[Type | None, ...]] = {
            "decimal": ("number", None),
            "thousands": ("number", None),
            "decimals": ("number", None),
            "dates": ("date", None),
            "order": ("category", None),
        }
        for name, types in fitting.items():
            if getattr(self, name) not in ("", (), None) and self.type not in types:
                raise UsageError(f"{name} does not apply to the type {self.type!r}. Leave it out.")


Declarations = Mapping[str, Declaration]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleDefaults:
    """What declarations say where nobody says otherwise.

    Attributes:
        keys: Of the scenario: variables with the role key, and geography.
        weight: Of the scenario.
        household: Of the scenario.
        identifiers: Direct identifiers, which a release must drop or give a reason for.
        ids: Numbers of records.
        sensitive: Variables whose diversity is measured.
        strata: Within which values are exchanged or grouped.
        geography: From the coarsest level to the finest.
        levels: Identification level of keys, for `k`.
        costs: Of a blank, by key.
        linked: Variables that are blanked where a key is, by key.
        shared: Variables whose value the members of a household share.
    """

    keys: tuple[str, ...] = ()
    weight: str | None = None
    household: str | None = None
    identifiers: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    geography: tuple[str, ...] = ()
    levels: Mapping[str, int] = field(default_factory=dict)
    costs: Mapping[str, float] = field(default_factory=dict)
    linked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shared: tuple[str, ...] = ()


def merge_declarations(below: Declarations, above: Declarations) -> dict[str, Declaration]:
    """Return declarations, of which those above count where they say something."""
    merged, nothing = dict(below), Declaration()
    for name, said in above.items():
        values = {part.name: getattr(said, part.name) for part in fields(Declaration)}
        told = {word: value for word, value in values.items() if value != getattr(nothing, word)}
        merged[name] = replace(merged.get(name, nothing), **told)
    return merged


def find_defaults(declarations: Declarations) -> RoleDefaults:
    """Return what declarations say of roles; of several weights or households the first."""
    names: dict[str | None, tuple[str, ...]] = {}
    for name, each in declarations.items():
        names[each.role] = (*names.get(each.role, ()), name)
    known = declarations.items()
    keys = tuple(name for name, declaration in known if declaration.role in ("key", "geography"))
    places = names.get("geography", ())
    return RoleDefaults(
        keys=keys,
        weight=next(iter(names.get("weight", ())), None),
        household=next(iter(names.get("household", ())), None),
        identifiers=names.get("identifier", ()),
        ids=names.get("id", ()),
        sensitive=names.get("sensitive", ()),
        strata=names.get("stratum", ()),
        geography=tuple(sorted(places, key=lambda name: declarations[name].level or 1)),
        levels={
            n: declaration.level
            for n, declaration in known
            if declaration.role == "key" and declaration.level
        },
        costs={
            n: declaration.cost
            for n, declaration in known
            if n in keys and declaration.cost is not None
        },
        linked={
            n: declaration.linked for n, declaration in known if n in keys and declaration.linked
        },
        shared=tuple(name for name, declaration in known if declaration.household_level),
    )


def check_roles(declarations: Declarations) -> None:
    """Raise UsageError if two variables are declared the weight, or the household."""
    roles = [declaration.role for declaration in declarations.values()]
    for role in ("weight", "household"):
        if roles.count(role) > 1:
            raise UsageError(f"Several variables are declared the {role}. Name one of them.")


def _check_word(field_name: str, word: str | None, known: tuple[str, ...]) -> None:
    if word is not None and word not in known:
        raise UsageError(f"There is no {field_name} {word!r}.{did_you_mean(word, known)}")
