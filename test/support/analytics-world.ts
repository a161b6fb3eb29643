/** Leads with histories, around the days on which calendars are difficult. */
import type { Knex } from 'knex';
import type { components } from '../../generated/api.ts';
import { toUuid } from '../../src/values/id.ts';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';
import { insertLeads } from './lists.ts';
import { content, make, users } from './resources.ts';

export type Lead = components['schemas']['Lead'];
export type Cycle = components['schemas']['SalesCycle'];
export type Status = Lead['status'];

/** A lead as the API lists it, with the statuses that it entered. */
export interface CountableFilter extends Lead {
  path: { status: Status; at: number }[];
}

export interface World {
  client: TestClient;
  facts: CountableFilter[];
  cycles: Cycle[];
  userIds: string[];
  contentIds: string[];
}

export const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export const sources = ['api', 'website', 'referral', 'manual'] as const;

const QUARTER = 15 * 60_000;

/** The leads are created around these days: clock changes in both directions, and a day that Apia skipped. */
const AROUND = ['2026-03-29', '2026-10-25', '2026-11-01', '2011-12-30'].map((day) => Date.parse(day));

/** Pseudo-random numbers, the same ones each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Leads created and changed around quarters of an hour, when a day begins in some timezone. */
export async function makeWorld(app: TestApp, count: number, seed = 1): Promise<World> {
  const client = await app.client();
  const userIds: string[] = [];
  const contentIds: string[] = [];
  for (let number = 0; number < 3; number += 1) {
    userIds.push((await make(client, users, { name: `User ${number}` })).id);
    contentIds.push((await make(client, content, { title: `Content ${number}` })).id);
  }
  const roll = dice(seed);
  const chosen = Array.from({ length: count }, () => {
    const created = (AROUND[roll(AROUND.length)] ?? 0) + (roll(480) - 240) * QUARTER + roll(3) - 1;
    return { created, path: randomPath(roll, created) };
  });
  const db = app.production.knex;
  const ids = await insertLeads(
    db,
    chosen.map(({ created, path }, number) => ({
      name: `Lead ${number}`,
      created_at: new Date(created).toISOString(),
      status: path[0]?.status,
      status_changed_at: new Date(path[0]?.at ?? created).toISOString(),
      source: sources[roll(4)],
      assigned_user_id: toUuid('user', userIds[roll(4)] ?? '') ?? null,
      content_id: toUuid('content', contentIds[roll(4)] ?? '') ?? null,
      tags: ['vip', 'eu', 'old'].filter(() => roll(2) === 0),
      ...(number % 4 > 0 && {
        value_amount: `${number * 7}.${10 + (number % 90)}`,
        value_currency: number % 3 === 0 ? 'USD' : 'EUR',
      }),
      expected_close_on: number % 5 > 0 ? expectedDay(number) : null,
    })),
  );
  await insertPaths(
    db,
    ids,
    chosen.map(({ path }) => path),
  );
  return { client, ...(await readWorld(app, client)), userIds, contentIds };
}

/** The leads as the API lists them now, with their statuses. */
async function readFacts(app: TestApp, client: TestClient): Promise<CountableFilter[]> {
  const changes = await app.production.knex('lead_status_changes').orderBy('changed_at');
  const byLead = Map.groupBy(changes, ({ lead_id }) => lead_id);
  return (await listAll(client)).map((lead) => {
    const own = byLead.get(toUuid('lead', lead.id) ?? '') ?? [];
    return {
      ...lead,
      path: own.map(({ to_status, changed_at }) => ({ status: to_status, at: Date.parse(changed_at) })),
    };
  });
}

/** The leads and the sales cycles as the API lists them now. */
export async function readWorld(app: TestApp, client: TestClient): Promise<Pick<World, 'facts' | 'cycles'>> {
  return {
    facts: await readFacts(app, client),
    cycles: await listAll<Cycle>(client, '/sales-cycles?per_page=100'),
  };
}

/** A day within a year of now, so that some months are overdue and others are not. */
function expectedDay(number: number): string {
  return new Date(Date.now() + (((number * 37) % 730) - 365) * 86_400_000).toISOString().slice(0, 10);
}

function randomPath(roll: (sides: number) => number, created: number): CountableFilter['path'] {
  const path = [{ status: statuses[roll(3) === 0 ? roll(5) : 0] as Status, at: created }];
  while (roll(3) > 0) {
    const last = path.at(-1) ?? { status: 'new', at: created };
    const status = statuses[roll(5)] as Status;
    if (status !== last.status) path.push({ status, at: last.at + roll(200) * QUARTER + roll(3_000) });
  }
  return path;
}

/** Moves the leads along their paths as external SQL may: all of them together, one step at a time. */
async function insertPaths(
  db: Knex,
  ids: readonly string[],
  paths: readonly CountableFilter['path'][],
): Promise<void> {
  const longest = Math.max(...paths.map(({ length }) => length));
  for (let step = 0; step < longest; step += 1) {
    const changes = paths.flatMap((path, number) => {
      const entry = path[step];
      const from_status = path[step - 1]?.status ?? null;
      return entry === undefined
        ? []
        : [{ lead_id: ids[number], from_status, to_status: entry.status, changed_at: new Date(entry.at) }];
    });
    await db.raw(
      `with change as (
        insert into lead_status_changes (lead_id, from_status, to_status, changed_at, sales_cycle_id, actor_type, request_id)
        select lead_id, from_status, to_status, changed_at, leads.sales_cycle_id, 'system', 'test-request'
        from json_populate_recordset(null::lead_status_changes, ?) as change join leads on leads.id = change.lead_id
        returning *
      )
      update leads set status = to_status, status_changed_at = changed_at
      from change where leads.id = lead_id and from_status is not null`,
      [JSON.stringify(changes)],
    );
  }
}

/** All pages of a list. */
export async function listAll<Row = Lead>(client: TestClient, path = '/leads?per_page=100'): Promise<Row[]> {
  const { body } = await client.get(path).expect(200);
  const { next_cursor } = body.meta;
  const page = new URLSearchParams(path.slice(path.indexOf('?')));
  page.set('cursor', next_cursor);
  const rest = next_cursor === null ? [] : await listAll<Row>(client, `${path.split('?')[0]}?${page}`);
  return [...body.data, ...rest];
}
