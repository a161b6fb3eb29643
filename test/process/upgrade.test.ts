import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { freePort } from '../../src/process/free-port.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { noHistory, previous, previousRelease } from '../support/previous-release.ts';
import { cleanUp, getToken, newDataDir, run, startServer } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

afterAll(cleanUp);

const folder = previousRelease();
const ready = /docs +(\S+)\/docs\n/;

/** What a client of the last version does. Gives the operations that did not succeed. */
async function useIt(token: string, api: string): Promise<string[]> {
  const failed: string[] = [];
  const ask = async (method: string, path: string, body?: object, headers = {}) => {
    const request = () =>
      fetch(api + path, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
    let response = await request();
    // As while a migration has the table.
    for (let tries = 1; response.status === 503 && tries < 20; tries += 1) {
      await sleep(250);
      response = await request();
    }
    const text = await response.text();
    if (!response.ok) failed.push(`${method} ${path} → ${response.status} ${text}`);
    const answer = { body: text === '' ? {} : JSON.parse(text) };
    return (answer.body.data ?? {}) as Record<string, string>;
  };
  const n = randomBytes(6).toString('hex');
  const key = () => ({ 'Idempotency-Key': randomBytes(8).toString('hex') });
  const user = await ask('POST', '/users', { name: 'Ada', email: `user-${n}@example.com` });
  const content = await ask('POST', '/content', {
    title: 'Guide',
    slug: `guide-${n}`,
    type: 'article',
    body: 'Text',
  });
  await ask('PATCH', `/content/${content.id}`, { title: 'A guide' });
  await ask('POST', `/content/${content.id}/publish`);
  const email = `lead-${n}@example.com`;
  const lead = await ask(
    'POST',
    '/leads',
    {
      name: 'Grace',
      email,
      tags: ['one'],
      content_id: content.id,
      assigned_user_id: user.id,
      metadata: { plan: 'gold' },
    },
    key(),
  );
  await ask('PATCH', `/leads/${lead.id}`, { status: 'contacted', company: 'Navy' }, key());
  await ask('POST', `/leads/${lead.id}/convert`, { status: 'won' }, key());
  const contact = await ask('POST', '/contacts', { name: 'Mary', email: `contact-${n}@example.com` }, key());
  await ask('PATCH', `/contacts/${contact.id}`, { title: 'Engineer' });
  const hook = await ask('POST', '/inbound-hooks', {
    name: 'Form',
    mapping: { name: '/name', email: '/email' },
  });
  await ask('POST', new URL(hook.url ?? api).pathname.replace(new URL(api).pathname, ''), {
    name: 'Joan',
    email: `hook-${n}@example.com`,
  });
  const webhook = await ask('POST', '/webhooks', {
    url: 'https://example.com/hook',
    event_types: ['user.deleted'],
  });
  await ask('PATCH', `/webhooks/${webhook.id}`, { status: 'paused' });
  await ask('DELETE', `/webhooks/${webhook.id}`);
  for (const path of [
    '/leads?search=grace&status=won',
    '/leads?tag=one',
    `/leads/${lead.id}`,
    `/leads/${lead.id}/events`,
    '/contacts',
    '/content',
    '/users',
    '/webhooks',
    '/inbound-hooks',
    `/inbound-hooks/${hook.id}/deliveries`,
    '/events?limit=500',
    '/events?after=latest',
    '/event-types',
    '/auth/me',
    ...['summary', 'funnel', 'sources', 'timeseries', 'time-in-status', 'content', 'users'].map(
      (name) => `/analytics/${name}`,
    ),
  ])
    await ask('GET', path);
  for (const path of [`/leads/${lead.id}`, `/contacts/${contact.id}`, `/inbound-hooks/${hook.id}`])
    await ask('DELETE', path);
  return failed;
}

describe(`version ${previous.version}`, () => {
  it('serves while the database is migrated, and beside processes of this version', async (ctx) => {
    if (folder === undefined) return ctx.skip(noHistory);
    const [production, sandbox] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
    const [port, otherPort] = [await freePort(), await freePort()];
    const env = {
      DATABASE_URL: production.url,
      SANDBOX_DATABASE_URL: sandbox.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: newDataDir(),
      // The issuer of the tokens.
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      RATE_LIMIT_READ: '1000000',
      RATE_LIMIT_WRITE: '1000000',
    };
    const before = run(process.execPath, [join(folder, 'src/server.ts')], { ...env, PORT: String(port) });
    await vi.waitFor(() => expect(before.output.stdout).toMatch(ready), 60_000);
    const options = ['--environment', 'production', '--name', 'Test', '--json'];
    const created = run(process.execPath, [join(folder, 'src/cli.ts'), 'clients', 'create', ...options], env);
    expect(await created.exited).toBe(0);
    const api = `http://127.0.0.1:${port}/v1`;
    const token = await getToken(api, JSON.parse(created.output.stdout));
    expect(await useIt(token, api)).toEqual([]);

    let isMigrated = false;
    const meanwhile = (async () => {
      const failed: string[] = [];
      while (!isMigrated) failed.push(...(await useIt(token, api)));
      return failed;
    })();
    await Promise.all([production, sandbox].map(({ url }) => migrate(url)));
    isMigrated = true;
    // Between the migration that takes something away and the last one, which brings it back.
    const passing = /^(DELETE \/(leads|contacts)\/|GET \/events)/;
    expect((await meanwhile).filter((failure) => !passing.test(failure))).toEqual([]);

    const after = await startServer({ ...env, PORT: String(otherPort) });
    const otherApi = `http://127.0.0.1:${otherPort}/v1`;
    // Each reads what the other has written.
    for (const one of [api, otherApi, api, otherApi]) expect(await useIt(token, one)).toEqual([]);
    before.child.kill('SIGTERM');
    expect([await before.exited, await after.stop()]).toEqual([0, 0]);
    for (const database of [production, sandbox]) await database.drop();
  });
});
