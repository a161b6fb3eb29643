import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkNewFile } from '../backup/archive.ts';
import type { Found, Manifest } from '../backup/manifest.ts';
import type { Config } from '../config.ts';
import { environments } from '../environment.ts';
import { announce } from './database.ts';
import { readConfig } from './read-config.ts';
import type { Report } from './report.ts';
import { UsageError } from './usage-error.ts';

/** Makes one file of the databases of all environments. */
export async function backUpData(name: string, { pgBin }: { pgBin?: string }): Promise<Report> {
  if (name === '' || name === '-') throw new UsageError('A backup is a file. Give it a name.');
  const config = readConfig();
  const file = resolve(name);
  await checkNewFile(file);
  for (const environment of config.environments) announce(config, environment);
  const manifest = await backUp(config, file, pgBin);
  const { size } = statSync(file);
  const kept = manifest.kind === 'embedded' && config.secretKey === undefined;
  process.stderr.write(
    kept
      ? `${file} includes the secret key, so it can be restored anywhere. Keep it where only you can read it.\n`
      : `${file} does not include SECRET_KEY (fingerprint ${manifest.secret_keys.join(' or ')}), and can't be restored without it.\n`,
  );
  return {
    title: `Backed up and checked: ${file}, ${(size / 2 ** 20).toFixed(1)} MiB. Rows:`,
    data: tabulate({ '': manifest.environments }),
    json: { file, bytes: size, ...manifest },
  };
}

async function backUp(config: Config, file: string, pgBin: string | undefined): Promise<Manifest> {
  if (config.databases === undefined) {
    const { backUpEmbedded } = await import('../backup/embedded/back-up.ts');
    return backUpEmbedded(config, file);
  }
  const { backUpOwn } = await import('../backup/own/back-up.ts');
  return backUpOwn(config, file, pgBin);
}

/** The rows of each table that has any: one column for each environment of each label. */
export function tabulate(labelled: Record<string, Found>): Record<string, string | number | null>[] {
  const columns = Object.entries(labelled).flatMap(([label, found]) =>
    environments.flatMap((environment) => {
      const contents = typeof found === 'string' ? undefined : found[environment];
      const title = label === '' ? environment : `${environment}, ${label}`;
      return contents === undefined ? [] : [[title, contents.tables] as const];
    }),
  );
  const names = new Set(columns.flatMap(([, tables]) => Object.keys(tables)));
  return [...names]
    .sort()
    .filter((name) => columns.some(([, tables]) => (tables[name] ?? 0) > 0))
    .map((name) => ({
      table: name,
      ...Object.fromEntries(columns.map(([title, tables]) => [title, tables[name] ?? null])),
    }));
}
