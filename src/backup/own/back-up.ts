import { basename, dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { placeOf } from '../../config-values.ts';
import { inspect } from '../../db/inspect.ts';
import { checkLabel } from '../../db/label.ts';
import { withSession } from '../../db/session.ts';
import type { Environment } from '../../environment.ts';
import { openSecretKey } from '../../process/secret-key.ts';
import type { SecretKey } from '../../values/secrets.ts';
import { pack } from '../archive.ts';
import { checkSecretKey, fingerprints } from '../contents.ts';
import { type Contents, MANIFEST, type Manifest, writeManifest } from '../manifest.ts';
import { countAll } from '../queries.ts';
import { runTool } from '../run-tool.ts';
import { withStaging } from '../staging.ts';
import { exportSnapshot } from './queries.ts';
import { checkDirect, directUrl } from './target.ts';
import { findTool, runOn } from './tools.ts';

/** Dumps the databases of the configured environments into one file. Services may be running. */
export async function backUpOwn(config: Config, file: string, pgBin: string | undefined): Promise<Manifest> {
  const key = await openSecretKey(config);
  return withStaging(dirname(file), `${basename(file)}.parts-`, async (folder) => {
    const created = new Date();
    const dumps: Partial<Record<Environment, Dump>> = {};
    for (const environment of config.environments)
      dumps[environment] = await dump(directUrl(config, environment), environment, { folder, key, pgBin });
    const environments = Object.fromEntries(
      Object.entries(dumps).map(([name, { contents }]) => [name, contents]),
    );
    const manifest = await writeManifest(folder, {
      kind: 'own',
      created_at: created.toISOString(),
      secret_keys: fingerprints(key),
      postgres: Object.values(dumps)[0]?.version ?? '',
      environments,
    });
    await pack(folder, [MANIFEST, ...config.environments.map(dumpName)], file);
    return manifest;
  });
}

interface Dump {
  contents: Contents;
  version: string;
}

export function dumpName(environment: Environment): string {
  return `${environment}.dump`;
}

interface DumpOptions {
  folder: string;
  key: SecretKey;
  pgBin: string | undefined;
}

async function dump(
  url: string,
  environment: Environment,
  { folder, key, pgBin }: DumpOptions,
): Promise<Dump> {
  const file = join(folder, dumpName(environment));
  return withSession(url, async (session) => {
    await checkDirect(session);
    checkLabel(await inspect(session), environment, placeOf(url));
    // Counts and dump see the same rows.
    await session.query('begin isolation level repeatable read read only');
    const { database, version, snapshot, locale } = await exportSnapshot(session);
    const major = Number.parseInt(version, 10);
    const tool = await findTool('pg_dump', major, pgBin);
    await checkSecretKey(session, key, `the ${environment} database ${database}`);
    const tables = await countAll(session);
    await runOn(url, tool, ['--format=custom', `--snapshot=${snapshot}`, `--file=${file}`]);
    await session.query('commit');
    // Reads the whole dump, as a restore does.
    const reader = await findTool('pg_restore', tool.version, pgBin);
    await runTool(reader.path, ['--file=/dev/null', file]);
    return { contents: { database, tables, locale, dumped_by: tool.version }, version };
  });
}
