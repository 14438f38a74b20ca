"""How many examples hypothesis draws, and from which seed.

`HYPOTHESIS_PROFILE` names the profile: "default", for a person who waits, draws a fifth of the
examples that tests ask for, the same every time; "nightly" twenty times as many as they ask for,
and others every night; "mutants" as many, and does not look for the smallest example.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, Phase, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
_TIMES = {"default": 0.2, "mutants": 1, "nightly": 20}[PROFILE]
_FEWEST = 10


def examples(count: int, **options: Any) -> settings:
    """Draw so many examples, or as many times that as the profile says."""
    return settings(max_examples=max(_FEWEST, int(_TIMES * count)), **options)


_PATIENT = examples(100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", _PATIENT, derandomize=True)
settings.register_profile("nightly", _PATIENT, print_blob=True)
settings.register_profile(
    "mutants",
    _PATIENT,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile(PROFILE)
