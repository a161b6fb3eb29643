// The journey with the client of openapi-generator.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"

	api "example.com/try/leadpipeline"
	"golang.org/x/oauth2/clientcredentials"
)

var (
	ctx    = context.Background()
	client *api.APIClient
	leads  *api.LeadsAPIService
)

func main() {
	client = connect()
	leads = client.LeadsAPI
	ada := newLead("Ada", tag+"@example.com")
	ada.SetCompany("Analytical Engines")
	created := data(leads.CreateLead(ctx).CreateLead(ada).Execute())
	_, response, err := leads.CreateLead(ctx).CreateLead(ada).Execute()
	duplicate := failure(response, err)
	duplicate["existing_id"] = problem(err).ExistingId

	batch := createBatch()
	walked := walk()
	chosen := choose()

	change := api.NewUpdateLead()
	change.SetStatus(api.LEADSTATUS_CONTACTED)
	change.SetCompanyNil()
	update := leads.UpdateLead(ctx, created.Id).IfMatch(`"1"`).UpdateLead(*change)
	updated := data(update.Execute())
	_, response, err = update.Execute()
	stale := failure(response, err)

	body, rejectsForged := verify()
	var event api.ApiEvent
	check(json.Unmarshal(body, &event))
	print(object{
		"created":       object{"id": created.Id, "version": created.Version, "status": created.Status},
		"duplicate":     duplicate,
		"batch":         batch,
		"walked":        walked,
		"chosen":        chosen,
		"updated":       object{"status": updated.Status, "company": updated.Company, "version": updated.Version},
		"stale":         stale,
		"delivery":      object{"type": event.LeadCreatedEvent.Type, "name": event.LeadCreatedEvent.Data.Object.Name},
		"rejectsForged": rejectsForged,
	})
}

func connect() *api.APIClient {
	url := os.Getenv("BASE_URL")
	credentials := clientcredentials.Config{
		ClientID: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"), TokenURL: url + "/auth/token",
	}
	ctx = context.WithValue(ctx, api.ContextOAuth2, credentials.TokenSource(ctx))
	config := api.NewConfiguration()
	config.Servers = api.ServerConfigurations{{URL: url}}
	return api.NewAPIClient(config)
}

func newLead(name, email string) api.CreateLead {
	lead := api.NewCreateLead(name, email)
	lead.SetTags([]string{tag})
	lead.SetMetadata(map[string]any{"journey": tag})
	return *lead
}

func createBatch() object {
	var items []api.CreateLead
	for _, name := range []string{"Blaise", "Carl", "Dorothy", "Emmy", "Felix"} {
		items = append(items, newLead(name, name+"."+tag+"@example.com"))
	}
	items = append(items, newLead("Nobody", "nobody"))
	created, failed := []string{}, []string{}
	results, _, err := leads.BatchCreateLeads(ctx).BatchCreateLeads(*api.NewBatchCreateLeads(items)).Execute()
	check(err)
	for _, item := range results.Data {
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
	names := []string{}
	request := leads.ListLeads(ctx).Metadata(map[string]string{"journey": tag}).PerPage(2)
	for {
		page, _, err := request.Execute()
		check(err)
		for _, lead := range page.Data {
			names = append(names, lead.Name)
		}
		cursor, more := page.Meta.GetNextCursorOk()
		if !more || cursor == nil {
			return names
		}
		request = request.Cursor(*cursor)
	}
}

func choose() int32 {
	filter, change := api.NewLeadFilter(), api.NewBulkJobChange()
	filter.SetTag([]string{tag})
	filter.SetStatus([]api.LeadStatus{api.LEADSTATUS_NEW})
	change.SetUpdate(object{"add_tags": []string{"seen"}})
	job := api.NewCreateLeadBulkJob("leads", *filter, *change)
	job.SetDryRun(true)
	request := client.BulkJobsAPI.CreateBulkJob(ctx)
	answer, _, err := request.CreateBulkJob(api.CreateLeadBulkJobAsCreateBulkJob(job)).Execute()
	return must(answer, err).Data.RowsTotal
}

func data(answer *api.LeadResponse, _ *http.Response, err error) api.Lead {
	return must(answer, err).Data
}

func failure(response *http.Response, err error) object {
	return object{"status": response.StatusCode, "code": problem(err).Code}
}

func problem(err error) api.ApiError {
	var failed *api.GenericOpenAPIError
	if !errors.As(err, &failed) {
		panic(err)
	}
	return failed.Model().(api.ApiError)
}
