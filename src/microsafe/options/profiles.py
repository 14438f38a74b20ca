"""Who gets the file, and the limits to begin with: one table for all doors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from microsafe.display import read_rate
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.parameter import Parameter

ProfileName = Literal["public", "scientific", "secure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseProfile:
    """What is usual for those who get a file.

    The limits are precedents, not findings; what the board of the institution allows counts.

    Attributes:
        name: In plans, options and the app.
        who: They.
        release_type: On the cover of the reports.
        record_risk: Largest risk of a record.
        household_risk: Largest risk of a household where the household number goes out; None if
            nobody asks.
        intruders: Largest figures of intruders who have a rule of their own, by rule.
        drops_household: Whether the household number is left out unless a rule is about households.
    """

    name: ProfileName
    who: str
    release_type: str
    record_risk: float
    household_risk: float | None = None
    intruders: Mapping[str, float] = field(default_factory=dict)
    drops_household: bool = False

    @property
    def people(self) -> int:
        """How many people share the keys of each."""
        return round(1 / self.record_risk)


PROFILES: Mapping[str, ReleaseProfile] = {
    each.name: each
    for each in (
        ReleaseProfile(
            name="public",
            who="anybody",
            release_type="public use file",
            record_risk=0.05,
            household_risk=0.05,
            intruders={"method": 0.05, "rejoin": 0.05},
            drops_household=True,
        ),
        ReleaseProfile(
            name="scientific",
            who="researchers under contract",
            release_type="scientific use file",
            record_risk=0.2,
            household_risk=0.2,
            intruders={"method": 0.2, "rejoin": 0.05},
        ),
        ReleaseProfile(
            name="secure",
            who="people who work on site",
            release_type="file for use on site",
            record_risk=0.33,
        ),
    )
}
USUAL_PROFILE: ProfileName = "public"  # the most careful, where nobody says who gets the file

Profile = Annotated[
    ProfileName | None,
    Parameter(
        label="Who gets the file",
        help="Sets limit, rules, guarantee and type of release, where nothing else is said.",
        choices={profile.name: profile.who for profile in PROFILES.values()},
        see="reference/plans.md#profiles",
        unset="nobody said",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ProfileOptions:
    """Who gets the file, wherever a limit may be given."""

    profile: Profile = None


def find_profile(name: str) -> ReleaseProfile:
    """Return a profile by its name.

    Raises:
        UsageError: There is none.
    """
    if name not in PROFILES:
        known = get_args(ProfileName)
        raise UsageError(
            f"There is no profile {name!r}. Choose {', '.join(known)}.{did_you_mean(name, known)}"
        )
    return PROFILES[name]


def read_limit(limit: float | str | None) -> float | None:
    """Return a limit that may be written as 0.01, "1%" or "1 in 100".

    Raises:
        UsageError: It is written otherwise.
    """
    if not isinstance(limit, str):
        return limit
    try:
        return read_rate(limit)
    except ValueError:
        raise UsageError("A limit is written as 0.01, '1%' or '1 in 100'.") from None


def name_profile(release_type: str) -> ProfileName | None:
    """Return the profile that has a type of release; None if none has."""
    found = (profile.name for profile in PROFILES.values() if profile.release_type == release_type)
    return next(found, None)
