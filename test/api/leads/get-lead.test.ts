import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /leads/{id}', () => {
  it('answers the lead as it was created, with its version as ETag', async () => {
    const lead = await createLead(client, {
      company: 'Navy',
      metadata: { plan: 'pro' },
      external_id: 'get-1',
    });
    const { body, headers } = await client.get(`/leads/${lead.id}`).expect(200);
    expect(body).toEqual({ data: lead });
    expect(headers.etag).toBe('"1"');
    await client.patch(`/leads/${lead.id}`, { company: null }).expect(200);
    await client.get(`/leads/${lead.id}`).expect(200).expect('ETag', '"2"');
  });

  it('shows every field, null when it is empty', async () => {
    const lead = await createLead(client);
    const { body } = await client.get(`/leads/${lead.id}`).expect(200);
    const empty = Object.keys(body.data).filter((field) => body.data[field] === null);
    expect(Object.keys(body.data)).toHaveLength(30);
    expect(empty.toSorted()).toEqual([
      'assigned_user_id',
      'company',
      'contact_id',
      'content_id',
      'expected_close_on',
      'external_id',
      'first_contacted_at',
      'first_lost_at',
      'first_qualified_at',
      'first_won_at',
      'lost_reason',
      'next_step',
      'next_step_at',
      'phone',
      'source_detail',
      'value',
    ]);
  });

  it.each([
    ['an unknown id', 'lead_01h455vb4pex5vsknk084sn02q'],
    ['an id of another resource', 'contact_01h455vb4pex5vsknk084sn02q'],
    ['a uuid', '018e4ae5-6c96-7bac-8ccd-35020390d457'],
    ['an id that is too long', 'lead_01h455vb4pex5vsknk084sn02qq'],
    ['an id beyond 128 bits', 'lead_81h455vb4pex5vsknk084sn02q'],
    ['a number', '1'],
    ['NUL', '%00'],
    ['a quote', "'"],
  ])('answers 404 for %s', async (_what, id) => {
    const { body } = await client.get(`/leads/${id}`).expect(404);
    expect(body).toMatchObject({ code: 'not_found', message: expect.any(String) });
    expect(body).not.toHaveProperty('errors');
  });

  it('takes an id in its own case only', async () => {
    const { id } = await createLead(client);
    await client.get(`/leads/${id.toUpperCase()}`).expect(404);
  });

  it('answers 404 for a lead of the other environment', async () => {
    const sandbox = await app.client(['read', 'write'], 'sandbox');
    const { id } = await createLead(sandbox);
    await sandbox.get(`/leads/${id}`).expect(200);
    await client.get(`/leads/${id}`).expect(404);
  });

  it('rejects any query parameter', async () => {
    const { id } = await createLead(client);
    const { body } = await client.get(`/leads/${id}?fields=name`).expect(400);
    expect(Object.keys(body.errors)).toEqual(['fields']);
  });
});

describe('GET /leads/{id} with If-None-Match', () => {
  it.each(['"1"', 'W/"1"', '*', '"7", "1"', 'W/"7",W/"1"', ' "1" ', '"a,b", "1"'])(
    'answers 304 without a body for %s while the version is 1',
    async (tag) => {
      const { id } = await createLead(client);
      const { text, headers } = await client.with({ 'If-None-Match': tag }).get(`/leads/${id}`).expect(304);
      expect(text).toBe('');
      expect(headers.etag).toBe('"1"');
      expect(headers).not.toHaveProperty('content-type');
      await client.patch(`/leads/${id}`, { name: 'Grace' }).expect(200);
      if (tag !== '*') await client.with({ 'If-None-Match': tag }).get(`/leads/${id}`).expect(200);
    },
  );

  it.each(['"2"', 'W/"2"', '1', '"11"', '"1', 'x', '"1" "2"', '*, "1"', '"2", 1'])(
    'answers 200 for %s, another tag or none',
    async (tag) => {
      const lead = await createLead(client);
      const { body } = await client.with({ 'If-None-Match': tag }).get(`/leads/${lead.id}`).expect(200);
      expect(body.data).toEqual(lead);
    },
  );

  it('answers 404 for a lead that is gone, whatever is known of it', async () => {
    await client.with({ 'If-None-Match': '*' }).get('/leads/lead_01h455vb4pex5vsknk084sn02q').expect(404);
  });

  it('counts for HEAD too', async () => {
    const { id } = await createLead(client);
    await client.head(`/leads/${id}`).expect(200).expect('ETag', '"1"');
    await client.with({ 'If-None-Match': '"1"' }).head(`/leads/${id}`).expect(304);
  });
});
