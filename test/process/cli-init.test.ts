/** The data folder: made, shown and removed by commands. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import {
  cleanUp,
  cli,
  cliJson,
  credentialsOf,
  externalDatabases,
  getToken,
  newDataDir,
  preparedDataDir,
  startServer,
} from '../support/process.ts';
import { onTerminal } from '../support/terminal.ts';

afterAll(cleanUp);

vi.setConfig({ testTimeout: 120_000 });

const sandbox = ['--environment', 'sandbox'];

describe('init', () => {
  it('creates what a first start creates; the service then uses it, and repeating it changes nothing', async () => {
    const dataDir = join(newDataDir(), 'data');
    const env = { DATA_DIR: dataDir };
    const done = { data: dataDir, credentials: join(dataDir, 'credentials.json') };
    expect(await cliJson(env, 'init')).toEqual(done);
    expect(statSync(done.credentials).mode & 0o777).toBe(0o600);
    const contents = () =>
      ['credentials.json', 'secret.key', 'postgres/password'].map((name) =>
        readFileSync(join(dataDir, name), 'utf8'),
      );
    const before = contents();
    expect(await cliJson(env, 'init')).toEqual(done);
    expect(contents()).toEqual(before);

    const server = await startServer(env);
    const { client_id, client_secret } = JSON.parse(before[0] ?? '').sandbox;
    expect(credentialsOf(dataDir).sandbox).toEqual({
      base_url: `${server.url}/sandbox/v1`,
      client_id,
      client_secret,
    });
    expect(await getToken(`${server.url}/sandbox/v1`, { client_id, client_secret })).toBeTruthy();
    await server.stop();
  });

  it("migrates the operator's own databases, and creates no client", async () => {
    const { env } = await externalDatabases();
    const { code, stdout } = await cli(env, 'init');
    expect([code, stdout]).toEqual([0, expect.stringContaining('npx lead-pipeline clients create')]);
    expect(readdirSync(env.DATA_DIR)).toEqual([]);
  });
});

describe('credentials', () => {
  const client = (name: string) => ({
    base_url: `http://localhost/${name}`,
    client_id: name,
    client_secret: 's',
  });
  const known = { production: client('first'), sandbox: client('second') };

  it('prints the file and what it has, and starts no database', async () => {
    const dataDir = preparedDataDir();
    const file = join(dataDir, 'credentials.json');
    writeFileSync(file, JSON.stringify(known));
    const before = readdirSync(dataDir);
    const env = { DATA_DIR: dataDir };
    const { stdout, stderr } = await cli(env, 'credentials');
    expect(stdout).toContain(`Credentials in ${file}:\n`);
    expect(stdout).toMatch(/^ {2}sandbox +http:\/\/localhost\/second +second +s$/m);
    expect(stderr).toBe('');
    expect(await cliJson(env, 'credentials')).toEqual({ file, ...known });
    expect(await cliJson(env, 'credentials', ...sandbox)).toEqual({ file, ...known.sandbox });
    expect(readdirSync(dataDir)).toEqual(before);
  });

  it('says what to do if there are none', async () => {
    const dataDir = preparedDataDir();
    const file = join(dataDir, 'credentials.json');
    expect(await cli({ DATA_DIR: dataDir }, 'credentials')).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} has no credentials. The next npm start or npx lead-pipeline init creates some.\n`,
    });
    const { env } = await externalDatabases();
    const { code, stderr } = await cli(env, 'credentials');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^DATABASE_URL is set: [^\n]+ npx lead-pipeline clients create\.\n$/);
  });
});

describe('data remove', () => {
  it('needs --yes without a terminal, and removes the folder', async () => {
    const dataDir = preparedDataDir();
    const env = { DATA_DIR: dataDir };
    const refused = await cli(env, 'data', 'remove');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^This deletes [^\n]+ repeat the command with --yes\.\n$/);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(true);
    expect(await cliJson(env, 'data', 'remove', '--yes')).toEqual({ folder: dataDir });
    expect(existsSync(dataDir)).toBe(false);
  });

  it('keeps files that are not of the service, and follows the link to its databases', async () => {
    const dataDir = preparedDataDir();
    const elsewhere = join(newDataDir(), 'disk');
    renameSync(join(dataDir, 'postgres'), elsewhere);
    symlinkSync(elsewhere, join(dataDir, 'postgres'));
    for (const name of ['postgres.log', 'credentials.json', 'notes.txt', 'secret.keys'])
      writeFileSync(join(dataDir, name), '');
    const report = await cliJson({ DATA_DIR: dataDir }, 'data', 'remove', '--yes');
    expect(report).toEqual({ folder: dataDir, kept: 'notes.txt, secret.keys' });
    expect(readdirSync(dataDir).sort()).toEqual(['notes.txt', 'secret.keys']);
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('never touches a folder that has no data of the service', async () => {
    const dataDir = newDataDir();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'mine'), '');
    const { code, stderr } = await cli({ DATA_DIR: dataDir }, 'data', 'remove', '--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^There is no database in /);
    expect(existsSync(join(dataDir, 'postgres', 'mine'))).toBe(true);
  });

  it('is refused while a service runs, and for databases of your own', async () => {
    const dataDir = preparedDataDir();
    const server = await startServer({ DATA_DIR: dataDir });
    expect(await cli({ DATA_DIR: dataDir }, 'data', 'remove', '--yes')).toEqual({
      code: 1,
      stdout: '',
      stderr: `A service or a command is using ${dataDir}. Stop it first.\n`,
    });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop();
    const { env } = await externalDatabases();
    const { code, stderr } = await cli(env, 'data', 'remove', '--yes');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATABASE_URL is set, [^\n]+\n$/)]);
  });
});

describe('on a terminal', () => {
  it('data remove asks for the name of the folder', async () => {
    const dataDir = preparedDataDir();
    const env = { DATA_DIR: dataDir };
    const wrong = await onTerminal(env, 'yes\n', 'data', 'remove');
    expect(wrong.code).toBe(1);
    expect(wrong.screen).toContain(`Nothing was deleted, because you did not type ${basename(dataDir)}.`);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(true);
    expect((await onTerminal(env, `${basename(dataDir)}\n`, 'data', 'remove')).code).toBe(0);
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each([
    ['Ctrl-C', '\x03', 130],
    ['Ctrl-D', '\x04', 1],
  ])('%s at a question ends the line and the command, and deletes nothing', async (_, key, code) => {
    const dataDir = preparedDataDir();
    const ended = await onTerminal({ DATA_DIR: dataDir }, key, 'data', 'remove');
    expect(ended.code).toBe(code);
    expect(ended.screen).toMatch(/To go on, type \S+: \S*\r\nNothing was deleted, [^\n]+\n$/);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(true);
  });

  it('sandbox reset asks for its name, and Ctrl-D deletes nothing', async () => {
    const { env } = await externalDatabases();
    await cliJson(env, 'sandbox', 'seed', '--leads', '5');
    const stopped = await onTerminal(env, '\x04', 'sandbox', 'reset');
    expect(stopped.code).toBe(1);
    const { code, screen } = await onTerminal(env, 'sandbox\n', 'sandbox', 'reset');
    expect(code).toBe(0);
    expect(screen).toMatch(/ leads +5\r\n/);
  });
});
