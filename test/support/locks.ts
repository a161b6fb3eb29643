import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Locks the row of this name until it is released. */
export async function holdRow(databaseUrl: string, table: string, name: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(`select from ${pg.escapeIdentifier(table)} where name = $1 for update`, [name]);
  return {
    /** Resolves when another transaction waits for the row. */
    async isAwaited(): Promise<void> {
      const waiting = 'select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))';
      while ((await client.query(waiting)).rowCount === 0) await sleep(20);
    },
    letGo: () => client.end(),
  };
}
