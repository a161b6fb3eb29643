/** Totals and pages come from counters; these compare them with what the table itself says. */
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findDrift, foldLeadCounters } from '../../../src/leads/counter-queries.ts';
import { newUuid } from '../../../src/values/id.ts';
import { seed } from '../../support/bulk-jobs.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import {
  at,
  type CountedLeads,
  combined,
  filters,
  manyLeads,
  type Query,
  sources,
  startCountedLeads,
  statuses,
} from '../../support/lead-totals.ts';
import { insertLeads, leadsPath } from '../../support/lists.ts';

let api: CountedLeads;

beforeAll(async () => {
  api = await startCountedLeads();
});

beforeEach(() => api.db('leads').delete());

afterAll(() => api.app.close());

/** How many changes wait to be folded. */
async function changes(): Promise<number> {
  const { rows } = await api.db.raw('select count(*) from lead_counter_changes');
  return Number(rows[0].count);
}

describe.each(['not yet folded', 'folded'])('GET /leads with counters that are %s', (state) => {
  beforeEach(async () => {
    await insertLeads(api.db, manyLeads());
    await api.db('leads').where({ status: 'qualified', source: 'api' }).update({ status: 'won' });
    if (state === 'folded') {
      await foldLeadCounters(api.app.production.db);
      expect(await changes()).toBe(0);
    }
  });

  it('counts exactly, whatever the filter', async () => {
    await api.expectTotals(combined);
  });

  it('shows each lead on one page and once in the walk', async () => {
    await api.expectPages({}, 97);
    await api.expectPages({ status: 'new,won', created_from: '2026-01-28T12:00:00.000Z' }, 23);
    await api.expectPages({ tag: 'vip', status: 'new,won' }, 23);
    await api.expectPages({ source: 'manual', created_to: '2026-04-02T11:59:59.999Z' }, 31);
  });
});

describe('The counters of leads', () => {
  it('know the days of UTC, far in the past and in the future too', async () => {
    const moments = [
      '0001-01-01T00:00:00.000Z',
      '0099-12-31T23:59:59.999Z',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.000Z',
      '2024-02-29T23:59:59.999Z',
      '2024-03-01T00:00:00.000Z',
      '9999-11-30T23:59:59.999Z',
      '9999-12-31T23:59:59.999Z',
    ];
    await insertLeads(
      api.db,
      moments.flatMap((moment) => [at(moment), at(moment)]),
    );
    const days = [...moments.map((moment) => moment.slice(0, 10)), '0050-06-01', '5000-01-01'];
    await api.expectTotals([
      {},
      ...days.flatMap((day): Query[] => [
        { created_from: day },
        { created_to: day },
        { created_from: day, created_to: day },
        { created_from: `${day}T00:00:00.001Z` },
        { created_to: `${day}T23:59:59.998Z` },
      ]),
    ]);
    await api.expectPages({}, 3);
    await api.expectPages({ created_from: '0099-12-31', created_to: '9999-12-31' }, 3);
  });

  it('lead to the pages of a day with very many leads, also when all of them have the same moment', async () => {
    const moments = ['2026-02-09T23:59:59.999Z', '2026-02-10T12:00:00Z', '2026-02-10T12:00:00.001Z'];
    await insertLeads(
      api.db,
      Array.from({ length: 300 }, (_, n) =>
        at(moments[n % 3 === 0 ? n % 2 : 1 + (n % 2)] ?? '', {
          status: statuses[n % 5],
          source: sources[n % 4],
        }),
      ),
    );
    await foldLeadCounters(api.app.production.db);
    const ranges: Query[] = [{}, { created_from: '2026-02-10' }, { created_to: '2026-02-10T12:00:00.000Z' }];
    await api.expectTotals([...combined, ...ranges]);
    for (const range of ranges) await api.expectPages({ ...range, status: 'new,won' }, 9);
    await api.expectPages({}, 17);
    expect(await api.app.production.db.transaction((trx) => findDrift(trx, 10))).toEqual([]);
  });

  it('follow a COPY, statements over many leads, and rollbacks', async () => {
    const copier = new pg.Client({ connectionString: api.app.databases[0]?.url });
    await copier.connect();
    const stream = copier.query(copyFrom('copy leads (id, name, email, status, source) from stdin'));
    for (const [n, source] of [...sources, ...sources].entries()) {
      stream.write(`${newUuid()}\tCopied\t${uniqueEmail()}\t${statuses[n % 5]}\t${source}\n`);
    }
    stream.end();
    await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject));
    await copier.end();
    await api.expectTotals(filters);
    await api
      .db('leads')
      .where({ source: 'api' })
      .update({ status: 'won', tags: ['vip', 'vip'], created_at: '2020-05-05T00:00:00.000Z' });
    await api.expectTotals([...filters, { created_to: '2020-12-31' }]);
    await expect(
      api.db.transaction(async (trx) => {
        await trx('leads').delete();
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await api.expectTotals(filters);
    await api.db('leads').where({ source: 'website' }).delete();
    await api.expectTotals(filters);
  });

  it('are not touched by unrelated changes', async () => {
    const lead = await createLead(api.client, { tags: ['vip', 'newsletter'] });
    await foldLeadCounters(api.app.production.db);
    await api.client.patch(`/leads/${lead.id}`, { name: 'Grace Hopper' }).expect(200);
    expect(await changes()).toBe(0);
    await api.client.patch(`/leads/${lead.id}`, { status: 'won' }).expect(200);
    // Of each tag, and of all leads: one less with the status before, one more with this one. And one more won that
    // day, and one less open of a source, of nobody, and without content.
    expect(await changes()).toBe(10);
    await foldLeadCounters(api.app.production.db);
    await api.client.patch(`/leads/${lead.id}`, { tags: ['newsletter', 'trial'] }).expect(200);
    expect(await changes()).toBe(2);
    await api.expectTotals([{ tag: 'vip' }, { tag: 'newsletter', status: 'won' }, { tag: 'trial' }]);
  });

  it("are empty after the sandbox's reset, also while they are being folded", async () => {
    const sandbox = await api.app.client(['read', 'write'], 'sandbox');
    for (let round = 0; round < 3; round += 1) {
      await seed(api.app, sandbox, { seed: round, leads: 200 });
      expect((await sandbox.get(leadsPath()).expect(200)).body.meta.total).toBe(200);
      const folding = foldLeadCounters(api.app.sandbox.db);
      await sandbox.post('/sandbox/reset').expect(200);
      await folding;
      expect((await sandbox.get(leadsPath()).expect(200)).body.meta.total).toBe(0);
      expect(await api.app.sandbox.db.transaction((trx) => findDrift(trx, 10))).toEqual([]);
    }
  });
});
