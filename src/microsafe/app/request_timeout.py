"""A connection whose request does not become complete is closed: it would be held for ever."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0  # seconds from the first byte of a request to its last


class PatientProtocol(H11Protocol):
    """HTTP with a limit on how long a request may take to come in."""

    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request; the time does not begin anew with each."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if not self._is_unfinished():
            self._stop_waiting()
        elif self._end is None:
            self._end = self.loop.call_later(PATIENCE, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def _is_unfinished(self) -> bool:
        state = self.conn.their_state
        begun = self.cycle is None or bool(self.conn.trailing_data[0])
        return state is h11.SEND_BODY or (state is h11.IDLE and begun)
