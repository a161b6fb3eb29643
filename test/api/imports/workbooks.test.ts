/** Excel workbooks: what a cell is, and which sheet is read. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Import, readImport, upload } from '../../support/imports.ts';
import { runJobs } from '../../support/jobs.ts';
import { number, row, workbook } from '../../support/workbooks.ts';

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

const cell = (xml: string) => ({ xml });

describe('a cell', () => {
  it('has the text of inline strings, shared strings and formulas', async () => {
    const sharedStrings =
      '<si><t>Engines &amp; Co</t></si><si><r><t>Rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh><t>guide</t></rPh></si><si><t>a_x000D_b</t></si>';
    const metadata = await leadOf(
      [
        'Größe',
        cell('<c t="s"><v>0</v></c>'),
        cell('<c t="s"><v>1</v></c>'),
        cell('<c t="str"><f>A1&amp;"x"</f><v>Result</v></c>'),
        cell('<c t="b"><v>1</v></c>'),
        cell('<c t="e"><v>#N/A</v></c>'),
        cell('<c t="s"><v>99</v></c>'),
        cell('<c t="d"><v>2027-01-31T00:00:00</v></c>'),
      ],
      { sharedStrings },
    );
    expect(metadata).toEqual({
      c0: 'Größe',
      c1: 'Engines & Co',
      c2: 'Rich text',
      c3: 'Result',
      c4: 'true',
      c7: '2027-01-31',
    });
  });

  it.each([
    ['General', '491511234567', '491511234567'],
    ['General', '4.91511234567E11', '491511234567'],
    ['General', '9007199254740993', '9007199254740993'],
    ['General', '0.30000000000000004', '0.3'],
    ['General', '1250.5', '1250.5'],
    ['0.00E+00', '491511234567', '491511234567'],
    ['0', '491511234567', '491511234567'],
    ['0000000000', '41446681', '0041446681'],
    ['"00"0', '41446681800', '0041446681800'],
    ['"+"0', '4915112345678', '+4915112345678'],
    ['(000) 000-0000', '4155552671', '(415) 555-2671'],
    ['#,##0.00', '1250.5', '1250.5'],
    ['#,##0', '1250.75', '1250.75'],
    ['0', '1234567.5', '1234567.5'],
    ['#,##0,"k"', '1250', '1250'],
    ['0.0', '0.25', '0.25'],
    ['[Red]#,##0;[Blue]-#,##0', '1250.5', '1250.5'],
    ['0 "items"', '5', '5'],
    ['# ?/?', '0.5', '0.5'],
    ['#,##0.00 [$€-407]', '1250.5', '1250.5 €'],
    ['_-* #,##0.00\\ "€"_-;-* #,##0.00\\ "€"_-', '1250.75', '1250.75 €'],
    ['"CHF" #,##0', '1250.75', '1250.75 CHF'],
    ['£#,##0', '1250.75', '1250.75 £'],
    ['[$$-409]#,##0.00', '1250.5', '1250.5 $'],
    ['0%', '0.25', '0.25'],
    ['yyyy-mm-dd', '46418', '2027-01-31'],
    ['dd.mm.yyyy', '46418', '2027-01-31'],
    ['[$-409]d-mmm-yy;@', '46418', '2027-01-31'],
    ['m/d/yy h:mm', '46418.75', '2027-01-31T18:00:00'],
    ['h:mm', '0.75', '18:00'],
    ['[h]:mm:ss', '1.5001', '36:00:09'],
    ['mmm yyyy', '46418', '2027-01-31'],
    ['00000', '1067', '01067'],
    ['00000', '1067.5', '1067.5'],
    ['yyyy-mm-dd', '59', '1900-02-28'],
    ['yyyy-mm-dd', '61', '1900-03-01'],
    ['yyyy-mm-dd', '1e300', '1e+300'],
    ['nonsense[[', '5', '5'],
    ['0'.repeat(10_000), '5', '5'],
    ['@', '5', '5'],
  ])('in the format %s with %s is %s', async (pattern, value, shown) => {
    const metadata = await leadOf([number(value, 0)], { formats: [pattern] });
    expect(metadata).toEqual({ c0: shown });
  });

  it('has dates of the calendar of 1904, if the workbook has', async () => {
    const metadata = await leadOf([number(44956)], { formats: ['yyyy-mm-dd'], is1904: true });
    expect(metadata).toEqual({ c0: '2027-01-31' });
  });

  it('stands in the column of its reference', async () => {
    const email = `${randomUUID()}@example.com`;
    const rows = `${row(1, 'name', 'email', 'company', 'phone')}<row r="4"><c r="D4" t="inlineStr"><is><t>+4915112345678</t></is></c><c r="A4" t="inlineStr"><is><t>Ada</t></is></c><c r="B4" t="inlineStr"><is><t>${email}</t></is></c></row>`;
    expect((await send(workbook({ sheets: { Leads: rows } }))).counts).toMatchObject({ created: 1 });
    const { body } = await client.get(`/leads?email=${email}`).expect(200);
    expect(body.data[0]).toMatchObject({ name: 'Ada', company: null, phone: '+4915112345678' });
  });
});

describe('a sheet', () => {
  const rows = (name: string) => row(1, 'name', 'email') + row(2, name, `${randomUUID()}@example.com`);

  it('is the first visible one, and the others are named', async () => {
    const sheets = { Hidden: rows('A'), Leads: rows('B'), 'R&amp;D': rows('C') };
    const done = await send(workbook({ sheets, hidden: ['Hidden'] }));
    expect(done).toMatchObject({ format: 'xlsx', charset: null, counts: { created: 1 } });
    expect(done.warnings).toMatchObject([{ code: 'other_sheets', message: expect.stringContaining('R&D') }]);
    expect((await client.get('/leads?search=B&per_page=1').expect(200)).body.data).toHaveLength(1);
  });

  it.each([
    ['B', 'B'],
    ['hidden', 'Hidden'],
    ['3', 'C'],
  ])('can be named: %s', async (wanted, name) => {
    const sheets = { Hidden: rows('A'), B: rows('B'), C: rows('C') };
    const file = workbook({ sheets, hidden: ['Hidden'] });
    const done = await send(file, `sheet=${wanted}`);
    expect(done).toMatchObject({ sheet: name, counts: { created: 1 } });
  });

  it('must exist', async () => {
    const file = workbook({ sheets: { Leads: rows('A'), Old: rows('B') } });
    const { body } = await upload(client, file, 'sheet=Lead').set('Content-Type', XLSX).expect(422);
    expect(body.errors.sheet).toEqual(['sheet must be the name or the number of a sheet: Leads, Old.']);
  });

  it('may have titles, blank formatted rows, merged cells and a footer', async () => {
    const email = `${randomUUID()}@example.com`;
    const blank = Array.from(
      { length: 2_000 },
      (_, index) => `<row r="${8 + index}"><c s="1"/><c s="1"/></row>`,
    );
    const sheet = [
      row(1, 'Leads of the third quarter'),
      row(3, 'name', 'email', 'company'),
      row(4, 'Ada', email, 'Engines'),
      row(6, 'Confidential'),
      ...blank,
    ].join('');
    const done = await send(workbook({ sheets: { Leads: sheet } }), 'accept_doubts=footer');
    expect(done).toMatchObject({ columns: ['name', 'email', 'company'], rows_total: 1 });
    expect(done.counts).toMatchObject({ created: 1, failed: 0 });
    expect(done.warnings).toMatchObject([
      { code: 'rows_above_header', row: 1 },
      { code: 'footer_skipped', row: 6 },
    ]);
  });

  it('with elements that have a prefix is read', async () => {
    const email = `${randomUUID()}@example.com`;
    const xml = `<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>name</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t>email</x:t></x:is></x:c></x:row><x:row><x:c t="inlineStr"><x:is><x:t>Ada</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t>${email}</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`;
    const file = workbook({ sheets: { Leads: '' }, files: { 'xl/worksheets/sheet1.xml': xml } });
    expect((await send(file)).counts).toMatchObject({ created: 1 });
  });
});
