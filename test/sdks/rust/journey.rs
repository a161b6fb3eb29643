//! The journey with the client of openapi-generator.
use std::collections::HashMap;
use std::env::var;
use std::error::Error;

use lead_pipeline::apis::{Error as ApiFailure, authentication_api, bulk_jobs_api, configuration::Configuration, leads_api};
use lead_pipeline::models::{self, ApiError, ApiEvent, CreateLead, UpdateLead};
use serde_json::{Value, json};
use standardwebhooks::Webhook;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let tag = var("TAG")?;
    let api = connect().await?;
    let mut ada = new_lead("Ada", &format!("{tag}@example.com"), &tag);
    ada.company = Some(Some("Analytical Engines".into()));
    let created = *leads_api::create_lead(&api, create(&ada)).await?.data;
    let mut duplicate = Value::Null;
    if let Err(failure) = leads_api::create_lead(&api, create(&ada)).await {
        let (status, error) = details(failure)?;
        duplicate = json!({ "status": status, "code": error.code, "existing_id": error.existing_id });
    }

    let batch = create_batch(&api, &tag).await?;
    let walked = walk(&api, &tag).await?;
    let chosen = choose(&api, &tag).await?;

    // `None` leaves a field as it is, `Some(None)` clears it.
    let change = UpdateLead {
        status: Some(models::LeadStatus::Contacted),
        company: Some(None),
        ..Default::default()
    };
    let update = || leads_api::UpdateLeadParams {
        id: created.id.clone(),
        update_lead: change.clone(),
        if_match: Some("\"1\"".into()),
        ..Default::default()
    };
    let updated = leads_api::update_lead(&api, update()).await?.data;
    let mut stale = Value::Null;
    if let Err(failure) = leads_api::update_lead(&api, update()).await {
        let (status, error) = details(failure)?;
        stale = json!({ "status": status, "code": error.code });
    }

    let (delivery, rejects_forged) = receive()?;
    println!(
        "{}",
        json!({
            "created": { "id": created.id, "version": created.version, "status": created.status },
            "duplicate": duplicate,
            "batch": batch,
            "walked": walked,
            "chosen": chosen,
            "updated": { "status": updated.status, "company": updated.company, "version": updated.version },
            "stale": stale,
            "delivery": delivery,
            "rejectsForged": rejects_forged,
        })
    );
    Ok(())
}

async fn connect() -> Result<Configuration, Box<dyn Error>> {
    let mut api = Configuration { base_path: var("BASE_URL")?, ..Default::default() };
    let credentials = models::TokenRequest {
        client_id: Some(var("CLIENT_ID")?),
        client_secret: Some(var("CLIENT_SECRET")?),
        ..Default::default()
    };
    let request = authentication_api::CreateTokenParams { token_request: credentials };
    api.oauth_access_token = Some(authentication_api::create_token(&api, request).await?.access_token);
    Ok(api)
}

fn new_lead(name: &str, email: &str, tag: &str) -> CreateLead {
    CreateLead { tags: Some(vec![tag.into()]), ..CreateLead::new(name.into(), email.into()) }
}

fn create(lead: &CreateLead) -> leads_api::CreateLeadParams {
    leads_api::CreateLeadParams { create_lead: lead.clone(), ..Default::default() }
}

async fn create_batch(api: &Configuration, tag: &str) -> Result<Value, Box<dyn Error>> {
    let names = ["Blaise", "Carl", "Dorothy", "Emmy", "Felix"];
    let mut items: Vec<_> =
        names.iter().map(|name| new_lead(name, &format!("{name}.{tag}@example.com"), tag)).collect();
    // The client checks no formats, so the service rejects this one.
    items.push(new_lead("Nobody", "nobody", tag));
    let request = leads_api::BatchCreateLeadsParams {
        batch_create_leads: models::BatchCreateLeads::new(items),
        ..Default::default()
    };
    let results = leads_api::batch_create_leads(api, request).await?.data;
    let created: Vec<_> = results.iter().filter_map(|item| Some(&item.lead.as_ref()?.name)).collect();
    let failed: Vec<_> = results.iter().filter_map(|item| item.code.as_ref()).collect();
    Ok(json!({ "created": created, "failed": failed }))
}

async fn walk(api: &Configuration, tag: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut params =
        leads_api::ListLeadsParams { tag: Some(vec![tag.into()]), per_page: Some(2), ..Default::default() };
    let mut names = vec![];
    loop {
        let page = leads_api::list_leads(api, params.clone()).await?;
        names.extend(page.data.into_iter().map(|lead| lead.name));
        if page.meta.next_cursor.is_none() {
            return Ok(names);
        }
        params.cursor = page.meta.next_cursor;
    }
}

async fn choose(api: &Configuration, tag: &str) -> Result<i32, Box<dyn Error>> {
    let filter = models::LeadFilter {
        tag: Some(vec![tag.into()]),
        status: Some(vec![models::LeadStatus::New]),
        ..Default::default()
    };
    let update = HashMap::from([("add_tags".to_string(), json!(["seen"]))]);
    let job = models::CreateLeadBulkJob {
        filter: Box::new(filter),
        action: Box::new(models::BulkJobChange { update: Some(update), delete: None }),
        dry_run: Some(true),
        ..Default::default()
    };
    let request = bulk_jobs_api::CreateBulkJobParams {
        create_bulk_job: models::CreateBulkJob::Leads(Box::new(job)),
        ..Default::default()
    };
    Ok(bulk_jobs_api::create_bulk_job(api, request).await?.data.rows_total)
}

#[derive(serde::Deserialize)]
struct Delivery {
    headers: HashMap<String, String>,
    body: String,
}

fn receive() -> Result<(Value, bool), Box<dyn Error>> {
    let delivery: Delivery = serde_json::from_str(&std::fs::read_to_string(var("DELIVERY")?)?)?;
    let headers = (&delivery.headers).try_into()?;
    let webhook = Webhook::new(&var("WEBHOOK_SECRET")?)?;
    webhook.verify(delivery.body.as_bytes(), &headers)?;
    let ApiEvent::LeadCreated(event) = serde_json::from_str(&delivery.body)? else {
        return Err("The event has another type.".into());
    };
    // v1 may add types.
    let newer = delivery.body.replacen("\"lead.created\"", "\"lead.invented\"", 1);
    assert_eq!(serde_json::from_str::<ApiEvent>(&newer)?, ApiEvent::Unknown);
    let forged = delivery.body.replacen("Zoë", "Zoe", 1);
    let rejects_forged = webhook.verify(forged.as_bytes(), &headers).is_err();
    Ok((json!({ "type": event.r#type, "name": event.data.object.name }), rejects_forged))
}

/// The status and the body of an error response.
fn details<T: std::fmt::Debug + 'static>(failure: ApiFailure<T>) -> Result<(u16, ApiError), Box<dyn Error>> {
    match failure {
        ApiFailure::ResponseError(response) => {
            Ok((response.status.as_u16(), serde_json::from_str(&response.content)?))
        }
        other => Err(other.into()),
    }
}
