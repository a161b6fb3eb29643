import { createClient } from './clients/hey-api/client/index.js';
import {
  type ApiError,
  createBulkJob,
  createInboundHook,
  createLead,
  createToken,
  getLead,
  listLeads,
  updateLead,
} from './clients/hey-api/index.js';
import { type Journey, job, mapping, people, present, type Start } from './journey.js';

export async function journey({ baseUrl, clientId, clientSecret, tag }: Start): Promise<Journey> {
  const anonymous = createClient({ baseUrl });
  const token = await createToken({
    client: anonymous,
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
  });
  const client = createClient({ baseUrl, auth: present(token.data).access_token });

  const lead = { name: 'Ada Lovelace', email: `${tag}@example.com` };
  const created = present((await createLead({ client, body: { ...lead, metadata: { plan: 'pro' } } })).data);
  const again = await createLead({ client, body: lead });
  for (const body of people(tag)) await createLead({ client, body });

  const query = { status: ['new' as const, 'won' as const], source: ['referral' as const], tag: [tag] };
  const filtered = present((await listLeads({ client, query: { ...query, sort: 'name' } })).data);

  const walked: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = { tag: [tag], per_page: 2, ...(cursor && { cursor }) };
    const { data, meta } = present((await listLeads({ client, query: page })).data);
    walked.push(...data.map(({ name }) => name));
    cursor = meta.next_cursor;
  } while (cursor !== null);

  const path = { id: created.data.id };
  const headers = { 'If-Match': '"1"' };
  const updated = present((await updateLead({ client, path, headers, body: { status: 'contacted' } })).data);
  const stale = await updateLead({ client, path, headers, body: { status: 'won' } });
  const missing = await getLead({ client, path: { id: 'lead_00000000000000000000000000' } });
  const hook = present((await createInboundHook({ client, body: { name: 'Website', mapping } })).data);
  const chosen = present((await createBulkJob({ client, body: job(tag) })).data);

  return {
    created: created.data,
    duplicate: {
      ...failure(again),
      existingId: again.error?.existing_id,
      messages: again.error?.errors?.email,
    },
    filtered: { names: filtered.data.map(({ name }) => name), total: filtered.meta.total },
    walked,
    chosen: chosen.data.rows_total,
    updated: updated.data,
    stale: failure(stale),
    missing: failure(missing),
    hook: hook.data,
  };
}

function failure({ error, response }: { error?: ApiError | undefined; response?: Response | undefined }) {
  const code: string = present(error).code;
  return { status: present(response).status, code };
}
