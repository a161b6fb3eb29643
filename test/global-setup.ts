import { statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/db/embedded/server.ts';
import { ensureDatabase, migrate } from '../src/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server's maintenance database; each test file makes its own databases beside it. */
    serverUrl: string;
  }
}

export const TEMPLATE = 'lead_pipeline_template';

/** Files in memory on Linux. */
const MEMORY = '/dev/shm';
/** Of which a run takes less than so much (bytes). */
const ROOM = 4 * 2 ** 30;

/** One PostgreSQL for the whole run, and one migrated database that the test files copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(hasRoom() ? MEMORY : tmpdir(), 'lead-pipeline-test-'));
  // As root the server runs as another user, who must be able to get in.
  await chmod(folder, 0o755);
  // For all that the tests write.
  process.env.TMPDIR = folder;
  const data = join(folder, 'data');
  const made = await startEmbedded(data);
  await configure(made.url('postgres'));
  await made.stop();
  const server = await startEmbedded(data);
  await ensureDatabase(server.url('postgres'), TEMPLATE);
  await migrate(server.url(TEMPLATE));
  project.provide('serverUrl', server.url('postgres'));
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Each database has a thousand small files. A disk takes ten times as long to create and delete them. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) > ROOM;
  } catch {
    return false;
  }
}

/**
 * Its data is of no use after the run; tests of crashes start servers of their own. Each worker has pools for two
 * environments, and starts services that have such pools too.
 */
async function configure(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('alter system set max_connections = 300');
  await client.query('alter system set fsync = off');
  await client.query('alter system set full_page_writes = off');
  await client.query(`alter system set max_wal_size = '256MB'`);
  await client.end();
}
