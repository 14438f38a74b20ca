"""How many examples hypothesis draws, and from which seed.

`HYPOTHESIS_PROFILE` names the profile: "default" draws the same examples every time, "nightly"
twenty times as many and others every night, "mutants" does not look for the smallest example.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, Phase, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
_TIMES = 20 if PROFILE == "nightly" else 1
_QUIET = [HealthCheck.too_slow]

settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=_QUIET)
settings.register_profile(
    "nightly",
    deadline=None,
    max_examples=20 * settings.default.max_examples,  # type: ignore[union-attr]
    print_blob=True,
    suppress_health_check=_QUIET,
)
settings.register_profile(
    "mutants",
    parent=settings.get_profile("default"),
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile(PROFILE)


def examples(count: int, **options: Any) -> settings:
    """Draw so many examples, and twenty times as many at night."""
    return settings(max_examples=_TIMES * count, **options)
