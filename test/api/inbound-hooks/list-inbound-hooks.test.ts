import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { makeHook } from '../../support/hooks.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /inbound-hooks', () => {
  it('filters by status', async () => {
    await makeHook(client, { name: 'A' });
    await makeHook(client, { name: 'B', status: 'paused' });
    for (const [status, name] of [
      ['enabled', 'A'],
      ['paused', 'B'],
    ]) {
      const { body } = await client.get(`/inbound-hooks?status=${status}`).expect(200);
      expect(body.data.map((hook: { name: string }) => hook.name)).toEqual([name]);
    }
    const request = client.get('/inbound-hooks?status=gone');
    await expectRefusal(request, { status: 400, field: 'status', code: 'invalid_parameter' });
  });
});
