/** `lead-pipeline api`: requests to the running service, as the built-in client "Operator". */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../../src/process/free-port.ts';
import {
  cleanUp,
  cli,
  cliJson,
  type External,
  externalDatabases,
  newClient,
  newDataDir,
  type RunningServer,
  startServer,
} from '../support/process.ts';

vi.setConfig({ testTimeout: 60_000 });

let external: External;
let server: RunningServer;
let env: Record<string, string>;
const production = ['--environment', 'production'];

const api = (...args: string[]) => cli(env, 'api', ...args, ...production);

beforeAll(async () => {
  external = await externalDatabases();
  env = { ...external.env, PORT: String(await freePort()) };
  server = await startServer(env);
});

afterAll(cleanUp);

it('prints the answer, with fields in the query of a GET', async () => {
  const { code, stdout } = await api('get', '/leads', '-f', 'status=new,won', '-f', 'per_page=1');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ data: [], meta: { per_page: 1 } });
});

it('sends fields as a JSON body: texts, and values in JSON', async () => {
  const fields = [
    '-f',
    'name=Ada',
    '-f',
    'email=ada@example.com',
    '-F',
    'tags=["vip"]',
    '-f',
    'external_id=47',
  ];
  const { code, stdout } = await api('POST', '/leads', ...fields);
  expect(code).toBe(0);
  const { data } = JSON.parse(stdout);
  expect(data).toMatchObject({ name: 'Ada', tags: ['vip'], external_id: '47' });
  const { stdout: events } = await api('GET', `/leads/${data.id}/events`);
  expect(JSON.parse(events).data[0].actor).toMatchObject({ type: 'client', name: 'Operator' });
});

it('sends headers, and a repeated field of a query as a list', async () => {
  const fields = ['-f', 'name=Cyd', '-f', 'email=cyd@example.com'];
  const tried = await api('POST', '/leads', ...fields, '-H', 'Dry-Run: true');
  expect(tried.code).toBe(0);
  const found = await api(
    'GET',
    '/leads',
    '-f',
    'status=new',
    '-f',
    'status=won',
    '-f',
    'email=cyd@example.com',
  );
  expect(JSON.parse(found.stdout).data).toEqual([]);
  const { code, stdout } = await api('GET', '/leads/export', '-H', 'Accept: application/x-ndjson');
  expect([code, stdout.slice(0, 6)]).toEqual([0, expect.stringMatching(/^(\{"id":)?$/)]);
});

it('sends a file of any size as the body', async () => {
  const file = join(newDataDir(), 'leads.csv');
  writeFileSync(file, `Name,Email\n${'Bob,bob@example.com\n'.repeat(50_000)}`);
  const { code, stdout } = await api(
    'POST',
    '/imports?resource=leads&start=false',
    ...['--input', file, '--type', 'text/csv'],
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout).data).toMatchObject({ status: 'draft', rows_total: 50_000 });
});

it('prints the error that the service answers, and exits with 1', async () => {
  const { code, stdout, stderr } = await api('POST', '/leads', '-f', 'name=Ada');
  expect(code).toBe(1);
  expect(JSON.parse(stdout).code).toBe('validation_failed');
  expect(stderr).toContain('422 Unprocessable Entity');
});

it.each<[string, string[], RegExp]>([
  ['another method', ['FETCH', '/leads'], /must be one of GET/],
  ['a path without a slash', ['GET', 'leads'], /begins with a slash/],
  ['a file in a GET', ['GET', '/leads', '--input', 'x'], /neither with fields nor into a GET/],
  ['a field without a value', ['GET', '/leads', '-f', 'status'], /Expected a name and a value/],
  ['a header without a value', ['GET', '/leads', '-H', 'Dry-Run'], /Expected a name and a value/],
  ['a field that is given twice', ['POST', '/leads', '-f', 'name=Ada', '-F', 'name="Eve"'], /only once/],
  ['a value that is not JSON', ['POST', '/leads', '-F', 'tags=vip'], /is not JSON/],
])('refuses %s', async (_, args, message) => {
  const { code, stderr } = await api(...args);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

it('says in one sentence that nothing answers, or something else', async () => {
  const port = await freePort();
  const none = await api('GET', '/leads', '--url', `http://127.0.0.1:${port}/`);
  expect(none.code).toBe(1);
  expect(none.stderr).toContain(
    `No service answers at http://127.0.0.1:${port}. Start it with npm start, or give its address with --url.`,
  );
  const other = await api('GET', '/leads', '--url', `${server.url}/docs/..%2f`);
  expect(other.stderr).toMatch(
    /answers, but it is not a Lead Pipeline API with the production environment\./,
  );
});

it.each([
  ['api', 'GET', '/leads'],
  ['export', 'leads'],
  ['import', 'package.json'],
])('%s is refused with the databases swapped, although the service runs', async (...command) => {
  const { DATABASE_URL, SANDBOX_DATABASE_URL } = external.env;
  const swapped = { ...env, DATABASE_URL: SANDBOX_DATABASE_URL, SANDBOX_DATABASE_URL: DATABASE_URL };
  const { code, stdout, stderr } = await cli(swapped, ...command, ...production);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/is labelled sandbox, and can't be used as/);
});

it('uses a client that has no secret, never counts as the last admin, and can be disabled', async () => {
  const { client_id } = await newClient(external.env.DATABASE_URL ?? '');
  const { stdout } = await api('GET', '/clients?per_page=100');
  const operator = JSON.parse(stdout).data.find(({ name }: { name: string }) => name === 'Operator');
  expect(operator).toMatchObject({ scopes: ['read', 'write', 'admin'], disabled_at: null });
  const last = await api('PATCH', `/clients/${client_id}`, '-F', 'scopes=["admin"]');
  expect(last.code).toBe(0);
  const refused = await api('POST', `/clients/${client_id}/disable`);
  expect(JSON.parse(refused.stdout).code).toBe('last_admin');
  await cliJson(env, 'clients', 'disable', operator.id, ...production);
  expect((await api('GET', '/leads')).stderr).toContain('The built-in client Operator is disabled.');
  await cliJson(env, 'clients', 'enable', operator.id, ...production);
  expect((await api('GET', '/leads')).code).toBe(0);
});
