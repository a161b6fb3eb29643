import { afterAll, beforeAll, describe, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { expectRefusal, make } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true, allowPrivateTargets: false, allowLoopbackTargets: true });
  client = await app.client();
});

afterAll(() => app.close());

describe('the URL of a webhook', () => {
  it.each(['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'])(
    'may be %s in the sandbox of a service on the loopback, but not in production',
    async (url) => {
      const sandbox = await app.client(undefined, 'sandbox');
      const { id } = await make(sandbox, webhooks, { url });
      await expectRefusal(client.post('/webhooks', { ...webhooks.input(), url }), { field: 'url' });
      for (const other of [
        'http://10.0.0.1',
        'http://169.254.169.254',
        'https://api.localhost',
        'http://example.com',
      ])
        await expectRefusal(sandbox.patch(`/webhooks/${id}`, { url: other }), { field: 'url' });
    },
  );
});
