/** Processes that write `credentials.json` at the same time. */
import { existsSync } from 'node:fs';
import pg from 'pg';
import { type DestinationStream, pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { directRoute } from '../../src/db/pool/route.ts';
import type { Environment } from '../../src/environment.ts';
import { credentialsPath, ensureFirstClient } from '../../src/process/credentials-file.ts';
import { createTestDatabase } from '../support/database.ts';
import { cleanUp, credentialsOf, newDataDir } from '../support/process.ts';

const closers: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await cleanUp();
});

/** A start's part that creates the first client of an environment. */
async function newStart(dataDir: string, environment: Environment, log?: DestinationStream) {
  const { url, drop } = await createTestDatabase();
  const db = new Database(url, 1, { limit: Number.POSITIVE_INFINITY });
  closers.push(drop, () => db.close());
  const context = {
    environment,
    db,
    database: directRoute(url),
    logger: log ? pino({}, log) : pino({ level: 'silent' }),
  };
  const baseUrl = `http://127.0.0.1/${environment}`;
  return { url, run: () => ensureFirstClient(dataDir, { ...context, baseUrl }, { isFirst: true }) };
}

it('concurrent starts in different environments keep what the other one writes', async () => {
  const dataDir = newDataDir();
  const sandbox = await newStart(dataDir, 'sandbox');
  const production = await newStart(dataDir, 'production');
  const admin = new pg.Client({ connectionString: sandbox.url });
  await admin.connect();
  closers.push(() => admin.end());
  const isWaiting = async (database: string) => {
    const waits = `select from pg_locks join pg_database on pg_database.oid = database where not granted and datname = $1`;
    return (await admin.query(waits, [database])).rowCount === 1;
  };

  // The first one has read the file, and waits before it can store its client.
  await admin.query('begin; lock table api_clients in share mode');
  const first = sandbox.run();
  await expect.poll(() => isWaiting(new URL(sandbox.url).pathname.slice(1))).toBe(true);
  // The second one is done, or waits for the first one.
  let isDone = false;
  const second = production.run().finally(() => {
    isDone = true;
  });
  await expect.poll(async () => isDone || (await isWaiting('postgres'))).toBe(true);
  await admin.query('rollback');

  expect({ sandbox: await first, production: await second }).toEqual(credentialsOf(dataDir));
});

it('a start that waits for another process says so, and goes on when that one has ended', async () => {
  const dataDir = newDataDir();
  const said: string[] = [];
  const start = await newStart(dataDir, 'production', { write: (line: string) => said.push(line) });
  const holder = new pg.Client({ connectionString: new URL('/postgres', start.url).href });
  await holder.connect();
  await holder.query(`set application_name = 'another start'; select pg_advisory_lock(7305822403)`);
  const created = start.run();
  await expect.poll(() => said.join(''), { timeout: 5_000 }).toContain('is changing credentials.json');
  const [line = ''] = said;
  expect(JSON.parse(line).msg).toMatch(
    /^Waiting\. Another process is changing credentials\.json: pid \d+ of PostgreSQL, another start, role \w+, /,
  );
  expect(existsSync(credentialsPath(dataDir))).toBe(false);
  await holder.end();
  expect({ production: await created }).toEqual(credentialsOf(dataDir));
});
