/** The storage of import rows is limited, per client and in total. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteOldJobs } from '../../../src/jobs/old-jobs-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leftovers, readImport, send, upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

const MiB = 2 ** 20;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ importStorage: 4 * MiB });
});

beforeEach(async () => {
  await app.production.knex.raw('truncate jobs, import_chunks cascade');
  client = await app.client();
});

afterAll(() => app.close());

/** A file whose rows take this share of a MiB, the limit of one client. */
function file(share: number): string {
  return `name,email,notes\n${`Ada,nobody,${'x'.repeat(1_000)}\n`.repeat((share * MiB) / 1_024)}`;
}

const own =
  'Your drafts, dry runs and queued imports take all the room that one client may use. Start or cancel some of them, or wait until the queued ones have run.';

async function expectFull(sent: ReturnType<typeof upload>, message = own): Promise<void> {
  const { body, headers } = await sent.expect(429);
  expect(body).toMatchObject({ code: 'import_storage_full', message });
  expect(headers['retry-after']).toBe('60');
  expect(await leftovers(app)).toEqual([]);
}

describe('the rows of one client', () => {
  it('in a single file over the limit get 413', async () => {
    const { body } = await upload(client, file(1.2)).expect(413);
    expect(body).toMatchObject({
      code: 'body_too_large',
      message:
        'The rows of this file take more than the 1 MiB that one client may use. Split it into smaller files.',
    });
    expect(await leftovers(app)).toEqual([]);
  });

  it('of several drafts block uploads with 429 until one is cancelled', async () => {
    const { id } = await send(client, file(0.6), 'start=false');
    await send(client, file(0.2), 'start=false');
    await expectFull(upload(client, file(0.6)));
    await expectFull(upload(client, file(0.6), 'dry_run=true'));
    await client.post(`/imports/${id}/cancel`).expect(200);
    await send(client, file(0.6), 'start=false');
  });

  it('of a completed dry run block uploads with 429 until it is cancelled', async () => {
    const { id } = await send(client, file(0.6), 'dry_run=true');
    await runJobs(app.production);
    await expectFull(upload(client, file(0.6)));
    const { body } = await client.post(`/imports/${id}/cancel`).expect(200);
    expect(body.data).toMatchObject({ status: 'cancelled', dry_run: true, counts: { failed: 614 } });
    await client.post(`/imports/${id}/start`, {}).expect(409);
    await send(client, file(0.6), 'start=false');
  });

  it('that wait block uploads with 429 until they are imported', async () => {
    await send(client, file(0.6), 'start=true');
    await expectFull(upload(client, file(0.6)));
    await runJobs(app.production);
    const { id } = await send(client, file(0.6), 'start=true');
    await runJobs(app.production);
    expect(await readImport(client, id)).toMatchObject({ status: 'completed' });
  });

  it("don't block a repeated request, which gets its stored response", async () => {
    const keyed = (key: string) => upload(client, file(0.6), 'start=false').set('Idempotency-Key', key);
    const first = await keyed('first').expect(202);
    await send(client, file(0.39), 'start=false');
    const { body, headers } = await keyed('first').expect(202);
    expect(headers['idempotency-replayed']).toBe('true');
    expect(body).toEqual(first.body);
    await expectFull(keyed('second'));
  });

  it('of an interrupted upload count as well', async () => {
    const { id } = await send(client, file(0.6), 'start=false');
    await app.production.knex('jobs').delete();
    await client.get(`/imports/${id}`).expect(404);
    await upload(client, file(0.6)).expect(429);
  });

  it('leave room for other clients, until the total limit is reached', async () => {
    for (let count = 0; count < 4; count += 1) await send(await app.client(), file(0.9), 'start=false');
    await expectFull(
      upload(client, file(0.9)),
      'The drafts, dry runs and queued imports of all clients take all the room there is. Try again later, or ask your operator for more room.',
    );
    await send(client, file(0.1), 'start=false');
  });
});

/** Copies of an import, each a minute older than the last. */
async function copies(count: number, values: string): Promise<void> {
  const columns = 'kind, options, state, counts, resources, rows_total, actor_type, actor_id, request_id';
  await app.production.knex.raw(
    `insert into jobs (id, status, dry_run, errors_kept, created_at, ${columns})
     select gen_random_uuid(), ${values}, now() - n * interval '1 minute', ${columns}
     from (select * from jobs limit 1) as one, generate_series(1, ?) as n`,
    [count],
  );
}

async function countOf(): Promise<number> {
  return Number((await app.production.knex('jobs').count())[0]?.count);
}

describe('the imports of one client', () => {
  it('that can be started are limited to a thousand', async () => {
    const { id } = await send(client, file(0.01), 'start=false');
    await copies(999, `'draft', false, 0`);
    await expectFull(
      upload(client, file(0.01)),
      'You have 1,000 drafts, dry runs and queued imports, which is the maximum. Start or cancel some of them, or wait until the queued ones have run.',
    );
    await send(await app.client(), file(0.01), 'start=false');
    await client.post(`/imports/${id}/cancel`).expect(200);
    await send(client, file(0.01), 'start=false');
  });

  it('that have ended are limited to ten thousand: the oldest are deleted', async () => {
    const { id } = await send(client, file(0.01), 'start=false');
    await copies(10_003, `'completed', false, 0`);
    expect(await deleteOldJobs(app.production.db, new Date(), 100)).toBe(3);
    expect(await deleteOldJobs(app.production.db, new Date(), 100)).toBe(0);
    expect(await countOf()).toBe(10_001);
    await client.get(`/imports/${id}`).expect(200);
  });

  it('that have ended are limited to a million errors: the oldest are deleted', async () => {
    await send(client, file(0.01), 'start=false');
    await copies(12, `'cancelled', true, 100000`);
    expect(await deleteOldJobs(app.production.db, new Date(), 100)).toBe(2);
    await send(await app.client(), file(0.01), 'start=false');
    expect(await deleteOldJobs(app.production.db, new Date(), 100)).toBe(0);
    expect(await countOf()).toBe(12);
  });
});
