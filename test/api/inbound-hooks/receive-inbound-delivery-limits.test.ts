import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { formInput, makeHook, send } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('An inbound hook', () => {
  it.each(['{', '[]', '"text"', 'null', ''])('rejects the body %j', async (body) => {
    const answer = await send(app, await makeHook(client), body).expect(400);
    expect(answer.body.code).toBe('invalid_json');
  });

  it.each([101, 100_000])('rejects a body with %i levels', async (depth) => {
    const hook = await makeHook(client);
    const { body } = await send(app, hook, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`).expect(400);
    expect(body.message).toBe('The body is nested too deeply.');
  });

  it.each([
    ['application/json', JSON.stringify({ a: Array.from({ length: 10_001 }, () => []) })],
    ['application/x-www-form-urlencoded', 'a=1&'.repeat(10_001)],
  ])('rejects too many values, as %s', async (type, body) => {
    const answer = await send(app, await makeHook(client), body)
      .type(type)
      .expect(400);
    expect(answer.body.message).toBe('The body must not have more than 10000 values.');
  });

  it('accepts at most a mebibyte', async () => {
    const hook = await makeHook(client);
    const frame = JSON.stringify(formInput({ message: '' })).length;
    await send(app, hook, formInput({ message: 'x'.repeat(1_048_576 - frame) })).expect(202);
    const { body } = await send(app, hook, formInput({ message: 'x'.repeat(1_048_577 - frame) })).expect(413);
    expect(body).toMatchObject({ code: 'body_too_large', message: expect.stringContaining('1024 KiB') });
  });

  it('accepts requests from pages of any origin', async () => {
    const hook = await makeHook(client);
    const { headers } = await send(app, hook, formInput(), { Origin: 'https://www.example.com' }).expect(202);
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});
