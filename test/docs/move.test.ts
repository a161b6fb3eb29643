/** The recipe for moving a deployment, from one folder to another. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { commandsOf, readPage } from '../support/markdown.ts';
import { Newcomer } from '../support/newcomer.ts';
import { call, getToken } from '../support/process.ts';
import { openShell } from '../support/shell.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const old = new Newcomer();
const next = new Newcomer();

afterAll(() => Promise.all([old.leave(), next.leave()]));

const [pack = '', unpack = '', , check = ''] = commandsOf(readPage('docs/recipes.md'))
  .filter(({ section }) => section === 'Move a deployment')
  .map(({ text }) => text);

async function paste({ folder }: Newcomer, text: string): Promise<string> {
  const shell = openShell(folder);
  try {
    const { status, output } = await shell.paste(text);
    expect(status, `${text}\n${output()}`).toBe(0);
    return output();
  } finally {
    shell.close();
  }
}

interface Credentials {
  base_url: string;
  client_id: string;
  client_secret: string;
}

const credentialsIn = ({ dataDir }: Newcomer): Credentials =>
  JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')).production;

it('a deployment keeps its leads, its credentials and the place of its followers', async () => {
  old.addDatabases();
  await old.start();
  const before = credentialsIn(old);
  const first = await getToken(before.base_url, before);
  await call(first, 'POST', `${before.base_url}/leads`, { name: 'Ada', email: 'ada@example.com' });
  const { body: log } = await call(first, 'GET', `${before.base_url}/events?cursor=latest`);
  const { next_cursor: cursor } = log.meta as { next_cursor: string };
  await old.interrupt();

  await paste(old, pack);
  copyFileSync(join(old.folder, 'lead-pipeline.backup'), join(next.folder, 'lead-pipeline.backup'));
  await paste(next, unpack);
  expect(next.left).toEqual(['.data']);
  await next.start();

  const { base_url: base } = credentialsIn(next);
  const token = await getToken(base, before);
  const leads = await call(token, 'GET', `${base}/leads`);
  expect(leads.body.data).toMatchObject([{ name: 'Ada' }]);
  const events = await call(token, 'GET', `${base}/events?cursor=${cursor}`);
  expect(events.body.data).toEqual([]);
  const port = new URL(base).port;
  expect(await paste(next, check.replaceAll('3000', port))).toContain('"status":"ok"');
});
