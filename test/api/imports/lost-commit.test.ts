/** The connection to PostgreSQL is lost between a COMMIT and its response, so the outcome is unknown. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leftovers, readImport, send, upload } from '../../support/imports.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { type Network, startNetwork } from '../../support/network.ts';

let network: Network;
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  network = await startNetwork(inject('serverUrl'));
  app = await startTestApp({ network });
  client = await app.client();
});

afterAll(async () => {
  await app.close();
  await network.close();
});

function rows(): string {
  return `name,email\n${[1, 2, 3].map((n) => `Lead ${n},${n}.${randomUUID()}@example.com\n`).join('')}`;
}

describe('an import whose COMMIT response is lost', () => {
  it('has all rows when the client repeats it with its Idempotency-Key', async () => {
    const keyed = client.with({ 'Idempotency-Key': randomUUID() });
    const file = rows();
    network.loseCommit();
    await upload(keyed, file).expect(503);
    const { body, headers } = await upload(keyed, file).expect(202);
    expect(headers['idempotency-replayed']).toBe('true');
    await runJobs(app.production);
    expect(await readImport(client, body.data.id)).toMatchObject({
      status: 'completed',
      rows_done: 3,
      counts: { created: 3, failed: 0 },
    });
    expect(await leftovers(app)).toEqual([]);
  });

  it('has all rows when the client does not repeat it', async () => {
    network.loseCommit();
    await upload(client, rows(), 'start=false').expect(503);
    const { body } = await client.get('/imports?status=draft').expect(200);
    expect(body.data).toHaveLength(1);
    const { id } = body.data[0];
    await client.post(`/imports/${id}/start`, {}).expect(202);
    await runJobs(app.production);
    expect(await readImport(client, id)).toMatchObject({ status: 'completed', counts: { created: 3 } });
  });
});

it('a chunk whose COMMIT response is lost is imported once', async () => {
  const { id } = await send(client, rows());
  network.loseCommit();
  await expect(runOnce(app.production)).rejects.toThrow();
  await runJobs(app.production);
  expect(await readImport(client, id)).toMatchObject({
    status: 'completed',
    rows_done: 3,
    counts: { created: 3, failed: 0 },
  });
});
