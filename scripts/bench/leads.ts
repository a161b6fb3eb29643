/** The leads of the bench, and the requests that it measures. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { toId } from '../../src/values/id.ts';
import { type ApiRequest, send, type Target } from './load.ts';

/** One line of the table. */
export interface Measure {
  name: string;
  /** Whether the yardstick answers it, too. */
  hasYardstick: boolean;
  /** Builds request number `turn`. */
  next(target: Measured, turn: number): ApiRequest;
}

/** A server, and what requests to it need. */
export interface Measured extends Target {
  /** Public ids of a thousand leads. */
  ids: readonly string[];
  /** Where the list continues after its 50th page, and the event log after its first events. */
  cursors: { leads: string; events: string };
}

export function newLead(): ApiRequest {
  return {
    method: 'POST',
    path: '/leads',
    body: {
      name: 'Ada Lovelace',
      email: `${randomUUID()}@example.com`,
      phone: '+4915112345678',
      company: 'Analytical Engines',
      source: 'website',
      tags: ['vip', 'newsletter'],
    },
  };
}

const get = (
  name: string,
  path: (target: Measured, turn: number) => string,
  hasYardstick = false,
): Measure => ({
  name,
  hasYardstick,
  next: (target, turn) => ({ method: 'GET', path: path(target, turn) }),
});
const lead = ({ ids }: Measured, turn: number) => `/leads/${ids[turn % ids.length]}`;

export const measures: readonly Measure[] = [
  get('read', lead, true),
  get('list', () => '/leads', true),
  get('list_1', () => '/leads?per_page=1', true),
  get('list_100', () => '/leads?per_page=100', true),
  get('list_status', () => '/leads?status=new', true),
  { name: 'create', hasYardstick: true, next: newLead },
  get('page_far', () => '/leads?page=2500'),
  get('cursor', ({ cursors }) => `/leads?cursor=${cursors.leads}`),
  // This search has two hundred hits.
  get('search', () => '/leads?search=company+777'),
  get('events', ({ cursors }) => `/events?cursor=${cursors.events}`),
  {
    name: 'patch',
    hasYardstick: false,
    next: (target, turn) => ({
      method: 'PATCH',
      path: lead(target, turn),
      body: { company: `Difference Engines ${randomUUID()}` },
    }),
  },
];

/** Adds leads half a minute apart with one insert: a hundred thousand are five weeks of work. */
export async function seed(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into leads (id, created_at, updated_at, name, email, phone, company, tags, status, source)
      select gen_random_uuid(), at, at, 'Person ' || i, 'person' || i || '@example.com', '+4915112345678',
        'Company ' || i % 1000, array['vip', 'newsletter'],
        (array['new', 'contacted', 'qualified', 'won', 'lost'])[1 + i % 5],
        (array['api', 'website', 'referral', 'manual'])[1 + i % 4]
      from generate_series(1, $1::int) i, lateral (select now() - i * interval '30 seconds') created(at)`,
    [count],
  );
  await client.query('vacuum analyze leads');
  await client.end();
}

/** What requests to the service need. `databaseUrl` is its database. */
export async function measured(target: Target, databaseUrl: string): Promise<Measured> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select id from leads order by id limit 1000');
  await client.end();
  const cursor = async (path: string) => {
    const { meta } = (await send(target, { method: 'GET', path })) as { meta: { next_cursor: string } };
    return meta.next_cursor;
  };
  const cursors = { leads: await cursor('/leads?page=50'), events: await cursor('/events?per_page=10') };
  return { ...target, ids: rows.map(({ id }) => toId('lead', id)), cursors };
}
