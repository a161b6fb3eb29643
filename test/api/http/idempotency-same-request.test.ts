/** Which requests are the same for an Idempotency-Key. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput, uniqueEmail } from '../../support/factories.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const keyed = (key: string) => client.with({ 'Idempotency-Key': key });

describe('an Idempotency-Key', () => {
  it('takes the members of a body in another order for the same request, those of a list not', async () => {
    const key = randomUUID();
    const { name, email } = leadInput();
    const value = { amount: '12.50', currency: 'EUR' };
    const metadata = '"10": "ten", "9": "nine", "__proto__": "p", "b": "1", "a": "2"';
    const reversed = '"a": "2", "b": "1", "__proto__": "p", "9": "nine", "10": "ten"';
    const one = { name, email, value, tags: ['b', 'a'] };
    const other = { tags: ['b', 'a'], value: { currency: 'EUR', amount: '12.50' }, email, name };
    const withMetadata = (lead: object, members: string) =>
      `{"metadata": {${members}}, ${JSON.stringify(lead).slice(1)}`;
    const first = await keyed(key).post('/leads', withMetadata(one, metadata)).expect(201);
    const again = await keyed(key).post('/leads', withMetadata(other, reversed)).expect(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expect(JSON.parse(first.text).data.metadata).toHaveProperty(['__proto__'], 'p');
    for (const another of [
      withMetadata({ ...one, tags: ['a', 'b'] }, metadata),
      withMetadata(one, metadata.replace('"p"', '"q"')),
      withMetadata(one, '"b": "1"'),
    ]) {
      const { body } = await keyed(key).post('/leads', another).expect(422);
      expect(body.code).toBe('idempotency_key_reused');
    }
    const batch = (...items: object[]) => keyed(`${key} batch`).post('/leads/batch/create', { items });
    const [ada, grace] = [{ ...one, email: uniqueEmail() }, leadInput()];
    const made = await batch(ada, grace).expect(200);
    const repeated = await batch({ ...other, email: ada.email }, grace).expect(200);
    expect(repeated.text).toBe(made.text);
    await batch(grace, ada).expect(422);
  });

  it('makes one lead of requests that arrive together, each with its members in another order', async () => {
    const key = randomUUID();
    const members = Object.entries(leadInput({ company: 'Acme', metadata: { b: '1', a: '2' } }));
    const orders = members.map((_, at) => [...members.slice(at), ...members.slice(0, at)]);
    const answers = await Promise.all(
      orders.map((order) => keyed(key).post('/leads', Object.fromEntries(order))),
    );
    expect(answers.map(({ status }) => status)).toEqual(orders.map(() => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
    expect(replayed).toHaveLength(orders.length - 1);
  });
});
