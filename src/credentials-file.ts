import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientCredentials, createClient } from './auth/clients.ts';
import { hasClient } from './auth/queries.ts';
import type { Context } from './context.ts';
import { toUuid } from './db/id.ts';
import type { Environment } from './environment.ts';

export type CredentialsFile = Record<Environment, ClientCredentials & { base_url: string }>;

/**
 * The first API client of each environment, for a newcomer to start with: read from DATA_DIR/credentials.json, or made
 * and written there (mode 600) when the file or the client is missing.
 */
export async function openCredentials(
  dataDir: string,
  contexts: readonly Context[],
): Promise<CredentialsFile> {
  const file = join(dataDir, 'credentials.json');
  const known = await readCredentials(file);
  const entries = contexts.map(async ({ environment, baseUrl, db }) => {
    const client = known[environment];
    const uuid = client === undefined ? undefined : toUuid('client', client.client_id);
    const isThere = uuid !== undefined && (await hasClient(db, uuid));
    const { client_id, client_secret } =
      client !== undefined && isThere
        ? client
        : await createClient(db, environment, { name: 'First client', scopes: ['read', 'write'] });
    return [environment, { base_url: baseUrl, client_id, client_secret }] as const;
  });
  const credentials = Object.fromEntries(await Promise.all(entries)) as CredentialsFile;
  await writeCredentials(file, dataDir, credentials);
  return credentials;
}

async function readCredentials(file: string): Promise<Partial<CredentialsFile>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} can't be read: ${(error as Error).message}. Mend or delete it.`, {
      cause: error,
    });
  }
}

/** By rename, so that a kill in the middle leaves the old file or the new one. */
async function writeCredentials(file: string, dataDir: string, credentials: CredentialsFile): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
