/** kill -9 during an import: what is imported in the end is the file, once. */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { cleanUp, externalDatabases, getToken, type RunningServer, startServer } from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 180_000 });

const ROWS = 30_000;
const KILLS = 10;

async function finishedImport({ url }: RunningServer, token: string, id: string, within: number) {
  const end = performance.now() + within;
  while (performance.now() < end) {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/v1/imports/${id}`, { headers });
    const { data } = (await response.json()) as { data: { status: string } };
    if (data.status !== 'queued' && data.status !== 'running') return data;
    await sleep(20);
  }
  return undefined;
}

it('killed ten times at random points, it imports each row once', async () => {
  const { env, credentials } = await externalDatabases();
  const rows = Array.from({ length: ROWS }, (_, index) => `Lead ${index},lead${index}@example.com`);
  let server = await startServer(env);
  const token = await getToken(`${server.url}/v1`, credentials);
  const response = await fetch(`${server.url}/v1/imports?resource=leads`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
    body: `name,email\n${rows.join('\n')}\n`,
  });
  const { data } = (await response.json()) as { data: { id: string } };
  const db = new pg.Client({ connectionString: env.DATABASE_URL });
  await db.connect();
  const count = async (sql: string): Promise<number> => Number((await db.query(sql)).rows[0].count);
  const done: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(Math.random() * 400);
    server.child.kill('SIGKILL');
    await server.exited;
    done.push(await count('select sum(rows_done) as count from imports'));
    server = await startServer(env);
  }
  // It got on between the kills, and was not through before the last one.
  expect(new Set(done).size).toBeGreaterThan(1);
  expect(done.at(-1)).toBeLessThan(ROWS);
  const later = await getToken(`${server.url}/v1`, credentials);
  const made = await finishedImport(server, later, data.id, 60_000);
  expect(made).toMatchObject({
    status: 'completed',
    rows_done: ROWS,
    counts: { created: ROWS, updated: 0, unchanged: 0, failed: 0 },
  });
  const { rows: leads } = await db.query('select name, email from leads');
  expect(leads.map(({ name, email }) => `${name},${email}`).sort()).toEqual(rows.toSorted());
  expect(await count('select count(distinct resource_id) from events')).toBe(ROWS);
  expect(await count('select count(*) from events')).toBe(ROWS);
  expect(await count('select count(*) from lead_status_changes')).toBe(ROWS);
  expect(await count('select count(*) from import_chunks')).toBe(0);
  await db.end();
  expect(await server.stop()).toBe(0);
});
