/** What may change about a declared key. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { declare } from '../../support/metadata-fields.ts';
import { leads, make } from '../../support/resources.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

describe('updateMetadataField', () => {
  it('archives a key, which keeps its values but takes no new one', async () => {
    const { id } = await declare(app, admin, { key: 'old', type: 'number' });
    const lead = await make(admin, leads, { metadata: { old: 1 } });
    await admin.patch(`/metadata-fields/${id}`, { status: 'archived' }).expect(200);
    const { body } = await admin.patch(`/leads/${lead.id}`, { metadata: { old: 2 } }).expect(422);
    expect(body.errors).toEqual({
      'metadata.old': ['metadata.old takes no new value: the key is archived.'],
    });
    const same = await admin.patch(`/leads/${lead.id}`, { metadata: { old: 1, other: 'x' } }).expect(200);
    expect(same.body.data.metadata).toEqual({ old: 1, other: 'x' });
    const found = await admin.get('/leads?metadata[old]=1').expect(200);
    expect(found.body.meta.total).toBe(1);
    await admin.patch(`/metadata-fields/${id}`, { status: 'active' }).expect(200);
    await admin.patch(`/leads/${lead.id}`, { metadata: { old: 2 } }).expect(200);
  });

  it('checks the key that takes the extension of a phone number too', async () => {
    const { id } = await declare(app, admin, { key: 'phone_extension', type: 'text' });
    await admin.patch(`/metadata-fields/${id}`, { status: 'archived' }).expect(200);
    const input = { ...leads.input(), phone: '+1 415 555 2671 ext. 5' };
    const refusal = 'metadata.phone_extension takes no new value: the key is archived.';
    const single = await admin.post('/leads', input).expect(422);
    expect(single.body.errors).toEqual({ 'metadata.phone_extension': [refusal] });
    const batch = await admin.post('/leads/batch/create', { items: [input] }).expect(200);
    expect(batch.body.data[0].errors).toEqual({ 'metadata.phone_extension': [refusal] });
  });

  it('changes options: one that is gone stays readable', async () => {
    const options = ['free', 'paid'];
    const { id } = await declare(app, admin, { key: 'tier', type: 'choice', options });
    const lead = await make(admin, leads, { metadata: { tier: 'free' } });
    await admin.patch(`/metadata-fields/${id}`, { options: ['paid', 'trial'] }).expect(200);
    const kept = await admin.patch(`/leads/${lead.id}`, { metadata: { tier: 'free', x: 'y' } }).expect(200);
    expect(kept.body.data.metadata).toEqual({ tier: 'free', x: 'y' });
    const input = { ...leads.input(), metadata: { tier: 'free' } };
    const { body } = await admin.post('/leads', input).expect(422);
    expect(body.errors).toEqual({ 'metadata.tier': ['metadata.tier must be one of paid, trial.'] });
    const found = await admin.get('/leads?metadata[tier]=free').expect(200);
    expect(found.body.meta.total).toBe(1);
  });

  it('refuses what does not fit the type or the version', async () => {
    const field = await declare(app, admin, { key: 'plain', type: 'number' });
    const { body } = await admin.patch(`/metadata-fields/${field.id}`, { options: ['a'] }).expect(422);
    expect(body.errors).toEqual({ options: ['options can only be sent for a choice.'] });
    await admin.patch(`/metadata-fields/${field.id}`, { type: 'date' }).expect(422);
    const stale = admin.patch(`/metadata-fields/${field.id}`, { label: 'x' }).set('If-Match', '"99"');
    await stale.expect(412);
  });
});
