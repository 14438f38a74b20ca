"""Messages on who could recognise whom."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.app.messages.study import Remark
from microsafe.intruders import IntruderRow


@dataclass(frozen=True, slots=True, kw_only=True)
class IntruderList:
    """Who could recognise whom in the present state, judged by the policy.

    Attributes:
        verdict: Whom the file is safe against, whom not, and who was not tried.
        rows: The worst scenario first; then those who were not tried.
        notices: What to know before trusting the figures.
    """

    verdict: str
    rows: tuple[IntruderRow, ...]
    notices: tuple[Remark, ...]
