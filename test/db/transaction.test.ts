import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import type { Db } from '../../src/db/db.ts';
import { knex } from '../../src/db/query.ts';
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

async function scribbles(): Promise<string[]> {
  const rows = await db.run<{ text: string }>(knex('scribbles').select('text').orderBy('text'));
  return rows.map(({ text }) => text);
}

const write = (trx: Db, text: string) => trx.run(knex('scribbles').insert({ text }));
const impossible = knex.raw('select 1 / 0');
const divisionByZero = { code: '22012' };

describe('A transaction', () => {
  it('ends its connection if the server takes no writes, so that the next one may reach another server', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const only = new Database(database.url, 1);
    await db.run(knex.raw(`alter database ${name} set default_transaction_read_only = on`));
    await expect(only.transaction((trx) => write(trx, 'lost'))).rejects.toMatchObject({ code: '25006' });
    await db.run(knex.raw(`alter database ${name} reset default_transaction_read_only`));
    await only.transaction((trx) => write(trx, 'kept'));
    await only.close();
    expect(await scribbles()).toEqual(['kept']);
  });

  it('is committed when its work ends, and then runs its after-commit work', async () => {
    let seen: string[] = [];
    let done = 0;
    await db.transaction(async (trx) => {
      trx.afterCommit(() => {
        done += 1;
      });
      await write(trx, 'kept');
      seen = await scribbles();
      expect(done).toBe(0);
    });
    expect(seen).toEqual([]);
    expect(done).toBe(1);
    expect(await scribbles()).toEqual(['kept']);
  });

  it('is rolled back when its work fails, and skips its after-commit work', async () => {
    let done = 0;
    const failing = db.transaction(async (trx) => {
      trx.afterCommit(() => {
        done += 1;
      });
      await write(trx, 'lost');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(done).toBe(0);
    expect(await scribbles()).toEqual([]);
  });

  it('is rolled back after a dry run, and gives its result', async () => {
    let done = 0;
    const result = await db.transaction(
      async (trx) => {
        trx.afterCommit(() => {
          done += 1;
        });
        await write(trx, 'tried');
        return trx.run<{ text: string }>(knex('scribbles').select('text'));
      },
      { dryRun: true },
    );
    expect(result).toEqual([{ text: 'tried' }]);
    expect(done).toBe(0);
    expect(await scribbles()).toEqual([]);
  });

  it('fails when PostgreSQL rolls it back instead, after an error that the work went on from', async () => {
    let done = 0;
    const failing = db.transaction(async (trx) => {
      trx.afterCommit(() => {
        done += 1;
      });
      await write(trx, 'rolled back in silence');
      await trx.run(impossible).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('ROLLBACK');
    expect(done).toBe(0);
    expect(await scribbles()).toEqual([]);
  });

  it('can not be used when it is over', async () => {
    let leaked: Db | undefined;
    await db.transaction(async (trx) => {
      leaked = trx;
    });
    const message = 'The transaction has ended.';
    await expect(leaked?.run(knex.raw('select 1'))).rejects.toThrow(message);
    await expect(leaked?.transaction(async () => undefined)).rejects.toThrow(message);
    expect(() => leaked?.afterCommit(() => undefined)).toThrow(message);
  });

  it('fails when it took longer than a connection may be held', async () => {
    const hasty = new Database(database.url, 1, { limit: 50 });
    const late = hasty.transaction(async (trx) => {
      await write(trx, 'late');
      await new Promise((resolve) => setTimeout(resolve, 80));
    });
    // On a busy machine, PostgreSQL may end the transaction before the service's own timer does.
    await expect(late).rejects.toMatchObject({ code: expect.stringMatching(/^(ETIMEDOUT|25P04)$/) });
    await hasty.close();
    expect(await scribbles()).toEqual([]);
  });

  it('has the isolation and the access mode that it is given', async () => {
    const level = knex.raw("select current_setting('transaction_isolation') as level");
    const rows = await db.transaction((trx) => trx.run(level), { isolation: 'repeatable read' });
    expect(rows).toEqual([{ level: 'repeatable read' }]);
    const writing = db.transaction((trx) => write(trx, 'never'), { readOnly: true });
    await expect(writing).rejects.toMatchObject({ code: '25006' });
  });
});

describe('What a transaction only sends', () => {
  it('is written in its order, and its rows are there before the actions after the commit', async () => {
    const order: string[] = [];
    await db.transaction(async (trx) => {
      trx.afterCommit(() => order.push('committed'));
      trx.send<{ text: string }>(knex('scribbles').insert({ text: 'sent' }).returning('text'), (rows) =>
        order.push(...rows.map(({ text }) => text)),
      );
      expect(await trx.run(knex('scribbles').select('text'))).toEqual([{ text: 'sent' }]);
      trx.send(knex('scribbles').insert({ text: 'sent last' }));
    });
    expect(order).toEqual(['sent', 'committed']);
    expect(await scribbles()).toEqual(['sent', 'sent last']);
  });

  it.each([false, true])('fails the transaction with its error if it fails; dry run: %s', async (dryRun) => {
    const work = (trx: Db) => write(trx, 'lost').then(() => trx.send(impossible));
    await expect(db.transaction(work, { dryRun })).rejects.toMatchObject(divisionByZero);
    expect(await scribbles()).toEqual([]);
  });

  it('gives the reason why later statements fail', async () => {
    const failing = db.transaction(async (trx) => {
      trx.send(impossible);
      await write(trx, 'refused');
    });
    await expect(failing).rejects.toMatchObject(divisionByZero);
  });

  it('belongs to the savepoint in which it is sent', async () => {
    const done: string[] = [];
    await db.transaction(async (trx) => {
      trx.send(knex('scribbles').insert({ text: 'kept' }), () => trx.afterCommit(() => done.push('kept')));
      const failing = trx.transaction(async (savepoint) => {
        await write(savepoint, 'undone');
        savepoint.send(impossible);
      });
      await expect(failing).rejects.toMatchObject(divisionByZero);
      trx.send(knex('scribbles').insert({ text: 'kept too' }));
    });
    expect(await scribbles()).toEqual(['kept', 'kept too']);
    expect(done).toEqual(['kept']);
  });
});

describe('A savepoint', () => {
  it('is rolled back alone, with its after-commit work', async () => {
    const done: string[] = [];
    await db.transaction(async (trx) => {
      trx.afterCommit(() => done.push('of the transaction'));
      const failing = trx.transaction(async (savepoint) => {
        savepoint.afterCommit(() => done.push('of the savepoint'));
        await write(savepoint, 'undone');
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await trx.transaction(async (savepoint) => {
        savepoint.afterCommit(() => done.push('of the next'));
        await write(savepoint, 'kept');
      });
    });
    expect(await scribbles()).toEqual(['kept']);
    expect(done).toEqual(['of the transaction', 'of the next']);
  });

  it('is undone whole after one within it was', async () => {
    await db.transaction(async (trx) => {
      await write(trx, 'kept');
      const failing = trx.transaction(async (outer) => {
        await write(outer, 'outer');
        const inner = outer.transaction(async (savepoint) => {
          await write(savepoint, 'inner');
          throw new Error('inner');
        });
        await expect(inner).rejects.toThrow('inner');
        throw new Error('outer');
      });
      await expect(failing).rejects.toThrow('outer');
    });
    expect(await scribbles()).toEqual(['kept']);
  });

  it('makes the transaction usable again after a failed statement', async () => {
    await db.transaction(async (trx) => {
      const failing = trx.transaction((savepoint) => savepoint.run(impossible));
      await expect(failing).rejects.toMatchObject(divisionByZero);
      await write(trx, 'kept');
    });
    expect(await scribbles()).toEqual(['kept']);
  });

  it('is undone after a dry run', async () => {
    await db.transaction(async (trx) => {
      await write(trx, 'kept');
      await trx.transaction((savepoint) => write(savepoint, 'tried'), { dryRun: true });
    });
    expect(await scribbles()).toEqual(['kept']);
  });

  it('has no isolation level of its own', async () => {
    const nested = db.transaction((trx) =>
      trx.transaction(async () => undefined, { isolation: 'repeatable read' }),
    );
    await expect(nested).rejects.toThrow('A savepoint has the isolation');
  });
});

describe('Outside of a transaction', () => {
  it('nothing waits for a commit', () => {
    expect(() => db.afterCommit()).toThrow('requires a transaction');
    expect(() => db.send()).toThrow('requires a transaction');
  });
});
