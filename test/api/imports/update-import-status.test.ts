import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import {
  changeImport,
  csv,
  errorsOf,
  importFile,
  readImport,
  send,
  startImport,
} from '../../support/imports.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { uuidOf } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const draftOf = (file: string) => send(client, file, 'start=false');
const file = () => csv('Full name,E-Mail,Plan', `Ada,${uniqueEmail()},gold`);

const change = (id: string, changes: object, by = client) => changeImport(by, id, changes);

const start = (id: string) => startImport(app, client, id);

describe('the status of an import that is changed', () => {
  it('may be queued: it runs with the change, in the name of who has changed it', async () => {
    const email = uniqueEmail();
    const { id } = await send(client, csv('name,email,Plan', `Ada,${email},gold`));
    const other = await app.client(['leads:write']);
    expect(await change(id, { mapping: { Plan: 'metadata.plan' } }, other)).toMatchObject({
      status: 'queued',
      version: 2,
    });
    await runJobs(app.production);
    const { body } = await client.get(`/leads?email=${email}`).expect(200);
    expect(body.data).toMatchObject([{ metadata: { plan: 'gold' } }]);
    const { body: history } = await client.get(`/leads/${body.data[0].id}/events`).expect(200);
    const { body: me } = await other.get('/auth/me').expect(200);
    expect(history.data[0].actor).toMatchObject({ type: 'client', id: me.data.client_id });
  });

  it('may be queued, but then the change must leave it complete', async () => {
    const { id } = await send(client, file(), 'on_duplicate=merge');
    const { body } = await client.patch(`/imports/${id}`, { mapping: { 'E-Mail': null } }).expect(422);
    expect(body.errors).toEqual({
      mapping: ['mapping must map a column to email, by which duplicates are found.'],
    });
    await runJobs(app.production);
  });

  it('may be that of a completed dry run, which keeps its results until it starts', async () => {
    const who = csv('Who,email', `Ada,${uniqueEmail()}`);
    const tried = await importFile(app, client, who, 'dry_run=true');
    expect(tried).toMatchObject({ counts: { failed: 1 } });
    const changed = await change(tried.id, { mapping: { Who: 'name' } });
    expect(changed).toMatchObject({ status: 'completed', counts: { failed: 1 }, doubts: [] });
    expect(await errorsOf(client, tried.id)).toMatchObject([{ row: 2, field: 'name' }]);
    expect(await start(tried.id)).toMatchObject({ counts: { created: 1, failed: 0 } });
  });

  it('is a 409 in any other', async () => {
    const many = csv('name,email', ...Array.from({ length: 300 }, () => `Ada,${uniqueEmail()}`));
    const { id } = await send(client, many);
    const refused = async () => {
      const { body } = await client.patch(`/imports/${id}`, { locale: 'de' }).expect(409);
      expect(body).toMatchObject({
        code: 'wrong_import_status',
        message: expect.stringMatching(/^This import can't be changed/),
      });
    };
    await runOnce(app.production);
    expect(await readImport(client, id)).toMatchObject({ status: 'running' });
    await refused();
    await runJobs(app.production);
    await refused();
    const { id: cancelled } = await draftOf(file());
    await client.post(`/imports/${cancelled}/cancel`).expect(200);
    await client.patch(`/imports/${cancelled}`, {}).expect(409);
  });

  it('is a 409 if its rows have been deleted', async () => {
    const { id } = await draftOf(file());
    await app.production
      .knex('import_chunks')
      .where({ import_id: uuidOf(id) })
      .delete();
    const { body } = await client.patch(`/imports/${id}`, {}).expect(409);
    expect(body.message).toContain('have been deleted');
  });
});
