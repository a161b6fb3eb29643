/** What the followers of all languages promise. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead } from '../support/factories.ts';
import { cleanUp, newDataDir, type Run } from '../support/process.ts';

let app: TestApp;
let client: TestClient;
let env: Record<string, string>;

async function end({ child }: Run, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'close');
}

/** Reads the copy, even while the follower writes it. */
function copy(): unknown[] {
  const db = new DatabaseSync(env.DATABASE ?? '', { readOnly: true });
  try {
    return db
      .prepare('select lead from leads order by id')
      .all()
      .map(({ lead }) => JSON.parse(String(lead)));
  } catch (error) {
    // There are no tables yet, or the follower is writing.
    if (/no such table|locked/.test(String(error))) return [];
    throw error;
  } finally {
    db.close();
  }
}

function cursorOf(db: DatabaseSync): string {
  return String(db.prepare('select cursor from follower').get()?.cursor);
}

async function leads(): Promise<unknown[]> {
  const pages = [1, 2].map((page) => client.get(`/leads?per_page=100&page=${page}`).expect(200));
  const all = (await Promise.all(pages)).flatMap(({ body }) => body.data);
  return all.sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1));
}

async function expectCopied(follower: Run): Promise<void> {
  const expected = await leads();
  await vi.waitFor(
    () => {
      if (follower.child.exitCode !== null) throw new Error(follower.output.stderr);
      expect(copy()).toEqual(expected);
    },
    { timeout: 30_000, interval: 100 },
  );
}

/** Declares the tests of a follower, which `start` runs with these environment variables. */
export function testFollower(start: (env: Record<string, string>) => Run): void {
  vi.setConfig({ testTimeout: 60_000 });

  beforeAll(async () => {
    app = await startTestApp();
    client = await app.client();
    const { client_id, client_secret } = await app.credentials(['read']);
    env = {
      BASE_URL: `${app.url}/v1`,
      CLIENT_ID: client_id,
      CLIENT_SECRET: client_secret,
      DATABASE: join(newDataDir(), 'leads.sqlite'),
    };
  });

  afterAll(async () => {
    await cleanUp();
    await app.close();
  });

  it('copies the existing leads, then every change', async () => {
    // More than one page.
    await Promise.all(
      Array.from({ length: 120 }, (_, index) => createLead(client, { name: `Lead ${index}` })),
    );
    const follower = start(env);
    await expectCopied(follower);
    const { id } = await createLead(client, { name: 'Katherine' });
    await client.patch(`/leads/${id}`, { status: 'won' }).expect(200);
    const gone = await createLead(client);
    await client.delete(`/leads/${gone.id}`).expect(204);
    await expectCopied(follower);
    follower.child.kill('SIGTERM');
    expect(await follower.exited).toBe(0);
  });

  it('loses nothing when it is killed, again and again, while leads change', async () => {
    let follower = start(env);
    for (let round = 0; round < 3; round += 1) {
      const { id } = await createLead(client, { name: `Killed ${round}` });
      // By now, the follower is running.
      await expectCopied(follower);
      const writes = Promise.all([
        client.patch(`/leads/${id}`, { status: 'contacted' }).expect(200),
        ...Array.from({ length: 10 }, () => createLead(client, { name: `Meanwhile ${round}` })),
      ]);
      await end(follower, 'SIGKILL');
      await writes;
      follower = start(env);
    }
    await expectCopied(follower);
    await end(follower);
  });

  it('waits for readers of its copy', async () => {
    const follower = start(env);
    await expectCopied(follower);
    const reader = new DatabaseSync(env.DATABASE ?? '', { readOnly: true });
    reader.exec('begin');
    expect(reader.prepare('select count(*) as held from leads').get()?.held).toBeGreaterThan(0);
    await createLead(client, { name: 'While it is read' });
    // SQLite has this file from the follower's first change to the end of its transaction, which waits for the reader.
    await vi.waitFor(() => expect(existsSync(`${env.DATABASE}-journal`)).toBe(true), 20_000);
    reader.close();
    await expectCopied(follower);
    await end(follower);
  });

  it('saves no cursor before the changes up to it', async () => {
    const db = new DatabaseSync(env.DATABASE ?? '');
    const before = cursorOf(db);
    db.exec(`create trigger full before insert on leads when new.lead like '%Too many%'
             begin select raise(abort, 'the disk is full'); end`);
    await createLead(client, { name: 'Just enough' });
    await createLead(client, { name: 'Too many' });
    const { output, exited } = start(env);
    expect(await exited).not.toBe(0);
    expect(output.stderr).toContain('the disk is full');
    expect(cursorOf(db)).toBe(before);
    db.exec('drop trigger full');
    db.close();
    const next = start(env);
    await expectCopied(next);
    await end(next);
  });

  it('applies no event that is older than its copy of the lead', async () => {
    const { id } = await createLead(client, { name: 'First' });
    const follower = start(env);
    await expectCopied(follower);
    await end(follower);
    await client.patch(`/leads/${id}`, { name: 'Second' }).expect(200);
    const db = new DatabaseSync(env.DATABASE ?? '');
    db.prepare('update leads set version = 9, lead = ? where id = ?').run('{"name":"Ninth"}', id);
    const before = cursorOf(db);
    const next = start(env);
    await vi.waitFor(() => expect(cursorOf(db)).not.toBe(before), 30_000);
    await end(next);
    const [kept] = db.prepare('select lead from leads where id = ?').all(id);
    expect(kept?.lead).toBe('{"name":"Ninth"}');
    db.close();
  });

  it('reads everything again when the events after its cursor are gone', async () => {
    const stale = await createLead(client);
    const first = start(env);
    await vi.waitFor(() => expect(copy()).toContainEqual(stale), 30_000);
    await end(first);
    await client.delete(`/leads/${stale.id}`).expect(204);
    await createLead(client, { name: 'Unheard of' });
    // As after 90 days.
    await app.production.knex.raw(
      'update event_retention set dropped_through = (select max(position) from events)',
    );
    const db = new DatabaseSync(env.DATABASE ?? '');
    await client.get(`/events?cursor=${cursorOf(db)}`).expect(410);
    db.close();
    const second = start(env);
    await expectCopied(second);
    await createLead(client, { name: 'After the gap' });
    await expectCopied(second);
    await end(second);
  });

  it('exits with the reason if it lacks the scope', async () => {
    const { client_id, client_secret } = await app.credentials(['users:read']);
    const { output, exited } = start({
      ...env,
      CLIENT_ID: client_id,
      CLIENT_SECRET: client_secret,
    });
    expect(await exited).not.toBe(0);
    expect(output.stderr).toContain('insufficient_scope');
  });
}
