/** What a note is about: a call, an email, a meeting or a message. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { formInput, makeHook, sendIn } from '../../support/hooks.ts';
import { importFile, ndjson } from '../../support/imports.ts';
import { expectRefusal, leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;
let leadId: string;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  leadId = (await make(client, leads)).id;
});

afterAll(() => app.close());

const call = {
  kind: 'call',
  direction: 'outbound',
  occurred_at: '2026-01-05T10:30:00.000Z',
  duration_seconds: 300,
};

describe('a note about a call', () => {
  it('has its time, its direction and its length, which can be corrected', async () => {
    const { body } = await client
      .post('/notes', { lead_id: leadId, text: 'She decides on Friday.', ...call })
      .expect(201);
    expect(body.data).toMatchObject(call);
    expect(body.data.created_at > call.occurred_at).toBe(true);
    const changes = {
      kind: 'meeting',
      direction: null,
      occurred_at: '2026-01-04T11:30:00+01:00',
      duration_seconds: null,
    };
    const changed = await client.patch(`/notes/${body.data.id}`, changes).expect(200);
    expect(changed.body.data).toMatchObject({
      ...changes,
      occurred_at: '2026-01-04T10:30:00.000Z',
      version: 2,
    });
    const [, , updated] = await eventsOf(client, leadId);
    expect(updated?.data.changes).toMatchObject({ kind: { from: 'call', to: 'meeting' } });
  });

  it.each<[string, unknown]>([
    ['kind', 'lunch'],
    ['kind', null],
    ['direction', 'both'],
    ['occurred_at', 'yesterday'],
    ['occurred_at', '2199-01-01'],
    ['occurred_at', null],
    ['duration_seconds', -1],
    ['duration_seconds', 604_801],
    ['duration_seconds', 1.5],
  ])('has no %s %j', async (field, value) => {
    const note = { lead_id: leadId, text: 'x', [field]: value };
    await expectRefusal(client.post('/notes', note), { field });
    const { body } = await client.post('/notes', { lead_id: leadId, text: 'x' }).expect(201);
    await expectRefusal(client.patch(`/notes/${body.data.id}`, { [field]: value }), { field });
  });

  it('may be a few minutes ahead, since clocks differ', async () => {
    const occurred_at = new Date(Date.now() + 60_000).toISOString();
    await client.post('/notes', { lead_id: leadId, text: 'x', occurred_at }).expect(201);
  });
});

it('GET /notes finds notes by kind, direction and time', async () => {
  const { id } = await make(client, leads);
  const made: object[] = [
    call,
    { ...call, direction: 'inbound', occurred_at: '2026-01-06T00:00:00Z' },
    { kind: 'email', direction: 'inbound', occurred_at: '2026-01-07T23:59:59.999Z' },
    { kind: 'meeting', occurred_at: '2026-01-08T00:00:00Z' },
  ];
  for (const [number, fields] of made.entries())
    await client.post('/notes', { lead_id: id, text: String(number), ...fields }).expect(201);
  const found = async (query: string) => {
    const { body } = await client.get(`/notes?lead_id=${id}&sort=created_at&${query}`).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ text }: { text: string }) => text).join('');
  };
  expect(await found('kind=call')).toBe('01');
  expect(await found('kind=email,meeting')).toBe('23');
  expect(await found('direction=inbound')).toBe('12');
  expect(await found('occurred_from=2026-01-06&occurred_to=2026-01-07')).toBe('12');
  expect(await found('kind=call&direction=inbound&occurred_from=2026-01-06T00:00:01Z')).toBe('');
  const refused = { status: 400, code: 'invalid_parameter' };
  await expectRefusal(client.get('/notes?kind=lunch'), { ...refused, field: 'kind' });
  await expectRefusal(client.get('/notes?direction=both'), { ...refused, field: 'direction' });
});

it('the note of an inbound hook is an incoming message', async () => {
  const hook = await makeHook(client);
  const { delivery_id } = await sendIn(app, hook, formInput({ message: 'Please call me.' }));
  const { body: delivery } = await client.get(`${hook.path}/deliveries/${delivery_id}`).expect(200);
  const { body } = await client.get(`/notes?lead_id=${delivery.data.lead_id}`).expect(200);
  expect(body.data).toMatchObject([{ kind: 'message', direction: 'inbound', text: 'Please call me.' }]);
});

it('an import reads kinds in any case, and keeps the note without one that it does not know', async () => {
  const admin = await app.client(['read', 'write', 'admin']);
  const rows = [
    { text: 'A', Kind: 'Call', Direction: 'INBOUND', occurred_at: '2026-01-05 10:30', duration_seconds: 90 },
    { text: 'A', Kind: 'Call', Direction: 'outbound', occurred_at: '2026-01-06 10:30' },
    { text: 'B', Kind: 'Lunch', created_at: '2024-02-01T00:00:00Z' },
  ].map((row) => ({ lead_id: leadId, ...row }));
  const done = await importFile(app, admin, ndjson(...rows), 'resource=notes&start=true');
  expect(done.counts).toMatchObject({ created: 3, failed: 0, warned: 1 });
  const { body } = await client.get(`/notes?lead_id=${leadId}&per_page=100`).expect(200);
  const byText = (text: string) => body.data.find((note: { text: string }) => note.text === text);
  expect(body.data.filter(({ text }: { text: string }) => text === 'A')).toHaveLength(2);
  expect(
    body.data.find(({ duration_seconds: seconds }: { duration_seconds: number }) => seconds === 90),
  ).toMatchObject({
    kind: 'call',
    direction: 'inbound',
    occurred_at: '2026-01-05T10:30:00.000Z',
    duration_seconds: 90,
  });
  // What is known to be written in the past took place then.
  expect(byText('B')).toMatchObject({ kind: 'note', occurred_at: '2024-02-01T00:00:00.000Z' });
});

it('an import that updates a note has an event with what changed', async () => {
  const admin = await app.client(['read', 'write', 'admin']);
  const row = { lead_id: leadId, text: 'D', external_id: 'note-d', author_name: 'Grace' };
  const before = { ...row, created_at: '2024-02-01T00:00:00Z' };
  const after = {
    ...row,
    author_name: 'Ada',
    created_at: '2024-02-02T00:00:00Z',
    kind: 'call',
    duration_seconds: 5,
  };
  const write = (note: object) =>
    importFile(app, admin, ndjson(note), 'resource=notes&on_duplicate=update&start=true');
  await write(before);
  expect((await write(after)).counts).toMatchObject({ updated: 1, warned: 1 });
  const events = await eventsOf(client, leadId);
  expect(events.at(-1)).toMatchObject({
    type: 'note.updated',
    data: {
      changes: {
        kind: { from: 'note', to: 'call' },
        author_name: { from: 'Grace', to: 'Ada' },
        duration_seconds: { from: null, to: 5 },
      },
    },
  });
});

it('an import that updates a note leaves alone what the row does not have, and refuses a time in the future', async () => {
  const admin = await app.client(['read', 'write', 'admin']);
  const note = { lead_id: leadId, text: 'E', external_id: 'note-e' };
  await client.post('/notes', { ...note, ...call, pinned: true }).expect(201);
  const write = (row: object) =>
    importFile(app, admin, ndjson(row), 'resource=notes&on_duplicate=update&start=true');
  expect((await write({ ...note, text: 'F' })).counts).toMatchObject({ updated: 1 });
  expect((await write({ ...note, occurred_at: '2199-01-01' })).counts).toMatchObject({ failed: 1 });
  const { body } = await client.get(`/notes?lead_id=${leadId}&per_page=100`).expect(200);
  const found = body.data.filter(({ external_id: id }: { external_id: string }) => id === 'note-e');
  expect(found).toMatchObject([{ ...call, text: 'F', pinned: true }]);
});
