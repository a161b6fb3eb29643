import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { seed } from '../../support/bulk-jobs.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput } from '../../support/factories.ts';
import { formInput, leadsOf, makeHook, sendIn } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

describe("A lead's source_detail", () => {
  it('is created, changed and cleared, with an event each', async () => {
    const lead = await createLead(client, { source: 'referral', source_detail: 'Trade show Berlin' });
    expect(lead.source_detail).toBe('Trade show Berlin');
    for (const source_detail of ['Trade show Lyon', null]) {
      const { body } = await client.patch(`/leads/${lead.id}`, { source_detail }).expect(200);
      expect(body.data).toMatchObject({ source: 'referral', source_detail });
    }
    const { body } = await client.get(`/leads/${lead.id}/events`).expect(200);
    expect(body.data.map(({ data }: { data: { changes: object } }) => data.changes)).toEqual([
      { source_detail: { from: 'Trade show Lyon', to: null } },
      { source_detail: { from: 'Trade show Berlin', to: 'Trade show Lyon' } },
      {},
    ]);
  });

  it('has 1 to 100 characters, one of which is visible', async () => {
    await createLead(client, { source_detail: 'é'.repeat(100) });
    for (const source_detail of ['', ' ', 'x'.repeat(101), 7, ['x']]) {
      const { body } = await client.post('/leads', { ...leadInput(), source_detail }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['source_detail']);
    }
  });

  it('is upserted, alone and in a batch', async () => {
    const external_id = `detail-${Date.now()}`;
    const path = `/leads/external/${external_id}`;
    await client.patch(path, { ...leadInput(), source_detail: 'First' }).expect(201);
    const { body } = await client.patch(path, { source_detail: 'Second' }).expect(200);
    expect(body.data.source_detail).toBe('Second');
    const items = [{ external_id, source_detail: 'Third' }];
    const batch = await client.post('/leads/batch/upsert', { match: 'external_id', items }).expect(200);
    expect(batch.body.data[0]).toMatchObject({ status: 'updated', lead: { source_detail: 'Third' } });
  });

  it('is mapped by a hook, and filled by a merge but not overwritten', async () => {
    const mapping = { name: '/name', email: '/email', source_detail: '/utm_campaign' };
    const hook = await makeHook(client, { mapping });
    const form = formInput({ utm_campaign: 'Google Ads, spring' });
    await sendIn(app, hook, form);
    expect(await leadsOf(client, form.email)).toMatchObject([{ source_detail: 'Google Ads, spring' }]);
    await sendIn(app, hook, { ...form, utm_campaign: 'Google Ads, summer' });
    expect(await leadsOf(client, form.email)).toMatchObject([
      { source_detail: 'Google Ads, spring', version: 1 },
    ]);

    const empty = await createLead(client);
    await sendIn(app, hook, { ...form, email: empty.email });
    expect(await leadsOf(client, empty.email)).toMatchObject([{ source_detail: 'Google Ads, spring' }]);
  });

  it('is a column of the export, which filters by it', async () => {
    const source_detail = '=Detail, "quoted"';
    await createLead(client, { source_detail });
    const filter = `source_detail=${encodeURIComponent(source_detail)}`;
    const { text } = await client.get(`/leads/export?${filter}`).set('Accept', 'text/csv').expect(200);
    const [header, row, end] = text.split('\r\n');
    expect(header).toContain(',source,source_detail,company,');
    expect(row).toContain(`,api,"'=Detail, ""quoted""",`);
    expect(end).toBe('');
  });

  it('describes many leads of the sandbox', async () => {
    const tester = await app.client(undefined, 'sandbox');
    await seed(app, tester, { leads: 50 });
    const { body } = await tester.get('/leads?per_page=100').expect(200);
    const details = body.data.map(({ source_detail }: { source_detail: string | null }) => source_detail);
    expect(new Set(details).size).toBeGreaterThan(5);
    const { body: without } = await tester.get('/leads?source_detail=none').expect(200);
    expect(without.meta.total).toBe(details.filter((detail: string | null) => detail === null).length);
  });
});
