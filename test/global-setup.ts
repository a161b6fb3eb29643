import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ensureDatabase, migrate } from '../src/db/migrate.ts';
import { type EmbeddedServer, startEmbedded } from '../src/embedded-postgres/server.ts';
import type { Environment } from '../src/environment.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server's maintenance database; each test file makes its own databases beside it. */
    serverUrl: string;
    /** An embedded server's folder with both databases, migrated and empty, to copy. Undefined with TEST_DATABASE_URL. */
    cluster: string | undefined;
  }
}

export const TEMPLATE = 'lead_pipeline_template';

/** Files in memory on Linux. */
const MEMORY = '/dev/shm';
/** A run needs less than this. Bytes. */
const ROOM = 4 * 2 ** 30;

/**
 * The databases of tests ask for no password: thousands of connections log in, and each side takes longer to check it than
 * for many a query.
 */
const HOST_BASED_AUTHENTICATION = `
host /^test_ all 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;

/**
 * One PostgreSQL for the whole run, that of TEST_DATABASE_URL or an embedded one, and one migrated database that the test
 * files copy.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(hasRoom() ? MEMORY : tmpdir(), 'lead-pipeline-test-'));
  // As root, pgbouncer, nginx and PostgreSQL 15 run as other users, who must be able to get in.
  await chmod(folder, 0o755);
  // For all files that the tests write.
  process.env.TMPDIR = folder;
  const { TEST_DATABASE_URL: given } = process.env;
  const cluster = given ? undefined : join(folder, 'cluster');
  const server = cluster ? await startServer(join(folder, 'data'), cluster) : await useServer(given);
  const serverUrl = server.url('postgres');
  project.provide('serverUrl', serverUrl);
  project.provide('cluster', cluster);
  return async () => {
    await run(serverUrl, `drop database if exists ${TEMPLATE} with (force)`);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

type Server = Pick<EmbeddedServer, 'url' | 'stop'>;

async function useServer(given = ''): Promise<Server> {
  const server = { url: inDatabase(given), stop: async () => {} };
  await makeTemplate(server);
  return server;
}

/** The URL of another database of the same server. */
function inDatabase(given: string) {
  return (name: string) => {
    const url = new URL(given);
    url.pathname = `/${name}`;
    return url.href;
  };
}

async function startServer(data: string, cluster: string): Promise<Server> {
  const made = await startEmbedded(data);
  await makeTemplate(made);
  const serverUrl = made.url('postgres');
  for (const name of ['lead_pipeline_production', 'lead_pipeline_sandbox']) {
    await run(serverUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`);
    await labelOriginal(made.url(name), name.endsWith('sandbox') ? 'sandbox' : 'production');
  }
  await configure(serverUrl);
  await made.stop();
  // It keeps its owner.
  execFileSync('cp', ['-a', join(data, 'postgres'), cluster]);
  await truncate(join(cluster, 'data/postgresql.auto.conf'));
  await writeFile(join(data, 'postgres/data/pg_hba.conf'), HOST_BASED_AUTHENTICATION);
  return startEmbedded(data);
}

async function makeTemplate({ url }: Server): Promise<void> {
  await run(url('postgres'), `drop database if exists ${TEMPLATE} with (force)`);
  await ensureDatabase(url('postgres'), TEMPLATE);
  await migrate(url(TEMPLATE), 'production');
  // PostgreSQL now writes the file from which each first connection to a copy learns the catalog.
  await run(url(TEMPLATE), 'select');
}

/** Makes a copy of the template what the service would have made: the environment's original. */
export async function labelOriginal(url: string, environment: Environment): Promise<void> {
  await run(
    url,
    `update database_label set environment = '${environment}',
       database_oid = (select oid from pg_database where datname = current_database())`,
  );
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
  await run(
    url,
    'alter system set max_connections = 300',
    'alter system set fsync = off',
    'alter system set full_page_writes = off',
    'alter system set synchronous_commit = off',
    'alter system set autovacuum = off',
    'alter system set wal_level = minimal',
    'alter system set max_wal_senders = 0',
    'alter system set io_method = sync',
    `alter system set max_wal_size = '256MB'`,
    // A database is dropped when no backend is still logging in, and some tests let no word of a login through.
    `alter system set authentication_timeout = '10s'`,
    // Services on copies of this cluster log in often, and by default each side computes 4,096 hashes each time.
    'set scram_iterations = 1',
    `alter role current_user password '${new URL(url).password}'`,
  );
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
