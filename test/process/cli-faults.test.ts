import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { registerClient } from '../../src/clients/operator.ts';
import { parseScopes } from '../../src/scopes.ts';
import {
  asOperator,
  cleanUp,
  cli,
  cliJson,
  type External,
  externalDatabases,
  newDataDir,
} from '../support/process.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 60_000 });

type Client = { client_id: string };
type Place = Parameters<typeof registerClient>[0];
const sandbox = ['--environment', 'sandbox'];

describe('an error is reported in one line', () => {
  const env = { DATA_DIR: newDataDir() };

  it.each([
    [['clients', 'list'], /required option '--environment <environment>'/],
    [['clients', 'list', '--environment', 'staging'], /'staging' is invalid.*production, sandbox/],
    [['clients', 'remove'], /unknown command 'remove'; --help lists them/],
    [['start'], /unknown command 'start'; --help lists them/],
    [['clients', 'list', '-e', 'sandbox'], /unknown option '-e'; --help lists them/],
    [['clients', 'list', ...sandbox, 'more'], /too many arguments/],
    [['clients', 'list', 'sandbox'], /too many arguments/],
    [['sandbox', 'seed', '--environment', 'production'], /'production' is invalid.*sandbox/],
    [
      ['keys', 'create', ...sandbox, '--client', 'x', '--name', 'x', '--expires', '2030-01-31'],
      /'2030-01-31' is invalid.*number of days.*timestamp/,
    ],
  ])('in the arguments, with exit code 2: %s', async (args, line) => {
    const { code, stdout, stderr } = await cli(env, ...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(line);
  });

  it.each([
    [['client', 'list'], 'Did you mean clients?'],
    [['clients', 'creat'], 'Did you mean create?'],
    [['clients', 'list', '--enviroment', 'sandbox'], 'Did you mean --environment?'],
    [['--verion'], 'Did you mean --version?'],
  ])('with the right spelling beside it: %s', async (args, hint) => {
    const { code, stderr } = await cli(env, ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: unknown (command|option) /);
    expect(stderr).toContain(hint);
  });

  it('in the configuration, with exit code 1', async () => {
    const { code, stderr } = await cli({ ...env, PORT: 'x' }, 'clients', 'list', ...sandbox);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^PORT is "x": [^\n]+\n$/);
  });
});

describe("on the operator's own PostgreSQL", () => {
  let external: External;

  beforeAll(async () => {
    external = await externalDatabases();
  });

  it('works, and rejects a SECRET_KEY that does not match the database', async () => {
    const { env, credentials } = external;
    const production = ['--environment', 'production'];
    const [client] = await cliJson<Client[]>(env, 'clients', 'list', ...production);
    expect(client?.client_id).toBe(credentials.client_id);
    await cliJson(env, 'signing-keys', 'rotate', ...production);
    const { code, stderr } = await cli(
      { ...env, SECRET_KEY: 'ab'.repeat(32) },
      'signing-keys',
      'rotate',
      ...production,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^SECRET_KEY does not decrypt the signing key in the database[^\n]+\n$/);
    expect(existsSync(join(env.DATA_DIR, 'postgres'))).toBe(false);
  });

  it.each([
    [{ name: ' ', scopes: 'read' }, /^A name must have 1 to 200 characters.*$/],
    [{ name: 'two\nlines', scopes: 'read' }, /^.*no line breaks.*$/],
    [{ name: 'Zap \u202epaz', scopes: 'read' }, /^.*change the direction of text.*$/],
    [{ name: 'x', scopes: 'read fly' }, /^"fly" is not a scope; valid scopes are read, write.*$/],
    [{ name: 'x', scopes: ' ' }, /^.*at least one scope.*$/],
  ])('rejects a client with %j', async ({ name, scopes }, line) => {
    const create = (place: Place) => registerClient(place, { name, scopes: parseScopes(scopes) });
    await expect(asOperator(external.env.SANDBOX_DATABASE_URL, create)).rejects.toThrow(line);
  });

  it('an invalid client is reported in one line, with exit code 1', async () => {
    const options = ['--name', 'x', '--scopes', 'read fly'];
    const { code, stdout, stderr } = await cli(external.env, 'clients', 'create', ...sandbox, ...options);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^"fly" is not a scope; valid scopes are read, write[^\n]+\n$/);
  });
});
