import {
  type ApiError,
  createBulkJob,
  createInboundHook,
  createLead,
  createToken,
  getLead,
  listLeads,
  updateLead,
} from './clients/orval/api.js';
import { type Journey, job, mapping, people, type Start } from './journey.js';

/** Orval writes the base URL into the client, so it is set during generation, not in `Start`. */
export async function journey({ clientId, clientSecret, tag }: Start): Promise<Journey> {
  const token = await createToken({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  if (token.status !== 200) throw new Error(token.data.message);
  const headers = { Authorization: `Bearer ${token.data.access_token}` };

  const lead = { name: 'Ada Lovelace', email: `${tag}@example.com` };
  const created = await createLead({ ...lead, metadata: { plan: 'pro' } }, { headers });
  if (created.status !== 201) throw new Error(created.data.message);
  const again = await createLead(lead, { headers });
  if (again.status !== 422) throw new Error(`The duplicate got ${again.status}.`);
  for (const person of people(tag)) await createLead(person, { headers });

  const filters = { status: ['new' as const, 'won' as const], source: ['referral' as const], tag: [tag] };
  const filtered = await listLeads({ ...filters, sort: 'name' }, { headers });
  if (filtered.status !== 200) throw new Error(filtered.data.message);

  const walked: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await listLeads({ tag: [tag], per_page: 2, ...(cursor && { cursor }) }, { headers });
    if (page.status !== 200) throw new Error(page.data.message);
    walked.push(...page.data.data.map(({ name }) => name));
    cursor = page.data.meta.next_cursor;
  } while (cursor !== null);

  const { id } = created.data.data;
  const ifUnchanged = { headers: { ...headers, 'If-Match': '"1"' } };
  const updated = await updateLead(id, { status: 'contacted' }, ifUnchanged);
  if (updated.status !== 200) throw new Error(updated.data.message);
  const stale = await updateLead(id, { status: 'won' }, ifUnchanged);
  if (stale.status !== 412) throw new Error(`The stale update got ${stale.status}.`);
  const missing = await getLead('lead_00000000000000000000000000', {}, { headers });
  if (missing.status !== 404) throw new Error(`The missing lead got ${missing.status}.`);
  const hook = await createInboundHook({ name: 'Website', mapping }, { headers });
  if (hook.status !== 201) throw new Error(hook.data.message);
  const chosen = await createBulkJob(job(tag), { headers });
  if (chosen.status !== 202) throw new Error(chosen.data.message);

  return {
    created: created.data.data,
    duplicate: {
      ...failure(again),
      existingId: again.data.existing_id,
      messages: again.data.errors?.email,
    },
    filtered: { names: filtered.data.data.map(({ name }) => name), total: filtered.data.meta.total },
    walked,
    chosen: chosen.data.data.rows_total,
    updated: updated.data.data,
    stale: failure(stale),
    missing: failure(missing),
    hook: hook.data.data,
  };
}

function failure({ status, data }: { status: number; data: ApiError }) {
  const code: string = data.code;
  return { status, code };
}
