"""Documents that the page opens in a tab of its own, or hands on as files.

A link cannot send the key, and the key does not belong into an address. So each document gets a
ticket: an address that nobody can guess, which opens that document only and ends with the app.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from urllib.parse import quote

from microsafe.app.security import DOCUMENTS

_MOST = 8  # that are kept; the oldest goes first


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A report as a file.

    Attributes:
        name: Of the file.
        type: Of its content.
        content: Its bytes.
        shown: Whether the browser shows it; otherwise it is saved.
    """

    name: str
    type: str
    content: bytes
    shown: bool

    @property
    def disposition(self) -> str:
        """What the browser does with it, and under which name."""
        kind = "inline" if self.shown else "attachment"
        return f"{kind}; filename*=UTF-8''{quote(self.name, safe='')}"


class Documents:
    """Documents by ticket."""

    def __init__(self) -> None:
        """Begin with none."""
        self._by_ticket: dict[str, Document] = {}
        self._lock = threading.Lock()

    def add(self, document: Document) -> str:
        """Take a document in, and return its address."""
        ticket = secrets.token_urlsafe(32)
        with self._lock:
            kept = list(self._by_ticket.items())[1 - _MOST :]
            self._by_ticket = {**dict(kept), ticket: document}
        return DOCUMENTS + ticket

    def find(self, ticket: str) -> Document | None:
        """Return the document of a ticket, if there is one."""
        with self._lock:
            return self._by_ticket.get(ticket)

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._by_ticket = {}
