"""Guide: the decisions from a file to a release, as they are filled in."""

from __future__ import annotations

from microsafe.app.messages.guide import GuideDecisions, GuideQuery
from microsafe.app.messages.results import build_message
from microsafe.app.request import Request
from microsafe.guides.guide import begin_guide


def fill_in(request: Request[GuideQuery, None]) -> GuideDecisions:
    """Fill in the decisions for the file as it was read; nothing is changed."""
    start = request.session.study().rollback(0)
    made = begin_guide(start, request.query.profile, progress=request.progress)
    return build_message(
        GuideDecisions,
        made,
        scenario=made.study.scenario(),
        variables=made.lists.variables,
    )
