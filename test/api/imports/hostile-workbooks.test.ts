/** Excel workbooks that are damaged, something else, or made to do harm. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Import, leftovers, readImport, upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';
import { row, workbook, zip } from '../../support/workbooks.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

async function send(file: Buffer, query = ''): Promise<Import> {
  const { body } = await upload(client, file, query).set('Content-Type', XLSX).expect(202);
  await runJobs(app.production);
  return readImport(client, body.data.id);
}

/** The lead that a workbook with one row of these cells becomes. The first column is C, and goes to metadata.c. */
async function leadOf(
  cells: (string | { xml: string })[],
  parts: Omit<Parameters<typeof workbook>[0], 'sheets'> = {},
): Promise<Record<string, string>> {
  const email = `${randomUUID()}@example.com`;
  const names = cells.map((_, index) => `metadata.c${index}`);
  const rows = row(1, 'name', 'email', ...names) + row(2, 'Ada', email, ...cells);
  const { counts } = await send(workbook({ sheets: { Leads: rows }, ...parts }));
  expect(counts).toMatchObject({ created: 1, failed: 0 });
  const { body } = await client.get(`/leads?email=${email}`).expect(200);
  return body.data[0].metadata;
}

describe('a workbook', () => {
  const sheet = row(1, 'name', 'email') + row(2, 'Ada', 'ada@example.com');
  const withSheet = (xml: string) =>
    workbook({ sheets: { Leads: '' }, files: { 'xl/worksheets/sheet1.xml': xml } });

  it.each<[string, () => Buffer, RegExp]>([
    ['is cut off', () => workbook({ sheets: { Leads: sheet } }).subarray(0, -30), /damaged/],
    ['is an OpenDocument file', () => zip({ mimetype: 'application/vnd.oasis' }), /OpenDocument/],
    ['is a Numbers document', () => zip({ 'Index/Document.iwa': 'x' }), /Numbers/],
    ['is a binary workbook', () => zip({ '_rels/.rels': '<a/>', 'xl/workbook.bin': 'x' }), /xlsb/],
    ['has no sheet', () => workbook({ sheets: {} }), /without a sheet/],
    ['has no rows', () => workbook({ sheets: { Leads: row(1, 'name') } }), /no rows/],
    ['is no XML', () => withSheet('name,email'), /damaged/],
    [
      'has an external entity',
      () => withSheet('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
      /damaged/,
    ],
    [
      'has entities that multiply',
      () =>
        withSheet(
          '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><worksheet>&b;</worksheet>',
        ),
      /damaged/,
    ],
    ['is nested deeply', () => withSheet('<a>'.repeat(1_000)), /damaged/],
    ['has a text of 50 MB', () => withSheet(`<a>${'x'.repeat(50_000_000)}</a>`), /damaged/],
    ['has an attribute of 50 MB', () => withSheet(`<a b="${'x'.repeat(50_000_000)}"/>`), /damaged/],
    ['has a comment of 50 MB', () => withSheet(`<a><!--${'x'.repeat(50_000_000)}--></a>`), /damaged/],
    [
      'has styles of 50 MB',
      () =>
        workbook({
          sheets: { Leads: sheet },
          files: { 'xl/styles.xml': `<a>${'<b/>'.repeat(12_000_000)}</a>` },
        }),
      /too much content/,
    ],
    [
      'has 20,000 files',
      () => zip(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${i}`, '']))),
      /damaged/,
    ],
  ])('that %s is rejected', async (_, file, message) => {
    const { body } = await upload(client, file()).set('Content-Type', XLSX).expect(422);
    expect(body).toMatchObject({ code: 'invalid_file', message: expect.stringMatching(message) });
    expect(await leftovers(app)).toEqual([]);
  });

  it('with a row of 16,384 long cells fails this row alone', async () => {
    const sharedStrings = `<si><t>${'x'.repeat(32_767)}</t></si>`;
    const long = { xml: '<c t="s"><v>0</v></c>'.repeat(16_384) };
    const sheets = { Leads: `${sheet}${row(3, long)}${row(4, 'Bob', `${randomUUID()}@example.com`)}` };
    const done = await send(workbook({ sheets, sharedStrings }));
    expect(done.counts).toMatchObject({ created: 2, failed: 1 });
  });

  it('with 300,000 texts is read', async () => {
    const count = 300_000;
    const texts = Array.from({ length: count }, (_, index) => `<si><t>${'t'.repeat(50)}${index}</t></si>`);
    const cells = [0, count - 1, 1, count / 2].map((index) => ({ xml: `<c t="s"><v>${index}</v></c>` }));
    const metadata = await leadOf(cells, { sharedStrings: texts.join('') });
    expect(Object.values(metadata).map((value) => value.replace(/^t+/, ''))).toEqual([
      '0',
      '299999',
      '1',
      '150000',
    ]);
  });
});
