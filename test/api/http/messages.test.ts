/** Messages of errors read as sentences. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const hook = (encoding: string) => ({
  name: 'Form',
  verification: {
    type: 'hmac_sha256',
    header: 'X-Signature',
    secret: '0f8fad5bd9cb469fa16570867728950e',
    encoding,
  },
});

it.each<[what: string, message: string, ask: () => PromiseLike<{ body: { message: string } }>]>([
  [
    'a choice of two',
    'Dry-Run must be true or false.',
    () => client.post('/leads', leadInput()).set('Dry-Run', '1'),
  ],
  [
    'a choice of several',
    'status must be one of draft, published, archived.',
    () => client.get('/content?status=x'),
  ],
  [
    'a choice with null',
    'verification.encoding must be one of hex, base64, null.',
    () => client.post('/inbound-hooks', hook('base32')),
  ],
  [
    'a key of a map',
    'metadata has an invalid key: it must have at most 40 characters.',
    () => client.post('/leads', leadInput({ metadata: { ['k'.repeat(41)]: 'x' } })),
  ],
  [
    'a cursor of a list',
    'cursor must be the next_cursor of an earlier answer, unchanged.',
    () => client.get('/leads?cursor=x'),
  ],
  [
    'a cursor of the log of events',
    'cursor must be latest or the next_cursor of an earlier answer, unchanged.',
    () => client.get('/events?cursor=x'),
  ],
  [
    'a cursor of duplicates',
    'cursor must be the next_cursor of an earlier answer for the same reason, unchanged.',
    () => client.get('/leads/duplicates?reason=phone&cursor=x'),
  ],
  [
    'media types',
    'The body must be application/json or application/merge-patch+json in UTF-8, and its Content-Type must say so.',
    () => client.patch('/leads/lead_x', 'x').set('Content-Type', 'text/plain'),
  ],
  [
    'more media types',
    'The body must be text/csv, application/x-ndjson, ' +
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, text/vcard, application/gzip or ' +
      'application/octet-stream, and its Content-Type must say so.',
    () => client.post('/imports?resource=leads', 'x').set('Content-Type', 'image/png'),
  ],
])('%s: %s', async (_, message, ask) => {
  expect((await ask()).body.message).toBe(message);
});
