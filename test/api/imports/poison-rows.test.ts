/** Rows that PostgreSQL rejects, or whose errors it can't store as they are: each fails alone, with an error. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { errorsOf, importFile, ndjson, readImport, send } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;
let log: string[] = [];

beforeAll(async () => {
  app = await startTestApp({ log: (line) => log.push(line) });
  client = await app.client();
  // Stands for a bug of ours, or a limit of PostgreSQL.
  await app.production.knex.raw(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise 'this row is poison' using errcode = '54000'; end $$;
    create trigger refuse before insert on leads for each row when (new.name like 'Poison%') execute function refuse()`);
});

beforeEach(() => {
  log = [];
});

afterAll(() => app.close());

const lead = (name = 'Ada') => ({ name, email: uniqueEmail() });
const internal = {
  column: null,
  field: null,
  code: 'internal_error',
  message: 'The service could not import this row.',
};

describe("a row's errors", () => {
  it.each<[string, object, string]>([
    ['a key with NUL', { metadata: { 'k\0': 'v\0' } }, 'metadata'],
    ['a key with a lone surrogate', { metadata: { 'k\ud800': 'v' } }, 'metadata'],
    ['a name of emojis that is too long', { name: '🎉'.repeat(201) }, 'name'],
  ])('with %s are kept, and the other rows are imported', async (_, wrong, field) => {
    const rows = [lead(), { ...lead(), ...wrong }, lead()];
    const done = await importFile(app, client, ndjson(...rows));
    expect(done).toMatchObject({ status: 'completed', counts: { created: 2, failed: 1 } });
    const errors = await errorsOf(client, done.id);
    expect(errors.some((error) => error.field?.startsWith(field))).toBe(true);
    for (const error of errors) {
      expect(error).toMatchObject({ row: 2, code: 'validation_failed' });
      expect(error.field?.isWellFormed()).toBe(true);
      expect([...(error.field ?? '')].length).toBeLessThanOrEqual(100);
    }
  });
});

describe('a row that PostgreSQL rejects', () => {
  it.each([
    ['the first one', [0]],
    ['the last one', [259]],
    ['one of each chunk', [17, 251]],
    ['several', [3, 4, 100, 249, 250]],
  ])('fails alone: %s of 260', async (_, poison) => {
    const rows = Array.from({ length: 260 }, (_row, index) =>
      lead(poison.includes(index) ? 'Poison' : 'Ada'),
    );
    const done = await importFile(app, client, ndjson(...rows));
    expect(done).toMatchObject({
      status: 'completed',
      rows_done: 260,
      counts: { created: 260 - poison.length, failed: poison.length },
      failure: null,
    });
    expect(await errorsOf(client, done.id)).toEqual(
      poison.map((index) => ({ row: index + 1, severity: 'error', ...internal })),
    );
  });

  it('fails alone in a dry run, and next to rows with the same email', async () => {
    const twice = lead();
    const rows = [lead(), lead('Poison'), twice, { ...twice, name: 'Bob' }, lead('Poison')];
    const { id } = await send(client, ndjson(...rows), 'dry_run=true');
    await runJobs(app.production);
    const expected = [
      { row: 2, ...internal },
      { row: 4, column: 'email', field: 'email', code: 'duplicate_email' },
      { row: 5, ...internal },
    ];
    expect(await readImport(client, id)).toMatchObject({
      status: 'completed',
      counts: { created: 2, failed: 3 },
    });
    expect(await errorsOf(client, id)).toMatchObject(expected);
    // The reason is logged once per chunk, without personal data.
    const lines = log.filter((line) => line.includes('failed unexpectedly'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, import: id, row: 2, rows: 2 }]);
    expect(log.join()).not.toContain('@example.com');
    await client.post(`/imports/${id}/start`, {}).expect(202);
    await runJobs(app.production);
    expect(await errorsOf(client, id)).toMatchObject(expected);
  });

  it('does not fail the import, even if every row is one', async () => {
    const done = await importFile(app, client, ndjson(lead('Poison'), lead('Poison 2')));
    expect(done).toMatchObject({ status: 'completed', counts: { created: 0, failed: 2 } });
  });
});

describe('an import that can’t go on', () => {
  it('reports that its rows are lost', async () => {
    const { id } = await send(client, ndjson(...Array.from({ length: 300 }, () => lead())));
    await app.production.knex('import_chunks').where({ number: 1 }).delete();
    await runJobs(app.production);
    expect(await readImport(client, id)).toMatchObject({
      status: 'failed',
      rows_done: 250,
      counts: { created: 250, failed: 0 },
      finished_at: expect.any(String),
      failure: {
        code: 'rows_lost',
        message: 'The other rows of this file are lost. Send the file again to import them.',
      },
    });
  });

  it('reports that the service can’t write', async () => {
    const { id } = await send(client, ndjson(lead(), lead()));
    const { knex } = app.production;
    await knex.raw('alter table leads rename to elsewhere');
    for (let attempt = 1; attempt <= 5; attempt += 1) await expect(runJobs(app.production)).rejects.toThrow();
    await knex.raw('alter table elsewhere rename to leads');
    expect(await readImport(client, id)).toMatchObject({
      status: 'failed',
      rows_done: 0,
      failure: {
        code: 'internal_error',
        message: 'The service failed five times to process the next rows. Try again with the others later.',
      },
    });
  });
});
