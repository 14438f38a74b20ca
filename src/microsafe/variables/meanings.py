"""Meanings of survey variables: how they are recognised, and who would know their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from microsafe.variables.codelists import CodeList
from microsafe.variables.traits import Shape
from microsafe.variables.vocabulary import Topic

_SEEN = "anybody can see it"
_NEIGHBOURS = "neighbours and colleagues know it"
_REGISTERS = "registers and neighbours know it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a variable may be about.

    Attributes:
        name: In words.
        topics: What names and labels say.
        codes: Names that official surveys give it, without what is no letter or digit.
        lists: Categories that tell it, with the share of them that must.
        shapes: Builds of codes that tell it.
        fewest: Categories it has at least.
        most: And at most.
        longest: Characters that a value has at most.
        yes_no: Whether its categories may be yes and no.
        of_others: Whether it speaks of other persons by itself.
        stands_for: The meaning whose place it takes if that is not in the file.
        known: Why an intruder may know it; empty if it is no key.
        sensitive: Whether people have a right that it stays with them.
    """

    name: str
    topics: tuple[Topic, ...]
    codes: frozenset[str] = frozenset()
    lists: tuple[tuple[CodeList, float], ...] = ()
    shapes: tuple[Shape, ...] = ()
    fewest: int = 2
    most: int = 1000
    longest: int = 1000
    yes_no: bool = False
    of_others: bool = False
    stands_for: str = ""
    known: str = ""
    sensitive: bool = False

    @property
    def place(self) -> str:
        """The meaning whose place among the keys it takes."""
        return self.stands_for or self.name


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


# In the order in which they are proposed as keys: who is where, who is seen, who is registered.
KEYS: Sequence[Meaning] = (
    Meaning(
        name="place of residence",
        topics=("place",),
        codes=_codes(
            "db040 hv024 v024 mv024 statefip countyfip puma geolev1 geolev2 region2d hhregion"
        ),
        shapes=("NUTS", "postcode"),
        most=20_000,
        known="everybody around knows it",
    ),
    Meaning(
        name="sex",
        topics=("sex",),
        codes=_codes("rb090 pb150 hv104 hv219 b4 gndr d2 dd1 q2sex h11"),
        lists=(("sexes", 1.0),),
        most=5,
        known=_SEEN,
    ),
    Meaning(
        name="age",
        topics=("age",),
        codes=_codes("hv105 v012 mv012 v013 mv013 hv220 agea rx010 rx020 px020 agegrp agecat vd11"),
        lists=(("bands", 0.8),),
        most=130,
        longest=24,
        known="it can be estimated at sight, and registers have it",
    ),
    Meaning(
        name="year of birth",
        topics=("year of birth",),
        codes=_codes("rb080 pb140 yearbir yrbrn v010 mv010"),
        shapes=("year",),
        most=150,
        stands_for="age",
        known="it tells the age, and registers have it",
    ),
    Meaning(
        name="date of birth",
        topics=("date of birth", "birth"),
        codes=_codes("v011 mv011 b3"),
        fewest=32,
        most=10**9,
        stands_for="age",
        known="registers have it; coarsen it to years before anything else",
    ),
    Meaning(
        name="ethnic group",
        topics=("ethnic group",),
        codes=_codes("v131 mv131 hispan"),
        most=400,
        known=_SEEN,
        sensitive=True,
    ),
    Meaning(
        name="marital status",
        topics=("marital status",),
        codes=_codes("pb190 pb200 hv115 v501 v502 mv501 marst marsts maritalb marstat maristat"),
        lists=(("marital states", 0.6),),
        most=15,
        known=_REGISTERS,
    ),
    Meaning(
        name="citizenship",
        yes_no=True,
        topics=("citizenship",),
        codes=_codes("pb220a pb220b rb290 ctzcntr national"),
        most=260,
        known=_REGISTERS,
    ),
    Meaning(
        name="education",
        topics=("attainment",),
        codes=_codes(
            "pe040 pe041 hv106 hv109 v106 v149 v133 mv106 mv149 eisced edulvlb educd hatlev1d "
            "hatlevel"
        ),
        lists=(("school levels", 0.6),),
        most=150,
        known=_NEIGHBOURS,
    ),
    Meaning(
        name="occupation",
        topics=("occupation",),
        codes=_codes(
            "pl050 pl051 pl051a v716 v717 mv717 isco08 isco3d isco1d isco88 occ1990 occsoc"
        ),
        shapes=("ISCO",),
        fewest=3,
        most=5000,
        known=_NEIGHBOURS,
    ),
    Meaning(
        name="household size",
        topics=("household size",),
        codes=_codes("hx040 hv009 v136 mv136 hhnbpers hhmmb famsize numprec"),
        most=60,
        longest=12,
        known="neighbours can count",
    ),
    Meaning(
        name="country of birth",
        yes_no=True,
        topics=("country of birth",),
        codes=_codes("pb210 rb280 countryb cntbrth brncntr bplcountry birthctry cob ctrybrth"),
        most=300,
        known=_REGISTERS,
    ),
    Meaning(
        name="industry",
        topics=("industry",),
        codes=_codes("pl110 pl111 pl111a nacer2 nace1d nace2d nace3d na111d ind1990 indnaics"),
        shapes=("NACE",),
        most=2000,
        known=_NEIGHBOURS,
    ),
    Meaning(
        name="religion",
        topics=("religion",),
        codes=_codes("v130 mv130 rlgdnm"),
        most=200,
        known=_NEIGHBOURS,
        sensitive=True,
    ),
    Meaning(
        name="relationship in the household",
        of_others=True,
        topics=("relationship",),
        codes=_codes("hv101 v150 relate rel hhlink"),
        lists=(("relatives", 0.6),),
        fewest=3,
        most=60,
        known="neighbours know it",
    ),
    Meaning(
        name="activity status",
        topics=("activity status",),
        codes=_codes("pl030 pl031 pl032 rb210 rb211 pl040 ilostat mainstat stapro mnactic empstat"),
        lists=(("activities", 0.6),),
        most=40,
        known=_NEIGHBOURS,
    ),
    Meaning(
        name="language",
        topics=("language",),
        codes=_codes("lnghom1 v045c"),
        most=300,
        known=_NEIGHBOURS,
    ),
    Meaning(
        name="kind of place",
        topics=("settlement",),
        codes=_codes("db100 hv025 v025 mv025 degurba urbrur domicil"),
        lists=(("kinds of place", 0.6),),
        most=12,
        known="everybody around knows it",
    ),
    Meaning(
        name="number of children",
        of_others=True,
        topics=("children",),
        codes=_codes("v201 mv201 nchild chborn"),
        most=40,
        longest=12,
        known="neighbours can count",
    ),
    Meaning(
        name="tenure",
        topics=("tenure",),
        codes=_codes("hh020 hh021 ownershp"),
        most=15,
        known="neighbours know it",
    ),
    Meaning(
        name="kind of dwelling",
        topics=("dwelling",),
        codes=_codes("hh010"),
        most=30,
        known=_SEEN,
    ),
)

# No keys. The first that fits counts.
SENSITIVE: Sequence[Meaning] = (
    Meaning(name="health", topics=("health",), shapes=("ICD",), sensitive=True),
    Meaning(name="intimate life", topics=("intimate life",), sensitive=True),
    Meaning(name="offences and addiction", topics=("offences",), sensitive=True),
    Meaning(name="political opinion", topics=("politics",), sensitive=True),
    Meaning(name="income or wealth", topics=("amount", "wealth"), sensitive=True),
)

# Standard names of what tells records and the design, beside what `words` know.
WEIGHTS = _codes(
    "coeff coefq coefy db090 rb050 rb060 rb062 pb040 pb050 pb060 pl040w hv005 v005 mv005 d005 perwt"
    " hhwt pspwght pweight dweight anweight fexp factor wgt finalwt fnlwgt popwt"
)
HOUSEHOLDS = _codes(
    "hhid hhnum db030 hb030 rx030 px030 hx030 idhog nquest hhnr hhnrakt folioviv idmen nomen"
    " hhserial"
)
RECORDS = _codes("rb030 pb030 idno caseid pidp persnr pid iid idperson folioper rx040")
LINES = _codes("pernum hv003 v003 hhseqnum hvidx nordem norden indiv lineno personno")
MEANINGS: Mapping[str, Meaning] = {each.name: each for each in (*KEYS, *SENSITIVE)}
