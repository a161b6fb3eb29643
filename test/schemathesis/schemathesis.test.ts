/**
 * Schemathesis makes valid and invalid requests from the document, follows its links, and compares the answers with the
 * document. schemathesis.toml and hooks.py say what is not a fault, and why.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { execute } from '../sdks/tools.ts';
import { makeApiKey, signIn } from '../support/api-clients.ts';
import { allScopes, startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { cleanUp, run } from '../support/process.ts';
import { fillSandbox } from './fill.ts';

const VERSION = '4.32.5';
/** Two idle cores need seven minutes. Milliseconds. */
const MAX_TIME = 2_400_000;

const hasPip = await execute('.', 'python3', ['-m', 'pip', '--version']).then(
  () => true,
  () => false,
);
if (!hasPip) console.warn('SKIPPED: Schemathesis is not run, because this machine has no Python with pip.');

let app: TestApp;
let folder: string;
const requests: { operation?: string; status?: number }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  const log = (line: string) => requests.push(JSON.parse(line));
  // Webhooks are not delivered, because no worker runs: their URLs are made up, but may exist.
  app = await startTestApp({ sandbox: true, allowPrivateTargets: false, log });
});

afterAll(async () => {
  await cleanUp();
  await app.close();
  await rm(folder, { recursive: true });
});

describe.skipIf(!hasPip)('Schemathesis', () => {
  it(
    'finds no difference between the service and its document',
    async () => {
      const pip = ['-m', 'pip', 'install', '--quiet', '--target', folder, `schemathesis==${VERSION}`];
      await execute(folder, 'python3', pip);
      const values = await newData();
      requests.length = 0;
      const { output, exited } = await startSchemathesis(values);
      const code = await exited;
      const summary = output.stdout.slice(output.stdout.indexOf('= SUMMARY ='));
      const succeeded = new Set(
        requests.filter(({ status = 500 }) => status < 300).map(({ operation }) => operation),
      );
      const never = Object.keys(operations).filter((id) => !succeeded.has(id));
      console.log(
        `${summary}\n${requests.length} requests. Operations without a success: ${never.join(', ')}`,
      );
      expect(code, output.stdout + output.stderr).toBe(0);
      expect(never.length).toBeLessThan(30);
    },
    MAX_TIME,
  );
});

/** Fills the sandbox. Returns what hooks.py and schemathesis.toml need. */
async function newData(): Promise<Record<string, string>> {
  const { client_id, client_secret } = await app.credentials(allScopes, 'sandbox');
  const sandbox = app.anonymous.at(`${app.url}/sandbox/v1`);
  const client = (await signIn(sandbox, { id: client_id, client_secret })) as TestClient;
  const { api_key } = await makeApiKey(client, client_id);
  const filled = await fillSandbox(app, client);
  return { ...filled, API_KEY: api_key, CLIENT_ID: client_id, CLIENT_SECRET: client_secret };
}

async function startSchemathesis(values: Record<string, string>) {
  const config = join(folder, 'schemathesis.toml');
  const template = await readFile(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
  await writeFile(
    config,
    template.replaceAll(/\$\{(\w+)\}/g, (_, name) => values[name] ?? ''),
  );
  return run(
    'python3',
    [
      join(folder, 'bin/st'),
      ...['--config-file', config, 'run', `${app.url}/openapi.json`],
      ...['--url', `${app.url}/sandbox/v1`, '--no-color'],
      ...(process.env.ST_ARGS?.split(' ') ?? []),
    ],
    { ...values, PYTHONPATH: `${folder}:${import.meta.dirname}`, PYTHONDONTWRITEBYTECODE: '1' },
  );
}
