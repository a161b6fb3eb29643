"""What the document can't tell Schemathesis: credentials, file formats, and which failures are none."""

import json
import os
import re

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import JsonSchemaError, RejectedPositiveData

# What the service says if a value breaks a keyword of a schema. A request that matches the document must never get this. All
# other messages are about rules that no schema has: which users exist, that one date is later than another, time zones.
KEYWORD = re.compile(
    r"^\S+ (is required|is unknown or read-only|must be at (least|most) -?\d+"
    r"|must have at (least|most) \d+ \w+"
    r"|must be (one of .*|a string|a whole number|a number|true or false|a list|an object)( or null)?)\.$"
)
# Maps with free keys, whose descriptions say what the service takes, and objects that answers share with requests. In a batch, `match` says what is required.
DESCRIBED = re.compile(r"^((mapping|accept_if|defaults|values|filter|action\.update)\b|items\.\d+\.(email|external_id)$)")
# What exists needs no name, what a batch creates does.
NAME = re.compile(r"^items\.\d+\.name$")

# By the ids of what the run itself needs.
SPARES = {os.environ[name]: os.environ[f"SPARE_{name}"] for name in ("CLIENT_ID", "HOOK_ID")}


@schemathesis.hook
def filter_failure(ctx, failure, case, response):
    """Whether the failure counts."""
    if isinstance(failure, RejectedPositiveData):
        return not is_rule(case, response)
    if isinstance(failure, AcceptedNegativeData):
        return not (has_empty_value(case) or is_oauth(case) or has_failed_items(case, response))
    # With the parameter `fields`, a list lacks required fields, as the parameter's description says.
    if isinstance(failure, JsonSchemaError):
        return "fields" not in (case.query or {})
    return True


def is_rule(case, response):
    """Whether a rule refuses the request, and not the schema."""
    try:
        errors = json.loads(response.content)["errors"]
    except (ValueError, KeyError):
        return False
    # What exists needs no other fields, what doesn't is created.
    is_upsert = case.method == "PATCH" and case.operation.path.endswith("/external/{external_id}")
    return not any(
        KEYWORD.match(text) and not (text.endswith(" is required.") and (is_upsert or NAME.match(field)))
        for field, texts in errors.items()
        if not DESCRIBED.match(field)
        for text in texts
    )


def has_empty_value(case):
    """The service ignores empty headers and parameters, which some clients send instead of none."""
    values = [*(case.headers or {}).values(), *(case.query or {}).values()]
    return any(value in ("", [""]) for value in values)


def is_oauth(case):
    """OAuth ignores unknown and empty parameters (RFC 6749, section 3.2)."""
    return case.operation.path.startswith("/auth/")


def has_failed_items(case, response):
    """A batch with invalid items is a 200, and says in each item what is wrong."""
    return "/batch/" in case.operation.path and response.json()["meta"]["failed"] > 0


@schemathesis.hook
def before_call(ctx, case, kwargs):
    path = case.path_parameters or {}
    # Otherwise the run would disable its own client, or delete the hook whose token it has.
    spare = SPARES.get(str(path.get("id")))
    if spare is not None and case.method != "GET" and "{delivery_id}" not in case.operation.path:
        path["id"] = spare
    # Nobody can guess these.
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    if is_valid and case.operation.path == "/auth/token" and isinstance(case.body, dict):
        case.body["client_id"] = os.environ["CLIENT_ID"]
        case.body["client_secret"] = os.environ["CLIENT_SECRET"]


@schemathesis.serializer(
    "application/x-ndjson",
    "application/gzip",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
def file_serializer(ctx, value):
    """Files are sent as they are."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
