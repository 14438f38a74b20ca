"""A question as the views get it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from microsafe.app.session import Session
from microsafe.progress import Progress, silent

Q = TypeVar("Q", covariant=True)
B = TypeVar("B", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ask(Generic[Q, B]):
    """One question.

    Attributes:
        session: That it is about.
        query: What stood behind the question mark.
        body: What was sent.
        progress: Told of stages; raises if the page no longer wants the answer.
    """

    session: Session
    query: Q
    body: B
    progress: Progress = silent
