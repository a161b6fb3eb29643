import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyCounters } from '../../../src/cli/verify-counters.ts';
import { foldLeadCounters, rebuildLeadCounters } from '../../../src/leads/counter-queries.ts';
import { csv, importFile } from '../../support/imports.ts';
import { ago, dayOf, type Past, past, startPast } from '../../support/past.ts';

let world: Past;

beforeAll(async () => {
  world = await startPast();
});

afterAll(() => world.app.close());

beforeEach(() => world.db.raw('delete from leads; delete from contacts; delete from users'));

const period = `from=${dayOf(100)}&to=${dayOf(90)}`;
const reports = [
  'summary',
  'funnel',
  'breakdown',
  'breakdown?group_by=assigned_user',
  'time-in-status',
  'timeseries?interval=day',
];

async function allReports(): Promise<unknown> {
  const all = await Promise.all(
    reports.map((name) => world.reportOf(`${name}${name.includes('?') ? '&' : '?'}${period}`)),
  );
  const ofNow = [await world.reportOf('pipeline'), await world.reportOf('forecast?months=3')];
  return JSON.parse(JSON.stringify([...all, ...ofNow]));
}

describe('times of the past', () => {
  it('show in every report, also once the counters are rebuilt and after a later change', async () => {
    await importFile(world.app, world.admin, past);
    expect(await world.reportOf(`summary?${period}`)).toMatchObject({
      leads_created: 5,
      won: 1,
      // One of them is open again.
      lost: 2,
      open: 3,
      win_rate: 0.3333,
      // 24, 12, 48 and 24 hours.
      median_seconds_to_first_contact: 86_400,
      open_by_status: { new: 1, contacted: 1, qualified: 1 },
      previous: { leads_created: 0 },
    });
    expect(await world.reportOf('summary')).toMatchObject({ leads_created: 0, won: 0 });
    expect(await world.reportOf(`funnel?${period}`)).toMatchObject({
      stages: [
        { status: 'new', reached: 5 },
        { status: 'contacted', reached: 4, median_seconds_from_previous: 86_400 },
        { status: 'qualified', reached: 3, median_seconds_from_previous: 2 * 86_400 },
        { status: 'won', reached: 1, median_seconds_from_previous: 7 * 86_400 },
      ],
      lost: 1,
      open: 3,
    });
    const days = (await world.reportOf(`timeseries?interval=day&${period}`)) as Record<string, number>[];
    const dayAgo = (days_ago: number) =>
      days.find(({ period_start }) => String(period_start) === dayOf(days_ago));
    expect(dayAgo(100)).toMatchObject({ created: 2, contacted: 0, won: 0 });
    expect(dayAgo(99)).toMatchObject({ created: 0, contacted: 2 });
    expect(dayAgo(97)).toMatchObject({ qualified: 1, lost: 1 });
    expect(dayAgo(90)).toMatchObject({ won: 1 });
    const times = (await world.reportOf(`time-in-status?${period}`)) as Record<string, unknown>[];
    expect(times).toMatchObject([
      { status: 'new', entered: 5, exited: 4, open_current: 1 },
      { status: 'contacted', entered: 5, exited: 4, open_current: 1 },
      { status: 'qualified', entered: 3, exited: 2, open_current: 1 },
      { status: 'won', entered: 1, exited: 0, open_current: 1 },
      { status: 'lost', entered: 2, exited: 1, open_current: 1, mean_seconds: 4 * 86_400 },
    ]);
    expect(await world.reportOf(`breakdown?${period}`)).toMatchObject([
      {
        ...{ group: 'website', created: 2, won: 1, lost: 1 },
        value: [{ currency: 'EUR', won: { amount: '1000.00' }, lost: { amount: '50.00' } }],
      },
      { group: 'manual', created: 2, contacted: 1 },
      { group: 'referral', created: 1, qualified: 1 },
    ]);
    expect(await world.reportOf('forecast?months=3')).toMatchObject({
      win_rates: [
        { status: 'new', decided: 3, won: 1 },
        { status: 'contacted', decided: 3, won: 1 },
        { status: 'qualified', decided: 2, won: 1 },
      ],
    });

    const before = await allReports();
    expect(await verifyCounters(world.app.production.db, false)).toMatchObject({ data: [] });
    await foldLeadCounters(world.app.production.db);
    expect(await allReports()).toEqual(before);
    await world.app.production.db.transaction(rebuildLeadCounters);
    expect(await allReports()).toEqual(before);

    const { id } = await world.leadOf('won@example.com');
    await world.client.patch(`/leads/${id}`, { company: 'Engines' }).expect(200);
    expect(await allReports()).toEqual(before);
    expect(await verifyCounters(world.app.production.db, false)).toMatchObject({ data: [] });
  });

  it('show by user', async () => {
    const { body } = await world.client
      .post('/users', { name: 'Grace', email: 'grace@example.com' })
      .expect(201);
    const file = csv(
      'name,email,status,assigned_user_id,created_at,first_contacted_at',
      `Ada,ada@example.com,contacted,${body.data.id},${ago(50)},${ago(49)}`,
    );
    await importFile(world.app, world.admin, file);
    const byUser = (days: number) =>
      world.reportOf(`breakdown?group_by=assigned_user&from=${dayOf(days)}&to=${dayOf(days)}`);
    expect(await byUser(50)).toMatchObject([{ group_name: 'Grace', created: 1, contacted: 0, open: 1 }]);
    expect(await byUser(49)).toMatchObject([{ group_name: 'Grace', created: 0, contacted: 1, open: 1 }]);
  });

  it('survive the export and import of another environment', async () => {
    await importFile(world.app, world.admin, past);
    const { text } = await world.client.get('/leads/export').set('Accept', 'text/csv').expect(200);
    const before = await allReports();
    await world.db.raw('truncate leads cascade');
    expect((await importFile(world.app, world.admin, text)).counts).toMatchObject({ created: 5 });
    expect(await allReports()).toEqual(before);
  });
});
