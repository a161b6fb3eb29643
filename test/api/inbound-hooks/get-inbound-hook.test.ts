import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { inboundHooks, makeHook } from '../../support/hooks.ts';
import { describeRead } from '../../support/resource-promises.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  client = await app.client();
});

afterAll(() => app.close());

describeRead(inboundHooks, () => app);

describe('GET /inbound-hooks/{id}', () => {
  it('shows neither the address nor the secret', async () => {
    const verification = { type: 'shared_header', header: 'X-Token', secret: 'a-secret-of-theirs' };
    const hook = await makeHook(client, { verification });
    const { body, text } = await client.get(hook.path).expect(200);
    expect(body.data.verification).toEqual({
      type: 'shared_header',
      header: 'X-Token',
      encoding: null,
      prefix: null,
    });
    expect(body.data).not.toHaveProperty('url');
    expect(text).not.toContain(verification.secret);
    expect(text).not.toContain(hook.token);
  });
});
