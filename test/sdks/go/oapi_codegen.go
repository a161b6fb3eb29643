// The journey with the client of oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	api "example.com/try/leadpipeline"
	"github.com/oapi-codegen/nullable"
	"github.com/oapi-codegen/runtime/types"
)

var (
	ctx    = context.Background()
	client *api.ClientWithResponses
)

func main() {
	client = connect()
	company := "Analytical Engines"
	ada := newLead("Ada", tag+"@example.com")
	ada.Company = nullable.NewNullableWithValue(company)
	created := must(client.CreateLeadWithResponse(ctx, nil, ada)).JSON201.Data
	again := must(client.CreateLeadWithResponse(ctx, nil, ada))
	duplicate := failure(again.StatusCode(), *again.JSON422)
	duplicate["existing_id"] = *again.JSON422.ExistingId

	batch := createBatch()
	walked := walk()
	chosen := choose()

	status, ifMatch := api.LeadStatusContacted, `"1"`
	change := api.UpdateLead{Status: &status, Company: nullable.NewNullNullable[string]()}
	params := api.UpdateLeadParams{IfMatch: &ifMatch}
	updated := must(client.UpdateLeadWithResponse(ctx, created.Id, &params, change)).JSON200.Data
	stale := must(client.UpdateLeadWithResponse(ctx, created.Id, &params, change))

	event, rejectsForged := receive()
	print(object{
		"created":       object{"id": created.Id, "version": created.Version, "status": created.Status},
		"duplicate":     duplicate,
		"batch":         batch,
		"walked":        walked,
		"chosen":        chosen,
		"updated":       object{"status": updated.Status, "company": updated.Company, "version": updated.Version},
		"stale":         failure(stale.StatusCode(), *stale.JSON412),
		"delivery":      object{"type": event.Type, "name": event.Data.Object.Name},
		"rejectsForged": rejectsForged,
	})
}

func connect() *api.ClientWithResponses {
	var token string
	authorize := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	client := must(api.NewClientWithResponses(os.Getenv("BASE_URL"), api.WithRequestEditorFn(authorize)))
	id, secret := os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET")
	credentials := api.TokenRequest{GrantType: api.ClientCredentials, ClientId: &id, ClientSecret: &secret}
	token = must(client.CreateTokenWithResponse(ctx, credentials)).JSON200.AccessToken
	return client
}

func newLead(name, email string) api.CreateLead {
	return api.CreateLead{Name: name, Email: types.Email(email), Tags: &[]string{tag}}
}

func createBatch() object {
	var items []api.CreateLead
	for _, name := range []string{"Blaise", "Carl", "Dorothy", "Emmy", "Felix"} {
		items = append(items, newLead(name, name+"."+tag+"@example.com"))
	}
	// The client itself rejects what is no email, so this lead has no name.
	items = append(items, newLead("", "nobody."+tag+"@example.com"))
	created, failed := []string{}, []string{}
	body := api.BatchCreateLeads{Items: items}
	for _, item := range must(client.BatchCreateLeadsWithResponse(ctx, nil, body)).JSON200.Data {
		if item.Lead != nil {
			created = append(created, item.Lead.Name)
		}
		if item.Code != nil {
			failed = append(failed, *item.Code)
		}
	}
	return object{"created": created, "failed": failed}
}

func walk() []string {
	names, perPage := []string{}, int32(2)
	params := api.ListLeadsParams{Tag: &[]string{tag}, PerPage: &perPage}
	for {
		page := must(client.ListLeadsWithResponse(ctx, &params)).JSON200
		for _, lead := range page.Data {
			names = append(names, lead.Name)
		}
		if page.Meta.NextCursor.IsNull() {
			return names
		}
		cursor := page.Meta.NextCursor.MustGet()
		params.Cursor = &cursor
	}
}

func choose() int32 {
	dryRun := true
	change := api.BulkJobChange{Update: &object{"add_tags": []string{"seen"}}}
	filter := api.LeadFilter{Tag: &[]string{tag}, Status: &[]api.LeadStatus{api.LeadStatusNew}}
	var job api.CreateBulkJob
	check(job.FromCreateLeadBulkJob(api.CreateLeadBulkJob{Filter: filter, Action: change, DryRun: &dryRun}))
	return must(client.CreateBulkJobWithResponse(ctx, nil, job)).JSON202.Data.RowsTotal
}

func receive() (api.LeadCreatedEvent, bool) {
	body, rejectsForged := verify()
	var event api.ApiEvent
	check(json.Unmarshal(body, &event))
	return must(event.ValueByDiscriminator()).(api.LeadCreatedEvent), rejectsForged
}

func failure(status int, problem api.ApiError) object {
	return object{"status": status, "code": problem.Code}
}
