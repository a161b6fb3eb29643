import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /leads/{id}/status-changes', () => {
  it('is paged by cursor, the newest first, and kept as long as the lead', async () => {
    const lead = await createLead(client);
    const statuses = ['contacted', 'qualified', 'won', 'lost', 'new'];
    for (const status of statuses) await client.patch(`/leads/${lead.id}`, { status }).expect(200);
    const seen: string[] = [];
    for (let query: string | null = 'per_page=2'; query !== null; ) {
      const {
        body,
      }: {
        body: {
          data: { id: string; to: string; occurred_at: string }[];
          meta: { next_cursor: string | null; total: number };
        };
      } = await client.get(`/leads/${lead.id}/status-changes?${query}`).expect(200);
      seen.push(...body.data.map(({ to }) => to));
      for (const { id, occurred_at } of body.data) {
        expect(id).toMatch(/^change_/);
        expect(Date.parse(occurred_at)).toBeGreaterThan(0);
      }
      expect(body.meta.total).toBe(6);
      query = body.meta.next_cursor && `per_page=2&cursor=${body.meta.next_cursor}`;
    }
    expect(seen).toEqual(['new', 'lost', 'won', 'qualified', 'contacted', 'new']);
    await client.delete(`/leads/${lead.id}`).expect(204);
    await client.get(`/leads/${lead.id}/status-changes`).expect(404);
  });
});
