import { Connection } from './connection.ts';
import { askServer, type Server } from './server.ts';

interface Working {
  /** The server that was asked. */
  server: Server;
  pids: Set<number>;
}

/**
 * pids of server processes that are working, or were within the last three seconds. Asked over a new connection, which may
 * lead to another server than those: then the pids say nothing.
 */
export async function findWorkingPids(
  url: string,
  pids: readonly number[],
  timeout: number,
): Promise<Working> {
  const client = new Connection({
    connectionString: url,
    application_name: 'lead-pipeline-api pool',
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const server = await askServer(client, timeout);
    const { rows } = await client.query<{ pid: number }>(
      `select pid from unnest($1::int[]) as held(pid)
       where exists (
         select from pg_stat_activity activity where activity.pid = held.pid
           and (coalesce(state, '') not like 'idle%' or state_change > clock_timestamp() - interval '3 seconds')
       )`,
      [pids],
    );
    return { server, pids: new Set(rows.map(({ pid }) => pid)) };
  } finally {
    void client.end().catch(() => undefined);
  }
}
