import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, leadInput, uniqueEmail } from '../../support/factories.ts';
import { listLeads } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

describe('DELETE /leads/{id}', () => {
  it('answers 204 without a body, then 404 to everything', async () => {
    const { id, email } = await createLead(client);
    const { text, headers } = await client.delete(`/leads/${id}`).expect(204);
    expect(text).toBe('');
    expect(headers).not.toHaveProperty('content-type');
    await client.delete(`/leads/${id}`).expect(404);
    await client.get(`/leads/${id}`).expect(404);
    await client.patch(`/leads/${id}`, { name: 'Grace' }).expect(404);
    expect((await listLeads(client, { email })).meta.total).toBe(0);
  });

  it('leaves the other leads alone', async () => {
    const [kept, gone] = [await createLead(client), await createLead(client)];
    await client.delete(`/leads/${gone.id}`).expect(204);
    const { body } = await client.get(`/leads/${kept.id}`).expect(200);
    expect(body.data).toEqual(kept);
  });

  it('frees the email and the external id', async () => {
    const input = leadInput({ external_id: 'to-be-freed' });
    const { body } = await client.post('/leads', input).expect(201);
    await client.post('/leads', input).expect(422);
    await client.delete(`/leads/${body.data.id}`).expect(204);
    const again = await client.post('/leads', input).expect(201);
    expect(again.body.data.id).not.toBe(body.data.id);
  });

  it('takes the record of its statuses with it', async () => {
    const tag = uniqueEmail();
    const { id } = await createLead(client, { tags: [tag] });
    await client.patch(`/leads/${id}`, { status: 'won' }).expect(200);
    const entered = async () => {
      const { body } = await client.get(`/analytics/time-in-status?tag=${tag}`).expect(200);
      return body.data.map((row: { status: string; entered: number }) => [row.status, row.entered]);
    };
    expect(Object.fromEntries(await entered())).toEqual({
      new: 1,
      contacted: 0,
      qualified: 0,
      won: 1,
      lost: 0,
    });
    await client.delete(`/leads/${id}`).expect(204);
    expect(Object.fromEntries(await entered())).toEqual({
      new: 0,
      contacted: 0,
      qualified: 0,
      won: 0,
      lost: 0,
    });
  });

  it('answers one of many concurrent deletions with 204', async () => {
    const { id } = await createLead(client);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.delete(`/leads/${id}`)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
  });

  it.each(['lead_01h455vb4pex5vsknk084sn02q', 'user_01h455vb4pex5vsknk084sn02q', 'x'])(
    'answers 404 for %s',
    async (id) => {
      const { body } = await client.delete(`/leads/${id}`).expect(404);
      expect(body.code).toBe('not_found');
    },
  );

  it('does not reach into the other environment', async () => {
    const { id } = await createLead(client);
    const sandbox = await app.client(['write'], 'sandbox');
    await sandbox.delete(`/leads/${id}`).expect(404);
    await client.get(`/leads/${id}`).expect(200);
  });
});

describe('DELETE /leads/{id} with If-Match', () => {
  it.each(['"2"', '"1"', 'W/"2"', '"1", "2"'])('deletes nothing at version 3 for %s', async (tag) => {
    const { id } = await createLead(client);
    for (const name of ['B', 'C']) await client.patch(`/leads/${id}`, { name }).expect(200);
    const { body } = await client.with({ 'If-Match': tag }).delete(`/leads/${id}`).expect(412);
    expect(body.code).toBe('version_mismatch');
    await client.get(`/leads/${id}`).expect(200).expect('ETag', '"3"');
  });

  it.each(['"1"', '*', '"9", "1"', 'W/"1"'])('deletes version 1 for %s', async (tag) => {
    const { id } = await createLead(client);
    await client.with({ 'If-Match': tag }).delete(`/leads/${id}`).expect(204);
    await client.get(`/leads/${id}`).expect(404);
  });

  it.each(['1', '"1', 'x', ',', '"1" x'])("rejects %s, which isn't an entity tag", async (tag) => {
    const { id } = await createLead(client);
    const { body } = await client.with({ 'If-Match': tag }).delete(`/leads/${id}`).expect(400);
    expect(body).toMatchObject({
      code: 'invalid_parameter',
      errors: { 'If-Match': [expect.stringContaining('"3"')] },
    });
    await client.get(`/leads/${id}`).expect(200);
  });
});
