/** What a database that has leads already gets to know of their first times. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase } from '../support/database.ts';
import { insertLeads } from '../support/lists.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let knex: Knex;

beforeAll(async () => {
  database = await createEmptyDatabase();
  knex = database.knex;
});

afterAll(() => database.drop());

const day = (number: number) => new Date(Date.UTC(2026, 1, number)).toISOString();

const paths = {
  won: ['new', 'contacted', 'new', 'qualified', 'won'],
  lost: ['lost'],
  back: ['lost', 'new', 'lost'],
  new: ['new'],
};

it('fills first times and seconds from the history, and events with the first times of then', async () => {
  while ((await knex.migrate.currentVersion()) !== '20261121000700') await knex.migrate.up();
  const leads: Record<string, string> = {};
  for (const [path, statuses] of Object.entries(paths)) {
    const status = statuses.at(-1) as 'won';
    const last = day(statuses.length);
    const [id = ''] = await insertLeads(knex, [{ status, created_at: day(1), status_changed_at: last }]);
    leads[path] = id;
    for (const [step, to_status] of statuses.entries()) {
      const from_status = statuses[step - 1] ?? null;
      const entry = { lead_id: id, from_status, to_status, changed_at: day(step + 1), request_id: 'r' };
      await knex('lead_status_changes').insert(entry as never);
      await knex.raw(
        `insert into events (type, occurred_at, request_id, actor_type, resource_id, object)
          values ('lead.updated', ?, 'r', 'system', ?, ?)`,
        [day(step + 1), id, JSON.stringify({ id, status: to_status })],
      );
    }
  }
  // Of a lead that SQL from elsewhere inserted, there is no history.
  const [alone] = await insertLeads(knex, [{ status: 'qualified', status_changed_at: day(3) }]);
  await knex.migrate.up();
  const rows = await knex('leads').select(
    'id',
    'new_at',
    'contacted_at',
    'qualified_at',
    'won_at',
    'lost_at',
  );
  const timesOf = (id = '') => rows.find((row) => row.id === id);
  const none = { new_at: null, contacted_at: null, qualified_at: null, won_at: null, lost_at: null };
  expect(timesOf(leads.won)).toMatchObject({
    ...none,
    ...{ new_at: day(1), contacted_at: day(2), qualified_at: day(4), won_at: day(5) },
  });
  expect(timesOf(leads.lost)).toMatchObject({ ...none, lost_at: day(1) });
  expect(timesOf(leads.back)).toMatchObject({ ...none, new_at: day(2), lost_at: day(1) });
  expect(timesOf(leads.new)).toMatchObject({ ...none, new_at: day(1) });
  expect(timesOf(alone)).toMatchObject({
    ...none,
    new_at: day(3),
    contacted_at: day(3),
    qualified_at: day(3),
  });
  const { rows: changes } = await knex.raw(
    'select seconds from lead_status_changes where lead_id = ? order by changed_at',
    [leads.won ?? ''],
  );
  expect(changes.map(({ seconds }: { seconds: number }) => seconds)).toEqual([
    null,
    86400,
    86400,
    86400,
    86400,
  ]);
  const { rows: events } = await knex.raw(
    'select object from events where resource_id = ? order by position',
    [leads.won ?? ''],
  );
  const [second, last] = [day(2), day(5)];
  expect(events[0].object).toEqual({
    ...{ id: leads.won, status: 'new', first_contacted_at: null },
    ...{ first_qualified_at: null, first_won_at: null, first_lost_at: null },
  });
  expect(events[2].object).toMatchObject({ first_contacted_at: second, first_qualified_at: null });
  expect(events[4].object).toMatchObject({ first_contacted_at: second, first_won_at: last });
});
