/** Every invalid row is reported with its column, and the others are imported. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { csv, type ImportError, importFile } from '../../support/imports.ts';

/** A tenth of them is invalid. */
const ROWS = Number(process.env.IMPORT_ROWS ?? 10_000);

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const columns = [
  'Name',
  'Mail',
  'Phone',
  'Status',
  'Source',
  'Company',
  'Tags',
  'User',
  'Content',
  'External id',
  'Reason',
  'Meta',
];
const mapping = {
  User: 'assigned_user_id',
  Content: 'content_id',
  Reason: 'lost_reason',
  Meta: 'metadata.note',
};

/** Invalid cells: the column, the cell, the field, the code and the message. */
type Fault = [string, string, string, string, string];

const faults: Fault[] = [
  ['Name', '', 'name', 'validation_failed', 'name is required.'],
  ['Name', 'x'.repeat(201), 'name', 'validation_failed', 'name must have at most 200 characters.'],
  ['Mail', 'nobody', 'email', 'validation_failed', 'email must be an email address.'],
  ['Mail', 'TAKEN@example.com', 'email', 'duplicate_email', 'email is already used by another lead.'],
  [
    'User',
    'user_01h455vb4pex5vsknk084sn02q',
    'assigned_user_id',
    'validation_failed',
    'assigned_user_id must be the id of an active user.',
  ],
  [
    'Content',
    'content_01h455vb4pex5vsknk084sn02q',
    'content_id',
    'validation_failed',
    'content_id must be the id of existing content.',
  ],
];

/** Cells that are left out, while their rows are imported. */
const leftOut: Fault[] = (
  [
    ['Phone', '0151', 'phone', /country code/],
    ['Status', 'open', 'status', /must be one of new, contacted, qualified, won, lost/],
    ['Source', 'fnord', 'source', /must be one of/],
    ['Company', 'x'.repeat(201), 'company', /more than 200 characters/],
    ['Tags', Array.from({ length: 21 }, (_, index) => `t${index}`).join(), 'tags', /at most 20 tags/],
    ['Tags', `a,${'x'.repeat(51)}`, 'tags', /at most 50 characters/],
    ['User', 'Grace', 'assigned_user_id', /not an id/],
    ['External id', 'x'.repeat(129), 'external_id', /more than 128 characters/],
    ['Reason', 'No money', 'lost_reason', /status lost/],
    ['Meta', 'x'.repeat(501), 'metadata.note', /at most 500 characters/],
  ] as const
).map(([column, cell, field, message]) => [
  column,
  cell,
  field,
  'value_left_out',
  expect.stringMatching(message),
]);

describe('a file in which every tenth row is invalid', () => {
  it('is imported without these rows, and each error names its row and column', {
    timeout: 60_000,
  }, async () => {
    await createLead(client, { email: 'taken@example.com' });
    const expected: ImportError[] = [];
    const lines = Array.from({ length: ROWS }, (_, index) => {
      const cells = new Map([
        ['Name', 'Ada'],
        ['Mail', `ada${index}@example.com`],
      ]);
      const tenth = Math.floor(index / 10);
      const fault = index % 10 === 9 ? faults[tenth % faults.length] : undefined;
      const left = index % 10 === 5 ? leftOut[tenth % leftOut.length] : undefined;
      const wrong = fault ?? left;
      if (wrong !== undefined) {
        const [column, cell, field, code, message] = wrong;
        cells.set(column, cell);
        expected.push({
          row: index + 2,
          severity: fault === undefined ? 'warning' : 'error',
          column,
          field,
          code,
          message,
        });
      }
      return columns.map((column) => `"${cells.get(column) ?? ''}"`).join();
    });
    const begin = performance.now();
    const { id, status, rows_done, counts } = await importFile(
      app,
      client,
      csv(columns.join(), ...lines),
      'start=true',
      { mapping },
    );
    const seconds = (performance.now() - begin) / 1_000;
    console.info(`${ROWS} rows in ${seconds.toFixed(1)} s, ${Math.round(ROWS / seconds)} rows a second`);
    const wrong = ROWS / 10;
    expect({ status, rows_done, counts }).toEqual({
      status: 'completed',
      rows_done: ROWS,
      counts: { created: ROWS - wrong, updated: 0, unchanged: 0, failed: wrong, warned: wrong },
    });
    const url = `${client.baseUrl}/imports/${id}/errors`;
    const response = await fetch(url, { headers: { ...client.headers, Accept: 'application/x-ndjson' } });
    const errors = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(errors).toEqual(expected);
    const [{ count }] = (await app.production.knex('leads').count()) as [{ count: string }];
    expect(Number(count)).toBe(1 + ROWS - wrong);
  });
});
