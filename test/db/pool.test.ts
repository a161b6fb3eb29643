import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, type TestContext } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { isUnavailable } from '../../src/db/errors.ts';
import { knex } from '../../src/db/query.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Network, startNetwork } from '../support/network.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

interface Pool {
  db: Database;
  network: Network;
  ask(sql?: string): Promise<void>;
}

/** The test's own pool and network, because these tests run concurrently. */
async function open({ onTestFinished }: TestContext, size = 1, limit?: number): Promise<Pool> {
  const network = await startNetwork(inject('serverUrl'));
  const db = new Database(network.through(database.url), size, { limit });
  onTestFinished(async () => {
    await db.close();
    await network.close();
  });
  return { db, network, ask: async (sql = 'select 1') => void (await db.run(knex.raw(sql))) };
}

/** The error, and after how many seconds. */
async function failure(work: Promise<unknown>): Promise<{ error: unknown; seconds: number }> {
  const began = performance.now();
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, seconds: (performance.now() - began) / 1000 };
}

/** Instead of 15.5 s. */
const LIMIT = 2_000;

const rest = () => new Promise((resolve) => setTimeout(resolve, 1_100));

describe.concurrent('A connection that has gone dead', () => {
  it('while it rested is not handed out', async (test) => {
    const { network, ask } = await open(test);
    await ask();
    await rest();
    network.freeze();
    const { error, seconds } = await failure(ask());
    expect(error).toBeUndefined();
    expect(seconds).toBeLessThan(3);
  });

  it('takes the others with it that rested too', async (test) => {
    const { network, ask } = await open(test, 10);
    await Promise.all(Array.from({ length: 10 }, () => ask('select pg_sleep(0.2)')));
    await rest();
    network.freeze();
    const began = performance.now();
    for (let turn = 0; turn < 10; turn += 1) await ask();
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it('is closed by PostgreSQL too, which does not hear of it', async (test) => {
    const { db } = await open(test);
    expect(await db.run(knex.raw('show idle_session_timeout'))).toEqual([{ idle_session_timeout: '1min' }]);
  });

  it.for([
    ['a query', ({ ask }: Pool) => ask()],
    ['a transaction', ({ db }: Pool) => db.transaction((trx) => trx.run(knex.raw('select 1')))],
  ] as const)('under %s is cut, and the next one gets another', async ([_what, work], test) => {
    const pool = await open(test, 1, LIMIT);
    const { network, ask } = pool;
    await ask();
    network.freeze();
    const cut = failure(work(pool));
    // Waits for the only connection.
    const next = failure(ask());
    const { error, seconds } = await cut;
    expect(isUnavailable(error)).toBe(true);
    expect(seconds).toBeLessThan(4);
    expect((await next).error).toBeUndefined();
  });

  it.for(['in a query', 'before the commit'])('in a transaction, %s, is cut', async (when, test) => {
    const { db, network, ask } = await open(test, 1, LIMIT);
    const cut = failure(
      db.transaction(async (trx) => {
        await trx.run(knex.raw('select 1'));
        network.freeze();
        if (when === 'in a query') await trx.run(knex.raw('select 1'));
      }),
    );
    const { error, seconds } = await cut;
    expect(isUnavailable(error)).toBe(true);
    expect(seconds).toBeLessThan(4);
    await ask();
  });
});

describe.concurrent('A slow query', () => {
  it('is left to work', async (test) => {
    const { ask } = await open(test);
    await expect(ask('select pg_sleep(6)')).resolves.toBeUndefined();
  });

  it('is cut at the limit, whatever PostgreSQL does', async (test) => {
    const { ask } = await open(test, 1, LIMIT);
    const { error, seconds } = await failure(ask('select pg_sleep(8)'));
    expect(isUnavailable(error)).toBe(true);
    expect(seconds).toBeLessThan(3);
    await ask();
  });
});

describe.concurrent('When no connection can be made', () => {
  it('a waiter gets an error in time, and the next one gets a connection', async (test) => {
    const { network, ask } = await open(test);
    network.freezeNew(true);
    const all = await Promise.all(Array.from({ length: 5 }, () => failure(ask())));
    network.freezeNew(false);
    for (const { error, seconds } of all) {
      expect(isUnavailable(error)).toBe(true);
      expect(seconds).toBeLessThan(6);
    }
    const { error, seconds } = await failure(ask());
    expect(error).toBeUndefined();
    // An earlier attempt was still in progress.
    expect(seconds).toBeLessThan(3);
  });
});

describe.concurrent('A machine that is too busy to check a new connection', () => {
  it('checks another one, and the query succeeds', async (test) => {
    const { network, ask } = await open(test);
    // Connecting may take three seconds, a check one.
    network.slow(1_200);
    const asked = failure(ask());
    setTimeout(() => network.slow(0), 2_500);
    expect((await asked).error).toBeUndefined();
  });

  it('gives up in time', async (test) => {
    const { network, ask } = await open(test);
    network.slow(1_200);
    const { error, seconds } = await failure(ask());
    network.slow(0);
    expect(isUnavailable(error)).toBe(true);
    expect(seconds).toBeLessThan(9);
  });
});

describe('When a migration changes the result of a prepared statement', () => {
  const all = { name: 'all_of_widened', text: 'select * from widened', values: [] };

  it('it is prepared again, on whichever of the connections', async (test) => {
    const { db } = await open(test, 5);
    await db.run(knex.raw('create table widened as select 1 as one'));
    await Promise.all(
      Array.from({ length: 5 }, () => db.run({ ...all, text: `${all.text}, pg_sleep(0.2)` })),
    );
    await db.run(knex.raw('alter table widened add two integer default 2'));
    const rows = await db.run({ ...all, text: `${all.text}, pg_sleep(0.2)` });
    expect(rows).toEqual([{ one: 1, two: 2, pg_sleep: '' }]);
    await db.run(knex.raw('drop table widened'));
  });

  it('a transaction fails as one that may be repeated, and then works', async (test) => {
    const { db } = await open(test);
    await db.run(knex.raw('create table widened as select 1 as one'));
    await db.run(all);
    await db.run(knex.raw('alter table widened add two integer default 2'));
    const repeat = () => db.transaction((trx) => trx.run(all));
    expect(isUnavailable((await failure(repeat())).error)).toBe(true);
    expect(await repeat()).toEqual([{ one: 1, two: 2 }]);
    await db.run(knex.raw('drop table widened'));
  });
});

describe('When the process itself is blocked', () => {
  /** Longer than the wait for a connection. Milliseconds. */
  const BLOCKED = 6_000;

  it('a query waits for its connection afterwards, since the database is not to blame', async () => {
    const db = new Database(database.url, 1);
    // The pool looks every tenth of a second whether it is blocked.
    await sleep(300);
    const asked = db.run(knex.raw('select 1 as one'));
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED);
    expect(await asked).toEqual([{ one: 1 }]);
    await db.close();
  });
});
