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

it('killed ten times at random points, it imports each row once', async () => {
  const app = await startTestApp({ sandbox: true });
  const { knex } = app.production;
  const [production, sandbox] = app.databases.map(({ url }) => url);
  const env = {
    DATABASE_URL: `${production}`,
    SANDBOX_DATABASE_URL: `${sandbox}`,
    SECRET_KEY: app.secretKey.toString('base64'),
    DATA_DIR: newDataDir(),
    DATABASE_POOL_SIZE: '2',
    ROLE: 'worker',
  };
  const startWorker = () => run(process.execPath, ['src/server.ts'], env);
  const client = await app.client();
  const rows = Array.from({ length: ROWS }, (_, index) => `Lead ${index},lead${index}@example.com`);
  const { id } = await send(client, `name,email\n${rows.join('\n')}\n`);
  const count = async (sql: string): Promise<number> => Number((await knex.raw(sql)).rows[0].count);
  const done = () => count('select sum(rows_done) as count from imports');
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
    counts: { created: ROWS, updated: 0, unchanged: 0, failed: 0, warned: 0 },
  });
  const leads: { name: string; email: string }[] = await knex('leads').select('name', 'email');
  expect(leads.map(({ name, email }) => `${name},${email}`).sort()).toEqual(rows.toSorted());
  expect(await count('select count(distinct resource_id) from events')).toBe(ROWS);
  expect(await count('select count(*) from events')).toBe(ROWS);
  expect(await count('select count(*) from lead_status_changes')).toBe(ROWS);
  expect(await count('select count(*) from import_chunks')).toBe(0);
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
  await app.close();
});
