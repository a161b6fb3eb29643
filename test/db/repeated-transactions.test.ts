import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import type { Db } from '../../src/db/db.ts';
import { ConflictError, describeUnavailable, isDatabaseFault, isUnavailable } from '../../src/db/errors.ts';
import { knex } from '../../src/db/query.ts';
import { Deadline } from '../../src/values/deadline.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = new Database(database.url, 2);
  await db.run(knex.raw('create table scribbles (text text not null)'));
});

beforeEach(() => db.run(knex('scribbles').delete()));

afterAll(async () => {
  await db.close();
  await database.drop();
});

const write = (on: Db, text: string) => on.run(knex('scribbles').insert({ text }));

describe('A transaction that others disturb', () => {
  it('is repeated, without what its earlier attempts did', async () => {
    let attempts = 0;
    let done = 0;
    await db.transaction(async (trx) => {
      attempts += 1;
      trx.afterCommit(() => {
        done += 1;
      });
      await write(trx, `attempt ${attempts}`);
      if (attempts < 3) throw new ConflictError();
    });
    expect([attempts, done]).toEqual([3, 1]);
    expect(await db.run(knex('scribbles').select('text'))).toEqual([{ text: 'attempt 3' }]);
  });

  it('fails after three attempts, as a conflict and not as a fault of the database', async () => {
    let attempts = 0;
    const error = await db
      .transaction(async () => {
        attempts += 1;
        throw new ConflictError();
      })
      .catch((reason: unknown) => reason);
    expect(attempts).toBe(3);
    expect([isUnavailable(error), isDatabaseFault(error)]).toEqual([true, false]);
    expect(describeUnavailable(error)).toMatch(/^Other requests changed the same data/);
  });

  it('is repeated when PostgreSQL has ended it to resolve a deadlock', async () => {
    await write(db, 'one');
    await write(db, 'two');
    let attempts = 0;
    const lockBoth = (...texts: string[]) =>
      db.transaction(async (trx) => {
        attempts += 1;
        for (const text of texts) {
          await trx.run(knex('scribbles').where({ text }).forUpdate().select('text'));
          if (attempts <= 2) await sleep(200);
        }
      });
    await Promise.all([lockBoth('one', 'two'), lockBoth('two', 'one')]);
    expect(attempts).toBeGreaterThan(2);
  });

  it.each([
    ['its time is up', () => ({ deadline: new Deadline(50) })],
    ['it only reads, since its rows may have been sent', () => ({ readOnly: true })],
  ])('is not repeated when %s', async (_, options) => {
    let attempts = 0;
    const disturbed = db.transaction(async () => {
      attempts += 1;
      await sleep(100);
      throw new ConflictError();
    }, options());
    await expect(disturbed).rejects.toThrow(ConflictError);
    expect(attempts).toBe(1);
  });
});
