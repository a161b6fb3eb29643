import { join } from 'node:path';
import { areCredentialsValid, type ClientCredentials, registerClient } from '../clients/operator.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Report } from '../db/advisory-lock.ts';
import type { Db } from '../db/db.ts';
import { openDataDir, readDataFile, writeDataFile } from '../embedded-postgres/data-dir.ts';
import { exclusively } from '../embedded-postgres/exclusively.ts';
import type { Environment } from '../environment.ts';
import { shellWord } from '../values/shell-word.ts';

export type CredentialsFile = Record<Environment, ClientCredentials & { base_url: string }>;

interface Target extends Pick<Context, 'environment'> {
  db: Db;
  databaseUrl: string;
  config: Pick<Config, 'dataDir' | 'databases'>;
}

/**
 * Makes sure that an environment has a first API client. Reads it from DATA_DIR/credentials.json. If it is missing, creates
 * it and writes the file (mode 600). Only the first of several processes changes what the file has: it replaces a client that
 * is no longer valid, and an address that has changed. Returns the client if it has created one. A file that can't be read stays as
 * it is: the service doesn't need it.
 */
export async function ensureFirstClient(
  dataDir: string,
  context: Pick<Context, 'environment' | 'baseUrl' | 'database' | 'db' | 'logger'>,
  { isFirst }: { isFirst: boolean },
): Promise<CredentialsFile[Environment] | undefined> {
  const { environment, baseUrl, database, db, logger } = context;
  // Concurrent first starts would each create clients, and overwrite each other's file.
  const report: Report = (message) => logger.warn({ environment }, message);
  return exclusively(database.url, report, async () => {
    const known = await readCredentials(dataDir).catch((error: Error) => {
      logger.warn({ environment }, `${error.message} The service runs without the file.`);
      return undefined;
    });
    if (known === undefined) return undefined;
    const client = known[environment];
    if (client !== undefined && !isFirst) return undefined;
    if (client !== undefined && (await areCredentialsValid(context, client))) {
      if (client.base_url !== baseUrl)
        await writeCredentials(dataDir, { ...known, [environment]: { ...client, base_url: baseUrl } });
      return undefined;
    }
    const about = { name: 'First client', scopes: ['read', 'write'] };
    // A client whose secret could not be kept is rolled back.
    return db.transaction(async (trx) => {
      const created = {
        base_url: baseUrl,
        ...(await registerClient({ ...context, db: trx }, about, 'system')),
      };
      await writeCredentials(dataDir, { ...known, [environment]: created });
      return created;
    });
  });
}

/**
 * Updates the client's secret in the file, unless the file has another client or the secret was replaced again. Databases of
 * the operator's own have no such file.
 */
export async function replaceCredentials(
  { db, databaseUrl, environment, config: { dataDir, databases } }: Target,
  credentials: ClientCredentials,
  report: Report,
): Promise<void> {
  if (databases !== undefined) return;
  await exclusively(databaseUrl, report, async () => {
    const known = await readCredentials(dataDir);
    const client = known[environment];
    if (client?.client_id !== credentials.client_id) return;
    if (!(await areCredentialsValid({ db, environment }, credentials))) return;
    await writeCredentials(dataDir, { ...known, [environment]: { ...client, ...credentials } });
  });
}

export async function readCredentials(dataDir: string): Promise<Partial<CredentialsFile>> {
  const file = credentialsPath(dataDir);
  const text = await readDataFile(file);
  if (text === undefined) return {};
  try {
    const content: unknown = JSON.parse(text);
    if (content instanceof Object && Object.values(content).every(isClient)) return content;
  } catch {
    // Hide the parser's message: it quotes the text, including secrets.
  }
  throw new Error(`${shellWord(file)} is malformed. Fix or delete it.`);
}

function isClient(value: Partial<ClientCredentials> | null): boolean {
  return typeof value?.client_id === 'string' && typeof value.client_secret === 'string';
}

async function writeCredentials(dataDir: string, credentials: Partial<CredentialsFile>): Promise<void> {
  await openDataDir(dataDir);
  await writeDataFile(credentialsPath(dataDir), `${JSON.stringify(credentials, null, 2)}\n`);
}

export function credentialsPath(dataDir: string): string {
  return join(dataDir, 'credentials.json');
}
