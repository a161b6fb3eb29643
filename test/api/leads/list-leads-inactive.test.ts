/** GET /leads by the reason for a loss, and by the last activity. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toId, toUuid } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { insertLeads, listLeads, listNames, walk } from '../../support/lists.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const find = async (query: Record<string, string>) =>
  (await listNames(client, { sort: 'name', ...query })).join('');

describe('GET /leads?lost_reason=', () => {
  beforeAll(async () => {
    await createLead(client, { name: 'A', tags: ['lost'], status: 'lost', lost_reason: 'Went to Größer' });
    await createLead(client, { name: 'B', tags: ['lost'], status: 'lost', lost_reason: 'went to GRÖßER' });
    await createLead(client, { name: 'C', tags: ['lost'], status: 'lost' });
    await createLead(client, { name: 'D', tags: ['lost'] });
  });

  it('finds the whole text, in upper or lower case', async () => {
    expect(await find({ lost_reason: 'Went to größer' })).toBe('AB');
    expect(await find({ lost_reason: 'Went to' })).toBe('');
    expect(await find({ lost_reason: 'went to größer', status: 'new' })).toBe('');
  });

  it('finds leads without one by none, and the lost ones among them', async () => {
    expect(await find({ lost_reason: 'none', tag: 'lost' })).toBe('CD');
    expect(await find({ lost_reason: 'none', status: 'lost' })).toBe('C');
  });

  it('no longer finds a lead that is not lost any more', async () => {
    const lead = await createLead(client, { name: 'E', status: 'lost', lost_reason: 'Gone' });
    expect(await find({ lost_reason: 'gone' })).toBe('E');
    await client.patch(`/leads/${lead.id}`, { status: 'contacted' }).expect(200);
    expect(await find({ lost_reason: 'gone' })).toBe('');
  });

  it('rejects a text that is too long', async () => {
    const refused = client.get(`/leads?lost_reason=${'x'.repeat(501)}`);
    await expectRefusal(refused, { status: 400, field: 'lost_reason', code: 'invalid_parameter' });
  });
});

describe('GET /leads?inactive_since=', () => {
  /** Leads with this tag, last changed at these times. Returns their public ids. */
  async function insertChanged(
    tag: string,
    changes: Record<string, string>,
  ): Promise<Record<string, string>> {
    const names = Object.keys(changes);
    const uuids = await insertLeads(
      app.production.knex,
      names.map((name) => {
        const updated_at = new Date(changes[name] ?? '').toISOString();
        return { name, tags: [tag], updated_at, created_at: '2026-01-01T00:00:00.000Z' };
      }),
    );
    return Object.fromEntries(names.map((name, index) => [name, toId('lead', uuids[index] ?? '')]));
  }

  /** As if the lead's notes had been written then. */
  async function setNotes(id = '', at: string): Promise<void> {
    const { knex } = app.production;
    const uuid = toUuid('lead', id);
    await knex('leads')
      .where({ id: uuid })
      .update({ last_note_at: null } as object);
    await knex('notes').where({ lead_id: uuid }).update({ created_at: at, updated_at: at });
  }

  it('finds leads last changed before then', async () => {
    await insertChanged('changed', {
      A: '2026-03-01T09:59:59.999Z',
      B: '2026-03-01T10:00:00.000Z',
      C: '2026-03-01T00:00:00.000Z',
      D: '2026-02-28T23:59:59.999Z',
    });
    const since = (inactive_since: string) => find({ tag: 'changed', inactive_since });
    expect(await since('2026-03-01T10:00:00Z')).toBe('ACD');
    expect(await since('2026-03-01T11:00:00.001+01:00')).toBe('ABCD');
    expect(await since('2026-03-01T10:00:00.0001Z')).toBe('ABCD');
    expect(await since('2026-03-01')).toBe('D');
    expect(await since('2026-02-28')).toBe('');
    expect(await since('9999-12-31')).toBe('ABCD');
    expect(await since('0001-01-01')).toBe('');
  });

  it('counts notes written or changed since then, and no others', async () => {
    const ids = await insertChanged('noted', { A: '2026-01-01', B: '2026-01-01', C: '2026-01-01' });
    const since = (inactive_since: string) => find({ tag: 'noted', inactive_since });
    await client.post('/notes', { lead_id: ids.B, text: 'Called' }).expect(201);
    const { body } = await client.post('/notes', { lead_id: ids.C, text: 'Called' }).expect(201);
    expect(await since('2026-02-01')).toBe('A');
    for (const id of [ids.B, ids.C]) await setNotes(id, '2026-02-01T12:00:00.000Z');
    expect(await since('2026-02-01T12:00:00Z')).toBe('A');
    expect(await since('2026-02-01T12:00:00.001Z')).toBe('ABC');
    await client.patch(`/notes/${body.data.id}`, { text: 'Called twice' }).expect(200);
    expect(await since('2026-02-02')).toBe('AB');
    // Whoever deletes a note has not made the lead untouched.
    await client.delete(`/notes/${body.data.id}`).expect(204);
    expect(await since('2026-02-02')).toBe('AB');
    expect((await client.get(`/leads/${ids.C}`).expect(200)).body.data.version).toBe(1);
  });

  it('survives notes that are written and changed while their lead is deleted', async () => {
    for (let round = 0; round < 8; round += 1) {
      const lead = await createLead(client);
      const { body } = await client.post('/notes', { lead_id: lead.id, text: 'First' }).expect(201);
      const note = `/notes/${body.data.id}`;
      const answers = await Promise.all([
        ...['A', 'B', 'C'].map((text) => client.patch(note, { text })),
        ...['D', 'E', 'F'].map((text) => client.post('/notes', { lead_id: lead.id, text })),
        client.patch(`/leads/${lead.id}`, { name: 'G' }),
        client.delete(`/leads/${lead.id}`),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([]);
      expect(statuses.at(-1)).toBe(204);
    }
  });

  it('counts each change of the lead, but no reading and no empty patch', async () => {
    const ids = await insertChanged('touched', { A: '2026-01-01', B: '2026-01-01', C: '2026-01-01' });
    await client.get(`/leads/${ids.A}`).expect(200);
    await client.patch(`/leads/${ids.A}`, { name: 'A' }).expect(200);
    await client.patch(`/leads/${ids.B}`, { status: 'contacted' }).expect(200);
    await client.patch(`/leads/${ids.C}`, { add_tags: ['warm'] }).expect(200);
    expect(await find({ tag: 'touched', inactive_since: '2026-02-01' })).toBe('A');
  });

  it('has an exact total, pages, a cursor and an export, with any sort', async () => {
    const old = Array.from({ length: 9 }, (_, index) => [`N${index}`, `2026-01-0${1 + index}`] as const);
    await insertChanged('paged', { ...Object.fromEntries(old), Y: '2026-05-01', Z: '2026-06-01' });
    for (const sort of ['-created_at', 'updated_at', 'name']) {
      const query = { tag: 'paged', inactive_since: '2026-02-01', sort, per_page: 4 };
      const pages = await walk(client, query);
      const walked = pages.flatMap(({ leads }) => leads.map(({ id }) => id));
      expect(new Set(walked).size).toBe(9);
      expect(pages.map(({ meta }) => meta.total)).toEqual([9, 9, 9]);
      const second = await listLeads(client, { ...query, page: 2 });
      expect(second.leads.map(({ id }) => id)).toEqual(walked.slice(4, 8));
      const { text } = await client
        .get(`/leads/export?tag=paged&inactive_since=2026-02-01&sort=${sort}`)
        .set('Accept', 'application/x-ndjson');
      expect(
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).id),
      ).toEqual(walked);
    }
  });

  it.each(['yesterday', '2026-02-30', '30d'])('rejects %j', async (value) => {
    const refused = client.get(`/leads?inactive_since=${value}`);
    await expectRefusal(refused, { status: 400, field: 'inactive_since', code: 'invalid_parameter' });
  });
});
