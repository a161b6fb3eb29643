"""The journey with the client of openapi-python-client."""

import json
import os
from pathlib import Path

from lead_pipeline_api_client import AuthenticatedClient, Client
from lead_pipeline_api_client.api.authentication import create_token
from lead_pipeline_api_client.api.bulk_jobs import create_bulk_job
from lead_pipeline_api_client.api.leads import (
    batch_create_leads,
    create_lead,
    list_leads,
    update_lead,
)
from lead_pipeline_api_client.models import (
    ApiError,
    BatchCreateLeads,
    BulkJobChange,
    BulkJobChangeUpdate,
    BulkJobResponse,
    CreateLead,
    CreateLeadBulkJob,
    CreateLeadBulkJobResource,
    LeadBatchItem,
    LeadBatchResponse,
    LeadCreatedEvent,
    LeadFilter,
    LeadListResponse,
    LeadResponse,
    LeadStatus,
    TokenRequest,
    TokenRequestGrantType,
    TokenResponse,
    UpdateLead,
)
from lead_pipeline_api_client.types import UNSET, Response, Unset
from standardwebhooks import Webhook, WebhookVerificationError


def failure(response: Response[ApiError | LeadResponse]) -> dict[str, object]:
    assert isinstance(response.parsed, ApiError)
    return {"status": response.status_code.value, "code": response.parsed.code}


def make_journey(base_url: str, tag: str) -> dict[str, object]:
    request = TokenRequest(
        grant_type=TokenRequestGrantType.CLIENT_CREDENTIALS,
        client_id=os.environ["CLIENT_ID"],
        client_secret=os.environ["CLIENT_SECRET"],
    )
    token = create_token.sync(client=Client(base_url), body=request)
    assert isinstance(token, TokenResponse)
    client = AuthenticatedClient(base_url, token.access_token)

    new = CreateLead(
        name="Ada", email=f"{tag}@example.com", company="Analytical Engines", tags=[tag]
    )
    answer = create_lead.sync(client=client, body=new)
    assert isinstance(answer, LeadResponse)
    created = answer.data
    again = create_lead.sync_detailed(client=client, body=new)
    assert isinstance(again.parsed, ApiError)

    names = ["Blaise", "Carl", "Dorothy", "Emmy", "Felix"]
    items = [CreateLead(name=name, email=f"{name}.{tag}@example.com", tags=[tag]) for name in names]
    # The client checks no formats, so the service rejects this one.
    items.append(CreateLead(name="Nobody", email="nobody", tags=[tag]))
    results = batch_create_leads.sync(client=client, body=BatchCreateLeads(items=items))
    assert isinstance(results, LeadBatchResponse)

    # v1 may add a status.
    assert LeadBatchItem.from_dict({"index": 0, "status": "postponed"}).status == "postponed"

    walked: list[str] = []
    cursor: str | None | Unset = UNSET
    while cursor is not None:
        page = list_leads.sync(client=client, tag=[tag], per_page=2, cursor=cursor)
        assert isinstance(page, LeadListResponse)
        walked += [lead.name for lead in page.data]
        cursor = page.meta.next_cursor

    job = CreateLeadBulkJob(
        resource=CreateLeadBulkJobResource.LEADS,
        filter_=LeadFilter(tag=[tag], status=[LeadStatus.NEW]),
        action=BulkJobChange(update=BulkJobChangeUpdate.from_dict({"add_tags": ["seen"]})),
        dry_run=True,
    )
    chosen = create_bulk_job.sync(client=client, body=job)
    assert isinstance(chosen, BulkJobResponse)

    change = UpdateLead(status=LeadStatus.CONTACTED, company=None)
    updated = update_lead.sync(created.id, client=client, body=change, if_match='"1"')
    assert isinstance(updated, LeadResponse)
    stale = update_lead.sync_detailed(created.id, client=client, body=change, if_match='"1"')

    return {
        "created": {"id": created.id, "version": created.version, "status": created.status},
        "duplicate": {**failure(again), "existing_id": again.parsed.existing_id},
        "batch": {
            "created": [item.lead.name for item in results.data if item.lead],
            "failed": [item.code for item in results.data if item.code],
        },
        "walked": walked,
        "chosen": chosen.data.rows_total,
        "updated": {
            "status": updated.data.status,
            "company": updated.data.company,
            "version": updated.data.version,
        },
        "stale": failure(stale),
    }


def receive(secret: str, delivery: dict[str, dict[str, str]], body: str) -> dict[str, object]:
    webhook = Webhook(secret)
    event = LeadCreatedEvent.from_dict(webhook.verify(body, delivery["headers"]))
    rejects_forged = False
    try:
        webhook.verify(body.replace("Zoë", "Zoe"), delivery["headers"])
    except WebhookVerificationError:
        rejects_forged = True
    return {
        "delivery": {"type": event.type_, "name": event.data.object_.name},
        "rejectsForged": rejects_forged,
    }


received = json.loads(Path(os.environ["DELIVERY"]).read_text(encoding="utf-8"))
results = make_journey(os.environ["BASE_URL"], os.environ["TAG"])
print(json.dumps({**results, **receive(os.environ["WEBHOOK_SECRET"], received, received["body"])}))
