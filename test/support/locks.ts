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

/** Any number that nothing else locks. */
const HELD = 4_711;

/** Holds the COMMIT of every transaction that inserts into or updates the table, until it is released. */
export async function holdCommits(databaseUrl: string, table: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    create function held_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${HELD}); return null; end $$;
    create constraint trigger held_commit after insert or update on ${pg.escapeIdentifier(table)}
      deferrable initially deferred for each row execute function held_commit();
    select pg_advisory_lock(${HELD})`);
  // If nobody waits, the test's expectations say what went wrong.
  const wait = async (isOver: string) => {
    for (let tries = 0; tries < 100 && (await client.query(isOver)).rowCount === 0; tries += 1)
      await sleep(20);
  };
  return {
    /** Resolves when a transaction waits in its COMMIT. */
    isHeld: () =>
      wait(`select from pg_locks where locktype = 'advisory' and objid = ${HELD} and not granted limit 1`),
    /** Resolves when another transaction waits for one that is held. */
    isAwaited: () =>
      wait(`select from pg_stat_activity where pid <> pg_backend_pid() and wait_event_type = 'Lock'
        and not pg_backend_pid() = any (pg_blocking_pids(pid)) limit 1`),
    release: () => client.query(`select pg_advisory_unlock(${HELD})`),
    /** Call this when the transactions have ended. */
    async end(): Promise<void> {
      await client.query('drop function held_commit cascade');
      await client.end();
    },
  };
}
