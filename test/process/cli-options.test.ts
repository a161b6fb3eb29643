/** Repeated options, and the places where commands write. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertLeads } from '../support/lists.ts';
import { cleanUp, cli, newDataDir, preparedDataDir, run, withoutDatabases } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = newDataDir();
let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  const [production = '', sandbox = ''] = app.databases.map(({ url }) => url);
  env = {
    DATABASE_URL: production,
    SANDBOX_DATABASE_URL: sandbox,
    SECRET_KEY: app.secretKey[0].toString('base64'),
    DATA_DIR: folder,
  };
  const lead = (name: string, tags: string[], status: 'new' | 'won', metadata: Record<string, string>) => ({
    name,
    email: `${name}@example.com`,
    tags,
    status,
    metadata,
  });
  await insertLeads(app.production.knex, [
    lead('ada', ['a'], 'new', { plan: 'gold', region: 'north' }),
    lead('ben', ['b'], 'won', { plan: 'gold', region: 'south' }),
    lead('cy', ['c'], 'won', { plan: 'free', region: 'north' }),
    ...Array.from({ length: 3_000 }, (_, n) => lead(`many${n}`, ['many'], 'new', {})),
  ]);
});

afterAll(async () => {
  await app.close();
  await cleanUp();
});

const production = ['--environment', 'production'];
const exportLeads = ['export', 'leads', ...production];

/** The names in an export to standard output. */
async function exported(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await cli(env, ...exportLeads, '--format', 'ndjson', ...args, '-o', '-');
  expect(code, stderr).toBe(0);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line).name).sort();
}

describe('a repeated option', () => {
  it('collects its values', async () => {
    expect(await exported('--tag', 'a', '--tag', 'b')).toEqual(['ada', 'ben']);
    expect(await exported('--status', 'won', '--status', 'lost')).toEqual(['ben', 'cy']);
    expect(await exported('--metadata', 'plan=gold', '--metadata', 'region=north')).toEqual(['ada']);
  });

  it.each([
    [
      '--email must be given only once.\n',
      2,
      [...exportLeads, '--email', 'a@b.c', '--email', 'd@e.f', '-o', '-'],
    ],
    [
      '--metadata[plan] must be given only once.\n',
      2,
      [...exportLeads, '--metadata', 'plan=gold', '--metadata', 'plan=free', '-o', '-'],
    ],
    [
      "error: option '--environment <environment>' can be given only once\n",
      2,
      ['clients', 'list', '--environment', 'sandbox', ...production],
    ],
    [
      "error: option '-o, --output <file>' can be given only once\n",
      2,
      [...exportLeads, '-o', '-', '--output', join(folder, 'other.csv')],
    ],
    [
      `error: option '--map <column=field>' argument 'Name=company' is invalid. "Name" can be given only once.\n`,
      2,
      ['import', 'leads.csv', ...production, '--map', 'Name=name', '--map', 'Name=company'],
    ],
  ])('that accepts only one value is rejected: %s', async (stderr, code, args) => {
    expect(await cli(env, ...args)).toEqual({ code, stdout: '', stderr });
  });
});

describe('standard output', () => {
  it('gets the file, and stderr the report', async () => {
    const before = readdirSync(folder);
    const { code, stdout, stderr } = await cli(env, ...exportLeads, '--tag', 'a', '-o', '-', '--json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^id,name,[^\r]+\r\n[^\r]+,ada,[^\r]+\r\n$/);
    expect(JSON.parse(stderr)).toEqual({ file: '-', leads: 1 });
    expect(readdirSync(folder)).toEqual(before);
    expect(readdirSync('.')).not.toContain('-');
  });

  it("gets an import's errors", async () => {
    const file = join(folder, 'wrong.csv');
    writeFileSync(file, 'name,email\nEve,nobody\n');
    const { code, stdout, stderr } = await cli(env, 'import', file, ...production, '--errors', '-');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^row,[^\r]+\r\n2,[^\r]+\r\n$/);
    expect(stderr).toMatch(/^Imported leads:\n\n/m);
  });

  it.each([
    ['an export', '"$NODE" src/cli.ts export leads --environment production -o - | head -n 1'],
    ['a list', '"$NODE" src/cli.ts clients list --environment production | true'],
  ])('that is closed early ends the command quietly: %s', async (_, command) => {
    const script = `set -o pipefail; ${command}`;
    const { output, exited } = run('bash', ['-c', script], { ...env, NODE: process.execPath });
    const code = await exited;
    expect(withoutDatabases(output.stderr)).toBe('');
    // 141 stands for SIGPIPE, 0 means that everything had been written before.
    expect([0, 141]).toContain(code);
  });

  it.runIf(process.platform === 'linux')('that is full is reported', async () => {
    const command = '"$NODE" src/cli.ts export leads --environment production -o - > /dev/full';
    const { output, exited } = run('bash', ['-c', command], { ...env, NODE: process.execPath });
    expect([await exited, withoutDatabases(output.stderr)]).toEqual([
      1,
      "Standard output can't be written: no space left on device.\n",
    ]);
  });
});

describe('an output file', () => {
  const header = /^id,name,/;

  it('may be a named pipe, which is not replaced', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = run('cat', [pipe], {});
    expect((await cli(env, ...exportLeads, '--tag', 'a', '-o', pipe)).code).toBe(0);
    await reader.exited;
    expect(reader.output.stdout).toMatch(header);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it('may be a link, whose target is written', async () => {
    const [target, link] = [join(folder, 'target.csv'), join(folder, 'link.csv')];
    writeFileSync(target, 'old');
    symlinkSync(target, link);
    expect((await cli(env, ...exportLeads, '--tag', 'a', '-o', link)).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toMatch(header);
  });

  it('may be written by two commands at the same time', async () => {
    const file = join(folder, 'both.csv');
    const both = ['a', 'many'].map((tag) => cli(env, ...exportLeads, '--tag', tag, '-o', file));
    expect((await Promise.all(both)).map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect([2, 3_001]).toContain(readFileSync(file, 'utf8').trimEnd().split('\r\n').length);
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('that can not be written is reported', async () => {
    const { code, stderr } = await cli(env, ...exportLeads, '-o', folder);
    expect([code, stderr]).toEqual([1, `${folder} is a folder. Name a file.\n`]);
    const missing = join(folder, 'missing');
    const other = await cli(env, ...exportLeads, '-o', join(missing, 'leads.csv'));
    expect(other.stderr).toBe(`${missing} can't be written: no such file or directory.\n`);
    const empty = await cli(env, ...exportLeads, '-o', '');
    expect([empty.code, empty.stderr]).toEqual([1, 'The name of the output file is empty.\n']);
  });

  it('for errors is checked before anything is imported', async () => {
    const file = join(folder, 'people.csv');
    writeFileSync(file, 'name,email\nEve,eve@example.com\n');
    const missing = join(folder, 'missing');
    const args = ['import', file, ...production, '--errors', join(missing, 'errors.csv')];
    const { code, stderr } = await cli(env, ...args);
    expect([code, stderr]).toEqual([1, `${missing} can't be written: no such file or directory.\n`]);
    expect(await exported('--email', 'eve@example.com')).toEqual([]);
  });
});

describe('a missing or invalid input is explained', () => {
  it.each([
    ['a missing file', '/nowhere.csv', "/nowhere.csv can't be opened: no such file or directory.\n"],
    ['a folder', '/etc', '/etc is a folder. Name a file.\n'],
  ])('an import of %s', async (_, file, stderr) => {
    expect(await cli(env, 'import', file, ...production)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('metadata without a value', async () => {
    const { code, stderr } = await cli(env, ...exportLeads, '--metadata', 'plan', '-o', '-');
    expect([code, stderr]).toEqual([
      2,
      "error: option '--metadata <key=value>' argument 'plan' is invalid. " +
        'Expected a key and a value, such as plan=gold.\n',
    ]);
  });

  it.runIf(process.getuid?.() === 0).each([0o700, 0o755])(
    'a data folder of another user, %o',
    async (mode) => {
      const dataDir = preparedDataDir();
      chmodSync(dataDir, mode);
      const other = ['--reuid=65533', '--regid=65533', '--clear-groups'];
      const command = [process.execPath, 'src/cli.ts', 'clients', 'list', '--environment', 'sandbox'];
      const { output, exited } = run('setpriv', [...other, ...command], { DATA_DIR: dataDir });
      expect(await exited).toBe(1);
      expect(output.stderr).toMatch(
        /^\/.* can't be (read|opened)\. It belongs to another user: run this as the user who started the service, or set DATA_DIR to .+\.\n$/,
      );
    },
  );
});
