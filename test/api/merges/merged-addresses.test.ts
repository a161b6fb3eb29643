/** The address of a lead or contact that was merged into another one leads to that one, and makes no duplicate again. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { leadsOf, makeHook, notesAbout, readDelivery, sendIn } from '../../support/hooks.ts';
import { csv, errorsOf, importFile, ndjson, readImport, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';
import { contacts, expectRefusal, leads, make, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(allScopes);
});

afterAll(() => app.close());

/** One that stayed, and the address of the one that was merged into it. */
async function merged({ path, prefix }: TestResource) {
  const gone = uniqueEmail();
  const stays = (await client.post(path, { name: 'Stays', email: uniqueEmail() }).expect(201)).body.data;
  const other = (await client.post(path, { name: 'Stays', email: gone }).expect(201)).body.data;
  await client.post(`${path}/${stays.id}/merge`, { [`${prefix}_id`]: other.id }).expect(200);
  return { stays: stays as { id: string; email: string; name: string }, gone };
}

async function read(path: string) {
  return (await client.get(path).expect(200)).body.data;
}

describe('an inbound hook that receives the address', () => {
  it('adds to the lead that stayed, and the note says under which address the person wrote', async () => {
    const { stays, gone } = await merged(leads);
    const hook = await makeHook(client);
    const receipts = await Promise.all(
      ['One', 'Two', 'Three'].map((message) => sendIn(app, hook, { name: 'Stays', email: gone, message })),
    );
    expect(receipts.map(({ status }) => status)).toEqual(['merged', 'merged', 'merged']);
    for (const { delivery_id } of receipts) {
      expect((await readDelivery(client, hook, delivery_id)).lead_id).toBe(stays.id);
    }
    expect(await leadsOf(client, gone)).toMatchObject([{ id: stays.id }]);
    expect((await read(`/leads/${stays.id}`)).email).toBe(stays.email);
    expect((await notesAbout(client, stays.id))[0]).toContain(gone);
  });

  it.each([
    ['ignore', 'ignored'],
    ['reject', 'rejected'],
  ])('does so as its on_duplicate says: %s', async (on_duplicate, status) => {
    const { stays, gone } = await merged(leads);
    const hook = await makeHook(client, { on_duplicate });
    expect((await sendIn(app, hook, { name: 'Ada', email: gone.toUpperCase() })).status).toBe(status);
    expect(await leadsOf(client, gone)).toMatchObject([{ id: stays.id }]);
  });

  it('finds the last one after another merge, and whoever has the address by now before that', async () => {
    const { stays, gone } = await merged(leads);
    const last = await make(client, leads);
    await client.post(`/leads/${last.id}/merge`, { lead_id: stays.id }).expect(200);
    const hook = await makeHook(client);
    const first = await sendIn(app, hook, { name: 'Ada', email: gone });
    expect((await readDelivery(client, hook, first.delivery_id)).lead_id).toBe(last.id);
    await client.patch(`/leads/${last.id}`, { other_emails: null }).expect(200);
    const own = await make(client, leads, { email: gone });
    const second = await sendIn(app, hook, { name: 'Ada Again', email: gone });
    expect((await readDelivery(client, hook, second.delivery_id)).lead_id).toBe(own.id);
  });

  it('makes a new lead once the one that stayed is deleted', async () => {
    const { stays, gone } = await merged(leads);
    await client.delete(`/leads/${stays.id}`).expect(204);
    expect((await sendIn(app, await makeHook(client), { name: 'Ada', email: gone })).status).toBe('created');
  });
});

describe('a conversion of a lead with the address', () => {
  it('finds the contact that stayed', async () => {
    const { stays, gone } = await merged(contacts);
    const lead = await make(client, leads, { email: gone });
    const { body } = await client.post(`/leads/${lead.id}/convert`, {}).expect(201);
    expect(body.data).toMatchObject({ contact: { id: stays.id }, contact_created: false });
  });
});

describe.each([leads, contacts] as TestResource[])('$path with the address', (resource) => {
  const { path, prefix } = resource;

  it('are changed by an upsert by email, in the order of its items, and keep their own address', async () => {
    const { stays, gone } = await merged(resource);
    const items = [
      { email: gone, name: 'First', company: 'One' },
      { email: stays.email, name: 'Second' },
      { email: gone.toUpperCase(), name: 'Third' },
    ];
    const { body } = await client.post(`${path}/batch/upsert`, { match: 'email', items }).expect(200);
    const shown = body.data.map((item: Record<string, { id: string }>) => [item.status, item[prefix]?.id]);
    expect(shown).toEqual(Array.from({ length: 3 }, () => ['updated', stays.id]));
    expect(await read(`${path}/${stays.id}`)).toMatchObject({
      email: stays.email,
      name: 'Third',
      company: 'One',
      version: 5,
    });
    expect(await read(`${path}?email=${gone}`)).toMatchObject([{ id: stays.id }]);
  });

  it('are refused by an upsert by another external id', async () => {
    const { stays, gone } = await merged(resource);
    const fields = { name: 'Ada', email: gone };
    const refused = { field: 'email', code: 'duplicate_email' };
    const body = await expectRefusal(client.patch(`${path}/external/${randomUUID()}`, fields), refused);
    expect(body.existing_id).toBe(stays.id);
    const items = [{ ...fields, external_id: randomUUID() }];
    const batch = await client.post(`${path}/batch/upsert`, { match: 'external_id', items }).expect(200);
    expect(batch.body.data).toMatchObject([
      { status: 'failed', code: 'duplicate_email', existing_id: stays.id },
    ]);
    expect(await read(`${path}?email=${gone}`)).toMatchObject([{ id: stays.id }]);
  });

  it.each([
    ['update', { updated: 1, failed: 0 }],
    ['merge', { updated: 1, failed: 0 }],
    ['ignore', { unchanged: 1, failed: 0 }],
    ['reject', { created: 0, failed: 1 }],
  ])('are found by an import: on_duplicate=%s', async (on_duplicate, counts) => {
    const { stays, gone } = await merged(resource);
    const file = csv('name,email,company', `Stays,${gone},Acme`);
    const query = `resource=${path.slice(1)}&on_duplicate=${on_duplicate}`;
    for (const dry_run of [true, false]) {
      const done = await importFile(app, client, file, `${query}&dry_run=${dry_run}`);
      expect(done.counts).toMatchObject(counts);
      if (on_duplicate === 'reject')
        expect(await errorsOf(client, done.id)).toMatchObject([
          { row: 2, field: 'email', code: 'duplicate_email' },
        ]);
    }
    expect((await read(`${path}/${stays.id}`)).email).toBe(stays.email);
    expect(await read(`${path}?email=${gone}`)).toMatchObject([{ id: stays.id }]);
  });

  it('get the notes that an import has for it', async () => {
    const { stays, gone } = await merged(resource);
    const { id } = await send(
      client,
      ndjson({ text: 'Called', [`${prefix}_email`]: gone }),
      'resource=notes',
    );
    await runJobs(app.production);
    expect(await readImport(client, id)).toMatchObject({ counts: { created: 1, failed: 0 } });
    const notes = await read(`/notes?${prefix}_id=${stays.id}`);
    expect(notes.map(({ text }: { text: string }) => text)).toContain('Called');
  });
});
