"""Keeps a copy of all leads in an SQLite file. Stop it with Ctrl-C."""

import signal
import sqlite3
import threading
from contextlib import closing, suppress

from .client import LeadPipeline, Stopped
from .mirror import mirror_leads
from .settings import setting


def main() -> None:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    api = LeadPipeline(
        setting("BASE_URL"), setting("CLIENT_ID"), setting("CLIENT_SECRET"), stop=stop
    )
    # The timeout is for another program that has locked the file. Without an isolation level, the
    # program begins its transactions itself.
    db = sqlite3.connect(setting("DATABASE", "leads.sqlite"), timeout=10, isolation_level=None)
    with closing(api), closing(db), suppress(Stopped):
        mirror_leads(api, db)


if __name__ == "__main__":
    main()
