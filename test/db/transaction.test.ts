import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterCommit, createKnex, type Db } from '../../src/db/knex.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createKnex(database.url, 2);
  await db.raw('create table notes (text text not null)');
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

async function notes(): Promise<string[]> {
  const { rows } = await db.raw('select text from notes order by text');
  return rows.map(({ text }: { text: string }) => text);
}

const write = (trx: Db, text: string) => trx.raw('insert into notes values (?)', [text]);

describe('A transaction', () => {
  it('is committed when its action ends, and then tells who waits for that', async () => {
    let seen: string[] = [];
    let told = 0;
    await db.transaction(async (trx) => {
      afterCommit(trx, () => {
        told += 1;
      });
      await write(trx, 'kept');
      seen = await notes();
      expect(told).toBe(0);
    });
    expect(seen).toEqual([]);
    expect(told).toBe(1);
    expect(await notes()).toEqual(['kept']);
  });

  it('is rolled back when its action fails, and tells nobody', async () => {
    let told = 0;
    const failing = db.transaction(async (trx) => {
      afterCommit(trx, () => {
        told += 1;
      });
      await write(trx, 'lost');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(told).toBe(0);
    expect(await notes()).not.toContain('lost');
  });

  it('fails when PostgreSQL rolls it back instead, after an error that the action went on from', async () => {
    let told = 0;
    const failing = db.transaction(async (trx) => {
      afterCommit(trx, () => {
        told += 1;
      });
      await write(trx, 'rolled back in silence');
      await trx.raw('select 1 / 0').catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('ROLLBACK');
    expect(told).toBe(0);
    expect(await notes()).not.toContain('rolled back in silence');
  });

  it('has savepoints', async () => {
    await db.transaction(async (trx) => {
      const failing = trx.transaction(async (savepoint) => {
        await write(savepoint, 'undone');
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await write(trx, 'after a savepoint');
    });
    expect(await notes()).toContain('after a savepoint');
    expect(await notes()).not.toContain('undone');
  });

  it('can not be used when it is over', async () => {
    let leaked: Db | undefined;
    await db.transaction(async (trx) => {
      leaked = trx;
    });
    expect(() => leaked?.raw('select 1')).toThrow();
  });

  it('takes the options that Knex knows', async () => {
    const { rows } = await db.transaction(
      (trx) => trx.raw("select current_setting('transaction_isolation') as level"),
      { isolationLevel: 'repeatable read' },
    );
    expect(rows).toEqual([{ level: 'repeatable read' }]);
    const writing = db.transaction((trx) => write(trx, 'never'), { readOnly: true });
    await expect(writing).rejects.toMatchObject({ code: '25006' });
  });
});
