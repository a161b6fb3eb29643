/** Times of the past in rows about leads that exist. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyCounters } from '../../../src/cli/verify-counters.ts';
import { errorsOf, importFile } from '../../support/imports.ts';
import { ago, type Past, past, startPast } from '../../support/past.ts';

let world: Past;

beforeAll(async () => {
  world = await startPast();
});

afterAll(() => world.app.close());

beforeEach(() => world.db.raw('delete from leads; delete from contacts; delete from users'));

describe('times of the past', () => {
  it('never rewrite the history of an existing lead', async () => {
    const { body } = await world.client.post('/leads', { name: 'Won', email: 'won@example.com' }).expect(201);
    await importFile(world.app, world.admin, past, 'on_duplicate=merge');
    const merged = await world.leadOf('won@example.com');
    expect(merged).toMatchObject({ status: 'new', created_at: body.data.created_at, first_won_at: null });
    const before = await world.historyOf('won@example.com');
    const startedAt = new Date().toISOString();
    const { id, counts } = await importFile(world.app, world.admin, past, 'on_duplicate=update');
    expect(counts).toMatchObject({ updated: 1, unchanged: 4, warned: 1 });
    // The file says that it is won, so it is from now on.
    const { status_changed_at, ...updated } = await world.leadOf('won@example.com');
    expect(status_changed_at >= startedAt).toBe(true);
    const { created_at } = merged;
    expect(updated).toMatchObject({ status: 'won', created_at, first_won_at: status_changed_at });
    const [change, ...more] = (await world.historyOf('won@example.com')).slice(before.length);
    expect(change).toEqual(['new', 'won', status_changed_at, expect.any(Number)]);
    expect(more).toEqual([]);
    const warnings = await errorsOf(world.admin, id);
    expect(warnings.map(({ field }) => field)).toContain('created_at');
    expect(warnings[0]).toMatchObject({
      severity: 'warning',
      code: 'value_left_out',
      message: 'Times of the past are only for new leads, so this one was left out.',
    });
    expect(await verifyCounters(world.app.production.db, false)).toMatchObject({ data: [] });
  });

  it('of an own export leave every history as it is', async () => {
    await importFile(world.app, world.admin, past);
    const lead = await world.leadOf('open@example.com');
    for (const status of ['lost', 'contacted', 'lost'])
      await world.client.patch(`/leads/${lead.id}`, { status }).expect(200);
    const before = await world.historyOf('open@example.com');
    expect(before.length).toBeGreaterThan(3);
    const { text } = await world.client.get('/leads/export').set('Accept', 'text/csv').expect(200);
    const { counts } = await importFile(world.app, world.admin, text, 'on_duplicate=update');
    expect(counts).toMatchObject({ updated: 0, failed: 0, warned: 0 });
    expect(await world.historyOf('open@example.com')).toEqual(before);
    expect(await world.leadOf('open@example.com')).toMatchObject({ status: 'lost', first_won_at: null });
  });

  it('stay as they are if only another column of an exported row has changed', async () => {
    await importFile(world.app, world.admin, past);
    const { text } = await world.client.get('/leads/export').set('Accept', 'text/csv').expect(200);
    // Many spreadsheets write times without seconds.
    const edited = text.replaceAll(/:\d\d\.\d{3}Z/g, 'Z').replace(',qualified,', ',won,');
    const startedAt = new Date().toISOString();
    const { counts } = await importFile(world.app, world.admin, edited, 'on_duplicate=update');
    expect(counts).toMatchObject({ updated: 1, unchanged: 4 });
    const { status, status_changed_at, created_at } = await world.leadOf('open@example.com');
    expect({ status, created_at }).toEqual({ status: 'won', created_at: ago(96) });
    expect(status_changed_at >= startedAt).toBe(true);
  });
});
