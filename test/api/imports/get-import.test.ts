import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { csv, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

const file = () => csv('name,email', `Ada,${uniqueEmail()}`);

describe('GET /imports/{id}', () => {
  it('has a version that increases when the import has run', async () => {
    const { id } = await send(client, file());
    const { headers } = await client.get(`/imports/${id}`).expect(200).expect('ETag', '"1"');
    const again = client.with({ 'If-None-Match': String(headers.etag) });
    await again.get(`/imports/${id}`).expect(304);
    await runJobs(app.production);
    const { body } = await again.get(`/imports/${id}`).expect(200);
    expect(body.data).toMatchObject({ status: 'completed', version: 2 });
    expect(Date.parse(body.data.finished_at)).toBeGreaterThanOrEqual(Date.parse(body.data.started_at));
  });

  it.each(['import_01h455vb4pex5vsknk084sn02q', 'lead_01h455vb4pex5vsknk084sn02q', 'x'])(
    'answers 404 to %s',
    async (id) => {
      await client.get(`/imports/${id}`).expect(404);
    },
  );

  it.each([
    [['leads:read'], 'leads', 200],
    [['leads:read'], 'contacts', 403],
    [['contacts:read'], 'contacts', 200],
    [['contacts:read'], 'leads', 403],
    [['events:read'], 'leads', 403],
  ])('with the scopes %j, an import of %s gets %i', async (scopes, resource, status) => {
    const { id } = await send(client, file(), `start=false&resource=${resource}`);
    const reader = await app.client(scopes);
    await reader.get(`/imports/${id}`).expect(status);
    await reader.get(`/imports/${id}/errors`).expect(status);
  });

  it("does not find the other environment's imports", async () => {
    const { id } = await send(client, file(), 'start=false');
    await (await app.client(['read'], 'sandbox')).get(`/imports/${id}`).expect(404);
  });
});
