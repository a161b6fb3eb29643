"""Keeps a copy of all leads in an SQLite database, by following the event log."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from .client import ApiError, Json, LeadPipeline

# Every change of a lead causes one of these events.
TYPES = "lead.created,lead.updated,lead.deleted"
# Seconds between two requests at the end of the log.
PAUSE = 2


def mirror_leads(api: LeadPipeline, db: sqlite3.Connection) -> None:
    """Runs until `api.stop` is set.

    It saves the cursor in the same transaction as the changes before it. So after a crash it
    continues at the right place: no event is lost or applied twice.
    """
    db.execute("create table if not exists leads (id text primary key, version integer, lead text)")
    db.execute(
        "create table if not exists follower (id integer primary key check (id = 1), cursor text)"
    )
    while not api.stop.is_set():
        cursor = saved_cursor(db)
        if cursor is None:
            read_all(api, db)
            continue
        try:
            page = api.get("/events", {"cursor": cursor, "event_types": TYPES, "per_page": 500})
        except ApiError as error:
            # 410: the events after the cursor have expired, or the service was restored from an
            # older backup.
            if error.status != 410:
                raise
            read_all(api, db)
            continue
        with transaction(db):
            for event in page["data"]:
                apply(db, event)
            save_cursor(db, page["meta"]["next_cursor"])
        if not page["meta"]["has_more"]:
            api.stop.wait(PAUSE)


def read_all(api: LeadPipeline, db: sqlite3.Connection) -> None:
    """Reads everything again: first the current cursor, then the leads.

    Events after the cursor have the changes made meanwhile.
    """
    now = api.get("/events", {"cursor": "latest"})["meta"]["next_cursor"]
    db.execute("create temp table if not exists incoming as select * from leads where false")
    db.execute("delete from incoming")
    query: dict[str, str | int] = {"per_page": 100, "sort": "created_at"}
    while True:
        page = api.get("/leads", query)
        rows = [(lead["id"], lead["version"], json.dumps(lead)) for lead in page["data"]]
        db.executemany("insert into incoming (id, version, lead) values (?, ?, ?)", rows)
        if page["meta"]["next_cursor"] is None:
            break
        query["cursor"] = page["meta"]["next_cursor"]
    with transaction(db):
        db.execute("delete from leads")
        db.execute("insert into leads select * from incoming")
        save_cursor(db, now)


def apply(db: sqlite3.Connection, event: Json) -> None:
    lead = event["data"]["object"]
    if event["type"] == "lead.deleted":
        db.execute("delete from leads where id = ?", (lead["id"],))
        return
    # An event older than the copy changes nothing.
    db.execute(
        """insert into leads (id, version, lead) values (?, ?, ?)
        on conflict (id) do update set version = excluded.version, lead = excluded.lead
        where excluded.version > leads.version""",
        (lead["id"], lead["version"], json.dumps(lead)),
    )


def saved_cursor(db: sqlite3.Connection) -> str | None:
    row = db.execute("select cursor from follower").fetchone()
    return None if row is None else str(row[0])


def save_cursor(db: sqlite3.Connection, cursor: str) -> None:
    db.execute("insert or replace into follower (id, cursor) values (1, ?)", (cursor,))


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commits, or rolls back if the block raises. The connection is in autocommit mode."""
    db.execute("begin immediate")
    try:
        yield
    except BaseException:
        db.execute("rollback")
        raise
    db.execute("commit")
