/** No 503 is followed by a commit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput } from '../../support/factories.ts';

vi.setConfig({ testTimeout: 60_000 });

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp({ waitsForLocks: true });
  client = await app.client();
});

afterAll(() => app.close());

async function isStored(email: string): Promise<boolean> {
  const { rows } = await app.production.knex.raw('select from leads where email = ?', [email]);
  return rows.length > 0;
}

it('a write whose COMMIT takes beyond the deadline gets its own answer', async () => {
  const { knex } = app.production;
  await knex.raw(
    `create function wait() returns trigger language plpgsql as
       $$ begin perform pg_sleep(tg_argv[0]::float); return new; end $$;
     create trigger slow_insert before insert on leads for each row execute function wait(11);
     create constraint trigger slow_commit after insert on leads deferrable initially deferred
       for each row execute function wait(6.5)`,
  );
  const lead = leadInput();
  const { status } = await client.post('/leads', lead);
  await knex.raw('drop function wait() cascade');
  expect([status, await isStored(lead.email)]).toEqual([201, true]);
});

it('writes that wait for a lock until the deadline, and those that wait for them, are not committed later', async () => {
  const trx = await app.production.knex.transaction();
  await trx.raw('lock table leads in share row exclusive mode');
  const leads = Array.from({ length: 12 }, () => leadInput());
  const answers = await Promise.all(leads.map((lead) => client.post('/leads', lead)));
  await trx.rollback();
  await sleep(500);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(await Promise.all(leads.map(({ email }) => isStored(email)))).toEqual(leads.map(() => false));
});
