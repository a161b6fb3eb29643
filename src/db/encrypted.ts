import type { Db } from './db.ts';
import { knex } from './query.ts';

/** Rows read per transaction. */
const BATCH = 100;

interface Encrypted {
  table: string;
  key: readonly string[];
  columns: readonly string[];
}

/** Every column that SECRET_KEY encrypts. */
export const encrypted: readonly Encrypted[] = [
  { table: 'signing_keys', key: ['id'], columns: ['encrypted_private_jwk'] },
  {
    table: 'webhooks',
    key: ['id'],
    columns: ['encrypted_secret', 'encrypted_previous_secret', 'encrypted_headers'],
  },
  { table: 'inbound_hooks', key: ['id'], columns: ['encrypted_secret', 'encrypted_verify_token'] },
  { table: 'idempotency_keys', key: ['client_id', 'key'], columns: ['sealed_body'] },
];

type Row = Record<string, string | Buffer | null>;

/**
 * Replaces each encrypted value for which `replace` returns another one, in small transactions: it can be interrupted and
 * repeated. Returns the number replaced, by table.
 */
export async function replaceEncrypted(
  db: Db,
  replace: (value: Buffer, table: string) => Buffer | undefined,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const source of encrypted) {
    counts[source.table] = 0;
    let last: Row | undefined;
    do {
      const batch = await db.transaction((trx) => replaceBatch(trx, source, last, replace));
      counts[source.table] = (counts[source.table] ?? 0) + batch.replaced;
      last = batch.last;
    } while (last !== undefined);
  }
  return counts;
}

async function replaceBatch(
  trx: Db,
  { table, key, columns }: Encrypted,
  after: Row | undefined,
  replace: (value: Buffer, table: string) => Buffer | undefined,
): Promise<{ replaced: number; last: Row | undefined }> {
  const rows = await trx.run<Row>(
    knex(table)
      .select(...key, ...columns)
      .where((some) => columns.forEach((column) => void some.orWhereNotNull(column)))
      .modify((page) => {
        if (after === undefined) return;
        const places = key.map(() => '?').join();
        page.whereRaw(`(${key.map(() => '??').join()}) > (${places})`, [
          ...key,
          ...key.map((name) => after[name] ?? null),
        ]);
      })
      .orderBy([...key])
      .limit(BATCH)
      .forNoKeyUpdate(),
  );
  let replaced = 0;
  for (const row of rows) {
    const changes: Record<string, Buffer> = {};
    for (const column of columns) {
      const value = row[column];
      const other = value instanceof Buffer ? replace(value, table) : undefined;
      if (other !== undefined) changes[column] = other;
    }
    const count = Object.keys(changes).length;
    if (count === 0) continue;
    const id = Object.fromEntries(key.map((name) => [name, row[name]]));
    await trx.run(knex(table).where(id).update(changes));
    replaced += count;
  }
  return { replaced, last: rows.length === BATCH ? rows.at(-1) : undefined };
}
