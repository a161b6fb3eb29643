"""Receives events: verifies the sender, and stores each event once."""

import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

# Bytes. Events are much smaller.
MAX_BODY = 2**20


class Inbox:
    """The table `inbox`. Do your own work from it.

    The service waits only 15 seconds for an answer.
    """

    def __init__(self, path: str) -> None:
        # The timeout is for another program that has locked the file.
        self._db = sqlite3.connect(path, timeout=10, check_same_thread=False)
        self._lock = threading.Lock()
        self._db.execute(
            "create table if not exists inbox (webhook_id text primary key, event text not null)"
        )

    def add(self, webhook_id: str, event: str) -> None:
        # An event may arrive more than once. Only the first one is stored.
        with self._lock, self._db:
            self._db.execute(
                "insert or ignore into inbox (webhook_id, event) values (?, ?)", (webhook_id, event)
            )

    def close(self) -> None:
        with self._lock:
            self._db.close()


def create_receiver(inbox: Inbox, secret: str, address: tuple[str, int]) -> ThreadingHTTPServer:
    """It answers after it has stored the event, so none is lost."""
    webhook = Webhook(secret)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Seconds in which a slow sender's connection ends.
        timeout = 30

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or "Transfer-Encoding" in self.headers:
                return self.answer(411)
            body = self.read_body(int(length))
            if body is None:
                return self.answer(413)
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                # The signature is of the raw bytes: verify before you parse.
                webhook.verify(body, headers)
            except (WebhookVerificationError, ValueError):
                return self.answer(401)
            try:
                inbox.add(headers["webhook-id"], body.decode())
            except sqlite3.Error as error:
                # The service sends the event again later.
                self.log_error("%s", error)
                return self.answer(500)
            return self.answer(204)

        def refuse(self) -> None:
            self.answer(405)

        do_GET = do_HEAD = do_PUT = do_PATCH = do_DELETE = refuse

        def read_body(self, left: int) -> bytes | None:
            """None if it is too long."""
            if left <= MAX_BODY:
                return self.rfile.read(left)
            while left > 0 and (chunk := self.rfile.read(min(left, MAX_BODY))):
                left -= len(chunk)
            return None

        def answer(self, status: int) -> None:
            self.send_response(status)
            if status != 204:
                self.send_header("Content-Length", "0")
            if status in (405, 411):
                # Its body was not read.
                self.send_header("Connection", "close")
            self.end_headers()

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Logs no line for each request."""

    return ThreadingHTTPServer(address, Handler)
