/** Whatever a write accepts, a read, the list and the log of events give back. */
import { domainToASCII } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutUnusable } from '../../src/inbound-hooks/receiving/body/plain-values.ts';
import { readPhone } from '../../src/spellings/phone.ts';
import { startOf } from '../../src/values/instant-or-date.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { endpoints, readDocument, type Schema } from '../support/document.ts';
import { latest } from '../support/events.ts';
import { inboundHooks, makeHook, send } from '../support/hooks.ts';
import { fieldsOf, valuesOf } from '../support/hostile.ts';
import { asRead, contacts, content, leads, type TestResource, users } from '../support/resources.ts';
import { webhooks } from '../support/webhooks.ts';

const RUNS = 150;
/** Of which so many are read together. */
const AT_ONCE = 10;
const SEED = 20261121;

const operations = endpoints(readDocument());
const resources = [leads, contacts, content, users, { ...webhooks, shownOnce: 'secret' }, inboundHooks];

type Fields = Record<string, unknown>;
type Field = [name: string, value: unknown];

let app: TestApp;
let client: TestClient;
/** Where the last read of the log ended. */
let cursor: string;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, allowPrivateTargets: false });
  client = await app.client();
  cursor = await latest(client);
});

afterAll(() => app.close());

function bodyOf(method: string, path: string): Schema {
  const found = operations.find((operation) => operation.method === method && operation.path === path);
  return Object.values(found?.bodies ?? {})[0]?.schema ?? {};
}

/** What the field shows after the value was written over `before`. */
function shown(name: string, value: unknown, before: unknown): unknown {
  if (/(^|_)tags$|^event_types$|^exclude_actor_ids$/.test(name))
    return [...new Set((value ?? []) as string[])];
  if (name === 'other_emails') {
    const emails = ((value ?? []) as string[]).map((email) => String(shown('email', email, undefined)));
    return [
      ...new Map(emails.toReversed().map((email) => [email.toLowerCase(), email])).values(),
    ].toReversed();
  }
  if (name === 'metadata' || name === 'mapping') {
    const merged = value === null ? [] : Object.entries({ ...(before as object), ...(value as object) });
    return Object.fromEntries(merged.filter(([, member]) => member !== null));
  }
  if (name === 'value' && value !== null) {
    // Of the currencies that the test makes up, only EUR is one.
    const { amount, currency } = { ...(before as Fields | null), ...(value as Fields) };
    const [whole, decimals = ''] = String(amount).split('.');
    return { amount: `${whole}.${decimals.padEnd(2, '0')}`, currency };
  }
  if (name === 'verification') {
    const given = (value ?? { type: 'none' }) as Fields;
    const kept =
      given.type === undefined || given.type === (before as Fields)?.type ? (before as Fields) : {};
    const { type, header, encoding, prefix, signed, tolerance, ...others } = { ...kept, ...given };
    const isHmac = type === 'hmac_sha256';
    return {
      type,
      header: header ?? null,
      encoding: isHmac ? (encoding ?? 'hex') : null,
      prefix: prefix || null,
      signed: isHmac ? (signed ?? '{body}') : null,
      timestamp_header: others.timestamp_header ?? null,
      tolerance: isHmac && String(signed).includes('{timestamp}') ? (tolerance ?? 300) : null,
      path: others.path ?? null,
    };
  }
  if (name === 'redirect_url' && typeof value === 'string') return new URL(value).href;
  if (name === 'allowed_origins')
    return [...new Set(((value ?? []) as string[]).map((origin) => new URL(origin).origin))];
  if (name === 'next_step_at' && value !== null) return new Date(startOf(String(value))).toISOString();
  // Digits of other scripts are digits, too.
  if (name === 'phone' && typeof value === 'string') return readPhone(value).value;
  if (name === 'email' && typeof value === 'string') {
    const [local, domain = ''] = value.split('@');
    return `${local}@${/^[\x21-\x7e]*$/.test(domain) ? domain : domainToASCII(domain)}`;
  }
  return name === 'changed' && value ? [...new Set(value as string[])] : value;
}

/** What else a verification shows belongs to tests of its own. */
function expectShown(shownData: Fields, name: string, expected: unknown): void {
  const isPartial = name === 'verification';
  const given = shownData[name] as Fields;
  const keys = Object.keys((isPartial ? expected : {}) as Fields);
  const data = isPartial ? { [name]: Object.fromEntries(keys.map((key) => [key, given[key]])) } : shownData;
  // The matcher takes seconds to say that two texts of 200,000 characters are the same.
  if (!isDeepStrictEqual(data[name], expected)) expect({ [name]: data[name] }).toEqual({ [name]: expected });
}

/** The fields that a read shows: neither those that only say how to change `tags`, nor the headers of a webhook. */
function readable({ properties = {}, ...schema }: Schema): Schema {
  const { add_tags: _added, remove_tags: _removed, headers: _headers, ...others } = properties;
  return { ...schema, properties: others };
}

/** A field of a resource, as it is to be shown. */
type Stored = [id: string, name: string, expected: unknown];

/** Reads the resources in each way, and looks for the fields. */
async function readBack({ path }: TestResource, stored: readonly Stored[]): Promise<void> {
  const list = await client.get(`${path}?per_page=100&sort=-updated_at`).expect(200);
  const log = await client.get(`/events?cursor=${cursor}&per_page=500`).expect(200);
  cursor = log.body.meta.next_cursor;
  for (const [id, name, expected] of stored) {
    const one = await client.get(`${path}/${id}`).expect(200);
    expectShown(one.body.data, name, expected);
    const listed = list.body.data.find((item: Fields) => item.id === id);
    const told = log.body.data.findLast(({ data }: { data: { object: Fields } }) => data.object.id === id);
    // Webhooks and inbound hooks have no events; lists and events of content leave its body out.
    for (const data of [listed, ...(told === undefined ? [] : [told.data.object])]) {
      if (name !== 'body' || name in data) expectShown(data, name, expected);
    }
  }
}

describe.each(resources)('$path', (resource: TestResource) => {
  const { path } = resource;
  const creation = readable(bodyOf('post', path));
  const patch = readable(bodyOf('patch', `${path}/{id}`));
  const told = (method: string, field: unknown) =>
    `${method} ${path} ${JSON.stringify(field).slice(0, 1_000)}`;

  /** With the field, or without it if its value is refused. */
  async function create(field: Field): Promise<{ data: Fields; stored: Stored[] }> {
    const [name, value] = field;
    const base = name === 'lost_reason' ? { ...resource.input(), status: 'lost' } : resource.input();
    const made = await client.post(path, { ...base, [name]: value });
    expect([201, 413, 422], told('POST', field)).toContain(made.status);
    const { body } = made.status === 201 ? made : await client.post(path, base).expect(201);
    const data = asRead(resource, body.data) as Fields;
    if (made.status !== 201) return { data, stored: [] };
    const expected = shown(name, value, undefined);
    expectShown(data, name, expected);
    return { data, stored: [[String(data.id), name, expected]] };
  }

  async function change(before: Fields, field: Field): Promise<Stored[]> {
    const [name, value] = field;
    const fields = { ...(name === 'lost_reason' && { status: 'lost' }), [name]: value };
    const changed = await client.patch(`${path}/${before.id}`, fields);
    expect([200, 413, 422], told('PATCH', field)).toContain(changed.status);
    if (changed.status !== 200) return [];
    const expected = shown(name, value, before[name]);
    expectShown(changed.body.data, name, expected);
    return [[String(before.id), name, expected]];
  }

  it('gives back every value that it accepts', async () => {
    const runs = fc.sample(fc.tuple(fieldsOf(creation), fieldsOf(patch)), { numRuns: RUNS, seed: SEED });
    const accepted = new Set<string>();
    for (let at = 0; at < RUNS; at += AT_ONCE) {
      const some = runs.slice(at, at + AT_ONCE);
      const made = await Promise.all(some.map(([first]) => create(first)));
      const created = made.flatMap(({ stored }) => stored);
      await readBack(resource, created);
      const changes = made.map(({ data }, index) => change(data, (some[index] as [Field, Field])[1]));
      const changed = (await Promise.all(changes)).flat();
      await readBack(resource, changed);
      for (const [, name] of [...created, ...changed]) accepted.add(name);
      await Promise.all(made.map(({ data }) => client.delete(`${path}/${data.id}`).expect(204)));
    }
    // The ids of others are made up, and so refused. So are mappings: the schema can't say that they need a name.
    const own = Object.keys({ ...creation.properties, ...patch.properties }).filter(
      (name) => name === 'external_id' || (name !== 'mapping' && !name.endsWith('_id')),
    );
    expect([...accepted]).toEqual(expect.arrayContaining(own));
  }, 120_000);
});

describe('/hooks/{token}', () => {
  it('stores every payload that it accepts, and makes a lead that can be read', async () => {
    const hook = await makeHook(client, {
      mapping: {
        name: '/name',
        email: '/email',
        phone: '/phone',
        company: '/company',
        external_id: '/external_id',
        tags: ['/tags'],
        'metadata.plan': '/metadata/plan',
      },
    });
    const lead = bodyOf('post', '/leads');
    const payloads = fc.tuple(fieldsOf(lead), fc.jsonValue(), valuesOf({}));
    const statuses = new Set<string>();
    await fc.assert(
      fc.asyncProperty(payloads, async ([[name, value], json, text]) => {
        const payload = { ...leads.input(), [name]: value, json, text, [String(text)]: 1 };
        const sent = await send(app, hook, payload);
        expect(sent.status, JSON.stringify(payload)).toBe(202);
        const preview = await client.post(`${hook.path}/preview`, { payload });
        expect(preview.status, JSON.stringify(preview.body)).toBe(200);
        statuses.add(sent.body.data.status);
        if (sent.body.data.status === 'duplicate') return;
        const deliveries = `${hook.path}/deliveries`;
        const { body } = await client.get(`${deliveries}/${sent.body.data.delivery_id}`).expect(200);
        const storable = withoutUnusable(JSON.parse(JSON.stringify(payload)));
        expect(JSON.stringify(body.data.payload)).toBe(JSON.stringify(storable));
        await client.get(`${deliveries}?per_page=5`).expect(200);
        if (body.data.lead_id !== null) await client.get(`/leads/${body.data.lead_id}`).expect(200);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    await client.get('/leads?per_page=100').expect(200);
    await client.get('/events?per_page=500').expect(200);
    expect([...statuses].sort()).toEqual(expect.arrayContaining(['created', 'rejected']));
  }, 120_000);
});

describe('operations that act', () => {
  it('answer every body with success or a 4xx', async () => {
    const sandbox = await app.client(undefined, 'sandbox');
    const lead = (await client.post('/leads', leads.input()).expect(201)).body.data;
    const webhook = (await client.post('/webhooks', webhooks.input()).expect(201)).body.data;
    const acts: [TestClient, string, string, Fields][] = [
      [client, '/leads/{id}/convert', lead.id, {}],
      [client, '/webhooks/{id}/replays', webhook.id, { from: '2026-11-20', to: '2026-11-20' }],
      [client, '/auth/revoke', '', { token: 'x', client_id: 'x', client_secret: 'x' }],
      [client, '/auth/token', '', { grant_type: 'client_credentials', client_id: 'x', client_secret: 'x' }],
      [sandbox, '/sandbox/seed', '', { leads: 1 }],
    ];
    for (const [as, path, id, base] of acts) {
      await fc.assert(
        fc.asyncProperty(fieldsOf(bodyOf('post', path)), async ([name, value]) => {
          const body = { ...base, [name]: name === 'leads' && Number(value) > 10 ? 10 : value };
          const { status } = await as.post(path.replace('{id}', id), body);
          expect(status, `${path} ${JSON.stringify(body)}`).toBeLessThan(500);
        }),
        { numRuns: 60, seed: SEED, endOnFailure: true },
      );
    }
  }, 120_000);
});
