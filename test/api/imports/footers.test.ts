/** Rows at the end of a file that may be a footer, or people. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, importFile, readImport, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

beforeEach(() => app.production.knex.raw('delete from contacts'));

afterAll(() => app.close());

const names = async () => {
  const { body } = await client.get('/contacts?sort=name&per_page=100').expect(200);
  return body.data.map(({ name }: { name: string }) => name);
};

const start = async (id: string, body: object) => {
  await client.post(`/imports/${id}/start`, body).expect(202);
  await runJobs(app.production);
  return readImport(client, id);
};

it.each([
  ['a name that begins like a sum', ['Ada,Engines', 'Total Recall,']],
  ['a name below a blank row', ['Ada,Engines', '', 'Grace Hopper,']],
])('%s is a doubt, and no row is left out without an answer', async (_, lines) => {
  const file = csv('name,company', ...lines);
  const draft = await send(client, file, 'resource=contacts');
  const row = lines.length + 1;
  const name = lines.at(-1)?.slice(0, -1);
  expect(draft).toMatchObject({ status: 'draft', rows_total: 2, warnings: [] });
  expect(draft.doubts).toEqual([
    {
      code: 'footer',
      column: null,
      row,
      message:
        `Row ${row} looks like a footer below the table: ${name}. To leave this out, start the import with accept_doubts ` +
        'footer. Without it, these rows are imported like all others.',
    },
  ]);
  const done = await start(draft.id, {});
  expect(done.counts).toMatchObject({ created: 2, failed: 0 });
  expect(await names()).toContain(name);
});

it('is left out by the answer footer, and told', async () => {
  const file = csv('name,company', 'Ada,Engines', '', 'Hot leads', 'Confidential');
  const draft = await send(client, file, 'resource=contacts');
  const done = await start(draft.id, { accept_doubts: ['footer'] });
  expect(done).toMatchObject({ status: 'completed', rows_total: 1, rows_done: 1, doubts: [] });
  expect(done.warnings).toEqual([
    {
      code: 'footer_skipped',
      column: null,
      row: 4,
      message: 'Rows 4 to 5 were not imported: this is a footer below the table.',
    },
  ]);
  expect(await names()).toEqual(['Ada']);
});

it('can be answered beforehand, so that a regular import waits for nobody', async () => {
  const file = csv('name,company', 'Ada,Engines', '', 'Page 1 of 1');
  const query = 'resource=contacts&accept_doubts=footer';
  const done = await importFile(app, client, file, query);
  expect(done).toMatchObject({ status: 'completed', rows_total: 1, doubts: [] });
  expect(done.warnings).toMatchObject([{ code: 'footer_skipped', row: 4 }]);
});

it('is left out of the chunks in which its rows are stored', async () => {
  const people = Array.from({ length: 248 }, (_, index) => `Ada ${index},Engines`);
  const file = csv('name,company', ...people, '', 'Hot leads', 'Confidential', 'Page 1', 'Page 2');
  const draft = await send(client, file, 'resource=contacts');
  expect(draft).toMatchObject({ status: 'draft', rows_total: 252 });
  const done = await start(draft.id, { accept_doubts: ['footer'] });
  expect(done).toMatchObject({ status: 'completed', rows_total: 248, rows_done: 248 });
  expect(done.counts).toMatchObject({ created: 248, failed: 0 });
});

it('does not decide what the columns mean', async () => {
  const file = csv('name,email', 'Ada,ada@example.com', '', 'Confidential');
  const draft = await send(client, file, 'resource=contacts');
  expect(draft).toMatchObject({ mapping: { name: 'name', email: 'email' } });
  expect(draft.doubts.map(({ code }) => code)).toEqual(['footer']);
});

it('other doubts have no such answer', async () => {
  const refused = client
    .post('/imports?resource=leads&accept_doubts=no_email')
    .set('Content-Type', 'text/csv');
  const { body } = await refused.send('name\nAda\n').expect(400);
  expect(body.errors.accept_doubts).toBeDefined();
});
