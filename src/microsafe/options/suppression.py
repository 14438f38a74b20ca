"""Local suppression: what is unsafe, and how values of keys are blanked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from microsafe.display import Rate
from microsafe.options.parameter import Parameter, Why

Guarantee = Literal["own", "strict", "shared", "view"]
Costs = Mapping[str, float] | Literal["entropy"] | None

GUARANTEES: Mapping[Guarantee, str] = {
    "own": "every record is safe by its own blanks",
    "strict": "safe even if records with gaps are ignored",
    "shared": "blanks of other records count",
    "view": "enough people would be blanked in the same way",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressOptions:
    """Options of local suppression."""

    above: Annotated[
        Rate | Mapping[str, Rate] | None,
        Parameter(
            label="Unsafe if the risk is above",
            help="For all scenarios, or by scenario.",
            metavar="R",
        ),
    ] = field(default=None, kw_only=False)
    k: Annotated[
        int | Mapping[str, int] | None,
        Parameter(
            label="Records that must share the keys",
            help="Itself included; for all scenarios, or by scenario.",
            metavar="K",
        ),
    ] = None
    guarantee: Annotated[
        Guarantee,
        Parameter(
            label="Guarantee",
            choices={word: f"{word}: {means}" for word, means in GUARANTEES.items()},
        ),
    ] = "own"
    cost: Annotated[
        Costs,
        Parameter(
            label="Cost of a blank",
            example="{age=2}",
            help='By key, or "entropy": what the values of a key tell.',
            metavar="KEY=C,..",
            unset="1",
        ),
    ] = None
    spare: Annotated[Sequence[str], Parameter(label="Keys not to be blanked", metavar="A,B")] = ()
    scenarios: Annotated[Sequence[str], Parameter(label="Scenarios to meet", unset="all")] = ()
    linked: Annotated[
        Mapping[str, Sequence[str]],
        Parameter(
            label="Variables that lose their value with a key",
            example='{age=["born"]}',
            metavar="KEY=A,..",
        ),
    ] = field(default_factory=dict)
    household: Annotated[
        Rate | Mapping[str, Rate] | None,
        Parameter(
            label="Households are unsafe if their risk is above",
            help="Too, or only they; own and strict only. For all scenarios, or by scenario.",
            metavar="R",
            option="household_above",
        ),
    ] = None
    up_to: Annotated[
        int | None,
        Parameter(
            label="Combinations of at most so many keys",
            help="Those that k is applied to.",
            metavar="M",
            unset="all keys at once",
        ),
    ] = None
    levels: Annotated[
        Mapping[str, int],
        Parameter(
            label="Identification levels, for combinations of keys",
            example="{region=1, age=2}",
            help="That k is applied to, as mu-ARGUS does: one key of level 1, one of level at most "
            "2, and so on.",
            metavar="KEY=L,..",
        ),
    ] = field(default_factory=dict)
    people: Annotated[
        bool,
        Parameter(
            label="People of the population instead of records",
            help="k is applied to them, as they are estimated.",
        ),
    ] = False
    together: Annotated[
        bool,
        Parameter(
            label="Blank what all members of a household share in all of them",
            help="Or in none. A limit on household risk does so always.",
        ),
    ] = True
    by_value: Annotated[
        bool,
        Parameter(
            label="A blank costs by the value that it hides",
            help="The cost of its key for each bit that the value tells; own and strict only.",
        ),
    ] = False
    joint: Annotated[
        bool,
        Parameter(
            label="Members of a household get the cheapest blanks for all of them",
            help="They share its limit as suits them, not equally; own only.",
        ),
    ] = False
    seed: Annotated[
        int | None,
        Parameter(
            label="Seed",
            help="View only, where the keys have more than 4 million combinations: people are then "
            "drawn from the model.",
            control="seed",
            only_with="guarantee=view",
            unset="0",
        ),
    ] = field(default=None, repr=False)
    why: Why = ""
