import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../../generated/api.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, errorsOf, importFile, send, upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

type Note = components['schemas']['Note'];

let app: TestApp;
let client: TestClient;
let admin: TestClient;
let lead: string;
let contact: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  admin = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

beforeEach(async () => {
  await app.production.knex.raw('truncate leads, contacts cascade');
  const person = { name: 'Ada', email: 'ada@example.com', external_id: '4711' };
  lead = (await client.post('/leads', person).expect(201)).body.data.id;
  contact = (await client.post('/contacts', person).expect(201)).body.data.id;
});

async function notesOf(owner: string): Promise<Note[]> {
  const { body } = await client.get(`/notes?${owner}&sort=created_at`).expect(200);
  return body.data;
}

const file = csv(
  'external_id,lead_external_id,text,author_name,created_at,pinned',
  'n1,4711,Called back.,Grace Hopper,2025-03-01T10:00:00Z,yes',
  'n2,4711,"She decides\non Friday.",,2025-03-02T10:00:00Z,',
);

describe('an import of notes', () => {
  it('adds them to their leads', async () => {
    const { counts, match } = await importFile(app, admin, file, 'resource=notes');
    expect(counts).toMatchObject({ created: 2, failed: 0 });
    expect(match).toBe('external_id');
    expect(await notesOf(`lead_id=${lead}`)).toMatchObject([
      {
        lead_id: lead,
        contact_id: null,
        text: 'Called back.',
        pinned: true,
        author: { type: 'client' },
        author_name: 'Grace Hopper',
        external_id: 'n1',
        created_at: '2025-03-01T10:00:00.000Z',
        version: 1,
      },
      { text: 'She decides\non Friday.', pinned: false, author_name: null, external_id: 'n2' },
    ]);
    const { body } = await client.get(`/leads/${lead}/events?event_types=note.created`).expect(200);
    expect(body.data).toMatchObject([
      { type: 'note.created', data: { object: { external_id: 'n2', lead_id: lead } } },
      { type: 'note.created', data: { object: { external_id: 'n1' } } },
    ]);
  });

  it.each([
    ['lead_external_id', () => ['lead_id', lead, '4711']],
    ['lead_email', () => ['lead_id', lead, 'Ada <ADA@example.com>']],
    ['lead_id', () => ['lead_id', lead, lead]],
    ['contact_external_id', () => ['contact_id', contact, '4711']],
    ['contact_email', () => ['contact_id', contact, 'ada@EXAMPLE.com']],
    ['contact_id', () => ['contact_id', contact, contact]],
  ])('finds their owner by %s', async (field, owner) => {
    const [name, id, value] = owner();
    await importFile(app, client, csv(`${field},text`, `${value},Hello`), 'resource=notes');
    expect(await notesOf(`${name}=${id}`)).toMatchObject([{ text: 'Hello' }]);
  });

  it.each([
    ['lead_external_id', '4712', 'There is no lead with this external id.'],
    ['contact_email', 'bob@example.com', 'There is no contact with this email address.'],
    ['lead_id', 'lead_x', 'There is no lead with this id.'],
    ['lead_email', '', /^A note needs a lead or a contact: one of lead_id, /],
  ])('refuses a row with %s=%s alone', async (field, value, message) => {
    const rows = csv(`${field},text,lead_external_id`, `${value},Hello,`, ',Hello,4711', ',,4711');
    const unmapped = field === 'lead_external_id' ? rows.replace(/,lead_external_id/, ',x') : rows;
    const { id, counts } = await importFile(app, client, unmapped, 'resource=notes');
    expect(counts.failed).toBeGreaterThan(0);
    expect((await errorsOf(client, id))[0]).toMatchObject({
      row: 2,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it('makes no duplicates when it is repeated', async () => {
    await importFile(app, admin, file, 'resource=notes');
    const rejected = await importFile(app, admin, file, 'resource=notes');
    expect(rejected.counts).toMatchObject({ created: 0, failed: 2 });
    expect(await errorsOf(client, rejected.id)).toMatchObject([
      { code: 'duplicate_external_id', message: 'external_id is already used by another note.' },
      { code: 'duplicate_external_id' },
    ]);
    for (const mode of ['ignore', 'merge', 'update']) {
      const { counts } = await importFile(app, admin, file, `resource=notes&on_duplicate=${mode}`);
      expect(counts).toMatchObject({ created: 0, unchanged: 2, failed: 0 });
    }
    const changed = file.replace('Called back.', 'Called twice.').replace('Friday."', 'Friday.",Alan');
    const updated = await importFile(
      app,
      admin,
      changed.replace('Alan,', 'Alan'),
      'resource=notes&on_duplicate=merge',
    );
    expect(updated.counts).toMatchObject({ unchanged: 1, updated: 1 });
    const { counts } = await importFile(
      app,
      admin,
      changed.replace('Alan,', 'Alan'),
      'resource=notes&on_duplicate=update',
    );
    expect(counts).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await notesOf(`lead_id=${lead}`)).toMatchObject([
      { text: 'Called twice.', version: 2 },
      { author_name: 'Alan', version: 2 },
    ]);
  });

  it('recognizes notes without an id by lead, text and time', async () => {
    const plain = csv(
      'lead_email,text,created_at',
      'ada@example.com,Hello,2025-03-01',
      'ada@example.com,Hello,2025-03-02',
      'ada@example.com,Hello,2025-03-01',
    );
    expect((await importFile(app, admin, plain, 'resource=notes')).counts).toMatchObject({
      created: 2,
      unchanged: 1,
    });
    expect((await importFile(app, admin, plain, 'resource=notes')).counts).toMatchObject({
      created: 0,
      unchanged: 3,
      failed: 0,
    });
    expect(await notesOf(`lead_id=${lead}`)).toHaveLength(2);
  });

  it('refuses the future, and the past without the scope admin', async () => {
    const draft = await send(client, file, 'resource=notes&start=false');
    expect(draft.mapping).toMatchObject({ text: 'text', created_at: null });
    await client.patch(`/imports/${draft.id}`, { mapping: { created_at: 'created_at' } }).expect(403);
    const future = csv('lead_email,text,created_at', 'ada@example.com,Hello,9000-01-01');
    const { id } = await importFile(app, admin, future, 'resource=notes');
    expect(await errorsOf(client, id)).toMatchObject([
      { field: 'created_at', message: "A note can't be written in the future." },
    ]);
  });

  it('needs the scopes of leads and of contacts', async () => {
    const limited = await app.client(['leads:write', 'leads:read']);
    const { body } = await upload(limited, file, 'resource=notes').expect(403);
    expect(body).toMatchObject({ code: 'insufficient_scope', required_scope: 'contacts:write' });
    const { id } = await send(client, file, 'resource=notes&start=false');
    await limited.get(`/imports/${id}`).expect(403);
    const listed = await limited.get('/imports?resource=notes').expect(200);
    expect(listed.body.data).toEqual([]);
  });

  it('does not bring back a note about a person who was deleted', async () => {
    const { id } = await send(admin, file, 'resource=notes&start=false');
    await client.delete(`/leads/${lead}`).expect(204);
    await client.post('/leads', { name: 'Ada', email: 'new@example.com', external_id: '4711' }).expect(201);
    await admin.post(`/imports/${id}/start`, {}).expect(202);
    await runJobs(app.production);
    expect(await errorsOf(client, id)).toMatchObject([
      { code: 'payload_erased' },
      { code: 'payload_erased' },
    ]);
  });
});

describe('POST /notes', () => {
  it('takes the id and the author of another system', async () => {
    const note = { text: 'Hello', external_id: 'n1', author_name: 'Grace Hopper' };
    const { body } = await client.post('/notes', { lead_id: lead, ...note }).expect(201);
    expect(body.data).toMatchObject(note);
    const repeated = await client.post('/notes', { lead_id: lead, ...note }).expect(422);
    expect(repeated.body).toMatchObject({ code: 'duplicate_external_id', existing_id: body.data.id });
  });
});
