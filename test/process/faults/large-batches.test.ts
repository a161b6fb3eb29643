/** Ten batches of 8 MiB at once, with the memory that `npm start` gives to the service. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { uniqueEmail } from '../../support/factories.ts';
import {
  cleanUp,
  externalDatabases,
  getToken,
  type RunningServer,
  startServer,
} from '../../support/process.ts';
import { residentBytes } from '../../support/processes.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const MiB = 1024 * 1024;
let server: RunningServer;
let api: string;
let token: string;

beforeAll(async () => {
  const { env, credentials } = await externalDatabases();
  server = await startServer({ ...env, RATE_LIMIT_BATCH: '1000000' });
  api = `${server.url}/v1`;
  token = await getToken(api, credentials);
});

afterAll(cleanUp);

const metadata = JSON.stringify(
  Object.fromEntries(Array.from({ length: 15 }, (_, key) => [`key-${key}`, 'é'.repeat(250)])),
);

function batch(): string {
  const items = Array.from(
    { length: 1000 },
    () => `{"name":"Ada Lovelace","email":"${uniqueEmail()}","metadata":${metadata}}`,
  );
  return `{"items":[${items.join()}]}`;
}

function peakMemory(): number {
  return residentBytes(server.child.pid, 'peak');
}

it('are handled one after another, or told to come again, and the process stays small', async () => {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const answer = await fetch(`${api}/leads/batch/create`, { method: 'POST', headers, body: batch() });
      const { meta } = (await answer.json()) as { meta?: { created: number } };
      return { status: answer.status, created: meta?.created };
    }),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(done.length).toBeGreaterThan(0);
  expect(new Set(done.map(({ created }) => created))).toEqual(new Set([1000]));
  expect(answers.filter(({ status }) => ![200, 503].includes(status))).toEqual([]);
  // All of them together would take more than 600 MiB.
  expect(peakMemory()).toBeLessThan(512 * MiB);
});
