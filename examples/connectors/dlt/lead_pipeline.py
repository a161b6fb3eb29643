"""Copies a pipeline into a database with dlt: everything at first, then what has changed."""

from collections.abc import Iterator
from typing import Any

import dlt
from dlt.extract import DltResource
from dlt.pipeline.exceptions import PipelineStepFailed
from dlt.sources.helpers import requests

# The lists of the API. A row goes when what one of these columns names is deleted.
LISTS = {
    "users": ["id"],
    "content": ["id"],
    "contacts": ["id"],
    "leads": ["id"],
    "sales-cycles": ["id", "lead_id"],
    "notes": ["id", "lead_id", "contact_id"],
}


@dlt.source(max_table_nesting=0)
def lead_pipeline(
    base_url: str = dlt.config.value, api_key: str = dlt.secrets.value
) -> Iterator[DltResource]:
    """A table for each list, and one for the events."""
    # A text stays a text, even if a lead's name looks like a time.
    dlt.current.source_schema().remove_type_detection("iso_timestamp")
    dlt.current.source_schema().update_preferred_types({"re:_at$": "timestamp"})

    def pages(path: str, **query: Any) -> Iterator[dict[str, Any]]:
        headers = {"X-API-Key": api_key}
        while True:
            # Waits and tries again after a 429, a 5xx or a lost connection.
            page = requests.get(f"{base_url}/{path}", params=query, headers=headers).json()
            yield page
            if not page["meta"]["has_more"]:
                return
            query["cursor"] = page["meta"]["next_cursor"]

    def changed_rows(
        path: str,
        updated: Any = dlt.sources.incremental(
            "updated_at", initial_value="1970-01-01T00:00:00.000Z", primary_key=()
        ),
    ) -> Iterator[Any]:
        yield dlt.mark.materialize_table_schema()
        query = {"updated_from": updated.start_value, "sort": "updated_at", "per_page": 100}
        for page in pages(path, **query):
            yield page["data"]

    def new_events() -> Iterator[Any]:
        yield dlt.mark.materialize_table_schema()
        # dlt saves the state together with the rows.
        state = dlt.current.resource_state()
        for page in pages("events", per_page=500, cursor=state.get("cursor")):
            for event in page["data"]:
                # The rest is about people. So an event needs no erasure when they are deleted.
                data = event.pop("data")
                event["object_id"] = data["object"]["id"]
                event["changed"] = list(data.get("changes", {}))
            yield page["data"]
            state["cursor"] = page["meta"]["next_cursor"]

    for path, columns in LISTS.items():
        yield table(changed_rows, path, columns, version={"dedup_sort": "desc"})(path)
    yield table(new_events, "events", ["object_id", "type"])()


def table(read: Any, name: str, columns: list[str], **hints: Any) -> Any:
    """A row replaces the earlier one with its id. The columns exist even while they are empty."""
    return dlt.resource(
        read,
        name=name,
        write_disposition="merge",
        primary_key="id",
        columns={**{column: {"data_type": "text"} for column in columns}, **hints},
    )


def delete_what_is_gone(pipeline: dlt.Pipeline) -> None:
    """Deletes what the events say was deleted, and the notes and sales cycles of it."""
    with pipeline.sql_client() as sql:
        events = sql.make_qualified_table_name("events")
        for path, columns in LISTS.items():
            rows = sql.make_qualified_table_name(path.replace("-", "_"))
            for column in columns:
                sql.execute_sql(
                    f"DELETE FROM {rows} WHERE {column} IN"
                    f" (SELECT object_id FROM {events} WHERE type LIKE '%deleted')"
                )


def main() -> None:
    pipeline = dlt.pipeline("lead_pipeline", destination="duckdb", dataset_name="crm")
    # Load what an interrupted run has read.
    pipeline.run()
    try:
        pipeline.run(lead_pipeline())
    except PipelineStepFailed as failed:
        response = getattr(failed.exception.__cause__, "response", None)
        if response is None or response.status_code != 410:
            raise
        # The events after the saved cursor are gone. Read everything again.
        pipeline.run(lead_pipeline(), refresh="drop_data")
    delete_what_is_gone(pipeline)


if __name__ == "__main__":
    main()
