"""Prints all rows of the copy as JSON: `{schema: {table: [row, …]}}`."""

import json

import duckdb

db = duckdb.connect("lead_pipeline.duckdb", read_only=True)
db.execute("set timezone = 'UTC'")
names = db.execute("select schema_name, table_name from duckdb_tables()").fetchall()
tables = {}
for schema, name in names:
    if name.startswith("_dlt"):
        continue
    rows = db.execute(f"select to_json(t) from {schema}.{name} as t").fetchall()
    tables.setdefault(schema, {})[name] = [json.loads(row) for (row,) in rows]
print(json.dumps(tables))
