import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../../generated/api.ts';
import { toId, toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createUser } from '../../support/factories.ts';
import { insertLeads, listLeads, walk } from '../../support/lists.ts';

type Lead = components['schemas']['Lead'];

const COUNT = 300;
const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
const sources = ['api', 'website', 'referral', 'manual'] as const;
const tags = ['vip', 'eu', 'trial', 'partner'];
const firstNames = ['Ada', 'Bob', 'José', 'Ünal'];
const currencies = ['EUR', 'USD'];
const companies = ['Acme', 'Adler', null];
const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + index, 12)).toISOString();

let app: TestApp;
let client: TestClient;
let leads: Lead[];
let user: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  user = await createUser(client);
  // Different strides, so that all combinations occur.
  await insertLeads(
    app.production.knex,
    Array.from({ length: COUNT }, (_, index) => ({
      name: `${firstNames[index % 4]} ${index}`,
      email: `lead${index}@example.com`,
      status: statuses[Math.floor(index / 3) % 5] ?? 'new',
      source: sources[Math.floor(index / 5) % 4] ?? 'api',
      company: companies[Math.floor(index / 7) % 3] ?? null,
      tags: tags.filter((_tag, bit) => (index >> bit) & 1),
      assigned_user_id: index % 3 === 0 ? (toUuid('user', user) ?? null) : null,
      created_at: day(index % 30),
      updated_at: day(30 + (index % 17)),
      ...(index % 11 < 8 && {
        value_amount: `${index % 23}.50`,
        value_currency: currencies[Math.floor(index / 2) % 2] ?? 'EUR',
      }),
      expected_close_on: index % 13 < 9 ? day(index % 19).slice(0, 10) : null,
    })),
  );
  leads = (await walk(client, { per_page: 100 })).flatMap((page) => page.leads);
});

afterAll(() => app.close());

/** What each parameter means, said once more in the plainest way. */
const meaning: Record<string, (lead: Lead, value: string) => boolean> = {
  status: (lead, value) => value.split(',').includes(lead.status),
  source: (lead, value) => value.split(',').includes(lead.source),
  tag: (lead, value) => value.split(',').some((tag) => lead.tags.includes(tag)),
  assigned_user_id: (lead, value) => lead.assigned_user_id === (value === 'none' ? null : value),
  created_from: (lead, value) => lead.created_at.slice(0, 10) >= value,
  created_to: (lead, value) => lead.created_at.slice(0, 10) <= value,
  updated_from: (lead, value) => lead.updated_at.slice(0, 10) >= value,
  updated_to: (lead, value) => lead.updated_at.slice(0, 10) <= value,
  currency: (lead, value) => (lead.value?.currency ?? 'none') === value,
  value_from: ({ value }, least) => value !== null && Number(value.amount) >= Number(least),
  value_to: ({ value }, most) => value !== null && Number(value.amount) <= Number(most),
  expected_close_from: (lead, value) => lead.expected_close_on !== null && lead.expected_close_on >= value,
  expected_close_to: (lead, value) => lead.expected_close_on !== null && lead.expected_close_on <= value,
  expected_close_on: (lead) => lead.expected_close_on === null,
  search: ({ name, company }, value) => {
    const words = `${name} ${company ?? ''}`
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .split(' ');
    return value.split(' ').every((asked) => words.some((word) => word.startsWith(asked)));
  },
};

const listOf = (values: readonly string[]) =>
  fc.subarray([...values], { minLength: 1 }).map((some) => some.join(','));
const date = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((index) => day(index).slice(0, 10));

const all = fc.record(
  {
    status: listOf(statuses),
    source: listOf(sources),
    tag: listOf(tags),
    assigned_user_id: fc.constantFrom('none', 'user', 'other'),
    created_from: date(0, 15),
    created_to: date(15, 31),
    updated_from: date(30, 38),
    updated_to: date(38, 48),
    currency: fc.constantFrom('none', ...currencies),
    value_from: fc.integer({ min: 0, max: 11 }).map(String),
    value_to: fc.integer({ min: 11, max: 23 }).map(String),
    expected_close_from: date(0, 9),
    expected_close_to: date(9, 19),
    expected_close_on: fc.constant('none'),
    search: fc.constantFrom('ada', 'jose', 'a', 'unal 1', 'adler', 'acme bob', '7'),
  },
  { requiredKeys: [] },
);
/** At most five: hardly a lead would match more. */
const filters = fc.tuple(all, fc.nat()).map(([record, nat]) => {
  const entries = Object.entries(record);
  const first = nat % Math.max(1, entries.length);
  return Object.fromEntries(
    [...entries.slice(first), ...entries.slice(0, first)].slice(0, 5),
  ) as typeof record;
});

describe('GET /leads with any combination of filters', () => {
  it('counts and shows exactly the leads that meet all of them', async () => {
    expect(leads).toHaveLength(COUNT);
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(filters, async ({ assigned_user_id, ...rest }) => {
        const assignees = { none: 'none', user, other: toId('user', crypto.randomUUID()) };
        const assignee = assignees[assigned_user_id ?? 'none'];
        const query: Record<string, string> = {
          ...(Object.fromEntries(Object.entries(rest)) as Record<string, string>),
          ...(assigned_user_id !== undefined && { assigned_user_id: assignee }),
        };
        if ((query.value_from ?? query.value_to) !== undefined && (query.currency ?? 'none') === 'none') {
          query.currency = 'EUR';
        }
        const wanted = leads.filter((lead) =>
          Object.entries(query).every(([name, value]) => meaning[name]?.(lead, value)),
        );
        const page = await listLeads(client, { ...query, per_page: 7 });
        expect(page.meta).toMatchObject({
          total: wanted.length,
          last_page: Math.max(1, Math.ceil(wanted.length / 7)),
        });
        expect(page.leads).toEqual(wanted.slice(0, 7));
        const last = await listLeads(client, { ...query, per_page: 7, page: page.meta.last_page });
        expect(last.leads).toEqual(wanted.slice((page.meta.last_page - 1) * 7));
        if (wanted.length > 0) hits += 1;
      }),
      { numRuns: 100 },
    );
    expect(hits).toBeGreaterThan(30);
  });
});
