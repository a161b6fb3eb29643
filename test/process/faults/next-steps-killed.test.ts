/** Next steps of many leads are due at once, and a worker is killed meanwhile: each is told exactly once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { cleanUp, newDataDir, run } from '../../support/process.ts';

const LEADS = 200_000;
/** Milliseconds. */
const LIMIT = 300_000;

vi.setConfig({ testTimeout: 2 * LIMIT, hookTimeout: 120_000 });

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  await app.production.knex.raw(
    `insert into leads (id, name, email, status, source, next_step_at)
    select new_uuid(), 'Ada', n || '@example.com', 'new', 'api', now() + interval '1 day'
    from generate_series(1, ${LEADS}) as n`,
  );
});

afterAll(async () => {
  await cleanUp();
  await app.close();
});

function startWorker() {
  const [production, sandbox] = app.databases.map(({ url }) => url);
  return run(process.execPath, ['src/server.ts'], {
    DATABASE_URL: `${production}`,
    SANDBOX_DATABASE_URL: `${sandbox}`,
    SECRET_KEY: app.secretKey[0].toString('base64'),
    DATA_DIR: newDataDir(),
    DATABASE_POOL_SIZE: '2',
    ROLE: 'worker',
  });
}

it('200,000 on two workers, one of which is killed, are 200,000 events in five minutes', async () => {
  const { knex } = app.production;
  const told = async () => {
    const { rows } = await knex.raw(
      `select count(*)::int as events, count(distinct resource_id)::int as leads
      from events where type = 'lead.next_step_due'`,
    );
    return rows[0];
  };
  const [first, second] = [startWorker(), startWorker()];
  await knex.raw('update leads set next_step_due_at = now() where next_step_due_at is not null');
  const begin = Date.now();
  while ((await told()).events < LEADS / 10) await sleep(200);
  first.child.kill('SIGKILL');
  await first.exited;
  while ((await told()).events < LEADS) {
    expect(Date.now() - begin).toBeLessThan(LIMIT);
    await sleep(500);
  }
  console.log(`${LEADS} events took ${Math.round((Date.now() - begin) / 1000)} s.`);
  await sleep(3_000);
  expect(await told()).toEqual({ events: LEADS, leads: LEADS });
  second.child.kill('SIGTERM');
  expect(await second.exited).toBe(0);
});
