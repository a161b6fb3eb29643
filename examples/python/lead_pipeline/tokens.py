"""Keeps a token until shortly before it expires."""

import threading
import time
from collections.abc import Callable

# Seconds before its end at which a token is replaced.
MARGIN = 60


class Tokens:
    """All threads share one token."""

    def __init__(self, fetch: Callable[[], tuple[str, int]]) -> None:
        self._fetch = fetch
        self._lock = threading.Lock()
        self._token: str | None = None
        self._ends = 0.0

    def get(self) -> str:
        with self._lock:
            if self._token is None or time.monotonic() > self._ends - MARGIN:
                self._token, seconds = self._fetch()
                self._ends = time.monotonic() + seconds
            return self._token

    def forget(self, token: str) -> None:
        """Call this when the service rejects the token."""
        with self._lock:
            # Another thread may already have replaced it.
            if self._token == token:
                self._token = None
