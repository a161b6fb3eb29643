/** `lead-pipeline import`: the running service imports a file, and the command shows what, asks, waits and reports. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/process/free-port.ts';
import { cleanUp, cli, cliJson, externalDatabases, startServer } from '../support/process.ts';
import { onTerminal } from '../support/terminal.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'import-'));
const path = (name: string) => join(folder, name);
const production = ['--environment', 'production'];
let env: Record<string, string>;

beforeAll(async () => {
  env = { ...(await externalDatabases()).env, PORT: String(await freePort()) };
  await startServer(env);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await cleanUp();
});

const importing = (...args: string[]) => cli(env, 'import', ...args, ...production);
const importJson = (...args: string[]) => cliJson<Imported>(env, 'import', ...args, ...production);
const api = async (...args: string[]) => JSON.parse((await cli(env, 'api', ...args, ...production)).stdout);
const leadsOf = async (email: string) => (await api('GET', '/leads', '-f', `email=${email}`)).data;

interface Imported {
  id: string;
  counts: object;
}

function write(name: string, ...lines: string[]): string {
  writeFileSync(path(name), `${lines.join('\n')}\n`);
  return path(name);
}

/** A file whose mapping has doubts, since there are no column names. */
const doubtful = (name: string) =>
  write(name, `Ada Example,${name}@example.com`, `Bob Example,b.${name}@example.com`);

it('shows the fields of the columns, what is not used and the warnings, and reports the counts', async () => {
  const file = path('latin.csv');
  const text = 'Full name;E-Mail;\x1b[31mShoe size\nJ\xfcrgen;juergen@example.com;44\n';
  writeFileSync(file, Buffer.from(text, 'latin1'));
  const { code, stdout, stderr } = await importing(file);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Imported leads:\n[\s\S]*created +1\n/);
  expect(stderr).toContain('CSV in windows-1252, 1 row\n');
  expect(stderr).toMatch(/ {2}Full name +name\n {2}E-Mail +email\n/);
  expect(stderr).toMatch(/Columns that are not used:\n {2}.*Shoe size/);
  expect(stderr).toMatch(/Warnings:\n {2}The file is not in UTF-8/);
  expect(stderr).not.toContain('\x1b');
});

it('takes the parameters of POST /imports and the fields of PATCH /imports/{id}', async () => {
  const file = path('options.csv');
  const text = 'Who,email,phone,source,a=b\nJ\xf6rg,joerg@example.com,030 123456,Trade show,"1.250,00"\n';
  writeFileSync(file, Buffer.from(text, 'latin1'));
  const values = { source: { 'Trade show': { source: 'referral', source_detail: 'Trade show' } } };
  const report = await importJson(
    ...[file, '-f', 'charset=latin1', '-f', 'locale=de', '-f', 'default_country=de'],
    ...['-F', 'mapping={"Who": "name", "a=b": "value.amount"}', '-F', 'defaults={"value.currency": "EUR"}'],
    ...['-F', `values=${JSON.stringify(values)}`],
  );
  expect(report).toMatchObject({ counts: { created: 1, warned: 0 }, locale: 'de', default_country: 'DE' });
  expect(await leadsOf('joerg@example.com')).toMatchObject([
    {
      name: 'Jörg',
      phone: '+4930123456',
      source: 'referral',
      source_detail: 'Trade show',
      value: { amount: '1250.00', currency: 'EUR' },
    },
  ]);
});

it('tries an import without changes, says how to read what was rejected, and updates with on_duplicate', async () => {
  const file = write('team.csv', 'name,email', 'Ada,ada@example.com', 'Bob,nobody');
  const tried = await importing(file, '-f', 'dry_run=true');
  expect(tried.code).toBe(1);
  expect(tried.stdout).toMatch(
    /^Tried the import\. Nothing was changed:\n[\s\S]*created +1\n[\s\S]*failed +1\n/,
  );
  expect(tried.stderr).toContain('email (validation_failed): 1');
  const [, hint = ''] = /^The rejected rows: npx lead-pipeline (.+)$/m.exec(tried.stderr) ?? [];
  expect((await cli(env, ...hint.split(' '))).stdout).toBe(
    'name,email,error\r\nBob,nobody,email must be an email address.\r\n',
  );
  expect(await leadsOf('ada@example.com')).toEqual([]);
  write('team.csv', 'name,email', 'Ada,ada@example.com', 'Bob,bob@example.com');
  const counts = { created: 2, updated: 0, unchanged: 0, failed: 0 };
  expect(await importJson(file)).toMatchObject({ status: 'completed', rows_total: 2, counts });
  const merged = await importJson(file, '-f', 'on_duplicate=merge');
  expect(merged).toMatchObject({ counts: { ...counts, created: 0, unchanged: 2 } });
});

it('acts as the Operator, who may also write the past, users and notes', async () => {
  const rows = ['name,email,external_id,created_at,assigned_user_email'];
  const leads = write('past.csv', ...rows, 'Lin,lin@example.com,51,2024-01-08,joan.clarke@example.com');
  const created = { counts: { created: 1, failed: 0 } };
  const { id } = await importJson(leads, '-f', 'create_users=true', '--yes');
  expect((await api('GET', `/imports/${id}`)).data).toMatchObject(created);
  const notes = write('notes.csv', 'lead_external_id,text,created_at', '51,Called her.,2024-01-09');
  const asNotes = ['-f', 'resource=notes', '--yes'];
  expect(await importJson(notes, ...asNotes)).toMatchObject(created);
  expect(await importJson(notes, ...asNotes)).toMatchObject({ counts: { created: 0, unchanged: 1 } });
  const [lin] = await leadsOf('lin@example.com');
  expect(lin.created_at).toBe('2024-01-08T00:00:00.000Z');
  const events = (await api('GET', `/leads/${lin.id}/events`)).data;
  expect(events.map(({ actor }: { actor: { name: string } }) => actor.name)).toContain('Operator');
});

it('imports NDJSON by its ending, and contacts', async () => {
  const file = write('contacts.ndjson', '{"name":"Ada","title":"Countess"}');
  expect(await importJson(file, '-f', 'resource=contacts')).toMatchObject({
    format: 'ndjson',
    counts: { created: 1 },
  });
});

it('reports its progress', async () => {
  const file = write(
    'many.csv',
    'name,email',
    ...Array.from({ length: 10_001 }, () => 'Eve,eve@example.com'),
  );
  const { code, stderr } = await importing(file, '-f', 'on_duplicate=ignore');
  expect(code).toBe(0);
  expect(stderr).toMatch(/10001 of 10001 leads\n$/);
});

describe('if there are doubts, the command', () => {
  it('imports only with --yes if it has no terminal, and says so', async () => {
    const file = doubtful('plain.csv');
    const { code, stdout, stderr } = await importing(file);
    expect(code).toBe(3);
    expect(stderr).toMatch(/Doubts:\n {2}No line with column names was found/);
    expect(stdout).toMatch(/^Nothing was imported\. .*--yes/);
    expect(stdout).toMatch(/status +draft/);
    expect(await leadsOf('plain.csv@example.com')).toEqual([]);
    expect(await importJson(file, '--yes')).toMatchObject({
      counts: { created: 2 },
      mapping: { 'Column 1': 'name', 'Column 2': 'email' },
      doubts: [{ code: 'no_header' }],
    });
  });

  it('leaves a draft, which the request that it names starts', async () => {
    const { stdout } = await importing(doubtful('draft.csv'));
    const [, request = ''] = /run npx lead-pipeline (api .+)\.$/m.exec(stdout) ?? [];
    const { code } = await cli(env, ...request.split(' '));
    expect(code).toBe(0);
    await vi.waitFor(async () => expect(await leadsOf('draft.csv@example.com')).toHaveLength(1), 15_000);
  });

  it('prints everything with --json, also when it does not import', async () => {
    const { code, stdout } = await importing(doubtful('json.csv'), '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'draft', doubts: [{ code: 'no_header' }] });
  });

  it('takes answers that are given beforehand', async () => {
    const file = write('footer.csv', 'name,email', 'Ada,footer@example.com', '', 'Confidential');
    expect((await importing(file)).code).toBe(3);
    expect(await importJson(file, '-f', 'accept_doubts=footer')).toMatchObject({
      counts: { created: 1, failed: 0 },
      warnings: [{ code: 'footer_skipped', row: 4 }],
    });
  });

  it('needs no answer for a dry run', async () => {
    const { code, stdout } = await importing(doubtful('dry.csv'), '-f', 'dry_run=true');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Tried the import/)]);
  });

  const asked = (answer: string, name: string) =>
    onTerminal(env, answer, 'import', doubtful(name), ...production);

  it('asks on a terminal, and imports after a yes', async () => {
    const { code, screen } = await asked('y\n', 'yes.csv');
    expect(screen).toContain('No line with column names was found');
    expect(screen).toMatch(/created +2/);
    expect(code).toBe(0);
    expect(await leadsOf('yes.csv@example.com')).toHaveLength(1);
  });

  it.each<[string, string, number?]>([
    ['n', 'n\n'],
    ['nothing', '\n'],
    ['something else', 'yesterday\n'],
    ['the end of the input', '\x04'],
    ['Ctrl-C', '\x03', 130],
  ])('does not import after %s', async (_, answer, exitCode = 3) => {
    const { code, screen } = await asked(answer, 'no.csv');
    expect(screen).toContain('Nothing was imported.');
    expect(code).toBe(exitCode);
    expect(await leadsOf('no.csv@example.com')).toEqual([]);
  });
});

it('explains what is wrong, and leaves no draft behind', async () => {
  const file = write('leads.csv', 'name,email', 'Ada,ada@example.com');
  const drafts = async () => (await api('GET', '/imports', '-f', 'status=draft')).meta.total;
  const before = await drafts();
  const cases: [number, RegExp, string[]][] = [
    [2, /required option '--environment/, ['import', file]],
    [2, /Expected a name and a value/, ['import', file, ...production, '-f', 'match']],
    [2, /starts the import itself/, ['import', file, ...production, '-f', 'start=true']],
    [
      2,
      /"locale" can be given only once/,
      ['import', file, ...production, '-f', 'locale=de', '-f', 'locale=en'],
    ],
    [
      1,
      /mapping\.Mail is not a column of the file/,
      ['import', file, ...production, '-F', 'mapping={"Mail":"email"}'],
    ],
    [1, /^on_duplicate must be one of/m, ['import', file, ...production, '-f', 'on_duplicate=replace']],
    [1, /^resource must be one of/m, ['import', file, ...production, '-f', 'resource=cats']],
    [1, /locale must be a language tag/, ['import', file, ...production, '-f', 'locale=x']],
    [1, /missing\.csv can't be opened: no such file/, ['import', path('missing.csv'), ...production]],
    [1, /The file has no rows/, ['import', write('empty.csv', 'name,email'), ...production]],
    [1, /folder\. Name a file/, ['import', folder, ...production]],
    [
      1,
      /No service answers at/,
      ['import', file, ...production, '--url', `http://127.0.0.1:${await freePort()}`],
    ],
  ];
  for (const [code, message, args] of cases) {
    const ended = await cli(env, ...args);
    expect([ended.code, ended.stdout], args.join(' ')).toEqual([code, '']);
    expect(ended.stderr).toMatch(message);
  }
  expect(await drafts()).toBe(before);
});
