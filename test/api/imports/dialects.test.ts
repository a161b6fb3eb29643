/** CSV as people have it: delimiters, quotes, titles and footers, column names. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { csv, errorsOf, type Import, importPeople, send } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const codesOf = ({ warnings }: Import) => warnings.map(({ code }) => code);

describe('a delimiter', () => {
  it.each<[string, string]>([
    ['that also stands in the header', csv('Name, Vorname;E-Mail;Firma', 'Example, Ada;a@;Acme, Inc.')],
    [
      'that also stands in every cell',
      csv('name;email;company', 'Example, Ada;a@;Acme, Inc.', 'B, B;b@;A, B'),
    ],
    ['beside another one within quotes', csv('"name";"email";"company"', '"Example, Ada";"a@";"Acme, Inc."')],
    ['that is a bar', csv('name|email|company', 'Example, Ada|a@|Acme, Inc.')],
    ['that is a tab', csv('name\temail\tcompany', 'Example, Ada\ta@\tAcme, Inc.')],
    ['that a line names', csv('sep=;', 'name;email;company', 'Example, Ada;a@;Acme, Inc.')],
    [
      'that a line names and nothing else would find',
      csv('sep=^', 'name^email^company', 'Example, Ada^a@^Acme, Inc.'),
    ],
    ['that a line names wrongly', csv('sep=;', 'name,email,company', '"Example, Ada",a@,"Acme, Inc."')],
    [
      'below a title that has others',
      csv('Leads, all; of 2026, third; quarter', 'name\temail\tcompany', 'Example, Ada\ta@\tAcme, Inc.'),
    ],
  ])('%s is recognized', async (_, file) => {
    const { leads } = await importPeople(app, client, file);
    expect(leads.a).toEqual({ name: 'Example, Ada', company: 'Acme, Inc.' });
  });
});

describe('quotes', () => {
  it.each<[string, string, string]>([
    ['5" Pipes', '5" Pipes', 'inches'],
    ['"Bob" Smith', '"Bob" Smith', 'a nickname at the start'],
    ['Robert "Bob" Smith', 'Robert "Bob" Smith', 'a nickname'],
    ['"Robert "Bob" Smith"', 'Robert "Bob" Smith', 'quotes that are not doubled'],
    ['"Robert ""Bob"" Smith"', 'Robert "Bob" Smith', 'quotes that are doubled'],
    ['"Robert \\"Bob\\" Smith"', 'Robert "Bob" Smith', 'quotes with a backslash'],
    ['"5" Pipes, Ltd"', '5" Pipes, Ltd', 'inches and a comma'],
    ['  "Smith, Bob"  ', 'Smith, Bob', 'spaces around the quotes'],
    ['"Smith,\r\nBob"', 'Smith, Bob', 'a line break'],
  ])('%s are read as %s: %s', async (cell, name) => {
    const { done, leads } = await importPeople(
      app,
      client,
      csv('name,email,company', `${cell},a@,x`, 'Bob,b@,y'),
    );
    expect(done.counts).toMatchObject({ created: 2, failed: 0 });
    expect(leads).toEqual({ a: { name, company: 'x' }, b: { name: 'Bob', company: 'y' } });
  });

  it('that are never closed swallow nobody', async () => {
    const rows = [
      'Ada,a@,"Acme',
      'Bob,b@,Acme',
      'Cy,c@,"Acme, Inc."',
      '"Dee,d@,Acme',
      'Eve,e@,"said ""hi"""',
      'Fay,f@,x',
    ];
    const { done, leads } = await importPeople(app, client, csv('name,email,company', ...rows));
    expect(Object.keys(leads).sort()).toEqual(['b', 'c', 'e', 'f']);
    const errors = await errorsOf(client, done.id);
    expect(errors.map(({ row, message }) => [row, message])).toEqual([
      [2, 'Row 2 has a quote that is never closed.'],
      [5, 'Row 5 has a quote that is never closed.'],
    ]);
    const rejected = await client
      .with({ Accept: 'application/x-ndjson' })
      .get(`/imports/${done.id}/rejected-rows`);
    expect(JSON.parse(rejected.text.split('\n')[0] ?? '')).toMatchObject({ name: 'Ada', company: '"Acme' });
  });
});

describe('the table', () => {
  it.each<[string, string[], string[], string[]]>([
    [
      'below titles',
      ['Report: Leads, all', 'Date: 2026-11-24', '', 'name,email,company', 'Ada,a@,x'],
      ['a'],
      ['rows_above_header'],
    ],
    [
      'below a wide title',
      ['Report,Leads,2026-11-24', 'name,email,company', 'Ada,a@,x'],
      ['a'],
      ['rows_above_header'],
    ],
    [
      'below groups of columns',
      ['Person,,Work', 'name,email,company', 'Ada,a@,x'],
      ['a'],
      ['rows_above_header'],
    ],
    ['below blank rows', ['', ' , ', 'name,email', 'Ada,a@'], ['a'], []],
    [
      'above a footer',
      ['name,email,company', 'Ada,a@,x', '', 'Hot leads', 'Confidential'],
      ['a'],
      ['footer_skipped'],
    ],
    ['above totals', ['name,email,company', 'Ada,a@,x', 'Total,,1'], ['a'], ['footer_skipped']],
    ['above page numbers', ['name,email,company', 'Ada,a@,x', 'Page 1 of 1'], ['a'], ['footer_skipped']],
    ['with blank rows', ['name,email', 'Ada,a@', '', '', 'Bob,b@'], ['a', 'b'], []],
    ['with extra empty cells', ['name,email', 'Ada,a@,,,', 'Bob,b@,'], ['a', 'b'], []],
    ['with column names of several lines', ['"Full\nname","E-mail\naddress"', 'Ada,a@'], ['a'], []],
    ['with column names twice', ['name,email,phone,phone', 'Ada,a@,,'], ['a'], ['column_renamed']],
  ])('%s is found', async (_, lines, people, codes) => {
    const { done, leads } = await importPeople(app, client, csv(...lines), 'accept_doubts=footer');
    expect(done.counts).toMatchObject({ created: people.length, failed: 0 });
    expect(Object.keys(leads).sort()).toEqual(people);
    expect(codesOf(done)).toEqual(codes);
  });

  it.each<[string, string[]]>([
    ['a name at the end', ['name,email,company', 'Ada,a@,x', 'George']],
    ['a name between others', ['name,email,company', 'Ada,a@,x', '', 'George', 'Bob,b@,x']],
    ['an address at the end', ['name,email,company', 'Ada,a@,x', '', ',g@']],
    ['eleven names below a blank row', ['name,email,company', 'Ada,a@,x', '', ...'abcdefghijk']],
  ])('never drops %s without a word', async (_, lines) => {
    const { done } = await importPeople(app, client, csv(...lines));
    expect(done.counts.failed).toBe(lines.filter((line) => /^.$|^George|^,g/.test(line)).length);
    expect(codesOf(done)).toEqual([]);
  });

  it('without column names has its columns by number', async () => {
    const draft = await send(
      client,
      csv(`Ada,${randomUUID()}@example.com,`, `Bob,${randomUUID()}@example.com,x`),
      'start=false',
    );
    expect(draft).toMatchObject({ columns: ['Column 1', 'Column 2', 'Column 3'], rows_total: 2 });
    expect(codesOf(draft)).toContain('no_header');
  });

  it('has names for all of its columns', async () => {
    const lines = [',name,email,Phone,Phone,,phone ', '1,Ada,a@example.com,1,2,3,4'];
    const { columns } = await send(client, csv(...lines), 'start=false');
    expect(columns).toEqual(['Column 1', 'name', 'email', 'Phone', 'Phone (2)', 'Column 6', 'phone']);
  });

  it('may have any number of columns', async () => {
    const names = Array.from({ length: 4_000 }, (_, index) => `Property ${index}`);
    const { done } = await importPeople(
      app,
      client,
      csv(`name,email,${names.join()}`, `Ada,a@,${'x,'.repeat(3_999)}x`),
    );
    expect(done.counts).toMatchObject({ created: 1, failed: 0 });
    expect(done.columns).toHaveLength(4_002);
  });

  it('with more columns than can be used is read without the others', async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `c${index}`);
    const { done } = await importPeople(
      app,
      client,
      csv(`name,email,${names.join()}`, `Ada,a@,${'x,'.repeat(19_999)}x`),
    );
    expect(done.counts).toMatchObject({ created: 1, failed: 0 });
    expect(done.columns).toHaveLength(5_000);
    expect(codesOf(done)).toContain('columns_left_out');
  });

  it('may have column names of any length', async () => {
    const { done, leads } = await importPeople(
      app,
      client,
      csv(`name,email,${'x'.repeat(5_000)}`, 'Ada,a@,x'),
    );
    expect(leads.a).toMatchObject({ name: 'Ada' });
    expect(done.columns[2]).toBe('x'.repeat(200));
  });
});
