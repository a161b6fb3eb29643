/** docs/backup.md: a backup and its restore, as they stand and with the slips of a tired person. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { untilNamed } from '../../support/backups.ts';
import { openChapter } from '../../support/chapter.ts';
import { query } from '../../support/embedded.ts';
import { expectRefusal, expectSuccess, missingAt, Operator, places } from '../../support/operator.ts';
import { call, cleanUp, credentialsOf, getToken, newClient, startServer } from '../../support/process.ts';

vi.setConfig({ testTimeout: 240_000 });

const chapter = openChapter('docs/backup.md');
const backUp = chapter.block('Make a backup');
const [look, restoreOwn, restoreEmbedded, recount, adopt] = [0, 1, 2, 3, 4].map((index) =>
  chapter.block('Restore a backup', index),
) as [string, string, string, string, string];
const lockOut = chapter.block('Other ways to restore');

let operator: Operator;

afterEach(async () => {
  await cleanUp();
  await operator?.leave();
});
afterAll(cleanUp);

const backups = () => readdirSync(operator.home).filter((name) => name.endsWith('.backup'));
const names = async () =>
  (await operator.sql('production', 'select name from leads order by name')).map(({ name }) => name);
/** What is in nobody's interest: copies and parts. */
const left = () =>
  [operator.home, operator.dataDir].filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .map(({ name }) => name)
      .filter((name) => /\.part|parts-|postgres\.copy-|unpacked-/.test(name)),
  );
const isOwn = (place: (typeof places)[number]) => place === "Debian's PostgreSQL 15";

/** Adds a lead, and returns the cursor after it. */
async function addLead(url: string, client: Parameters<typeof getToken>[1]): Promise<string> {
  const token = await getToken(`${url}/v1`, client);
  const lead = { name: 'Later', email: 'later@example.com' };
  expect((await call(token, 'POST', `${url}/v1/leads`, lead)).status).toBe(201);
  const { body } = await call(token, 'GET', `${url}/v1/events?cursor=latest`);
  return (body.meta as { next_cursor: string }).next_cursor;
}

describe.each(places)('on %s', (place) => {
  const restore = isOwn(place) ? restoreOwn : restoreEmbedded;
  const open = async (skip: (reason?: string) => void) => {
    const reason = missingAt(place);
    if (reason !== undefined) skip(reason);
    operator = await Operator.at(place);
    if (isOwn(place)) await query(operator.url('postgres'), 'alter role api createdb');
  };
  const variables = () => ({ BACKUP: join(operator.home, backups()[0] ?? '') });
  const start = () => startServer({ ...operator.env, DATA_DIR: operator.dataDir });

  it('a backup is made while the service runs, restored when it is stopped, checked and adopted', async ({
    skip,
  }) => {
    await open(skip);
    const server = await start();
    const client = isOwn(place)
      ? await newClient(operator.env.DATABASE_URL ?? '')
      : credentialsOf(operator.dataDir).production;
    expectSuccess(await operator.run(backUp));
    expect(backups()).toHaveLength(1);
    const env = variables();
    const cursor = await addLead(server.url, client);
    await operator.sql('production', "delete from leads where name = 'Ada'");
    const refused = await operator.run(restore, { env });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/is in use|is using/)]);
    expect(await names()).toEqual(['Grace', 'Later']);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop();
    expectRefusal(await operator.paste(look, { env }), /^ {2}leads +2 +1 +2 +1$/m);
    const other = isOwn(place) ? restoreEmbedded : restoreOwn;
    expectRefusal(await operator.paste(other, { env }), /also requires the name/);
    expect(await names()).toEqual(['Grace', 'Later']);
    expectSuccess(await operator.run(restore, { env, times: 2 }));
    expect(await names()).toEqual(['Ada', 'Grace']);
    expectSuccess(await operator.run(recount));
    expectRefusal(await operator.paste(adopt), /This starts its work/);
    const restored = await start();
    const token = await getToken(`${restored.url}/v1`, client);
    const { body } = await call(token, 'GET', `${restored.url}/v1/events?cursor=${cursor}`);
    expect(body.code).toBe('log_restored');
    await restored.stop();
    expect(left()).toEqual([]);
  });

  it('a second paste, the wrong folder and missing variables change nothing', async ({ skip }) => {
    await open(skip);
    const twice = await operator.paste(backUp, { times: 2 });
    expect(twice.changes).toEqual([`file ~/${backups()[0]}: new`]);
    expect(twice.stderr).toMatch(/exists, and a backup never replaces a file/);
    const elsewhere = { cwd: operator.home, env: variables() };
    for (const block of [backUp, restore, recount])
      expectRefusal(await operator.paste(block, elsewhere), /bin\/lead-pipeline: not found/);
    expectRefusal(await operator.paste(restore), /The name of the backup is empty/);
    const wrong: { env: Record<string, string>; why: RegExp }[] = isOwn(place)
      ? [
          { env: { SECRET_KEY: '' }, why: /SECRET_KEY is missing/ },
          { env: { DATABASE_URL: '' }, why: /DATABASE_URL is missing/ },
          { env: { DATABASE_URL: '', SANDBOX_DATABASE_URL: '', SECRET_KEY: '' }, why: /no database in/ },
        ]
      : [{ env: { DATA_DIR: '/tmp/misspelt' }, why: /There is no database in \/tmp\/misspelt/ }];
    for (const { env, why } of wrong)
      expectRefusal(await operator.paste(backUp.replace('leads-', 'other-'), { env }), why);
  });

  it.for(['SIGINT', 'SIGKILL'] as const)(
    'a backup and a restore that %s interrupts have changed nothing, and are repeated',
    async (signal, { skip }) => {
      await open(skip);
      const begun = await operator.run(backUp, { interrupt: { signal, when: 1_500 } });
      expect(begun.status).toBeGreaterThan(0);
      expect(backups()).toEqual([]);
      await vi.waitFor(async () => expectSuccess(await operator.run(backUp)), {
        timeout: 60_000,
        interval: 500,
      });
      expect(left()).toEqual([]);
      const env = variables();
      await operator.sql('production', "delete from leads where name = 'Ada'");
      const when = isOwn(place) ? /^ {2}leads /m : () => untilNamed(operator.dataDir, /^postgres\.copy-/);
      await operator.run(restore, { env, interrupt: { signal, when } });
      expect(await names()).toEqual(['Grace']);
      await vi.waitFor(async () => expectSuccess(await operator.run(restore, { env })), {
        timeout: 60_000,
        interval: 500,
      });
      expect(await names()).toEqual(['Ada', 'Grace']);
      expect(left()).toEqual([]);
    },
  );
});

describe('locking everybody out of a database', () => {
  const open = async (skip: (reason?: string) => void) => {
    const reason = missingAt("Debian's PostgreSQL 15");
    if (reason !== undefined) skip(reason);
    operator = await Operator.at("Debian's PostgreSQL 15");
  };

  it('ends a running service’s sessions, and it accepts nothing any more', async ({ skip }) => {
    await open(skip);
    const client = await newClient(operator.env.DATABASE_URL ?? '');
    const server = await startServer({ ...operator.env, DATA_DIR: operator.home });
    const token = await getToken(`${server.url}/v1`, client);
    const add = (name: string) =>
      call(token, 'POST', `${server.url}/v1/leads`, { name, email: `${name}@example.com` });
    expect((await add('Before')).status).toBe(201);
    expectSuccess(
      await operator.run(lockOut, { env: { SERVER_URL: operator.url('postgres'), OLD: 'leads' } }),
    );
    expect((await add('After')).status).toBe(503);
    await query(operator.url('postgres'), 'alter database leads allow_connections true');
    expect(await names()).toEqual(['Ada', 'Before', 'Grace']);
    await server.stop();
  });

  it('does nothing without its variables', async ({ skip }) => {
    await open(skip);
    expectRefusal(await operator.paste(lockOut), /SERVER_URL/);
    expectRefusal(await operator.paste(lockOut, { env: { SERVER_URL: operator.url('postgres') } }), /OLD/);
  });
});
