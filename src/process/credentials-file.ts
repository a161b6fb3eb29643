import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { areCredentialsValid, type ClientCredentials, registerClient } from '../clients/operator.ts';
import { lockFirstClient } from '../clients/queries.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/db.ts';
import { makeFolder } from '../embedded-postgres/make-folder.ts';
import type { Environment } from '../environment.ts';

export type CredentialsFile = Record<Environment, ClientCredentials & { base_url: string }>;

interface Target extends Pick<Context, 'environment'> {
  db: Db;
  config: Pick<Config, 'dataDir'>;
}

export interface OpenedCredentials {
  /** Path of the file that keeps them. */
  file: string;
  /** The clients that this start has created. */
  created: Partial<CredentialsFile>;
}

/**
 * The first API client of each environment. Reads them from DATA_DIR/credentials.json; creates and writes them (mode
 * 600) if the file is missing or its credentials are no longer valid. Otherwise only the first of several processes
 * writes the file, when its address has changed.
 */
export async function openCredentials(
  dataDir: string,
  contexts: readonly Context[],
  { isFirst }: { isFirst: boolean },
): Promise<OpenedCredentials> {
  const [first] = contexts;
  if (first === undefined) throw new Error('There is no environment.');
  // One process at a time: concurrent first starts would each create clients, and overwrite each other's file.
  return first.db.transaction(async (trx) => {
    await lockFirstClient(trx);
    const known = await readCredentials(dataDir);
    const next = { ...known };
    const created: Partial<CredentialsFile> = {};
    for (const context of contexts) {
      const { environment, baseUrl } = context;
      // The pool may have a single connection, which the lock holds.
      const db = context === first ? trx : context.db;
      const client = known[environment];
      if (client !== undefined && (await areCredentialsValid(db, client))) {
        if (isFirst) next[environment] = { ...client, base_url: baseUrl };
        continue;
      }
      const about = { name: 'First client', scopes: ['read', 'write'] };
      created[environment] = {
        base_url: baseUrl,
        ...(await registerClient({ ...context, db }, about, 'system')),
      };
      next[environment] = created[environment];
    }
    if (!isDeepStrictEqual(next, known)) await writeCredentials(dataDir, next);
    return { file: credentialsPath(dataDir), created };
  });
}

/** Updates the client's secret in the file, if the file has that client and the secret was not replaced again meanwhile. */
export async function replaceCredentials(
  { db, environment, config: { dataDir } }: Target,
  credentials: ClientCredentials,
): Promise<void> {
  await db.transaction(async (trx) => {
    await lockFirstClient(trx);
    const known = await readCredentials(dataDir);
    const client = known[environment];
    if (client?.client_id !== credentials.client_id) return;
    if (!(await areCredentialsValid(trx, credentials))) return;
    await writeCredentials(dataDir, { ...known, [environment]: { ...client, ...credentials } });
  });
}

async function readCredentials(dataDir: string): Promise<Partial<CredentialsFile>> {
  const file = credentialsPath(dataDir);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (text === undefined) return {};
  try {
    const content: unknown = JSON.parse(text);
    if (content instanceof Object && Object.values(content).every(isClient)) return content;
  } catch {
    // Not the parser's message: it quotes the text, including secrets.
  }
  throw new Error(`${file} is malformed. Fix or delete it.`);
}

function isClient(value: Partial<ClientCredentials> | null): boolean {
  return typeof value?.client_id === 'string' && typeof value.client_secret === 'string';
}

/** Atomic by rename: a process killed midway leaves either the old file or the new one. */
async function writeCredentials(dataDir: string, credentials: Partial<CredentialsFile>): Promise<void> {
  await makeFolder(dataDir);
  const temporary = `${credentialsPath(dataDir)}.${process.pid}.new`;
  await writeFile(temporary, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, credentialsPath(dataDir));
}

function credentialsPath(dataDir: string): string {
  return join(dataDir, 'credentials.json');
}
