/** Deals of another system become sales cycles: each keeps its dates, its amount and its owner. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { leadsOf } from '../../support/hooks.ts';
import { csv, errorsOf, importFile } from '../../support/imports.ts';
import { make, users } from '../../support/resources.ts';
import { cyclesOf, euros } from '../../support/sales-cycles.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['read', 'write', 'admin']);
});

beforeEach(() => app.production.knex('leads').delete());

afterAll(() => app.close());

const HEAD = 'Deal ID,Name,Email,Stage,Amount,Currency,Create Date,Close Date,Closed Lost Reason';
const email = 'ada@example.com';
const row = (id: string, rest: string) => `${id},Ada,${email},${rest}`;
const send = (rows: string[], options = 'on_duplicate=update') =>
  importFile(app, admin, csv(HEAD, ...rows), `resource=leads&${options}`, { locale: 'en' });
const readLead = async () => (await leadsOf(admin, email))[0] as { id: string };
const cycles = async () => cyclesOf(admin, await readLead());

const won = row('1', 'won,10000,EUR,2025-01-10,2025-03-01,');
const lost = row('2', 'lost,5000,EUR,2026-02-01,2026-04-15,No budget');
const open = row('3', 'qualified,7000,EUR,2026-06-01,2099-01-31,');

describe('deals of one person', () => {
  it('become the sales cycles of one lead, with their dates and amounts', async () => {
    const done = await send([won, lost, open]);
    expect(await errorsOf(admin, done.id)).toEqual([]);
    expect(done.counts).toMatchObject({ created: 1, updated: 2, failed: 0 });
    const facts = (await cycles()).map(
      ({ id, lead_id, created_at, updated_at, version, tags, ...rest }) => rest,
    );
    const empty = {
      source: 'api',
      source_detail: null,
      company: null,
      assigned_user_id: null,
      content_id: null,
    };
    expect(facts).toEqual([
      {
        ...{
          ...empty,
          number: 1,
          external_id: '1',
          status: 'won',
          furthest_status: 'won',
          lost_reason: null,
        },
        ...{ opened_at: '2025-01-10T00:00:00.000Z', closed_at: '2025-03-01T12:00:00.000Z' },
        ...{ value: euros('10000.00'), expected_close_on: '2025-03-01' },
      },
      {
        ...{
          ...empty,
          number: 2,
          external_id: '2',
          status: 'lost',
          furthest_status: null,
          lost_reason: 'No budget',
        },
        ...{ opened_at: '2026-02-01T00:00:00.000Z', closed_at: '2026-04-15T12:00:00.000Z' },
        ...{ value: euros('5000.00'), expected_close_on: '2026-04-15' },
      },
      {
        ...{
          ...empty,
          number: 3,
          external_id: '3',
          status: 'qualified',
          furthest_status: 'qualified',
          lost_reason: null,
        },
        ...{ opened_at: '2026-06-01T00:00:00.000Z', closed_at: null },
        ...{ value: euros('7000.00'), expected_close_on: '2099-01-31' },
      },
    ]);
    expect(await readLead()).toMatchObject({
      ...{ status: 'qualified', value: euros('7000.00'), sales_cycles_won: 1, sales_cycle: { number: 3 } },
      ...{ created_at: '2025-01-10T00:00:00.000Z', first_won_at: '2025-03-01T12:00:00.000Z' },
      first_lost_at: '2026-04-15T12:00:00.000Z',
    });
    const { body } = await admin.get(`/leads/${(await readLead()).id}/status-changes`).expect(200);
    expect(body.data.map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      ...[
        ['lost', 'qualified'],
        ['new', 'lost'],
        ['won', 'new'],
        ['new', 'won'],
        [null, 'new'],
      ],
    ]);
  });

  it('are the same in any order, and change nothing when they are sent again', async () => {
    await send([open, lost, won]);
    const before = await cycles();
    expect(before.map(({ external_id, number, status }) => [external_id, number, status])).toEqual([
      ...[
        ['1', 1, 'won'],
        ['2', 2, 'lost'],
        ['3', 3, 'qualified'],
      ],
    ]);
    expect(await readLead()).toMatchObject({ status: 'qualified', sales_cycle: { number: 3 } });
    const again = await send([won, lost, open]);
    expect(again.counts).toMatchObject({ unchanged: 3, failed: 0, warned: 0 });
    expect(await cycles()).toEqual(before);
  });

  it('correct their sales cycles later, also when one is closed or open again', async () => {
    await send([won, lost, open]);
    const changed = [
      row('1', 'lost,9000,EUR,2025-01-10,2025-03-02,Cancelled'),
      row('3', 'won,8000,EUR,2026-06-01,2026-07-31,'),
    ];
    const done = await send(changed);
    expect([done.counts, await errorsOf(admin, done.id)]).toMatchObject([{ updated: 2, failed: 0 }, []]);
    expect(await cycles()).toMatchObject([
      {
        status: 'lost',
        value: euros('9000.00'),
        closed_at: '2025-03-02T12:00:00.000Z',
        lost_reason: 'Cancelled',
      },
      { status: 'lost' },
      { status: 'won', value: euros('8000.00'), closed_at: '2026-07-31T12:00:00.000Z' },
    ]);
    expect(await readLead()).toMatchObject({ status: 'won', sales_cycles_won: 1 });
    await send([open]);
    expect((await cycles())[2]).toMatchObject({ status: 'qualified', closed_at: null });
    const ignored = await send(changed, 'on_duplicate=ignore');
    expect(ignored.counts).toMatchObject({ unchanged: 2 });
  });

  it('begin with the cycle of a lead that nobody has touched, and otherwise stand beside it', async () => {
    await createLead(admin, { email });
    await send([won]);
    expect(await cycles()).toMatchObject([{ external_id: '1', status: 'won' }]);
    await app.production.knex('leads').delete();
    const { id } = await createLead(admin, { email });
    await admin.patch(`/leads/${id}`, { status: 'contacted' }).expect(200);
    await send([won]);
    expect(await cycles()).toMatchObject([{ external_id: '1', status: 'won' }, { external_id: null }]);
    expect(await readLead()).toMatchObject({ status: 'contacted', sales_cycles_won: 1 });
  });

  it('are refused if two of them are open, and nothing of the row is written', async () => {
    await send([open]);
    const done = await send(['4,Other Name,ada@example.com,new,1,EUR,,,']);
    expect(await errorsOf(admin, done.id)).toMatchObject([{ code: 'open_deal_exists', field: 'deal_id' }]);
    expect(await readLead()).toMatchObject({ name: 'Ada', value: euros('7000.00') });
    const other = await send([`3,Bob,bob@example.com,new,1,EUR,,,`]);
    expect(await errorsOf(admin, other.id)).toMatchObject([
      { code: 'duplicate_external_id', field: 'deal_id' },
    ]);
    expect(await leadsOf(admin, 'bob@example.com')).toEqual([]);
  });

  it('reopen a closed lead if they are open', async () => {
    await createLead(admin, { email, status: 'won', value: euros('1.00') });
    await send([row('3', 'qualified,7000,EUR,,2099-01-31,')]);
    expect(await cycles()).toMatchObject([{ status: 'won' }, { external_id: '3', status: 'qualified' }]);
    expect(await readLead()).toMatchObject({ status: 'qualified', value: euros('7000.00') });
  });

  it('refuse dates that can not be true', async () => {
    const done = await send([
      row('1', 'won,1,EUR,2025-03-01,2025-01-01,'),
      row('2', 'won,1,EUR,2099-03-01,,'),
    ]);
    expect((await errorsOf(admin, done.id)).map(({ field }) => field)).toEqual(['closed_at', 'created_at']);
    expect(await leadsOf(admin, email)).toEqual([]);
  });

  it('keep their owner', async () => {
    const [ann, bob] = [await make(admin, users), await make(admin, users)];
    const file = csv(
      'Deal ID,Name,Email,Stage,Deal owner,Close Date',
      `1,Ada,${email},won,${ann.email},2025-03-01`,
      `2,Ada,${email},won,${bob.email},2026-03-01`,
    );
    const mapping = { 'Deal owner': 'assigned_user_email' };
    await importFile(app, admin, file, 'resource=leads&on_duplicate=ignore', { locale: 'en', mapping });
    expect((await cycles()).map(({ assigned_user_id }) => assigned_user_id)).toEqual([ann.id, bob.id]);
  });

  it('are left out without the scope admin', async () => {
    const client = await app.client();
    const done = await importFile(app, client, csv(HEAD, won), 'resource=leads', { locale: 'en' });
    expect(done.mapping).toMatchObject({ 'Deal ID': null });
    expect(await cycles()).toMatchObject([{ external_id: null }]);
  });
});
