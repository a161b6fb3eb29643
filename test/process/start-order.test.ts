/** A start depends on nothing that background work meets in the data. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { query } from '../support/embedded.ts';
import { cleanUp, externalDatabases, failedStart, getToken, startServer } from '../support/process.ts';

afterAll(cleanUp);

it('a process begins background work only after it listens', async () => {
  const { env, credentials } = await externalDatabases();
  const api = await startServer({ ...env, ROLE: 'api' });
  const headers = {
    Authorization: `Bearer ${await getToken(`${api.url}/v1`, credentials)}`,
    'Content-Type': 'text/csv',
  };
  const body = 'name,email\nAda,ada@example.com\n';
  const sent = await fetch(`${api.url}/v1/imports?resource=leads&start=true`, {
    method: 'POST',
    headers,
    body,
  });
  expect(sent.status).toBe(202);
  await api.stop();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await failedStart({ ...env, PORT: String(port) });
  other.close();
  expect(code, stderr).toBe(1);
  const status = 'select status from jobs';
  expect(await query(env.DATABASE_URL, status)).toEqual([{ status: 'queued' }]);
  const all = await startServer(env);
  await expect.poll(() => query(env.DATABASE_URL, status)).toEqual([{ status: 'completed' }]);
  await all.stop();
});
