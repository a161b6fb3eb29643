/**
 * OWASP API10:2023, unsafe consumption of APIs: responses of webhook receivers are bounded, kept as text, and trusted
 * in nothing but its status and Retry-After. What comes in by hooks and files: test/api/inbound-hooks, test/api/imports,
 * test/process/faults/import-bombs.test.ts. Receivers that hang or never end: test/api/deliveries/faults.test.ts.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLead } from '../../support/factories.ts';
import { type Subscriptions, startSubscriptions } from '../../support/subscriptions.ts';

let scene: Subscriptions;

beforeAll(async () => {
  scene = await startSubscriptions();
});

beforeEach(() => scene.reset());

afterAll(() => scene.close());

/** What the delivery shows of such an answer. */
async function shown(status: number, headers: Record<string, string>, body: string | Buffer) {
  const subscription = await scene.subscribe(status, headers, body as string);
  await createLead(scene.client);
  await subscription.settled(1);
  const [delivery] = await subscription.deliveries();
  return { delivery, attempt: delivery?.attempts[0], subscription };
}

describe('the answer of a receiver', () => {
  it('is kept as the text that it is, be it markup, a script or commands for a terminal', async () => {
    const text = '<script>alert(1)</script>\u001b[2J\u202e{"$ref":"x","__proto__":{"a":1}}{{7*7}}#{7*7}';
    const { attempt } = await shown(500, { 'Content-Type': 'text/html' }, text);
    expect(attempt?.response_body).toBe(text);
  });

  it('is kept up to 2 KiB', async () => {
    const { attempt } = await shown(500, {}, 'x'.repeat(60_000));
    expect(attempt?.response_body).toBe('x'.repeat(2048));
  });

  it('may be no text at all', async () => {
    const { attempt } = await shown(500, {}, Buffer.from([0x00, 0xff, 0xfe, 0xc3, 0x28, 0x41]));
    expect(attempt?.response_body).toBe('\uFFFD\uFFFD\uFFFD\uFFFD(A');
  });

  it('is not decompressed, so that a small one does not become a large one', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 2 ** 20));
    const { attempt, delivery } = await shown(200, { 'Content-Encoding': 'gzip' }, bomb);
    expect(delivery?.status).toBe('succeeded');
    expect(attempt?.response_body?.length).toBeLessThanOrEqual(2048);
    expect(attempt?.response_body).not.toMatch(/^\0{100}/);
  });

  it.each(['99999999999', '1e9', '-1', 'Fri, 31 Dec 9999 23:59:59 GMT', 'nonsense'])(
    'postpones the next attempt by a day at most: Retry-After %s',
    async (value) => {
      const { delivery } = await shown(503, { 'Retry-After': value }, '');
      const wait = Date.parse(delivery?.next_attempt_at ?? '') - Date.now();
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(24 * 3_600_000);
    },
  );

  it('changes nothing by its other headers', async () => {
    const headers = {
      'Set-Cookie': 'session=1',
      'Webhook-Id': 'other',
      'Access-Control-Allow-Origin': '*',
      Location: 'https://example.com/',
      Link: '<https://example.com/>; rel="next"',
      Refresh: '0; url=https://example.com/',
    };
    const { subscription, delivery } = await shown(200, headers, '');
    expect(delivery).toMatchObject({ status: 'succeeded', attempt_count: 1 });
    await createLead(scene.client);
    const [, second] = await subscription.settled(2);
    expect(second?.headers).not.toHaveProperty('cookie');
  });
});
