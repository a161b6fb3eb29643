import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { readDocument } from '../../support/document.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('a request that takes the database longer than 15 seconds', () => {
  it('is told to ask for less if it reads, and to retry if it writes', {
    timeout: 40_000,
  }, async () => {
    const { id } = await createLead(client);
    // A slow view makes the queries slow.
    const { knex } = app.production;
    await knex.raw(
      `alter table leads rename to real_leads;
       create view leads as select * from real_leads where pg_sleep(20) is not null`,
    );
    const answers = await Promise.all([
      client.get('/analytics/funnel'),
      client.get('/leads'),
      client.patch(`/leads/${id}`, { company: 'X' }),
    ]).finally(() => knex.raw('drop view leads; alter table real_leads rename to leads'));
    const { content } = readDocument().paths['/leads']?.get?.responses[503] ?? {};
    const example = content?.['application/json']?.examples?.QueryTimeout?.value as object;
    expect(example).toMatchObject({ code: 'query_timeout' });
    for (const { status, body, headers } of answers.slice(0, 2)) {
      expect(status).toBe(503);
      expect(body).toEqual({
        ...example,
        request_id: headers['x-request-id'],
      });
      expect(Number(headers['retry-after'])).toBeGreaterThan(10);
    }
    expect(answers[2]).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(answers[2]?.headers['retry-after']).toBe('2');
    await client.get('/analytics/funnel').expect(200);
  });
});
