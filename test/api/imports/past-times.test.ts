import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csv, errorsOf, importFile, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';
import { ago, dayOf, type Lead, type Past, past, startPast } from '../../support/past.ts';

let world: Past;

beforeAll(async () => {
  world = await startPast();
});

afterAll(() => world.app.close());

beforeEach(() => world.db.raw('delete from leads; delete from contacts; delete from users'));

describe('times of the past', () => {
  it('are those of the lead, which is new for who follows changes', async () => {
    const startedAt = new Date().toISOString();
    const { counts } = await importFile(world.app, world.admin, past);
    expect(counts).toMatchObject({ created: 5, failed: 0 });
    expect(await world.leadOf('won@example.com')).toMatchObject({
      status: 'won',
      created_at: ago(100),
      first_contacted_at: ago(99),
      first_qualified_at: ago(97),
      first_won_at: ago(90),
      first_lost_at: null,
      status_changed_at: ago(90),
      version: 1,
    });
    const { updated_at } = await world.leadOf('won@example.com');
    expect(updated_at >= startedAt).toBe(true);
    const { body } = await world.client.get('/events?event_types=lead.created&per_page=1').expect(200);
    expect(body.data[0].occurred_at >= startedAt).toBe(true);
    const list = await world.client.get('/leads?sort=-created_at').expect(200);
    expect(list.body.data.slice(0, 3).map(({ name }: Lead) => name)).toEqual(['New', 'Open', 'Lost']);
    const filtered = await world.client
      .get(`/leads?created_from=${dayOf(96)}&created_to=${dayOf(91)}`)
      .expect(200);
    expect(filtered.body.data.map(({ name }: Lead) => name)).toEqual(['New', 'Open']);
    const reached = await world.client
      .get(`/leads?reached=qualified&reached_from=${ago(97, -1)}&reached_to=${ago(97, 1)}`)
      .expect(200);
    expect(reached.body.data.map(({ name }: Lead) => name)).toEqual(['Won']);
  });

  it('tell the history of its status', async () => {
    await importFile(world.app, world.admin, past);
    expect(await world.historyOf('won@example.com')).toEqual([
      [null, 'new', ago(100), null],
      ['new', 'contacted', ago(99), 86_400],
      ['contacted', 'qualified', ago(97), 2 * 86_400],
      ['qualified', 'won', ago(90), 7 * 86_400],
    ]);
    expect(await world.historyOf('again@example.com')).toEqual([
      [null, 'new', ago(100), null],
      ['new', 'contacted', ago(99), 86_400],
      ['contacted', 'qualified', ago(98), 86_400],
      ['qualified', 'lost', ago(97), 86_400],
      ['lost', 'contacted', ago(93), 4 * 86_400],
    ]);
    const { id } = await world.leadOf('open@example.com');
    await world.client.patch(`/leads/${id}`, { status: 'won' }).expect(200);
    const changes = await world.historyOf('open@example.com');
    expect(changes.at(-1)).toEqual(['qualified', 'won', expect.any(String), expect.any(Number)]);
    expect(changes.at(-1)?.[3]).toBeGreaterThan(91 * 86_400);
    const { body } = await world.client.get(`/leads/${id}/status-changes`).expect(200);
    expect(body.data).toMatchObject([
      { from: 'qualified', to: 'won', actor: { type: 'client' } },
      { from: 'contacted', to: 'qualified', occurred_at: ago(92), seconds_in_previous_status: 2 * 86_400 },
      { from: 'new', to: 'contacted', occurred_at: ago(94), seconds_in_previous_status: 2 * 86_400 },
      { from: null, to: 'new', occurred_at: ago(96), seconds_in_previous_status: null },
    ]);
  });

  it.each([
    ['won', { created_at: ago(9) }, { created_at: ago(9), status_changed_at: ago(9), first_won_at: ago(9) }],
    ['won', { first_won_at: ago(5) }, { created_at: ago(5), status_changed_at: ago(5) }],
    [
      'lost',
      { created_at: ago(9), status_changed_at: ago(7) },
      { first_lost_at: ago(7), first_contacted_at: null },
    ],
    ['lost', { created_at: ago(9) }, { first_lost_at: ago(9), status_changed_at: ago(9) }],
    [
      '',
      { created_at: ago(9), first_contacted_at: ago(8) },
      { status: 'contacted', status_changed_at: ago(8) },
    ],
    ['', { created_at: ago(9), first_won_at: ago(8), first_lost_at: ago(7) }, { status: 'lost' }],
    [
      'lost',
      { created_at: ago(9), first_contacted_at: ago(8) },
      { first_contacted_at: ago(8), first_lost_at: ago(8), first_qualified_at: null },
    ],
    [
      'won',
      { created_at: ago(9), first_won_at: ago(8), first_lost_at: ago(8) },
      { first_won_at: ago(8), first_lost_at: ago(8), status_changed_at: ago(8) },
    ],
    [
      'lost',
      { created_at: ago(9), first_contacted_at: ago(9) },
      { first_contacted_at: ago(9), first_lost_at: ago(9) },
    ],
    ['', { created_at: ago(9) }, { status: 'new', first_contacted_at: null }],
    ['new', { created_at: '2020-02-29' }, { created_at: '2020-02-29T00:00:00.000Z' }],
  ])('fill what a %s lead with %j lacks', async (status, times, expected) => {
    const columns = Object.keys(times);
    await importFile(
      world.app,
      world.admin,
      csv(`name,email,status,${columns}`, `Ada,ada@example.com,${status},${Object.values(times)}`),
    );
    expect(await world.leadOf('ada@example.com')).toMatchObject({ ...(status && { status }), ...expected });
  });

  it.each([
    [{ created_at: ago(-2) }, 'created_at', "A lead can't be created in the future."],
    [
      { created_at: ago(9), first_won_at: ago(-2) },
      'first_won_at',
      "A lead can't be first won in the future.",
    ],
    [{ created_at: '1899-12-30' }, 'created_at', "A lead can't be created before 1970."],
    [
      { created_at: ago(5), first_contacted_at: ago(6) },
      'first_contacted_at',
      "A lead can't be first contacted before it was created.",
    ],
    [
      { created_at: ago(9), first_qualified_at: ago(7), first_won_at: ago(8) },
      'first_won_at',
      "A lead can't be first won before it was first qualified.",
    ],
    [
      { created_at: ago(9), first_lost_at: ago(7), status_changed_at: ago(8) },
      'status_changed_at',
      "A lead can't be last moved to another status before it was first lost.",
    ],
  ])('fail alone in the row %j', async (times, field, message) => {
    const file = csv(
      `name,email,${Object.keys(times)}`,
      `Ada,ada@example.com,${Object.values(times)}`,
      `Bob,bob@example.com${','.repeat(Object.keys(times).length)}`,
    );
    const { id, counts } = await importFile(world.app, world.admin, file);
    expect(counts).toMatchObject({ created: 1, failed: 1 });
    expect(await errorsOf(world.admin, id)).toMatchObject([{ row: 2, column: field, field, message }]);
  });

  it.each([
    ['de', '31.01.2024 14:05', '2024-01-31T14:05:00.000Z'],
    ['en-US', '01/31/2024 2:05 PM', '2024-01-31T14:05:00.000Z'],
    ['de', '2024-01-31T15:05:00+01:00', '2024-01-31T14:05:00.000Z'],
    ['de', '31. Januar 2024', '2024-01-31T00:00:00.000Z'],
  ])('are read in the spelling of %s: %s', async (locale, text, expected) => {
    const file = csv('name;email;created_at', `Ada;ada@example.com;${text}`);
    const { counts } = await importFile(world.app, world.admin, file, '', { locale });
    expect(counts).toMatchObject({ created: 1, warned: 0 });
    expect((await world.leadOf('ada@example.com')).created_at).toBe(expected);
  });

  it('that cannot be read are left out with a warning', async () => {
    const file = csv('name,email,created_at', 'Ada,ada@example.com,last week');
    const { id, counts } = await importFile(world.app, world.admin, file, 'start=true');
    expect(counts).toMatchObject({ created: 1, warned: 1 });
    expect(await errorsOf(world.admin, id)).toMatchObject([
      { row: 2, severity: 'warning', column: 'created_at', field: 'created_at' },
    ]);
    expect((await world.leadOf('ada@example.com')).created_at > ago(1)).toBe(true);
  });

  it('need the scope admin', async () => {
    const { id, mapping, unused_columns } = await send(world.client, past, 'start=false');
    expect(mapping).toMatchObject({ status: 'status', created_at: null, first_won_at: null });
    const hint = 'To import times of the past, you need the scope admin.';
    expect(unused_columns).toEqual(expect.arrayContaining([{ column: 'first_won_at', hint }]));
    expect(unused_columns).toHaveLength(6);
    const changed = await world.client.patch(`/imports/${id}`, { locale: 'de' }).expect(200);
    expect(changed.body.data).toMatchObject({ mapping, unused_columns });
    for (const changes of [
      { mapping: { created_at: 'created_at' } },
      { defaults: { created_at: '2020-01-01' } },
    ]) {
      const { body } = await world.client.patch(`/imports/${id}`, changes).expect(403);
      expect(body).toMatchObject({ code: 'insufficient_scope', required_scope: 'admin' });
    }
    const draft = await send(world.admin, past, 'start=false');
    expect(draft.mapping).toMatchObject({ created_at: 'created_at', first_won_at: 'first_won_at' });
    await world.client.post(`/imports/${draft.id}/start`, {}).expect(403);
    const ignoring = Object.fromEntries(draft.columns.slice(6).map((column) => [column, null]));
    await world.client.patch(`/imports/${draft.id}`, { locale: 'de' }).expect(403);
    await world.client.patch(`/imports/${draft.id}`, { mapping: ignoring }).expect(200);
    await world.client.post(`/imports/${draft.id}/start`).expect(202);
    await runJobs(world.app.production);
    expect((await world.leadOf('won@example.com')).created_at > ago(1)).toBe(true);
  });

  it('say when a contact was created', async () => {
    const file = csv(
      'name,email,created_at',
      `Ada,ada@example.com,${ago(9)}`,
      `Bob,bob@example.com,${ago(-2)}`,
    );
    const { id, counts } = await importFile(world.app, world.admin, file, 'resource=contacts');
    expect(counts).toMatchObject({ created: 1, failed: 1 });
    expect(await errorsOf(world.admin, id)).toMatchObject([
      { row: 3, field: 'created_at', message: "A contact can't be created in the future." },
    ]);
    const { body } = await world.client.get('/contacts?email=ada@example.com').expect(200);
    expect(body.data).toMatchObject([{ created_at: ago(9) }]);
    const older = csv('email,created_at', `ada@example.com,${ago(12)}`);
    await importFile(world.app, world.admin, older, 'resource=contacts&on_duplicate=merge');
    expect((await world.client.get('/contacts?email=ada@example.com')).body.data).toMatchObject([
      { created_at: ago(9) },
    ]);
    const updated = await importFile(world.app, world.admin, older, 'resource=contacts&on_duplicate=update');
    expect(updated.counts).toMatchObject({ unchanged: 1, warned: 1 });
    expect((await world.client.get('/contacts?email=ada@example.com')).body.data).toMatchObject([
      { created_at: ago(9) },
    ]);
  });
});
