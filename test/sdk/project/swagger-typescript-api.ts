import { Api, type ApiError, type HttpResponse } from './clients/swagger-typescript-api/api.js';
import { type Journey, job, mapping, people, type Start } from './journey.js';

export async function journey({ baseUrl, clientId, clientSecret, tag }: Start): Promise<Journey> {
  const api = new Api<string>({
    baseUrl,
    securityWorker: (token) =>
      token === null ? undefined : { headers: { Authorization: `Bearer ${token}` } },
  });
  const token = await api.auth.createToken({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  api.setSecurityData(token.data.access_token);

  const lead = { name: 'Ada Lovelace', email: `${tag}@example.com` };
  const created = (await api.leads.createLead({ ...lead, metadata: { plan: 'pro' } })).data.data;
  const again = await api.leads.createLead(lead);
  for (const person of people(tag)) await api.leads.createLead(person);

  const filters = { status: ['new' as const, 'won' as const], source: ['referral' as const], tag: [tag] };
  const filtered = (await api.leads.listLeads({ ...filters, sort: 'name' })).data;

  const walked: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await api.leads.listLeads({ tag: [tag], per_page: 2, ...(cursor && { cursor }) });
    walked.push(...page.data.data.map(({ name }) => name));
    cursor = page.data.meta.next_cursor;
  } while (cursor !== null);

  const ifUnchanged = { headers: { 'If-Match': '"1"' } };
  const updated = await api.leads.updateLead(created.id, { status: 'contacted' }, ifUnchanged);
  const stale = await api.leads.updateLead(created.id, { status: 'won' }, ifUnchanged);
  const missing = await api.leads.getLead('lead_00000000000000000000000000');
  const hook = await api.inboundHooks.createInboundHook({ name: 'Website', mapping });
  const chosen = await api.bulkJobs.createBulkJob(job(tag));

  return {
    created,
    duplicate: {
      ...failure(again),
      existingId: again.error.existing_id,
      messages: again.error.errors?.email,
    },
    filtered: { names: filtered.data.map(({ name }) => name), total: filtered.meta.total },
    walked,
    chosen: chosen.data.data.rows_total,
    updated: updated.data.data,
    stale: failure(stale),
    missing: failure(missing),
    hook: hook.data.data,
  };
}

function failure({ status, error }: HttpResponse<unknown, ApiError>) {
  const code: string = error.code;
  return { status, code };
}
