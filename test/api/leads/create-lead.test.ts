import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf } from '../../support/events.ts';
import { createLead, createUser, leadInput } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('POST /leads', () => {
  it('answers 201 with the full lead, its address and its version', async () => {
    const input = leadInput({ phone: '+4915112345678', company: 'Analytical Engines', tags: ['vip', 'vip'] });
    const { body, headers } = await client.post('/leads', input).expect(201);
    expect(body.data).toMatchObject({
      ...input,
      tags: ['vip'],
      status: 'new',
      source: 'api',
      assigned_user_id: null,
      metadata: {},
      version: 1,
    });
    expect(body.data.id).toMatch(/^lead_[0-7][0-9a-z]{25}$/);
    expect(body.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(headers.location).toBe(`https://api.test/v1/leads/${body.data.id}`);
    expect(headers.etag).toBe('"1"');
    const read = await client.get(`/leads/${body.data.id}`).expect(200);
    expect(read.body).toEqual(body);
  });

  it('rejects an email that another lead has, whatever its case, and names that lead', async () => {
    const lead = await createLead(client);
    const { body } = await client.post('/leads', leadInput({ email: lead.email.toUpperCase() })).expect(422);
    expect(body).toMatchObject({
      code: 'duplicate_email',
      errors: { email: ['email is already used by another lead.'] },
      existing_id: lead.id,
    });
  });

  it('names the other lead also to a caller that may not read leads', async () => {
    const writer = await app.client(['leads:write']);
    const lead = await createLead(client);
    const { body } = await writer.post('/leads', leadInput({ email: lead.email })).expect(422);
    expect(body).toMatchObject({ code: 'duplicate_email', existing_id: lead.id });
  });

  it('creates one lead for two hundred concurrent requests with the same email', async () => {
    const input = leadInput();
    const answers = await Promise.all(Array.from({ length: 200 }, () => client.post('/leads', input)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(199);
    const { body } = await client.get(`/leads?email=${encodeURIComponent(input.email)}`).expect(200);
    expect(body.meta.total).toBe(1);
  });

  it('names every field that is wrong', async () => {
    const { body } = await client
      .post('/leads', {
        name: '\u200b',
        phone: '0151',
        tags: ['', 7],
        id: 'lead_x',
        metadata: { plan: 'x'.repeat(501) },
      })
      .expect(422);
    expect(body.code).toBe('validation_failed');
    expect(Object.keys(body.errors).sort()).toEqual([
      'email',
      'id',
      'metadata.plan',
      'name',
      'phone',
      'tags.0',
      'tags.1',
    ]);
    expect(body.errors.email).toEqual(['email is required.']);
  });

  it('refuses NUL and half surrogate pairs, which cannot be stored', async () => {
    const nul = await client.post('/leads', leadInput({ company: 'A\0B' })).expect(422);
    expect(nul.body.errors.company[0]).toContain('NUL');
    const half = await client.post('/leads', leadInput({ metadata: { note: '\ud800' } })).expect(422);
    expect(half.body.errors).toHaveProperty(['metadata.note']);
  });

  it('takes a reason only for a lost lead', async () => {
    await client.post('/leads', leadInput({ status: 'lost', lost_reason: 'Price' })).expect(201);
    const { body } = await client.post('/leads', leadInput({ lost_reason: 'Price' })).expect(422);
    expect(body.errors).toHaveProperty('lost_reason');
  });

  it('assigns active users only', async () => {
    const user = await createUser(client);
    const gone = await createUser(client, { active: false });
    const lead = await createLead(client, { assigned_user_id: user });
    expect(lead.assigned_user_id).toBe(user);
    for (const id of [gone, 'user_01h455vb4pex5vsknk084sn02q']) {
      const { body } = await client.post('/leads', leadInput({ assigned_user_id: id })).expect(422);
      expect(body.errors).toEqual({
        assigned_user_id: ['assigned_user_id must be the id of an active user.'],
      });
    }
  });

  it('rejects content that does not exist', async () => {
    const input = leadInput({ content_id: 'content_01h455vb4pex5vsknk084sn02q' });
    const { body } = await client.post('/leads', input).expect(422);
    expect(body.errors).toHaveProperty('content_id');
  });

  it('keeps external ids unique', async () => {
    const lead = await createLead(client, { external_id: 'crm-1' });
    const { body } = await client.post('/leads', leadInput({ external_id: 'crm-1' })).expect(422);
    expect(body).toMatchObject({ code: 'duplicate_external_id', existing_id: lead.id });
  });

  it('records the first status, its actor and the request', async () => {
    const { body } = await client
      .with({ 'X-Request-Id': 'request-4711' })
      .post('/leads', leadInput({ status: 'contacted' }));
    const me = await client.get('/auth/me').expect(200);
    const events = await eventsOf(client, body.data.id);
    expect(events).toMatchObject([
      {
        type: 'lead.created',
        request_id: 'request-4711',
        actor: { type: 'client', id: me.body.data.client_id },
        data: { object: { status: 'contacted', status_changed_at: body.data.status_changed_at } },
      },
    ]);
  });
});
