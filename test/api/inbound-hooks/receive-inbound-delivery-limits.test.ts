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

  const MIB = 1024 * 1024;
  const FORM = 'application/x-www-form-urlencoded';
  const MULTIPART = 'multipart/form-data; boundary=x';
  const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`;

  it.each([
    ['percent signs', FORM, '%'.repeat(MIB), 202],
    ['separators', FORM, '&'.repeat(MIB), 202],
    ['100,000 fields', FORM, 'a=1&'.repeat(100_000), 400],
    ['10,000 fields that are not UTF-8', FORM, 'a=%FC&'.repeat(10_000), 202],
    ['10,000 fields with JSON', FORM, 'a={"b":[1,2,3]}&'.repeat(10_000), 202],
    ['a field with JSON of 500,000 values', FORM, `a={"b":[${'1,'.repeat(500_000)}1]}`, 202],
    [
      '500,000 lists in each other',
      'application/json',
      `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      400,
    ],
    ['multipart without end', MULTIPART, part('a') + 'x'.repeat(MIB - 100), 400],
    ['15,000 parts', MULTIPART, `${part('a').repeat(15_000)}--x--`, 400],
    ['150,000 headers of a part', MULTIPART, `--x\r\n${'A: b\r\n'.repeat(150_000)}\r\n--x--`, 400],
    ['a header of a mebibyte', MULTIPART, `${part('a'.repeat(MIB - 100))}--x--`, 400],
    ['parts with headers of 8 KiB', MULTIPART, `${part(`a";${'a="'.repeat(2_600)}`).repeat(110)}--x--`, 202],
    [
      'line breaks that almost end a part',
      MULTIPART,
      `${part('a')}${'\r\n--'.repeat(MIB / 4 - 50)}\r\n--x--`,
      202,
    ],
  ])('answers %s soon', async (_what, type, body, status) => {
    const hook = await makeHook(client);
    const start = performance.now();
    await send(app, hook, body).type(type).expect(status);
    expect(performance.now() - start).toBeLessThan(3_000);
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
