/** No 503 but `outcome_unknown` is followed by a commit. */
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput } from '../../support/factories.ts';
import { type Network, startNetwork } from '../../support/network.ts';

vi.setConfig({ testTimeout: 60_000 });

const LATE = 'The request could not be completed in time. Try again shortly.';

let network: Network;
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  network = await startNetwork(inject('serverUrl'));
  app = await startTestApp({ network, waitsForLocks: true });
  client = await app.client();
  await app.production.knex.raw(
    `create sequence attempts;
     create function delay() returns trigger language plpgsql as $$ begin
       perform nextval('attempts'), pg_sleep(tg_argv[0]::float);
       if tg_nargs > 1 then raise exception 'Failed.' using errcode = tg_argv[1]; end if;
       return new;
     end $$`,
  );
});

afterEach(() => app.production.knex.raw('drop trigger if exists slow on leads'));

afterAll(async () => {
  await app.close();
  await network.close();
});

async function isStored(email: string): Promise<boolean> {
  const { rows } = await app.production.knex.raw('select from leads where email = ?', [email]);
  return rows.length > 0;
}

/** Transactions of the service that are still running. */
async function running(): Promise<number> {
  const { rows } = await app.production.knex.raw(
    `select from pg_stat_activity where datname = current_database() and application_name = 'lead-pipeline-api'
       and state in ('active', 'idle in transaction')`,
  );
  return rows.length;
}

it('a write whose last statement and COMMIT are answered after the deadline gets its own answer', async () => {
  await app.production.knex.raw(
    'create trigger slow before insert on leads for each row execute function delay(12)',
  );
  // Otherwise the service asks for the credential again, and awaits the statement with that.
  await expect.poll(() => app.production.auth.revision()).toBeDefined();
  network.delayCommit(6_000);
  const lead = leadInput();
  const { status } = await client.post('/leads', lead);
  expect([status, await isStored(lead.email)]).toEqual([201, true]);
});

it('PostgreSQL ends writes that wait for a lock at their deadline, and those that wait for them are not run', async () => {
  const trx = await app.production.knex.transaction();
  await trx.raw('lock table leads in share row exclusive mode');
  const leads = Array.from({ length: 12 }, () => leadInput());
  const answers = await Promise.all(leads.map((lead) => client.post('/leads', lead)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  await expect.poll(running, { timeout: 2_000 }).toBe(0);
  await trx.rollback();
  expect(await Promise.all(leads.map(({ email }) => isStored(email)))).toEqual(leads.map(() => false));
});

it('a batch that is repeated after deadlocks is not repeated after its deadline', async () => {
  await app.production.knex.raw(
    `alter sequence attempts restart;
     create trigger slow before insert on leads for each row execute function delay(6, '40P01')`,
  );
  const { status, body } = await client.post('/leads/batch/create', { items: [leadInput()] });
  expect([status, body.message]).toEqual([503, LATE]);
  await expect.poll(running, { timeout: 4_000 }).toBe(0);
  const { rows } = await app.production.knex.raw('select last_value::int from attempts');
  expect(rows).toEqual([{ last_value: 3 }]);
});

it('a token is not revoked after the deadline of the request', async () => {
  const { client_id, client_secret } = await app.credentials();
  const issued = await app.anonymous
    .post('/auth/token', { grant_type: 'client_credentials', client_id, client_secret })
    .expect(200);
  const token = issued.body.access_token;
  const trx = await app.production.knex.transaction();
  await trx.raw('lock table revoked_tokens in share row exclusive mode');
  const { status, body } = await app.anonymous.post('/auth/revoke', { token, client_id, client_secret });
  expect([status, body.code]).toEqual([503, 'unavailable']);
  await expect.poll(running, { timeout: 3_000 }).toBe(0);
  await trx.rollback();
  await app.anonymous
    .with({ Authorization: `Bearer ${token}` })
    .get('/auth/me')
    .expect(200);
});
