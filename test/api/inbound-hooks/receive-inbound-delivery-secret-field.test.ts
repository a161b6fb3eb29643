/** A secret in the body proves who sends, and is not kept. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { traces } from '../../support/erasure.ts';
import { formInput, leadsOf, makeHook, readDelivery, send, sendIn } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const secret = 'secret-key-1';
const verification = { type: 'shared_field', path: '/google_key', secret };
const FORM = 'application/x-www-form-urlencoded';

describe('A hook with shared_field', () => {
  it('accepts the key of a Google Ads lead, in a payload that is otherwise kept', async () => {
    const hook = await makeHook(client, { verification });
    const payload = readFileSync(join(import.meta.dirname, '../../cases/20-google-ads-a.json'), 'utf8');
    const { body } = await send(app, hook, payload.replace('"L1"', '9007199254740993')).expect(202);
    const { text } = await client.get(`${hook.path}/deliveries/${body.data.delivery_id}`).expect(200);
    expect(text).toContain('"lead_id":9007199254740993,');
    expect(text).toContain('"google_key":"[redacted]"');
    expect(await traces(app, secret)).toEqual([]);
  });

  it('keeps it neither in another field, nor escaped, nor in the digest', async () => {
    const mapping = {
      name: '/name',
      email: '/email',
      'metadata.key': '/google_key',
      'metadata.other': '/other',
    };
    const hook = await makeHook(client, { mapping, verification });
    const form = formInput();
    const fields = `"name":"Ada","email":"${form.email}","other":"my ${secret}","${secret}":1`;
    const { body } = await send(app, hook, `{${fields},"google_key":"secret\\u002dkey-1"}`).expect(202);
    expect(await leadsOf(client, form.email)).toMatchObject([
      { metadata: { key: '[redacted]', other: 'my [redacted]' } },
    ]);
    await client.post(`${hook.path}/deliveries/${body.data.delivery_id}/reprocess`).expect(200);
    expect(await traces(app, secret)).toEqual([]);
  });

  it.each([
    [FORM, (email: string) => `name=J%FCrgen&email=${email}&google_key=secret%2Dkey%2d1`],
    [
      'multipart/form-data; boundary=x',
      (email: string) =>
        ['name', 'Jürgen', 'email', email, 'google_key', secret]
          .map((text, n) =>
            n % 2 === 0 ? `--x\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n` : `${text}\r\n`,
          )
          .concat('--x--')
          .join(''),
    ],
  ])('accepts it in %s', async (type, bodyOf) => {
    const hook = await makeHook(client, { verification });
    const { email } = formInput();
    const { body } = await send(app, hook, bodyOf(email)).type(type).expect(202);
    expect(await leadsOf(client, email)).toMatchObject([{ name: 'Jürgen' }]);
    const { payload } = await readDelivery(client, hook, body.data.delivery_id);
    expect(payload).toEqual({ name: 'Jürgen', email, google_key: '[redacted]' });
    expect(await traces(app, secret)).toEqual([]);
  });

  it('accepts a number as a secret', async () => {
    const hook = await makeHook(client, {
      verification: { ...verification, secret: '12345678901234567890' },
    });
    const { delivery_id } = (await send(app, hook, '{"google_key":12345678901234567890}').expect(202)).body
      .data;
    expect((await readDelivery(client, hook, delivery_id)).payload).toEqual({ google_key: '[redacted]' });
  });

  it('recognises a repeated delivery', async () => {
    const hook = await makeHook(client, { verification });
    const form = formInput({ google_key: secret });
    const first = await sendIn(app, hook, form);
    expect(await sendIn(app, hook, form)).toEqual({ delivery_id: first.delivery_id, status: 'duplicate' });
  });

  it.each([
    {},
    { google_key: '' },
    { google_key: null },
    { google_key: 'secret-key-2' },
    { google_key: secret.toUpperCase() },
    { google_key: [secret] },
    { google_key: { key: secret } },
    { other: secret },
  ])('refuses %j', async (fields) => {
    const hook = await makeHook(client, { verification });
    const form = formInput(fields);
    const { body } = await send(app, hook, form).expect(401);
    expect(body).toMatchObject({
      code: 'signature_invalid',
      message: 'The field /google_key does not have the secret that this hook requires.',
    });
    expect(await leadsOf(client, form.email)).toEqual([]);
    expect((await client.get(`${hook.path}/deliveries`)).body.meta.total).toBe(0);
  });
});
