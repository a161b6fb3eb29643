import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { areCredentialsValid, type ClientCredentials, createClient } from '../clients/operator.ts';
import type { Environment } from '../environment.ts';
import type { Context } from './context.ts';

export type CredentialsFile = Record<Environment, ClientCredentials & { base_url: string }>;

export interface OpenedCredentials {
  /** Path of the file that keeps them. */
  file: string;
  /** The clients that this start has created. */
  created: Partial<CredentialsFile>;
}

/**
 * The first API client of each environment. Reads them from DATA_DIR/credentials.json; creates and writes them (mode
 * 600) if the file is missing or its credentials are no longer valid.
 */
export async function openCredentials(
  dataDir: string,
  contexts: readonly Context[],
): Promise<OpenedCredentials> {
  const known = await readCredentials(dataDir);
  const created: Partial<CredentialsFile> = {};
  const entries = contexts.map(async (context) => {
    const { environment, baseUrl, db } = context;
    const client = known[environment];
    const isValid = client !== undefined && (await areCredentialsValid(db, client));
    const { client_id, client_secret } = isValid
      ? client
      : await createClient(context, { name: 'First client', scopes: ['read', 'write'] }, 'system');
    const credentials = { base_url: baseUrl, client_id, client_secret };
    if (!isValid) created[environment] = credentials;
    return [environment, credentials] as const;
  });
  await writeCredentials(dataDir, Object.fromEntries(await Promise.all(entries)));
  return { file: credentialsPath(dataDir), created };
}

/** Updates the client's secret in the file, if the file has that client. */
export async function replaceCredentials(
  dataDir: string,
  environment: Environment,
  { client_id, client_secret }: ClientCredentials,
): Promise<void> {
  const known = await readCredentials(dataDir);
  const client = known[environment];
  if (client?.client_id !== client_id) return;
  await writeCredentials(dataDir, { ...known, [environment]: { ...client, client_secret } });
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
  await mkdir(dataDir, { recursive: true });
  const temporary = `${credentialsPath(dataDir)}.${process.pid}.new`;
  await writeFile(temporary, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, credentialsPath(dataDir));
}

function credentialsPath(dataDir: string): string {
  return join(dataDir, 'credentials.json');
}
