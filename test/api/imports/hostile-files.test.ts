/** Generated odd files: each is rejected, or imported row by row. None causes an internal error. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { errorsOf, leftovers, readImport, upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';

let app: TestApp;
let client: TestClient;
let log: string[] = [];

beforeAll(async () => {
  app = await startTestApp({ log: (line) => log.push(line) });
  client = await app.client();
});

afterAll(() => app.close());

const RUNS = Number(process.env.FUZZ_RUNS ?? 60);

/** Each row has at most ten errors, and a page holds a hundred. */
const MAX_ROWS = 10;

const fields = [
  ...[
    'name',
    'email',
    'phone',
    'company',
    'status',
    'source',
    'tags',
    'external_id',
    'lost_reason',
    'value',
    'metadata',
  ],
  ...[
    'metadata.plan',
    'metadata.__proto__',
    'value.amount',
    'value.currency',
    'expected_close_on',
    'assigned_user_id',
  ],
  ...[
    'constructor',
    '__proto__',
    'toString',
    'Column 2',
    '',
    ' ',
    'E-Mail',
    '🎉'.repeat(100),
    'x"y',
    'a\nb',
    "o'k",
  ],
];

// biome-ignore format: a list of short things
const values = [
  'Ada', 'ada@example.com', 'ADA@example.com', ' a@b.co ', '+4915112345678', '(0151) 1', 'new', 'LOST', 'won', 'referral', '1250.5', '1e999', '-1', 'EUR', 'eur', 'XXX', '2026-02-30', '2027-01-31',
  '{"amount":"5","currency":"EUR"}', '{"amount":5}', '{"__proto__":"x"}', '[]', '["a",1,null]', '{', 'null', '=1+1', "'=1", '"', '""', ',', ';', '\t', '\r', '\n', '\r\n', '\u2028', '\u202e', '\ufeff', '\u0001', '\ud800', '\udc00', '\0',
  '🎉'.repeat(150), 'é'.repeat(201), '漢'.repeat(700), 'x'.repeat(501), 'x'.repeat(70_000), 'user_01h455vb4pex5vsknk084sn02q', '\\u0000', '\\', '%00', '', ' ',
];

const keys = ['name', 'email', 'external_id'];
/** Fills up rows that have fewer cells. */
const usual = ['Ada', 'ada@example.com'];

/** Mostly values that a file can contain. */
const value = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constantFrom(...values.filter((text) => text.isWellFormed() && !text.includes('\0'))),
  },
  { weight: 1, arbitrary: fc.constantFrom(...values) },
);
const json = fc.oneof(
  { weight: 6, arbitrary: value },
  fc.constantFrom<unknown>(null, true, 0, 1e21, 123456789012345680000, -0, [], {}, [null], [['a']], {
    a: { b: {} },
  }),
  fc.dictionary(
    fc.constantFrom('k', 'k\0', 'k\ud800', '__proto__', '🎉'.repeat(41), 'amount', 'currency'),
    value,
  ),
  fc.array(value, { maxLength: 25 }),
);

const quote = (cell: string) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const csvFile = fc
  .record({
    columns: fc
      .uniqueArray(fc.constantFrom(...fields), { maxLength: 8 })
      .map((more) => [...new Set([...keys, ...more])]),
    rows: fc.array(fc.array(value, { maxLength: 8 }), { maxLength: MAX_ROWS }),
    delimiter: fc.constantFrom(',', ';', '\t'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    isRaw: fc.constantFrom(false, false, false, false, true),
    isUneven: fc.constantFrom(false, false, false, false, false, true),
    encoding: fc.constantFrom<BufferEncoding>('utf8', 'utf8', 'utf8', 'utf8', 'utf16le', 'latin1'),
  })
  .map(({ columns, rows, delimiter, end, isRaw, isUneven, encoding }) => {
    const even = rows.map((row) => columns.map((_, index) => row[index] ?? usual[index] ?? ''));
    const lines = [columns, ...(isUneven ? rows : even)].map((row) =>
      row.map(isRaw ? String : quote).join(delimiter),
    );
    return {
      type: 'text/csv',
      bytes: Buffer.from((encoding === 'utf16le' ? '\ufeff' : '') + lines.join(end), encoding),
    };
  });

const ndjsonFile = fc
  .array(
    fc.oneof(
      {
        weight: 60,
        arbitrary: fc.array(fc.tuple(fc.constantFrom(...keys, ...keys, ...fields), json), { maxLength: 8 }),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('{', '[]', '1', '{"a":1}{"b":2}', '\ufeff{}', '{"name":"\\ud800"}'),
      },
    ),
    { maxLength: MAX_ROWS },
  )
  .map((rows) => ({
    type: 'application/x-ndjson',
    bytes: Buffer.from(
      rows
        .map((row) =>
          typeof row === 'string'
            ? row
            : `{${row.map(([key, cell]) => `${JSON.stringify(key)}:${JSON.stringify(cell)}`).join()}}`,
        )
        .join('\n'),
    ),
  }));

const options = fc
  .tuple(
    fc.constantFrom('leads', 'contacts'),
    fc.constantFrom('email', 'external_id'),
    fc.constantFrom('reject', 'ignore', 'merge', 'update'),
    fc.boolean(),
    fc.dictionary(
      fc.constantFrom('value.currency', 'metadata.__proto__', 'metadata', 'tags', 'name', 'email'),
      value,
    ),
  )
  .map(([resource, match, on_duplicate, dry_run, defaults]) => {
    const query = `resource=${resource}&match=${match}&on_duplicate=${on_duplicate}`;
    return { query, dry_run, defaults };
  });

const file = (text: string) => ({ type: 'text/csv', bytes: Buffer.from(text) });

/** Every run includes these files. */
const leads = { query: 'resource=leads', dry_run: false, defaults: {} };
const plain: [ReturnType<typeof file>, typeof leads][] = [
  [file('name,email\nAda,plain@example.com\nBob,nobody\n'), leads],
  [file('name,email\nAda\n'), leads],
];

it('odd files are rejected, or imported row by row', { timeout: 600_000 }, async () => {
  const sums = { refused: 0, done: 0, failed: 0 };
  await fc.assert(
    fc.asyncProperty(fc.oneof(csvFile, ndjsonFile), options, async ({ type, bytes }, given) => {
      log = [];
      const { query, dry_run, defaults } = given;
      const sent = await upload(client, bytes, `${query}&start=false`).set('Content-Type', type);
      expect([202, 422]).toContain(sent.status);
      const path = `/imports/${sent.body.data?.id}`;
      if (sent.status === 202) expect([200, 422]).toContain((await client.patch(path, { defaults })).status);
      const { status, body } = await client.post(`${path}/start`, { dry_run });
      expect([202, 404, 422]).toContain(status);
      if (status === 202) {
        await runJobs(app.production);
        const done = await readImport(client, body.data.id);
        expect(done).toMatchObject({ status: 'completed', rows_done: done.rows_total, failure: null });
        const { created, updated, unchanged, failed } = done.counts;
        expect(created + updated + unchanged + failed).toBe(done.rows_total);
        const errors = await errorsOf(client, done.id);
        expect(errors.filter(({ code }) => code === 'internal_error')).toEqual([]);
        const fatal = errors.filter(({ severity }) => severity === 'error');
        expect(new Set(fatal.map(({ row }) => row)).size).toBe(failed);
        sums.done += created + updated + unchanged;
        sums.failed += failed;
      } else {
        sums.refused += 1;
        expect(await leftovers(app)).toEqual([]);
      }
      expect(log.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
    }),
    { numRuns: RUNS, examples: plain },
  );
  for (const count of Object.values(sums)) expect(count).toBeGreaterThan(0);
});
