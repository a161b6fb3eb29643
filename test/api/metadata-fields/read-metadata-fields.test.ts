/** Clients learn the types of keys of metadata. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { declare } from '../../support/metadata-fields.ts';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

const post = (body: object) => admin.post('/metadata-fields', { resource: 'leads', type: 'number', ...body });

describe('listMetadataFields', () => {
  it('is for all who read what has the metadata', async () => {
    await post({ key: 'listed', resource: 'contacts' }).expect(201);
    const reader = await app.client(['contacts:read']);
    const { body } = await reader.get('/metadata-fields?resource=contacts&key=listed').expect(200);
    expect(body.data).toMatchObject([{ key: 'listed' }]);
    const stranger = await app.client(['webhooks:read']);
    await stranger.get('/metadata-fields').expect(403);
  });
});

describe('getMetadataField', () => {
  it('has a version', async () => {
    const { id } = await declare(app, admin, { key: 'versioned', type: 'date' });
    const { headers, body } = await admin.get(`/metadata-fields/${id}`).expect(200);
    expect([body.data.status, headers.etag]).toEqual(['active', `"${body.data.version}"`]);
    await admin
      .get(`/metadata-fields/${id}`)
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
    await admin.get('/metadata-fields/field_01m7w4n5e0f6x3k9q2v8n4r7tc').expect(404);
  });
});
