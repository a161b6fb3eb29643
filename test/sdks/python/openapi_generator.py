"""The journey with the client of openapi-generator."""

import json
import os
from pathlib import Path

import lead_pipeline_sdk as sdk
from standardwebhooks import Webhook, WebhookVerificationError


def failure(error: sdk.ApiException) -> dict[str, object]:
    assert isinstance(error.data, sdk.ApiError)
    return {"status": error.status, "code": error.data.code}


def main() -> None:
    tag = os.environ["TAG"]
    configuration = sdk.Configuration(host=os.environ["BASE_URL"])
    with sdk.ApiClient(configuration) as api:
        request = sdk.TokenRequest(
            grant_type="client_credentials",
            client_id=os.environ["CLIENT_ID"],
            client_secret=os.environ["CLIENT_SECRET"],
        )
        token = sdk.AuthenticationApi(api).create_token(request)
        configuration.access_token = token.access_token
        leads = sdk.LeadsApi(api)

        new = sdk.CreateLead(
            name="Ada", email=f"{tag}@example.com", company="Analytical Engines", tags=[tag]
        )
        created = leads.create_lead(new).data
        duplicate: dict[str, object] = {}
        try:
            leads.create_lead(new)
        except sdk.ApiException as error:
            assert isinstance(error.data, sdk.ApiError)
            duplicate = {**failure(error), "existing_id": error.data.existing_id}

        names = ["Blaise", "Carl", "Dorothy", "Emmy", "Felix"]
        items = [
            sdk.CreateLead(name=name, email=f"{name}.{tag}@example.com", tags=[tag]) for name in names
        ]
        # The client checks no formats, so the service rejects this one.
        items.append(sdk.CreateLead(name="Nobody", email="nobody", tags=[tag]))
        results = leads.batch_create_leads(sdk.BatchCreateLeads(items=items)).data
        batch = {
            "created": [result.lead.name for result in results if result.lead],
            "failed": [result.code for result in results if result.code],
        }

        # v1 may add a status.
        item = sdk.LeadBatchItem.from_dict({"index": 0, "status": "postponed"})
        assert item is not None and item.status == "postponed"

        walked: list[str] = []
        page = leads.list_leads(tag=[tag], per_page=2)
        walked += [lead.name for lead in page.data]
        while page.meta.next_cursor:
            page = leads.list_leads(tag=[tag], per_page=2, cursor=page.meta.next_cursor)
            walked += [lead.name for lead in page.data]

        job = sdk.CreateLeadBulkJob(
            resource="leads",
            filter=sdk.LeadFilter(tag=[tag], status=[sdk.LeadStatus.NEW]),
            action=sdk.BulkJobChange(update={"add_tags": ["seen"]}),
            dry_run=True,
        )
        chosen = sdk.BulkJobsApi(api).create_bulk_job(sdk.CreateBulkJob(job)).data.rows_total

        change = sdk.UpdateLead(status=sdk.LeadStatus.CONTACTED, company=None)
        updated = leads.update_lead(created.id, change, if_match='"1"').data
        stale: dict[str, object] = {}
        try:
            leads.update_lead(created.id, change, if_match='"1"')
        except sdk.ApiException as error:
            stale = failure(error)

    delivery = json.loads(Path(os.environ["DELIVERY"]).read_text(encoding="utf-8"))
    webhook = Webhook(os.environ["WEBHOOK_SECRET"])
    webhook.verify(delivery["body"], delivery["headers"])
    event = sdk.LeadCreatedEvent.from_json(delivery["body"])
    assert event is not None
    rejects_forged = False
    try:
        webhook.verify(delivery["body"].replace("Zoë", "Zoe"), delivery["headers"])
    except WebhookVerificationError:
        rejects_forged = True

    results_of_journey = {
        "created": {"id": created.id, "version": created.version, "status": created.status},
        "duplicate": duplicate,
        "batch": batch,
        "walked": walked,
        "chosen": chosen,
        "updated": {"status": updated.status, "company": updated.company, "version": updated.version},
        "stale": stale,
        "delivery": {"type": event.type, "name": event.data.object.name},
        "rejectsForged": rejects_forged,
    }
    print(json.dumps(results_of_journey))


main()
