"""Sends requests to the API: gets tokens, and retries temporary failures."""

import random
import threading
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from .tokens import Tokens

MAX_ATTEMPTS = 5
# Too many requests, and a service that is busy or restarts.
TEMPORARY = (429, 503)

Json = dict[str, Any]
Query = Mapping[str, str | int]


class ApiError(Exception):
    """An answer that is an error. Programs branch on the code, because the message may change."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        try:
            self.body: Json = response.json()
        except ValueError:
            # A proxy in between has answered.
            self.body = {}
        self.code: str | None = self.body.get("code")
        super().__init__(f"{self.status} {self.code}: {self.body.get('message')}")


class Stopped(Exception):
    """The program should end, so it waits and retries no longer."""


class LeadPipeline:
    """Create one for the whole process. To stop waiting and retrying, set the event."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        stop: threading.Event | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.stop = stop or threading.Event()
        self._http = httpx.Client(base_url=base_url, timeout=40, transport=transport)
        self._tokens = Tokens(lambda: self._get_token(client_id, client_secret))

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, query: Query | None = None) -> Json:
        return self.send("GET", path, query=query)

    def send(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        query: Query | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Json:
        """Returns the answer's JSON. Raises ApiError for errors."""
        own = dict(headers or {})
        if method in ("POST", "PATCH"):
            # Makes the request safe to repeat: a second one with the same key has no effect.
            own.setdefault("Idempotency-Key", str(uuid.uuid4()))
        response = self._send_with_token(method, path, body, query, own)
        if response.is_error:
            raise ApiError(response)
        return response.json() if response.content else {}

    def _send_with_token(
        self,
        method: str,
        path: str,
        body: Json | None,
        query: Query | None,
        headers: Mapping[str, str],
    ) -> httpx.Response:
        def send(token: str) -> httpx.Response:
            authorized = {**headers, "Authorization": f"Bearer {token}"}
            return self._send_again(
                self._http.build_request(method, path, json=body, params=query, headers=authorized)
            )

        token = self._tokens.get()
        response = send(token)
        if response.status_code != 401:
            return response
        # The token was revoked, for instance. Try another one, once.
        self._tokens.forget(token)
        return send(self._tokens.get())

    def _get_token(self, client_id: str, client_secret: str) -> tuple[str, int]:
        form = {"grant_type": "client_credentials"}
        auth = httpx.BasicAuth(client_id, client_secret)
        response = self._send_again(
            self._http.build_request("POST", "/auth/token", data=form), auth
        )
        if response.is_error:
            raise ApiError(response)
        answer = response.json()
        return answer["access_token"], answer["expires_in"]

    def _send_again(self, request: httpx.Request, auth: httpx.Auth | None = None) -> httpx.Response:
        """Sends a request up to five times, if the failure is temporary."""
        for attempt in range(1, MAX_ATTEMPTS + 1):
            if self.stop.is_set():
                raise Stopped
            response: httpx.Response | None = None
            try:
                response = self._http.send(request, auth=auth)
            except httpx.TransportError:
                if attempt == MAX_ATTEMPTS:
                    raise
            if response is not None and (
                response.status_code not in TEMPORARY or attempt == MAX_ATTEMPTS
            ):
                return response
            wait = retry_after(response)
            # About 1, 2, 4 and 8 seconds, so that many clients don't come back together.
            self.stop.wait(2 ** (attempt - 1) * random.uniform(0.5, 1.5) if wait is None else wait)
        raise AssertionError("The last attempt returns or raises.")


def retry_after(response: httpx.Response | None) -> float | None:
    """Seconds. The header has seconds or a date."""
    value = None if response is None else response.headers.get("Retry-After")
    if value is None:
        return None
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except ValueError:
        return None
