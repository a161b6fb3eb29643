import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { Environment } from '../environment.ts';
import { shellWord } from '../values/shell-word.ts';
import { readFromArchive } from './archive.ts';
import type { Tables } from './queries.ts';

/** What a backup is of: the embedded PostgreSQL's cluster with its key, or dumps of the operator's own databases. */
type Kind = 'embedded' | 'own';

export interface Contents {
  /** Its name on the server. */
  database: string;
  tables: Tables;
  /** Of own databases: the row of pg_database, as far as it says the locale. */
  locale?: Record<string, string | null>;
  /** Of own databases: the major version of pg_dump. An older pg_restore can't read the dump. */
  dumped_by?: number;
}

/** The file manifest.json at the beginning of a backup. */
export interface Manifest {
  format: 1;
  kind: Kind;
  /** Version of the service that made the backup. */
  service: string;
  /** Version of the PostgreSQL server. */
  postgres: string;
  created_at: string;
  /** Fingerprints of the secret keys. The key itself is only in backups of the embedded PostgreSQL. */
  secret_keys: string[];
  environments: Partial<Record<Environment, Contents>>;
}

/** Contents by environment. A text says why they can't be counted. */
export type Found = Manifest['environments'] | string;

/** A backup to restore. */
export interface Backup {
  file: string;
  manifest: Manifest;
  /** Asks the operator, who is shown what is there now. Throws if the answer is no. */
  agree: (current: Found) => Promise<void>;
}

export const MANIFEST = 'manifest.json';

export async function writeManifest(
  folder: string,
  manifest: Omit<Manifest, 'format' | 'service'>,
): Promise<Manifest> {
  const whole: Manifest = { format: 1, service: packageJson.version, ...manifest };
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(whole, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  return whole;
}

/** Reads a whole backup. Throws if it is damaged, or can't be restored here. */
export async function readManifest(file: string, kind: Kind): Promise<Manifest> {
  const text = await readFromArchive(file, MANIFEST);
  const manifest = text === undefined ? undefined : parse(text);
  if (manifest?.format !== 1) {
    throw new Error(
      manifest === undefined
        ? `${shellWord(file)} is not a backup of lead-pipeline data backup: it has no ${MANIFEST}.`
        : `${shellWord(file)} was made by version ${manifest.service} of the service. Restore it with that version or a newer one.`,
    );
  }
  if (manifest.kind === kind) return manifest;
  throw new Error(
    manifest.kind === 'embedded'
      ? `${shellWord(file)} is a backup of the embedded PostgreSQL, but DATABASE_URL is set. Remove DATABASE_URL and SANDBOX_DATABASE_URL to restore it into DATA_DIR.`
      : `${shellWord(file)} is a backup of your own PostgreSQL. Set DATABASE_URL and SANDBOX_DATABASE_URL to where it should be restored.`,
  );
}

function parse(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return undefined;
  }
}
