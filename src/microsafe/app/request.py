"""A request as the views get it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from microsafe.app.session import Session
from microsafe.progress import Progress, silent

Q = TypeVar("Q", covariant=True)
B = TypeVar("B", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Request(Generic[Q, B]):
    """One request.

    Attributes:
        session: The session it is about.
        query: Its query parameters.
        body: Its body.
        progress: Progress callback; raises if the request was cancelled.
    """

    session: Session
    query: Q
    body: B
    progress: Progress = silent
