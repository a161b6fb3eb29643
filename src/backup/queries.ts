import { countTables } from '../db/count-tables.ts';
import { toStatement } from '../db/query.ts';
import type { OpenSession } from '../db/session.ts';

/** Rows by table. */
export type Tables = Record<string, number>;

/** Counts the rows of all tables, as the session's transaction sees them. */
export async function countAll(session: OpenSession): Promise<Tables> {
  const counts = await countTables({ run: async (query) => (await session.query(toStatement(query))).rows });
  return Object.fromEntries(counts.map(({ table, rows }) => [table, rows]));
}

/** The current signing key, encrypted. A database that no service has opened has none. */
export async function findEncryptedKeys(session: OpenSession): Promise<Buffer[]> {
  const { rows: tables } = await session.query("select where to_regclass('public.signing_keys') is not null");
  if (tables.length === 0) return [];
  const { rows } = await session.query<{ encrypted: Buffer }>(
    'select encrypted_private_jwk as encrypted from public.signing_keys where retired_at is null',
  );
  return rows.map(({ encrypted }) => encrypted);
}
