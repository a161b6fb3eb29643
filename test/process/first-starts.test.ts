/** Several processes with one DATA_DIR. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import {
  cleanUp,
  cliJson,
  credentialsOf,
  getToken,
  newDataDir,
  preparedDataDir,
  run,
  startServer,
} from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = 200;

/** Opens the key of one folder per round, at the same moment as the other processes. Prints the keys. */
const opener = `
  import { openSecretKey } from ${JSON.stringify(join(import.meta.dirname, '../../src/process/secret-key.ts'))};
  const [folder, startAt] = process.argv.slice(1);
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    while (Date.now() < Number(startAt) + round * 10);
    const dataDir = folder + '/data-' + round;
    const [key] = await openSecretKey({ secretKey: undefined, dataDir });
    console.log(key.toString('base64'));
  }`;

it('concurrent first starts get the same key', async () => {
  const folder = newDataDir();
  const startAt = String(Date.now() + 3_000);
  const args = ['--input-type=module', '--eval', opener, folder, startAt];
  const runs = Array.from({ length: 4 }, () => run(process.execPath, args, {}));
  expect(await Promise.all(runs.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
  const folders = Array.from({ length: ROUNDS }, (_, round) => join(folder, `data-${round}`));
  const stored = folders.map((dataDir) => `${readFileSync(join(dataDir, 'secret.key'), 'utf8')}\n`).join('');
  for (const { output } of runs) expect(output).toEqual({ stdout: stored, stderr: '' });
  for (const dataDir of folders) {
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  }
});

it.each([
  ['without a database', newDataDir],
  ['with an empty database', preparedDataDir],
])('concurrent first starts agree on their clients and credentials: %s', async (_, makeDataDir) => {
  const dataDir = makeDataDir();
  const servers = await Promise.all([1, 2, 3].map(() => startServer({ DATA_DIR: dataDir })));
  // A start doesn't wait long for the sandbox.
  await vi.waitFor(() => expect(credentialsOf(dataDir)).toHaveProperty('sandbox'), 60_000);
  const credentials = credentialsOf(dataDir);
  for (const environment of ['production', 'sandbox'] as const) {
    const { client_id, base_url } = credentials[environment];
    const clients = await cliJson<{ client_id: string }[]>(
      { DATA_DIR: dataDir },
      ...['clients', 'list', '--environment', environment],
    );
    expect(clients.map((client) => client.client_id)).toEqual([client_id]);
    expect(servers.map(({ url }) => new URL(base_url).origin === url)).toContain(true);
    expect(await getToken(base_url, credentials[environment])).toBeTruthy();
  }
  await Promise.all(servers.map((server) => server.stop()));
});

it('a second instance does not change credentials.json; a start at another address updates it', async () => {
  const dataDir = preparedDataDir();
  const first = await startServer({ DATA_DIR: dataDir });
  const file = join(dataDir, 'credentials.json');
  const before = readFileSync(file, 'utf8');
  // Not even credentials that don't work, which the first instance would replace.
  const invalid = before.replaceAll(/(?<="client_secret": ")[^"]+/g, 'lps_live_wrong');
  writeFileSync(file, invalid);
  const { ino } = statSync(file);
  const second = await startServer({ DATA_DIR: dataDir });
  expect(second.url).not.toBe(first.url);
  expect([readFileSync(file, 'utf8'), statSync(file).ino]).toEqual([invalid, ino]);
  writeFileSync(file, before);
  await second.stop();
  await first.stop();
  const moved = await startServer({ DATA_DIR: dataDir });
  expect(credentialsOf(dataDir)).toEqual(JSON.parse(before.replaceAll(first.url, moved.url)));
  await moved.stop();
});
