/** A filter of a bulk job finds what the list finds with the same parameters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createJob } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { endpoints, type Parameter, readDocument } from '../../support/document.ts';
import { createUser } from '../../support/factories.ts';
import { uuidOf } from '../../support/webhooks.ts';

type Resource = 'leads' | 'contacts';
type Filter = Record<string, unknown>;

const document = readDocument();
const NO_FILTERS = ['page', 'per_page', 'cursor', 'sort', 'fields', 'expand'];

/** The filters of the list, as the document has them. */
function filtersOf(resource: Resource): Parameter[] {
  const list = endpoints(document).find(({ at }) => at === `GET /${resource}`);
  return (list?.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' && !NO_FILTERS.includes(parameter.name),
  );
}

const all = (['leads', 'contacts'] as const).flatMap((resource) =>
  filtersOf(resource).map((parameter) => ({ resource, name: parameter.name, parameter })),
);

/** What a filter can't be sent without. */
const companions: Record<string, Filter> = {
  reached_from: { reached: 'qualified' },
  reached_to: { reached: 'qualified' },
  value_from: { currency: 'EUR' },
  value_to: { currency: 'EUR' },
};

let app: TestApp;
let client: TestClient;
/** Ids of the test's rows, where the document's example names no row of this service. */
const own: Record<Resource, Filter> = { leads: {}, contacts: {} };

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  const user = await createUser(client);
  const { body } = await client
    .post('/content', { title: 'A talk', type: 'article', url: 'https://example.com/talk' })
    .expect(201);
  const shared = {
    name: 'Ada Acme',
    email: 'ada@example.com',
    phone: '+4915112345678',
    company: 'Analytical Engines',
    tags: ['vip'],
    external_id: 'crm-4711',
    assigned_user_id: user,
    metadata: { plan: 'enterprise' },
    next_step_at: '2021-06-30T12:00:00.500Z',
  };
  const contacts = [
    await create('contacts', '2020-01-01', { name: 'Early', tags: ['old'] }),
    await create('contacts', '2021-06-30T12:00:00.500Z', shared),
    await create('contacts', '2022-01-01', { name: 'Late', metadata: { plan: 'free' } }),
  ];
  const lead = {
    ...shared,
    source: 'website',
    source_detail: 'Trade show Berlin',
    content_id: body.data.id,
    contact_id: contacts[1],
    value: { amount: '2000.00', currency: 'EUR' },
    expected_close_on: '2027-01-15',
  };
  const early = { value: { amount: '500.00', currency: 'EUR' }, expected_close_on: '2026-12-01' };
  const late = { value: { amount: '9000.00', currency: 'EUR' }, expected_close_on: '2027-03-01' };
  await create('leads', '2020-01-01', { name: 'Early', email: 'early@example.com', ...early }, 'qualified');
  const middle = await create('leads', '2021-06-30T12:00:00.500Z', lead, 'qualified');
  await create('leads', '2022-01-01', { name: 'Late', email: 'late@example.com', ...late }, 'qualified');
  await create('leads', '2022-01-01', { name: 'New', email: 'new@example.com' });
  const lost = {
    name: 'Lost',
    email: 'lost@example.com',
    status: 'lost',
    lost_reason: 'Went to a competitor',
  };
  await create('leads', '2022-01-01', lost);
  for (const filters of [own.leads, own.contacts]) filters.tag_not = ['vip'];
  Object.assign(own.leads, { ids: [middle], assigned_user_id: user, content_id: body.data.id });
  Object.assign(own.contacts, { ids: [contacts[1]], assigned_user_id: user });
});

afterAll(() => app.close());

/** Creates a row in the past, which then may enter a status. Returns its id. */
async function create(resource: Resource, at: string, fields: object, status?: string): Promise<string> {
  const { body } = await client.post(`/${resource}`, fields).expect(201);
  const { id } = body.data;
  if (status !== undefined) await client.patch(`/leads/${id}`, { status }).expect(200);
  const { knex } = app.production;
  const times = { created_at: at, updated_at: at, ...(resource === 'leads' && { status_changed_at: at }) };
  await knex(resource)
    .where({ id: uuidOf(id) })
    .update(times);
  await knex('lead_status_changes')
    .where({ lead_id: uuidOf(id) })
    .update({ changed_at: at });
  return id;
}

/** A value of the filter that some rows match. A range ends in the second in which a row was created. */
function sampleOf(resource: Resource, { name, schema, example }: Parameter): unknown {
  if (schema.format !== 'instant-or-date') return own[resource][name] ?? example;
  return name.endsWith('_to') ? '2021-06-30T12:00:00Z' : '2021-06-30';
}

/** The filter as people write it in a URL. */
function toQuery(filter: Filter): URLSearchParams {
  const entries = Object.entries(filter).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return [[name, value.join()]];
    if (typeof value !== 'object' || value === null) return [[name, String(value)]];
    return Object.entries(value).map(([key, own]) => [`${name}[${key}]`, String(own)]);
  });
  return new URLSearchParams(entries);
}

async function listed(resource: Resource, filter: Filter): Promise<string[]> {
  const { body } = await client.get(`/${resource}?${toQuery(filter)}`).expect(200);
  return body.data.map(({ id }: { id: string }) => uuidOf(id)).sort();
}

/** The rows that a job with this filter would change. */
async function chosen(resource: Resource, filter: Filter): Promise<string[]> {
  const action = { update: { company: null } };
  const { id } = await createJob(client, { resource, filter, action });
  const chunks = await app.production.knex('bulk_job_chunks').where({ job_id: uuidOf(id) });
  return chunks.flatMap(({ ids }) => ids).sort();
}

describe('a filter of a bulk job', () => {
  it('is every filter of the list, and nothing else', () => {
    for (const [resource, schema] of [
      ['leads', 'LeadFilter'],
      ['contacts', 'ContactFilter'],
    ] as const) {
      const names = Object.keys(document.components.schemas[schema]?.properties ?? {});
      expect(names).toEqual(filtersOf(resource).map(({ name }) => name));
    }
  });

  it.each(all)('chooses what the list shows: $name of $resource', async ({ resource, name, parameter }) => {
    const filter = { ...companions[name], [name]: sampleOf(resource, parameter) };
    const rows = await listed(resource, filter);
    expect(await chosen(resource, filter)).toEqual(rows);
    const { body } = await client.get(`/${resource}`).expect(200);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(body.meta.total);
  });

  it('is read like the query: other spellings of an address and a phone number', async () => {
    const filter = { email: 'ADA@example.com', phone: '0049 151 12345678' };
    const rows = await listed('leads', filter);
    expect(rows).toHaveLength(1);
    expect(await chosen('leads', filter)).toEqual(rows);
  });

  it('may have all filters at once', async () => {
    const filter = {
      status: ['qualified'],
      tag: ['vip', 'other'],
      metadata: { plan: 'enterprise' },
      search: 'ada',
    };
    expect(await chosen('leads', filter)).toEqual(await listed('leads', filter));
  });

  it.each(all)('is a 422 without a value: $name of $resource', async ({ resource, name, parameter }) => {
    const empty = { array: [[], [''], [null]], object: [{}, { plan: '' }, { plan: null }] };
    const kind = String(parameter.schema.type);
    for (const value of [null, ...(empty[kind as keyof typeof empty] ?? [''])]) {
      const { body } = await client
        .post('/bulk-jobs', {
          resource,
          filter: { ...companions[name], [name]: value },
          action: { delete: true },
        })
        .expect(422);
      expect(body.code).toBe('validation_failed');
      const [field, ...others] = Object.keys(body.errors);
      expect([field?.startsWith(`filter.${name}`), others]).toEqual([true, []]);
    }
  });

  it.each(all)('is a 422 as a text of a URL or of another type: $name of $resource', async (one) => {
    const { resource, name, parameter } = one;
    const value = sampleOf(resource, parameter);
    const wrong =
      typeof value === 'string' ? [20260630, [value]] : [toQuery({ [name]: value }).get(name) ?? 'a=b'];
    for (const given of wrong) {
      const { body } = await client
        .post('/bulk-jobs', {
          resource,
          filter: { ...companions[name], [name]: given },
          action: { delete: true },
        })
        .expect(422);
      expect(Object.keys(body.errors)).toEqual([`filter.${name}`]);
      expect(body.errors[`filter.${name}`][0]).toMatch(
        / must be (a list|an object|a string|true or false)\.$/,
      );
    }
  });
});
