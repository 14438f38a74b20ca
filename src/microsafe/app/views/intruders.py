"""Answer who could recognise whom."""

from __future__ import annotations

from microsafe.app.messages.intruders import IntruderList
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.views.study import make_remarks


def try_intruders(request: Request[None, None]) -> IntruderList:
    """Try every intruder on the present state, or remember what was found."""
    study = request.session.study()
    if not study.scenarios:
        raise Refusal(409, "There is no scenario yet.", "Choose the key variables first.")
    table = request.session.try_intruders(study, request.progress)
    return IntruderList(
        verdict=table.verdict, rows=tuple(table), notices=make_remarks(table.notices)
    )
