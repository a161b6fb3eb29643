/** The journey with the client of openapi-generator. */
package journey

import com.example.leadpipeline.apis.AuthenticationApi
import com.example.leadpipeline.apis.BulkJobsApi
import com.example.leadpipeline.apis.LeadsApi
import com.example.leadpipeline.infrastructure.*
import com.example.leadpipeline.models.*
import com.fasterxml.jackson.databind.node.ObjectNode
import com.fasterxml.jackson.module.kotlin.readValue
import com.standardwebhooks.Webhook
import com.standardwebhooks.exceptions.WebhookVerificationException
import java.io.File

val env: Map<String, String> = System.getenv()
val url = env.getValue("BASE_URL")
val tag = env.getValue("TAG")
val json = Serializer.jacksonObjectMapper

/** Sends nulls, which the client's own `updateLead` leaves out. */
class Leads : LeadsApi(url) {
    fun change(id: String, changes: Map<String, Any?>, ifMatch: String): Lead {
        val config = updateLeadRequestConfig(id, UpdateLead(), null, ifMatch, null, null)
        val body = json.createObjectNode().apply { changes.forEach { (name, value) -> putPOJO(name, value) } }
        val request = RequestConfig(config.method, config.path, config.headers, requiresAuthentication = true, body = body)
        return when (val answer = request<ObjectNode, LeadResponse>(request)) {
            is Success<*> -> (answer.data as LeadResponse).data
            else -> throw ClientException(statusCode = answer.statusCode, response = answer)
        }
    }
}

val leads by lazy { Leads() }

fun main() {
    val grant = TokenRequest.GrantType.client_credentials
    val credentials = TokenRequest(grant, env["CLIENT_ID"], env["CLIENT_SECRET"])
    ApiClient.accessToken = AuthenticationApi(url).createToken(credentials).accessToken

    val ada = newLead("Ada", "$tag@example.com").copy(company = "Analytical Engines")
    val created = leads.createLead(ada).data
    val (duplicate, existingId) = failureOf { leads.createLead(ada) }
    val batch = batch()
    val walked = walk()
    val chosen = choose()

    val change = mapOf("status" to LeadStatus.contacted, "company" to null)
    val updated = leads.change(created.id, change, "\"1\"")
    val (stale) = failureOf { leads.change(created.id, change, "\"1\"") }

    val (event, rejectsForged) = receive()
    val results = mapOf(
        "created" to mapOf("id" to created.id, "version" to created.version, "status" to created.status),
        "duplicate" to duplicate + ("existing_id" to existingId),
        "batch" to batch,
        "walked" to walked,
        "chosen" to chosen,
        "updated" to mapOf("status" to updated.status, "version" to updated.version, "company" to json.valueToTree(updated.company)),
        "stale" to stale,
        "delivery" to mapOf("type" to event.type, "name" to event.data.`object`.name),
        "rejectsForged" to rejectsForged,
    )
    println(json.writeValueAsString(results))
}

fun newLead(name: String, email: String) =
    CreateLead(name, email, tags = listOf(tag), metadata = mapOf("journey" to tag))

fun batch(): Map<String, List<String>> {
    val names = listOf("Blaise", "Carl", "Dorothy", "Emmy", "Felix")
    val items = names.map { newLead(it, "$it.$tag@example.com") } + newLead("Nobody", "nobody")
    val results = leads.batchCreateLeads(BatchCreateLeads(items)).data
    return mapOf("created" to results.mapNotNull { it.lead?.name }, "failed" to results.mapNotNull { it.code })
}

fun walk(): List<String> {
    val names = mutableListOf<String>()
    var cursor: String? = null
    do {
        val page = leads.listLeads(perPage = 2, cursor = cursor, metadata = mapOf("journey" to tag))
        page.data.forEach { names += it.name }
        cursor = page.meta.nextCursor
    } while (cursor != null)
    return names
}

fun choose(): Int {
    val filter = LeadFilter(tag = listOf(tag), status = listOf(LeadStatus.new))
    val change = BulkJobChange(update = mapOf("add_tags" to listOf("seen")))
    val job = CreateLeadBulkJob(CreateLeadBulkJob.Resource.leads, filter, change, dryRun = true)
    return BulkJobsApi(url).createBulkJob(job).data.rowsTotal
}

/** Verifies the delivery. Returns its event, and whether a forged one is rejected. */
fun receive(): Pair<LeadCreatedEvent, Boolean> {
    val delivery = json.readTree(File(env.getValue("DELIVERY")))
    val headers = delivery["headers"].properties().associate { (name, value) -> name to listOf(value.asText()) }
    val body = delivery["body"].asText()
    val webhook = Webhook(env["WEBHOOK_SECRET"])
    webhook.verify(body, headers)
    val event: ApiEvent = json.readValue(body)
    val rejectsForged = try {
        webhook.verify(body.replace("Zoë", "Zoe"), headers)
        false
    } catch (_: WebhookVerificationException) {
        true
    }
    return event as LeadCreatedEvent to rejectsForged
}

/** The status and code of the error, and the id that it names. */
fun failureOf(call: () -> Any): Pair<Map<String, Any>, String?> =
    try {
        error("No error: ${call()}")
    } catch (exception: ClientException) {
        val error: ApiError = json.readValue((exception.response as ClientError<*>).body as String)
        mapOf("status" to exception.statusCode, "code" to error.code) to error.existingId
    }
