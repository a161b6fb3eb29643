import createClient from 'openapi-fetch';
import type { components, paths } from './clients/openapi-typescript/api.js';
import { type Journey, job, mapping, people, present, type Start } from './journey.js';

type ApiError = components['schemas']['ApiError'];

export async function journey({ baseUrl, clientId, clientSecret, tag }: Start): Promise<Journey> {
  const client = createClient<paths>({ baseUrl });
  const token = await client.POST('/auth/token', {
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
  });
  const authorization = `Bearer ${present(token.data).access_token}`;
  client.use({
    onRequest({ request }) {
      request.headers.set('Authorization', authorization);
    },
  });

  const lead = { name: 'Ada Lovelace', email: `${tag}@example.com` };
  const creation = await client.POST('/leads', { body: { ...lead, metadata: { plan: 'pro' } } });
  const created = present(creation.data).data;
  const again = await client.POST('/leads', { body: lead });
  for (const body of people(tag)) await client.POST('/leads', { body });

  const filters = { status: ['new' as const, 'won' as const], source: ['referral' as const], tag: [tag] };
  const list = await client.GET('/leads', { params: { query: { ...filters, sort: 'name' } } });
  const filtered = present(list.data);

  const walked: string[] = [];
  let cursor: string | null | undefined;
  do {
    const query = { tag: [tag], per_page: 2, ...(cursor && { cursor }) };
    const page = await client.GET('/leads', { params: { query } });
    const { data, meta } = present(page.data);
    walked.push(...data.map(({ name }) => name));
    cursor = meta.next_cursor;
  } while (cursor !== null);

  const params = { path: { id: created.id }, header: { 'If-Match': '"1"' } };
  const update = await client.PATCH('/leads/{id}', { params, body: { status: 'contacted' } });
  const stale = await client.PATCH('/leads/{id}', { params, body: { status: 'won' } });
  const nobody = { path: { id: 'lead_00000000000000000000000000' } };
  const missing = await client.GET('/leads/{id}', { params: nobody });
  const hook = await client.POST('/inbound-hooks', { body: { name: 'Website', mapping } });
  const chosen = await client.POST('/bulk-jobs', { body: job(tag) });

  return {
    created,
    duplicate: {
      ...failure(again),
      existingId: again.error?.existing_id,
      messages: again.error?.errors?.email,
    },
    filtered: { names: filtered.data.map(({ name }) => name), total: filtered.meta.total },
    walked,
    chosen: present(chosen.data).data.rows_total,
    updated: present(update.data).data,
    stale: failure(stale),
    missing: failure(missing),
    hook: present(hook.data).data,
  };
}

function failure({ error, response }: { error?: ApiError; response: Response }) {
  const code: string = present(error).code;
  return { status: response.status, code };
}
