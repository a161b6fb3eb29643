/** People who are deleted are also erased from rows that wait to be imported. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetErased } from '../../../src/imports/erasure/forget-erased.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, traces } from '../../support/erasure.ts';
import { createLead, createUser, uniqueEmail } from '../../support/factories.ts';
import { csv, errorsOf, importFile, ndjson, readImport, send } from '../../support/imports.ts';
import { runJobs, runOnce } from '../../support/jobs.ts';
import { holdRow } from '../../support/locks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const erasedRow = {
  row: 2,
  severity: 'error',
  column: null,
  field: null,
  code: 'payload_erased',
  message: 'The person in this row was deleted after the file was sent.',
};

const rowsOf = (email: string) => csv('name,email', `Ada,${email}`, `Bob,${uniqueEmail()}`);

async function totalOf(path: string): Promise<number> {
  return (await client.get(path).expect(200)).body.meta.total;
}

/** Runs an import of two rows, the first of which is about an erased person. */
async function expectErased(id: string): Promise<void> {
  await runJobs(app.production);
  expect(await readImport(client, id)).toMatchObject({
    status: 'completed',
    rows_done: 2,
    counts: { created: 1, failed: 1 },
  });
  expect(await errorsOf(client, id)).toEqual([erasedRow]);
}

describe('a deleted lead', () => {
  it('is not brought back by a queued import', async () => {
    const { id, email } = await createLead(client);
    const waiting = await send(client, rowsOf(email.toUpperCase()), 'on_duplicate=update');
    await client.delete(`/leads/${id}`).expect(204);
    await expectErased(waiting.id);
    expect(await totalOf(`/leads?email=${email}`)).toBe(0);
  });

  it('is not brought back by a draft', async () => {
    const { id, email } = await createLead(client);
    const draft = await send(client, rowsOf(` ${email} `), 'start=false');
    await client.post('/leads/batch/delete', { ids: [id] }).expect(200);
    await client.post(`/imports/${draft.id}/start`, {}).expect(202);
    await expectErased(draft.id);
    expect(await totalOf(`/leads?email=${email}`)).toBe(0);
  });

  it('is not brought back by a dry run that is repeated or imported', async () => {
    const { id, email } = await createLead(client);
    const tried = await importFile(app, client, rowsOf(email), 'dry_run=true');
    expect(tried.counts).toMatchObject({ created: 1, failed: 1 });
    await client.delete(`/leads/${id}`).expect(204);
    for (const dry_run of [true, false]) {
      await client.post(`/imports/${tried.id}/start`, { dry_run }).expect(202);
      await expectErased(tried.id);
    }
    expect(await totalOf(`/leads?email=${email}`)).toBe(0);
  });

  it('is not brought back as a contact, or under an earlier address', async () => {
    const { id, email } = await createLead(client);
    const draft = await send(client, rowsOf(email), 'resource=contacts');
    await client.patch(`/leads/${id}`, { email: uniqueEmail() }).expect(200);
    await client.delete(`/leads/${id}`).expect(204);
    await expectErased(draft.id);
    expect(await totalOf(`/contacts?email=${email}`)).toBe(0);
  });

  it('can be imported again with a file that is sent later', async () => {
    const { id, email } = await createLead(client);
    await send(client, rowsOf(uniqueEmail()), 'start=false');
    await client.delete(`/leads/${id}`).expect(204);
    const later = await importFile(app, client, rowsOf(email));
    expect(later.counts).toMatchObject({ created: 2, failed: 0 });
  });

  it('does not erase the rows of a contact with the same address', async () => {
    const { id, email } = await createLead(client);
    await client.post('/contacts', { name: 'Ada', email }).expect(201);
    const waiting = await send(
      client,
      csv('name,email,company', `Ada,${email},Acme`),
      'resource=contacts&on_duplicate=merge',
    );
    await client.delete(`/leads/${id}`).expect(204);
    await runJobs(app.production);
    expect(await readImport(client, waiting.id)).toMatchObject({ counts: { updated: 1, failed: 0 } });
  });

  it('is not brought back by a row that is just being imported', async () => {
    const { id, email } = await createLead(client);
    await client.patch(`/leads/${id}`, { email: uniqueEmail() }).expect(200);
    await createUser(client, { name: 'Held' });
    // Once the second row waits, both rows are written.
    await app.production.knex.raw(`
      create function wait_for_user() returns trigger language plpgsql as
        $$ begin perform from users where name = 'Held' for update; return null; end $$;
      create trigger wait_for_user after insert on leads for each row when (new.name = 'Waits')
        execute function wait_for_user()`);
    const file = csv('name,email', `Ada,${email}`, `Waits,${uniqueEmail()}`);
    const waiting = await send(client, file);
    const user = await holdRow(app.databases[0]?.url ?? '', 'users', 'Held');
    const running = runOnce(app.production);
    await user.isAwaited();
    await client.delete(`/leads/${id}`).expect(204);
    await user.letGo();
    await running;
    await expectErased(waiting.id);
    expect(await totalOf(`/leads?email=${email}`)).toBe(0);
  });
});

describe('a deleted contact', () => {
  it('is not brought back by a row with only its external id', async () => {
    const external_id = randomUUID();
    const { body } = await client.post('/contacts', { name: 'Ada', external_id }).expect(201);
    const file = csv('name,external_id', `Ada, ${external_id}`, `Bob,${randomUUID()}`);
    const waiting = await send(client, file, 'resource=contacts&match=external_id&on_duplicate=update');
    await client.delete(`/contacts/${body.data.id}`).expect(204);
    await expectErased(waiting.id);
    expect(await totalOf(`/contacts?external_id=${external_id}`)).toBe(0);
  });
});

describe('stored rows', () => {
  it('lose every trace of a deleted person, and keep the other people', async () => {
    const { mark, fields } = someone();
    const { id } = await createLead(client, fields);
    const other = { name: 'Bob', email: uniqueEmail(), metadata: { 'a"b': '\\' } };
    const about = { name: `Ada ${mark}`, email: `"${fields.name}" <${fields.email.toUpperCase()}>` };
    const draft = await send(client, ndjson(about, other), 'start=false');
    await client.delete(`/leads/${id}`).expect(204);
    expect(await traces(app, mark)).toContain('import_chunks.rows');
    expect(await forgetErased(app.production.db)).toBe(false);
    expect(await traces(app, mark)).toContain('import_chunks.rows');
    expect(await forgetErased(app.production.db, 0)).toBe(false);
    expect(await traces(app, mark)).toEqual([]);
    expect(await app.production.knex('import_erasures')).toEqual([]);
    await client.post(`/imports/${draft.id}/start`, {}).expect(202);
    await runJobs(app.production);
    expect(await errorsOf(client, draft.id)).toEqual([{ ...erasedRow, row: 1 }]);
    const { body } = await client.get(`/leads?email=${other.email}`).expect(200);
    expect(body.data).toMatchObject([{ name: 'Bob', metadata: other.metadata }]);
  });

  it('need no recorded erasure if there are none', async () => {
    await app.production.knex.raw('truncate import_chunks, import_erasures');
    const { id } = await createLead(client);
    await client.delete(`/leads/${id}`).expect(204);
    expect(await app.production.knex('import_erasures')).toEqual([]);
  });
});
