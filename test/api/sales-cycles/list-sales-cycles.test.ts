import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { content, make, users } from '../../support/resources.ts';
import { change, cyclesOf, euros } from '../../support/sales-cycles.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /sales-cycles', () => {
  it('filters by what the cycle kept', async () => {
    const user = await make(client, users);
    const { id: content_id } = await make(client, content);
    const kept = {
      ...{ source: 'manual' as const, source_detail: 'Expo', company: 'Kept Ltd', tags: ['kept'] },
      ...{ assigned_user_id: user.id, content_id, value: euros('10.00') },
    };
    const lead = await createLead(client, kept);
    await change(client, lead, { status: 'lost', lost_reason: 'Price' });
    const gone = { source: 'api', source_detail: null, company: null, tags: [], assigned_user_id: null };
    await change(client, lead, { status: 'new', ...gone, content_id: null, value: null });
    const [first] = await cyclesOf(client, lead);
    const closed = first?.closed_at as string;
    for (const filter of [
      ...['source_detail=Expo', 'company=kept%20ltd', 'tag=kept', 'lost_reason=price'],
      ...[
        `assigned_user_id=${user.id}`,
        `content_id=${content_id}`,
        `closed_from=${closed}&closed_to=${closed}`,
      ],
      ...[`lead_id=${lead.id}&status=won,lost`, `lead_id=${lead.id}&source=manual`],
      ...[`lead_id=${lead.id}&currency=EUR`, `lead_id=${lead.id}&sort=-closed_at`],
      `lead_id=${lead.id}&opened_to=${closed}&closed_to=2099-01-01`,
    ]) {
      const { body } = await client.get(`/sales-cycles?${filter}`).expect(200);
      expect(body, filter).toMatchObject({ data: [{ id: first?.id }], meta: { total: 1 } });
    }
    for (const none of [
      'company',
      'source_detail',
      'assigned_user_id',
      'content_id',
      'currency',
      'lost_reason',
    ]) {
      const { body } = await client.get(`/sales-cycles?lead_id=${lead.id}&${none}=none`).expect(200);
      expect(body.data, none).toMatchObject([{ number: 2 }]);
    }
  });

  it('shows one, with its ETag', async () => {
    const lead = await createLead(client);
    const { id } = lead.sales_cycle;
    const { body, headers } = await client.get(`/sales-cycles/${id}`).expect(200);
    expect([body.data.id, headers.etag]).toEqual([id, '"1"']);
    await client.get('/sales-cycles/cycle_01m7w4n5e0f2v8x4c6n1b7m3kz').expect(404);
  });

  it('needs leads:read', async () => {
    const other = await app.client(['contacts:read']);
    await other.get('/sales-cycles').expect(403);
    await (await app.client(['leads:read'])).get('/sales-cycles').expect(200);
  });
});
