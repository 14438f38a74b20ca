"""What a proposal of a plan may do, and how long it may search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from microsafe.display import Rate
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.parameter import Parameter, variable_names
from microsafe.options.policy import Policy
from microsafe.options.profiles import Profile
from microsafe.options.signature import list_fields
from microsafe.options.suppression import GUARANTEES
from microsafe.options.uses import Uses
from microsafe.progress import Progress, silent

ProposedGuarantee = Literal["own", "strict", "view"]
_GUARANTEES = {word: GUARANTEES[word] for word in get_args(ProposedGuarantee)}


@list_fields
@dataclass(frozen=True, kw_only=True)
class ProposalTerms:
    """What a proposal may do."""

    touched: Annotated[
        Rate | None,
        Parameter(
            label="Share of the records that may lose a value",
            help="1 if any number may.",
            metavar="X",
            unset="5 %, or as many more as the broadest recodes need",
        ),
    ] = None
    spare: Annotated[
        Sequence[str], Parameter(label="Keys that are neither recoded nor blanked", metavar="A,B")
    ] = ()
    ladders: Annotated[
        Mapping[str, Any],
        Parameter(
            label="Recodes that a key may get, from the finest to the broadest, by key",
            see="methods/ladders.md#from-you",
            help="Widths of bins, steps, hierarchy files, .grc files of mu-ARGUS. An empty list "
            "for a key that is not to be recoded.",
            metavar="KEY=VALUE",
            unset="what the data suggest",
        ),
    ] = field(default_factory=dict)
    guarantee: Annotated[
        ProposedGuarantee | None,
        Parameter(
            label="Guarantee of the blanks",
            choices=_GUARANTEES,
            unset="view where the policy limits what one finds who knows the method, else own",
        ),
    ] = None
    seconds: Annotated[
        float,
        Parameter(
            label="Seconds that the proposal may take",
            help="The best plan found until then is proposed. inf if it is to be proved best.",
            metavar="S",
        ),
    ] = 30.0

    def __post_init__(self) -> None:
        """Validate the fields."""
        object.__setattr__(self, "spare", variable_names(self.spare))
        if self.touched is not None and not 0 <= self.touched <= 1:
            raise UsageError("The share of records that may lose a value is from 0 to 1.")
        if self.guarantee not in (None, *get_args(ProposedGuarantee)):
            hint = did_you_mean(str(self.guarantee), get_args(ProposedGuarantee))
            raise UsageError(f"Blanks can be proposed as 'own', 'strict' or 'view' only.{hint}")
        if not self.seconds > 0:
            raise UsageError("The seconds to search for must be above 0.")


@list_fields
@dataclass(frozen=True, kw_only=True)
class ProposalOptions(ProposalTerms):
    """What a proposal may do, and what for."""

    utility: Annotated[
        Uses | Mapping[str, float] | None,
        Parameter(
            label="Which uses matter, and how much",
            help="Weights of variables, or Uses with tables and models too.",
            unset="all keys alike",
        ),
    ] = None

    keep: Annotated[
        Sequence[str],
        Parameter(
            label="Variables that are to go out",
            help="A household number among them is not left out, and what members share stays.",
        ),
    ] = ()

    def __post_init__(self) -> None:
        """Validate the fields."""
        ProposalTerms.__post_init__(self)
        object.__setattr__(self, "keep", variable_names(self.keep))

    @property
    def uses(self) -> Uses | None:
        """Which uses matter."""
        return Uses.of(self.utility)


@dataclass(frozen=True, kw_only=True)
class ProposalRequest(ProposalOptions):
    """Options of `Study.propose`."""

    policy: Annotated[
        Policy | None,
        Parameter(
            label="What must be met",
            help="Risk of records or households, rate, expected number, k, tau.",
            unset="what the profile sets",
        ),
    ] = None
    profile: Profile = None
    search: Annotated[
        str | Path | None,
        Parameter(
            label="File that keeps the search",
            help="If it keeps one for the same question, that goes on.",
            unset="none",
        ),
    ] = None
    progress: Annotated[Progress, Parameter(label="Progress callback")] = silent
