import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Backup, Manifest } from '../backup/manifest.ts';
import type { Config } from '../config.ts';
import { placeOf, postgresDatabase } from '../config-values.ts';
import { shellWord } from '../values/shell-word.ts';
import { tabulate } from './back-up-data.ts';
import { confirmDatabase } from './confirm.ts';
import { announce } from './database.ts';
import { readConfig } from './read-config.ts';
import { formatReport, type Report } from './report.ts';
import { UsageError } from './usage-error.ts';

interface RestoreOptions {
  pgBin?: string;
  serverUrl?: string;
  yes?: boolean;
  database?: string;
  folder?: string;
}

/** Replaces the databases of all environments by those of a backup. What was there is kept. */
export async function restoreData(name: string, options: RestoreOptions): Promise<Report> {
  if (name === '') throw new UsageError('The name of the backup is empty.');
  const config = readConfig();
  const file = resolve(name);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile())
    throw new Error(`${shellWord(file)} is not a file. Name a backup that data backup has made.`);
  for (const environment of config.environments) announce(config, environment);
  const { readManifest } = await import('../backup/manifest.ts');
  const manifest = await readManifest(file, config.databases === undefined ? 'embedded' : 'own');
  const kept = await restore(config, { file, manifest, agree: askFirst(config, manifest, options) }, options);
  const notes = [
    ...kept.map((former) => `The former data are kept in ${former}. ${removalOf(former, config)}`),
    `Everything since ${manifest.created_at} is undone, erasures and revoked credentials too: see "After a restore" in docs/backup.md.`,
    'The restored databases count as copies: the service answers requests, but sends no webhooks, runs no jobs and deletes ' +
      'nothing. If they replace the original, run data adopt for each environment. If this is a trial, leave it so.',
  ];
  process.stderr.write(notes.map((note) => `${note}\n`).join(''));
  return {
    title: `Restored ${file}, made at ${manifest.created_at}. Rows:`,
    data: tabulate({ '': manifest.environments }),
    json: { file, kept, ...manifest },
  };
}

async function restore(config: Config, backup: Backup, options: RestoreOptions): Promise<string[]> {
  if (config.databases === undefined) {
    const { restoreEmbedded } = await import('../backup/embedded/restore.ts');
    return restoreEmbedded(config, backup);
  }
  const { restoreOwn } = await import('../backup/own/restore.ts');
  return restoreOwn(config, backup, options);
}

/** Shows what the backup has and what is there now, and asks. */
function askFirst(
  { databases, dataDir, environments }: Config,
  manifest: Manifest,
  options: RestoreOptions,
): Backup['agree'] {
  const [first = 'production'] = environments;
  const target =
    databases === undefined
      ? { thing: 'folder' as const, name: basename(dataDir), where: `in ${shellWord(dataDir)}` }
      : {
          thing: 'database' as const,
          name: postgresDatabase(databases[first] ?? ''),
          where: `at ${environments.map((one) => placeOf(databases[one] ?? '')).join(' and ')}`,
        };
  return async (current) => {
    const title = `The backup of ${manifest.created_at}, by version ${manifest.service}. Rows:`;
    const data = tabulate({ now: current, backup: manifest.environments });
    process.stderr.write(formatReport({ title, data }));
    if (typeof current === 'string') process.stderr.write(`What is there now can't be counted: ${current}\n`);
    const what = `This replaces the databases of ${environments.join(' and ')} ${target.where}.`;
    await confirmDatabase({ what, ...target }, options);
  };
}

function removalOf(former: string, { databases }: Config): string {
  const remove = databases === undefined ? `rm -r ${shellWord(former)}` : `DROP DATABASE "${former}";`;
  return `When you no longer need them: ${remove}`;
}
