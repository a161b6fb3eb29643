import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { makeHook, readDelivery, send, sendIn } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /inbound-hooks/{id}/deliveries/{delivery_id}', () => {
  it('shows the payload and its result', async () => {
    const hook = await makeHook(client);
    const payload = { name: 'Ada', nested: { list: [1, null, 'ä\u2028'] } };
    const { delivery_id } = await sendIn(app, hook, payload);
    expect(await readDelivery(client, hook, delivery_id)).toMatchObject({
      id: delivery_id,
      hook_id: hook.id,
      status: 'rejected',
      payload,
      errors: { email: ['email is required.'] },
    });
  });

  it('shows a form as an object', async () => {
    const hook = await makeHook(client);
    const form = 'name=Ada+Lovelace&tag=a&tag=b&empty=&email=ada%2Bform%40example.com';
    const { body } = await send(app, hook, form).type('application/x-www-form-urlencoded').expect(202);
    const { payload } = await readDelivery(client, hook, body.data.delivery_id);
    expect(payload).toEqual({ name: 'Ada Lovelace', tag: ['a', 'b'], email: 'ada+form@example.com' });
  });

  it('answers 304 for a known version', async () => {
    const hook = await makeHook(client);
    const { delivery_id } = await sendIn(app, hook, {});
    const path = `${hook.path}/deliveries/${delivery_id}`;
    const { headers } = await client.get(path).expect(200);
    await client
      .with({ 'If-None-Match': headers.etag ?? '' })
      .get(path)
      .expect(304);
  });

  it('answers 404 under another hook, and for an unknown delivery', async () => {
    const hook = await makeHook(client);
    const other = await makeHook(client);
    const { delivery_id } = await sendIn(app, hook, {});
    await client.get(`${other.path}/deliveries/${delivery_id}`).expect(404);
    await client.get(`${hook.path}/deliveries/inbound_01h455vb4pex5vsknk084sn02q`).expect(404);
    await client.get(`${hook.path}/deliveries/x`).expect(404);
  });
});
