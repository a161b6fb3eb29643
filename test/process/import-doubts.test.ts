/** What the command import shows and asks before it imports, and the file of rejected rows. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cleanUp, cli, cliJson, type External, externalDatabases, run } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'import-'));
const path = (name: string) => join(folder, name);
const production = ['--environment', 'production'];
let external: External;

beforeAll(async () => {
  external = await externalDatabases();
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await cleanUp();
});

function write(name: string, ...lines: string[]): string {
  writeFileSync(path(name), `${lines.join('\n')}\n`);
  return path(name);
}

/** A file whose mapping has doubts, since there are no column names. */
const doubtful = (name: string) =>
  write(name, `Ada Example,${name}@example.com`, `Bob Example,b.${name}@example.com`);

const importing = (...args: string[]) => cli(external.env, 'import', ...args, ...production);

/** Runs the command on a pseudo-terminal of its own, and answers its question. */
async function onTerminal(
  answer: string,
  ...args: string[]
): Promise<{ code: number | null; screen: string }> {
  const command = [process.execPath, 'src/cli.ts', 'import', ...args, ...production].map((arg) => `'${arg}'`);
  const { child, output, exited } = run('script', ['-qec', command.join(' '), '/dev/null'], external.env);
  await vi.waitFor(() => expect(output.stdout).toContain('[y/N]'), { timeout: 60_000 });
  child.stdin.write(answer);
  return { code: await exited, screen: output.stdout };
}

const leads = (email: string) =>
  cliJson<unknown[]>(
    external.env,
    'export',
    'leads',
    ...production,
    '--email',
    email,
    '-o',
    path('found.csv'),
  ).then(() => readFileSync(path('found.csv'), 'utf8').trim().split('\r\n').length - 1);

describe('before it imports, the command', () => {
  it('shows the fields of the columns, what is not used, and the warnings', async () => {
    const file = path('latin.csv');
    writeFileSync(
      file,
      Buffer.from('Full name;E-Mail;\x1b[31mShoe size\nJ\xfcrgen;juergen@example.com;44\n', 'latin1'),
    );
    const { code, stdout, stderr } = await importing(file);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Imported leads:\n/);
    expect(stderr).toContain('CSV in windows-1252, 1 row\n');
    expect(stderr).toMatch(/ {2}Full name +name\n {2}E-Mail +email\n/);
    expect(stderr).toMatch(/Columns that are not used:\n {2}.*Shoe size/);
    expect(stderr).toMatch(/Warnings:\n {2}The file is not in UTF-8/);
    expect(stderr).not.toContain('\x1b');
  });

  it('needs --yes if it has doubts and no terminal, and says so', async () => {
    const file = doubtful('plain.csv');
    const { code, stdout, stderr } = await importing(file);
    expect(code).toBe(3);
    expect(stderr).toMatch(/Doubts:\n {2}No line with column names was found/);
    expect(stdout).toMatch(/^Nothing was imported\. .*--yes/);
    expect(stdout).toMatch(/status +cancelled/);
    expect(await leads('plain.csv@example.com')).toBe(0);
    const report = await cliJson(external.env, 'import', file, ...production, '--yes');
    expect(report).toMatchObject({
      created: 2,
      mapping: { 'Column 1': 'name', 'Column 2': 'email' },
      unused_columns: [],
      doubts: [{ code: 'no_header' }],
      warnings: expect.any(Array),
      failures: [],
    });
  });

  it('prints everything with --json, also when it does not import', async () => {
    const { code, stdout } = await importing(doubtful('json.csv'), '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'cancelled', doubts: [{ code: 'no_header' }] });
  });

  it('leaves out a footer only with --accept-doubts footer', async () => {
    const file = write('footer.csv', 'name,email', 'Ada,footer@example.com', '', 'Confidential');
    expect((await importing(file)).code).toBe(3);
    const report = await cliJson(external.env, 'import', file, ...production, '--accept-doubts', 'footer');
    expect(report).toMatchObject({ created: 1, failed: 0, warnings: [{ code: 'footer_skipped', row: 4 }] });
  });

  it('needs no answer for a dry run', async () => {
    const { code, stdout } = await importing(doubtful('dry.csv'), '--dry-run');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Tried the import/)]);
  });

  it('asks on a terminal, and imports after a yes', async () => {
    const { code, screen } = await onTerminal('y\n', doubtful('yes.csv'));
    expect(screen).toContain('No line with column names was found');
    expect(screen).toMatch(/created +2/);
    expect(code).toBe(0);
    expect(await leads('yes.csv@example.com')).toBe(1);
  });

  it.each<[string, string, number?]>([
    ['n', 'n\n'],
    ['nothing', '\n'],
    ['something else', 'yesterday\n'],
    ['the end of the input', '\x04'],
    ['Ctrl-C', '\x03', 130],
  ])('does not import after %s', async (_, answer, exitCode = 3) => {
    const { code, screen } = await onTerminal(answer, doubtful('no.csv'));
    expect(screen).toContain('Nothing was imported.');
    expect(code).toBe(exitCode);
    expect(await leads('no.csv@example.com')).toBe(0);
  });
});

describe('the options of the command', () => {
  it('are those of the document', async () => {
    const values = write(
      'values.json',
      '{"source": {"Trade show": {"source": "referral", "source_detail": "Trade show"}}}',
    );
    const file = path('options.csv');
    writeFileSync(
      file,
      Buffer.from(
        'name,email,phone,source,amount\nJ\xf6rg,joerg@example.com,030 123456,Trade show,"1.250,00"\n',
        'latin1',
      ),
    );
    const report = await cliJson(
      external.env,
      ...['import', file, ...production, '--values', values, '--locale', 'de', '--default-country', 'de'],
      ...['--charset', 'latin1', '--map', 'amount=value.amount', '--default', 'value.currency=EUR'],
    );
    expect(report).toMatchObject({ created: 1, warned: 0, locale: 'de', default_country: 'DE' });
    await cliJson(
      external.env,
      'export',
      'leads',
      ...production,
      '--email',
      'joerg@example.com',
      '-o',
      path('found.csv'),
    );
    const found = readFileSync(path('found.csv'), 'utf8');
    for (const cell of ['Jörg', "'+4930123456", 'referral', 'Trade show', '1250.00,EUR'])
      expect(found).toContain(cell);
  });
});

describe('rejected rows', () => {
  const lines = ['name,email', 'Ada,ada.rejected@example.com', 'Bob,nobody', '=Cyd,nowhere'];
  const rejected = 'name,email,error\r\nBob,nobody,email: must be an email address\r\n';

  it('are written beside the source, without replacing a file', async () => {
    const file = write('team.csv', ...lines.slice(0, 3));
    const first = await importing(file);
    expect(first.code).toBe(1);
    expect(first.stdout).toContain(path('team.rejected.csv'));
    expect(first.stderr).toContain('email (validation_failed): 1');
    expect(readFileSync(path('team.rejected.csv'), 'utf8')).toBe(rejected);
    await importing(file, '--on-duplicate', 'ignore');
    expect(readFileSync(path('team.rejected-2.csv'), 'utf8')).toBe(rejected);
    const corrected = write(
      'corrected.csv',
      ...rejected.replace('nobody', 'bob.rejected@example.com').trim().split('\r\n'),
    );
    expect(await cliJson(external.env, 'import', corrected, ...production)).toMatchObject({
      created: 1,
      failed: 0,
    });
    expect(existsSync(path('corrected.rejected.csv'))).toBe(false);
  });

  it('are written to the file that is given, also in a dry run', async () => {
    const file = write('dry-run.csv', 'name,email', 'Ada,ada.dry@example.com', ...lines.slice(2));
    const { code } = await importing(file, '--dry-run', '--rejected', path('wrong.csv'));
    expect(code).toBe(1);
    expect(readFileSync(path('wrong.csv'), 'utf8')).toBe(
      `${rejected}'=Cyd,nowhere,email: must be an email address\r\n`,
    );
    await importing(file, '--dry-run');
    expect(readdirSync(folder).filter((name) => name.startsWith('dry-run'))).toEqual(['dry-run.csv']);
  });
});
