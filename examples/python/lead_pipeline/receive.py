"""Receives a webhook's events, and stores them in an SQLite file. Stop it with Ctrl-C."""

import signal
import threading
from contextlib import closing

from .receiver import Inbox, create_receiver
from .settings import setting


def main() -> None:
    inbox = Inbox(setting("DATABASE", "inbox.sqlite"))
    address = ("127.0.0.1", int(setting("PORT", "4000")))
    with closing(inbox), create_receiver(inbox, setting("WEBHOOK_SECRET"), address) as server:

        def stop(*_: object) -> None:
            # Waits for the loop below, so it needs its own thread.
            threading.Thread(target=server.shutdown).start()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        print(f"Listening for events: http://127.0.0.1:{address[1]}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
