/** What a delivery may cost is bounded by the work that it makes, not only by its bytes: anyone may send to a public hook. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extractEmails } from '../../../src/inbound-hooks/receiving/extract-emails.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead, uniqueEmail } from '../../support/factories.ts';
import { formInput, leadsOf, makeHook, readDelivery, send, sendIn } from '../../support/hooks.ts';

const MIB = 1024 * 1024;
/** CPU time. The words of a mebibyte took up to a second when each was read. Milliseconds. */
const LIMIT = 250;

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

function timeOf(work: () => unknown): number {
  const begin = process.cpuUsage();
  try {
    work();
  } catch {
    // It may be refused.
  }
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}

describe('the search for addresses', () => {
  it.each(['a@b ', '@ ', '<a@b.c>', 'a@b.c.d,', '%40 ', 'a%40b+', '&#64; ', '\\u0040 ', 'é@ü.de '])(
    'takes little time in a mebibyte of %j',
    (unit) => {
      const message = unit.repeat(MIB / unit.length);
      const times = [1, 2, 3].map(() => timeOf(() => extractEmails({ message })));
      expect(Math.min(...times)).toBeLessThan(LIMIT);
    },
  );

  it('ends at 4,000 different words with an @', async () => {
    const hook = await makeHook(client);
    const message = Array.from({ length: 4_001 }, (_, index) => `@${index}`).join(' ');
    const { body } = await send(app, hook, JSON.stringify(formInput({ message }))).expect(413);
    expect(body.message).toBe('The body must not contain more than 1000 email addresses.');
  });
});

it("a hook takes its deliveries one at a time, and other hooks don't wait for it", async () => {
  const [hook, other] = [await makeHook(client), await makeHook(client)];
  const { email } = await createLead(client);
  const ended: string[] = [];
  const deliver = async (name: string, to: typeof hook, fields: object) => {
    expect((await sendIn(app, to, formInput(fields))).status).toMatch(/created|merged/);
    ended.push(name);
  };
  const all = await app.production.knex.transaction(async (trx) => {
    await trx.raw('select from leads where email = ? for update', [email]);
    const first = deliver('waits for a lock', hook, { email });
    await expect.poll(() => waiters(trx)).toBeGreaterThan(0);
    const second = deliver('second', hook, {});
    await deliver('other', other, {});
    // Time enough for the second one, if it didn't wait.
    await deliver('other again', other, {});
    expect(ended).toEqual(['other', 'other again']);
    return [first, second];
  });
  await Promise.all(all);
  expect(ended.slice(2)).toEqual(['waits for a lock', 'second']);
});

async function waiters(trx: Knex.Transaction): Promise<number> {
  const { rows } = await trx.raw(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}

it.each([
  ['phone', '12 ab'],
  ['status', 'Open'],
  ['tags', 'vip'],
  ['value.amount', '1.2.3'],
])('a field looks at 200 members of a list, and says so: %s', async (field, text) => {
  const hook = await makeHook(client, { mapping: { name: '/name', email: '/email', [field]: '/list' } });
  const list = Array.from({ length: 9_000 }, (_, index) => `${text} ${index}`);
  const email = uniqueEmail();
  const { delivery_id } = await sendIn(app, hook, { name: 'Ada', email, list });
  const { warnings } = await readDelivery(client, hook, delivery_id);
  expect(warnings).toContainEqual({
    field,
    message: 'Only the first 200 members of the list were looked at.',
  });
  expect(await leadsOf(client, email)).toHaveLength(1);
});
