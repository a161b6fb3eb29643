import type { Db } from '../../src/db/db.ts';

interface OpenTransaction {
  db: Db;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** A transaction that stays open until the test ends it. */
export async function openTransaction(db: Db): Promise<OpenTransaction> {
  const ready = Promise.withResolvers<Db>();
  const ending = Promise.withResolvers<void>();
  const ended = db.transaction((trx) => {
    ready.resolve(trx);
    return ending.promise;
  });
  ended.catch(ready.reject);
  return {
    db: await ready.promise,
    commit() {
      ending.resolve();
      return ended;
    },
    rollback() {
      const reason = new Error('rolled back by the test');
      ending.reject(reason);
      return ended.catch((error: unknown) => {
        if (error !== reason) throw error;
      });
    },
  };
}
