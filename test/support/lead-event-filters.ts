/** Leads of every kind, and values of every filter of webhooks. */
import type { components } from '../../generated/api.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { createLead, createUser } from './factories.ts';
import { uuidOf } from './webhooks.ts';

type Schemas = components['schemas'];
type Filter = NonNullable<Schemas['LeadEventFilter']>;

/** When each lead was created and changed its status. */
const times = [
  '2020-01-01T00:00:00.000Z',
  '2021-06-29T23:59:59.999Z',
  '2021-06-30T00:00:00.000Z',
  '2021-06-30T12:00:00.500Z',
  '2021-06-30T12:00:01.000Z',
  '2021-06-30T23:59:59.999Z',
  '2021-07-01T00:00:00.000Z',
];

/** Bounds of ranges: a day, and instants within and beside those times. */
const moments = [
  '2021-06-30',
  '2021-06-30T12:00:00Z',
  '2021-06-30T12:00:00.5Z',
  '2021-06-30T12:00:00.5001Z',
  '2021-06-30 14:00:00.500+0200',
  '2021-06-30T23:59:59.9999Z',
];

const days = ['2027-01-01', '2027-01-15', '2027-01-16'];

interface World {
  user: string;
  content: string;
  contact: string;
}

export async function makeLeads(app: TestApp, client: TestClient): Promise<{ ids: string[] } & World> {
  const world = await makeOthers(client);
  const leads: Partial<Schemas['CreateLead']>[] = [
    {},
    { email: 'Ada@Example.com', other_emails: ['Second@example.com'], phone: '+4915112345678' },
    { email: 'ada@münchen.example', company: 'ÄÖÜ Straße' },
    { company: 'ACME GmbH', tags: ['vip'], source: 'website', source_detail: 'Trade show Berlin' },
    { company: 'acme gmbh', tags: ['vip', 'old'], source: 'referral', source_detail: 'trade show berlin' },
    { company: 'İstanbul ΣΑΣ', tags: ['Vip'], external_id: 'crm-4711' },
    { metadata: { plan: 'enterprise', 'a "key" \\ $.x': 'it\'s "quoted" \\ $y' } },
    { metadata: { plan: 'Enterprise', note: 'x'.repeat(500), more: 'y'.repeat(500), last: 'z'.repeat(200) } },
    { assigned_user_id: world.user, content_id: world.content, contact_id: world.contact },
    { value: { amount: '2000.00', currency: 'EUR' }, expected_close_on: '2027-01-15' },
    { value: { amount: '500.00', currency: 'EUR' }, expected_close_on: '2026-12-01' },
    { value: { amount: '9999999999999.99', currency: 'USD' }, expected_close_on: '2027-03-01' },
    { status: 'contacted', next_step_at: '2021-06-30T12:00:00.500Z' },
    { status: 'qualified', next_step_at: '2021-07-01T00:00:00.000Z' },
    { status: 'won' },
    { status: 'lost', lost_reason: 'Went to a COMPETITOR' },
    { status: 'lost' },
  ];
  const made: Schemas['Lead'][] = [];
  for (const fields of leads) made.push(await createLead(client, fields));
  for (const [index, at] of times.entries()) await setTimes(app, made[index]?.id ?? '', at);
  const moved = await createLead(client);
  for (const status of ['qualified', 'lost'])
    await client.patch(`/leads/${moved.id}`, { status }).expect(200);
  const reopened = await createLead(client, { status: 'lost' });
  await client.post(`/leads/${reopened.id}/reopen`).expect(200);
  await client.patch(`/leads/${reopened.id}`, { status: 'lost', lost_reason: 'price' }).expect(200);
  return { ids: [...made, moved, reopened].map(({ id }) => id), ...world };
}

async function makeOthers(client: TestClient): Promise<World> {
  const content = await client.post('/content', { title: 'A talk', type: 'article' }).expect(201);
  const contact = await client.post('/contacts', { name: 'Ada' }).expect(201);
  return { user: await createUser(client), content: content.body.data.id, contact: contact.body.data.id };
}

async function setTimes({ production }: TestApp, id: string, at: string): Promise<void> {
  await production
    .knex('leads')
    .where({ id: uuidOf(id) })
    .update({ created_at: at, status_changed_at: at });
}

/** Values for each filter. Not all of them match a lead. */
export function filtersFor({ ids, user, content, contact }: Awaited<ReturnType<typeof makeLeads>>): {
  [Name in keyof Filter]-?: NonNullable<Filter[Name]>[];
} {
  const unknown = (prefix: string) => `${prefix}_01m7w4n5e0e5w9fsgdq3y8x2s0`;
  return {
    status: [['new'], ['won', 'lost']],
    status_not: [['new'], ['won', 'lost'], ['new', 'contacted', 'qualified', 'won', 'lost']],
    source: [['website'], ['referral', 'api']],
    source_detail: ['Trade show Berlin', 'none'],
    tag: [['vip'], ['old', 'Vip'], ['none'], ['none', 'old']],
    tag_not: [['vip'], ['old', 'Vip'], ['none'], ['none', 'old']],
    metadata: [
      { plan: 'enterprise' },
      { 'a "key" \\ $.x': 'it\'s "quoted" \\ $y', plan: 'enterprise' },
      { last: 'z'.repeat(200) },
    ],
    assigned_user_id: [user, 'none', unknown('user')],
    content_id: [content, 'none', unknown('content')],
    contact_id: [contact, 'none', unknown('contact')],
    email: ['ADA@example.com', 'second@EXAMPLE.com', 'ADA@münchen.example', 'ada@xn--mnchen-3ya.example'],
    phone: ['+49 151 12345678', '+4915112345679'],
    company: ['Acme GMBH', 'äöü STRASSE', 'äöü straße', 'istanbul σας', 'i̇stanbul σασ', 'none'],
    external_id: ['crm-4711', 'CRM-4711'],
    ids: [ids.slice(3, 6), [unknown('lead')]],
    lost_reason: ['went to a competitor', 'none'],
    reached: ['new', 'contacted', 'qualified', 'won', 'lost'],
    currency: ['EUR', 'none'],
    value_from: ['500', '500.01', '2000.0'],
    value_to: ['500', '1999.99', '2000.0000'],
    expected_close_from: days,
    expected_close_to: days,
    expected_close_on: ['none'],
    next_step_from: moments,
    next_step_to: moments,
    next_step_at: ['none'],
    created_from: moments,
    created_to: moments,
    updated_from: ['2021-06-30', '2999-01-01'],
    updated_to: ['2021-06-30', '2999-01-01'],
    status_changed_from: moments,
    status_changed_to: moments,
  };
}

/** The filter as a list's query. */
export function toQuery(filter: object): URLSearchParams {
  const entries = Object.entries(filter).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return [[name, value.join()]];
    if (typeof value !== 'object' || value === null) return [[name, String(value)]];
    return Object.entries(value).map(([key, own]) => [`${name}[${key}]`, String(own)]);
  });
  return new URLSearchParams(entries);
}
