/** kill -9 during an import: in the end, the file is imported exactly once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { startTestApp } from '../../support/app.ts';
import { readImport, send } from '../../support/imports.ts';
import { cleanUp, newDataDir, run } from '../../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 180_000 });

const ROWS = 15_000;
const KILLS = 10;
/** Rows without an email address. */
const WRONG = ROWS / 100;

it('killed ten times at random points, it imports each row once, and says what became of it', async () => {
  const app = await startTestApp({ sandbox: true });
  const { knex } = app.production;
  const [production, sandbox] = app.databases.map(({ url }) => url);
  const env = {
    DATABASE_URL: `${production}`,
    SANDBOX_DATABASE_URL: `${sandbox}`,
    SECRET_KEY: app.secretKey[0].toString('base64'),
    DATA_DIR: newDataDir(),
    DATABASE_POOL_SIZE: '2',
    ROLE: 'worker',
  };
  const startWorker = () => run(process.execPath, ['src/server.ts'], env);
  const client = await app.client();
  const rows = Array.from({ length: ROWS }, (_, index) =>
    index % 100 === 50 ? `Lead ${index},nobody` : `Lead ${index},lead${index}@example.com`,
  );
  const { id } = await send(client, `name,email\n${rows.join('\n')}\n`);
  const count = async (sql: string): Promise<number> => Number((await knex.raw(sql)).rows[0].count);
  const done = () => count('select sum(rows_done) as count from jobs');
  let worker = startWorker();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await done();
    while ((await done()) === before) await sleep(50);
    await sleep(Math.random() * 100);
    worker.child.kill('SIGKILL');
    await worker.exited;
    worker = startWorker();
  }
  // It was not through before the last one.
  expect(await done()).toBeLessThan(ROWS);
  while ((await readImport(client, id)).status === 'running') await sleep(100);
  expect(await readImport(client, id)).toMatchObject({
    status: 'completed',
    rows_done: ROWS,
    counts: { created: ROWS - WRONG, updated: 0, unchanged: 0, failed: WRONG, warned: 0 },
    failures: [{ code: 'validation_failed', field: 'email', rows: WRONG }],
  });
  const leads: { id: string; name: string; email: string }[] = await knex('leads').select(
    'id',
    'name',
    'email',
  );
  const right = rows.filter((row) => !row.endsWith('nobody'));
  expect(leads.map(({ name, email }) => `${name},${email}`).sort()).toEqual(right.toSorted());
  expect(await count('select count(distinct resource_id) from events')).toBe(ROWS - WRONG);
  expect(await count('select count(*) from events')).toBe(ROWS - WRONG);
  expect(await count('select count(*) from lead_status_changes')).toBe(ROWS - WRONG);
  const idOf = new Map(leads.map(({ name, id }) => [name, id]));
  const results: { row: number; outcome: string; resource_id: string | null }[] = await knex('import_rows')
    .select('row', 'outcome', 'resource_id')
    .orderBy('row');
  expect(results).toEqual(
    rows.map((text, index) => {
      const id = idOf.get(text.split(',')[0] ?? '') ?? null;
      return { row: index + 2, outcome: id === null ? 'failed' : 'created', resource_id: id };
    }),
  );
  expect(await count('select count(*) from job_errors')).toBe(WRONG);
  const { text } = await client.get(`/imports/${id}/rejected-rows`).set('Accept', 'text/csv').expect(200);
  const rejected = rows.filter((row) => row.endsWith('nobody'));
  expect(text.trim().split('\r\n').slice(1)).toEqual(
    rejected.map((row) => `${row},email must be an email address.`),
  );
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
  await app.close();
});
