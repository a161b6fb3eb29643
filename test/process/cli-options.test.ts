/** Options and outputs as an operator may combine them. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertLeads } from '../support/lists.ts';
import { cleanUp, cli, newDataDir, run } from '../support/process.ts';

vi.setConfig({ testTimeout: 60_000 });

const folder = newDataDir();
let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
  const [production = '', sandbox = ''] = app.databases.map(({ url }) => url);
  env = {
    DATABASE_URL: production,
    SANDBOX_DATABASE_URL: sandbox,
    SECRET_KEY: app.secretKey.toString('base64'),
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
      'email: must be given only once\n',
      1,
      [...exportLeads, '--email', 'a@b.c', '--email', 'd@e.f', '-o', '-'],
    ],
    [
      'metadata[plan]: must be given only once\n',
      1,
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
  ])('of which only one value could count is refused: %s', async (stderr, code, args) => {
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
    expect(stderr).toMatch(/^Imported leads:\n\n/);
  });

  it.each([
    ['an export', '"$NODE" src/cli.ts export leads --environment production -o - | head -n 1'],
    ['a list', '"$NODE" src/cli.ts clients list --environment production | true'],
  ])('that is closed early ends the command quietly: %s', async (_, command) => {
    const script = `set -o pipefail; ${command}`;
    const { output, exited } = run('bash', ['-c', script], { ...env, NODE: process.execPath });
    const code = await exited;
    expect(output.stderr).toBe('');
    // Ended as by SIGPIPE, unless all of it was written before.
    expect([0, 141]).toContain(code);
  });

  it.runIf(process.platform === 'linux')('that is full is told', async () => {
    const command = '"$NODE" src/cli.ts export leads --environment production -o - > /dev/full';
    const { output, exited } = run('bash', ['-c', command], { ...env, NODE: process.execPath });
    expect([await exited, output.stderr]).toEqual([
      1,
      "Standard output can't be written: no space left on device.\n",
    ]);
  });
});

describe('an output file', () => {
  const header = /^id,name,/;

  it('may be a device or a named pipe, which stays one', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = run('cat', [pipe], {});
    expect((await cli(env, ...exportLeads, '--tag', 'a', '-o', pipe)).code).toBe(0);
    await reader.exited;
    expect(reader.output.stdout).toMatch(header);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it('may be a link, which stays one', async () => {
    const [target, link] = [join(folder, 'target.csv'), join(folder, 'link.csv')];
    writeFileSync(target, 'old');
    symlinkSync(target, link);
    expect((await cli(env, ...exportLeads, '--tag', 'a', '-o', link)).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toMatch(header);
  });

  it('may be written twice at the same time', async () => {
    const file = join(folder, 'both.csv');
    const both = ['a', 'many'].map((tag) => cli(env, ...exportLeads, '--tag', tag, '-o', file));
    expect((await Promise.all(both)).map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect([2, 3_001]).toContain(readFileSync(file, 'utf8').trimEnd().split('\r\n').length);
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('is told when it can not be written', async () => {
    const { code, stderr } = await cli(env, ...exportLeads, '-o', folder);
    expect([code, stderr]).toEqual([1, `${folder} is a folder. Name a file.\n`]);
    const missing = join(folder, 'missing', 'leads.csv');
    const other = await cli(env, ...exportLeads, '-o', missing);
    expect(other.stderr).toMatch(
      /^\S+missing\/leads\.csv\S* can't be opened: no such file or directory\.\n$/,
    );
  });
});
