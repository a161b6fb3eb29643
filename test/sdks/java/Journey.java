import com.example.leadpipeline.*;
import com.example.leadpipeline.api.*;
import com.example.leadpipeline.api.BulkJobsApi.*;
import com.example.leadpipeline.api.LeadsApi.*;
import com.example.leadpipeline.model.*;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.net.http.HttpHeaders;
import java.nio.file.Path;
import java.util.*;

/** The journey with the client of openapi-generator. */
class Journey {
  static final Map<String, String> ENV = System.getenv();
  static final String TAG = ENV.get("TAG");
  static final ApiClient client = new ApiClient();
  static final ObjectMapper json = client.getObjectMapper();
  static LeadsApi leads;

  public static void main(String[] arguments) throws Exception {
    client.updateBaseUri(ENV.get("BASE_URL"));
    var credentials = new TokenRequest()
        .grantType(TokenRequest.GrantTypeEnum.CLIENT_CREDENTIALS)
        .clientId(ENV.get("CLIENT_ID"))
        .clientSecret(ENV.get("CLIENT_SECRET"));
    var token = new AuthenticationApi(client).createToken(credentials).getAccessToken();
    client.setRequestInterceptor(request -> request.setHeader("Authorization", "Bearer " + token));
    leads = new LeadsApi(client);

    var ada = newLead("Ada", TAG + "@example.com").company("Analytical Engines");
    var created = leads.createLead(create(ada)).getData();
    var duplicate = failureOf(() -> leads.createLead(create(ada)));

    var batch = batch();
    var walked = walk();
    var chosen = choose();

    var change = new UpdateLead().status(LeadStatus.CONTACTED).company(null);
    var update = APIUpdateLeadRequest.newBuilder().id(created.getId()).updateLead(change).ifMatch("\"1\"").build();
    var updated = leads.updateLead(update).getData();
    var stale = failureOf(() -> leads.updateLead(update));
    stale.remove("existing_id");

    var results = new LinkedHashMap<String, Object>();
    results.put("created", Map.of(
        "id", created.getId(), "version", created.getVersion(), "status", created.getStatus().getValue()));
    results.put("duplicate", duplicate);
    results.put("batch", batch);
    results.put("walked", walked);
    results.put("chosen", chosen);
    results.put("updated", fields(
        "status", updated.getStatus().getValue(), "company", updated.getCompany(), "version", updated.getVersion()));
    results.put("stale", stale);
    verify(results);
    System.out.println(new ObjectMapper().writeValueAsString(results));
  }

  static CreateLead newLead(String name, String email) {
    return new CreateLead().name(name).email(email).tags(List.of(TAG));
  }

  static APICreateLeadRequest create(CreateLead lead) {
    return APICreateLeadRequest.newBuilder().createLead(lead).build();
  }

  static Map<String, Object> batch() throws ApiException {
    var items = new ArrayList<CreateLead>();
    for (var name : List.of("Blaise", "Carl", "Dorothy", "Emmy", "Felix")) {
      items.add(newLead(name, name + "." + TAG + "@example.com"));
    }
    // The client checks no formats, so the service rejects this one.
    items.add(newLead("Nobody", "nobody"));
    var request = APIBatchCreateLeadsRequest.newBuilder().batchCreateLeads(new BatchCreateLeads().items(items));
    var results = leads.batchCreateLeads(request.build()).getData();
    return fields(
        "created", results.stream().filter(item -> item.getLead() != null).map(item -> item.getLead().getName()).toList(),
        "failed", results.stream().map(LeadBatchItem::getCode).filter(Objects::nonNull).toList());
  }

  static List<String> walk() throws ApiException {
    var names = new ArrayList<String>();
    String cursor = null;
    do {
      var request = APIListLeadsRequest.newBuilder().tag(List.of(TAG)).perPage(2).cursor(cursor).build();
      var page = leads.listLeads(request);
      page.getData().forEach(lead -> names.add(lead.getName()));
      cursor = page.getMeta().getNextCursor();
    } while (cursor != null);
    return names;
  }

  static int choose() throws ApiException {
    var job = new CreateLeadBulkJob()
        .resource(CreateLeadBulkJob.ResourceEnum.LEADS)
        .filter(new LeadFilter().tag(List.of(TAG)).status(List.of(LeadStatus.NEW)))
        .action(new BulkJobChange().update(Map.of("add_tags", List.of("seen"))))
        .dryRun(true);
    var request = APICreateBulkJobRequest.newBuilder().createBulkJob(new CreateBulkJob(job)).build();
    return new BulkJobsApi(client).createBulkJob(request).getData().getRowsTotal();
  }

  static void verify(Map<String, Object> results) throws Exception {
    var delivery = json.readTree(Path.of(ENV.get("DELIVERY")).toFile());
    var values = new HashMap<String, List<String>>();
    delivery.get("headers").fields().forEachRemaining(
        header -> values.put(header.getKey(), List.of(header.getValue().asText())));
    var headers = HttpHeaders.of(values, (name, value) -> true);
    var body = delivery.get("body").asText();
    var webhook = new Webhook(ENV.get("WEBHOOK_SECRET"));
    webhook.verify(body, headers);
    var event = json.readValue(body, ApiEvent.class).getLeadCreatedEvent();
    results.put("delivery", Map.of(
        "type", event.getType().getValue(), "name", event.getData().getObject().getName()));
    try {
      webhook.verify(body.replace("Zoë", "Zoe"), headers);
      results.put("rejectsForged", false);
    } catch (WebhookVerificationException exception) {
      results.put("rejectsForged", true);
    }
  }

  interface Call {
    Object run() throws ApiException;
  }

  static Map<String, Object> failureOf(Call call) throws Exception {
    try {
      call.run();
      return Map.of();
    } catch (ApiException exception) {
      var error = json.readValue(exception.getResponseBody(), ApiError.class);
      return fields(
          "status", exception.getCode(), "code", error.getCode(), "existing_id", error.getExistingId());
    }
  }

  static Map<String, Object> fields(Object... namesAndValues) {
    var fields = new LinkedHashMap<String, Object>();
    for (int at = 0; at < namesAndValues.length; at += 2) {
      fields.put((String) namesAndValues[at], namesAndValues[at + 1]);
    }
    return fields;
  }
}
