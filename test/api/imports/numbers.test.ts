/** Whoever says what a value is, is believed: JSON numbers, number cells, and values as requests have them. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { makeHook } from '../../support/hooks.ts';
import { csv, errorsOf, importFile } from '../../support/imports.ts';
import { number, row, workbook } from '../../support/workbooks.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const locales = ['de', 'de-CH', 'en', 'fr', 'sv', 'pl', 'pt-BR', 'hi', 'ar', 'ja'];
/** As a workbook may show an amount or an id: rounded, divided, grouped, or as a percentage. */
const formats = ['General', '0', '#,##0', '#,##0.00', '#,##0,"k"', '0%', '0.00E+00', '# ?/?', '0 "items"'];
const IN_DINARS = formats.push('#,##0.00\\ "KWD"') - 1;

interface Figures {
  /** In dinars, which have three decimals. */
  amount: string;
  /** A whole number, with more digits than a double has. */
  id: string;
  /** A number with decimals. */
  score: string;
  /** Typed as a number, without the zero of a national number. */
  phone: string;
}

/** Also such as 19.995, which is a number of thousands to a German, and such as 1e3. */
const figures = fc.record<Figures>({
  amount: fc.oneof(
    fc.tuple(fc.nat(1_999), fc.nat(999)).map(([whole, rest]) => `${whole}.${String(rest).padStart(3, '0')}`),
    fc.nat(2_000_000_000).map(String),
    fc.nat(99_999).map((hundredths) => (hundredths / 100).toFixed(2)),
    fc.nat(999).map((thousands) => `${thousands}e3`),
  ),
  id: fc.bigInt({ min: 1n, max: 10n ** 18n }).map(String),
  score: fc.tuple(fc.nat(999), fc.nat(9_999)).map(([whole, rest]) => `${whole}.${rest}`),
  phone: fc.integer({ min: 1_511_000_000, max: 1_511_999_999 }).map((digits) => `${digits}0`),
});

/** Exactly what three decimals say. */
const dinars = (amount: string) => ({ amount: Number(amount).toFixed(3), currency: 'KWD' });

async function leadOf(email: string) {
  const { body } = await client.get(`/leads?email=${email}`).expect(200);
  return body.data[0];
}

const options = { default_country: 'DE', mapping: { id: 'metadata.id', score: 'metadata.score' } };

/** Imports a file with a row for each of the figures. Its leads must have them. */
async function expectFigures(
  rows: readonly Figures[],
  locale: string,
  toFile: (emails: string[]) => Buffer | string,
): Promise<void> {
  const emails = rows.map(() => `${randomUUID()}@example.com`);
  const done = await importFile(app, client, toFile(emails), 'start=true', { ...options, locale });
  expect([done.counts, await errorsOf(client, done.id)]).toMatchObject([{ created: rows.length }, []]);
  for (const [index, { amount, id, score, phone }] of rows.entries()) {
    const lead = await leadOf(emails[index] ?? '');
    expect(lead).toMatchObject({ value: dinars(amount), phone: `+49${phone}`, metadata: { id } });
    expect(Number(lead.metadata.score)).toBe(Number(score));
  }
}

const cases = fc.tuple(fc.array(figures, { minLength: 5, maxLength: 15 }), fc.constantFrom(...locales));
const few = { numRuns: 12 };

describe('under every locale, each number means itself', () => {
  it('in NDJSON, beside its currency and as a value with one', async () => {
    const property = fc.asyncProperty(cases, fc.boolean(), async ([rows, locale], isValue) => {
      await expectFigures(rows, locale, (emails) =>
        csv(
          ...rows.map(({ amount, id, score, phone }, index) => {
            const value = isValue
              ? `"value": ${JSON.stringify(dinars(amount))}`
              : `"amount": ${amount}, "currency": "KWD"`;
            return `{"name": "Ada", "email": "${emails[index]}", ${value}, "id": ${id}, "score": ${score}, "phone": ${phone}}`;
          }),
        ),
      );
    });
    await fc.assert(property, few);
  });

  it('in a workbook, in whatever format', async () => {
    const styles = fc.infiniteStream(fc.nat(IN_DINARS - 1));
    const property = fc.asyncProperty(cases, styles, async ([rows, locale], style) => {
      const cell = (value: string) => number(value, style.next().value);
      const money = (amount: string) =>
        Number(amount) % 2 < 1 ? [cell(amount), 'KWD'] : [number(amount, IN_DINARS), ''];
      await expectFigures(rows, locale, (emails) => {
        const lines = rows.map(({ amount, id, score, phone }, index) =>
          row(index + 2, 'Ada', emails[index] ?? '', ...money(amount), cell(id), cell(score), cell(phone)),
        );
        const header = row(1, 'name', 'email', 'amount', 'currency', 'id', 'score', 'phone');
        return workbook({ sheets: { Leads: header + lines.join('') }, formats });
      });
    });
    await fc.assert(property, few);
  });

  it('in an inbound hook, alone, joined with its currency, and as a value with one', async () => {
    const paths = [
      '/amount',
      { join: ['/amount', '/currency'] },
      '/value',
      '/value/amount',
      '$.value.amount',
    ];
    const mapping = (path: unknown) => ({
      name: '/name',
      email: '/email',
      phone: '/phone',
      'value.amount': path,
      'value.currency': '/currency',
      'metadata.id': '/id',
      'metadata.score': '/score',
    });
    for (const locale of locales) {
      for (const path of paths) {
        const hook = await makeHook(client, { locale, default_country: 'DE', mapping: mapping(path) });
        for (const { amount, id, score, phone } of fc.sample(figures, 4)) {
          const value = JSON.stringify(dinars(amount));
          const payload = `{"name": "Ada", "email": "ada@example.com", "amount": ${amount}, "currency": "KWD", "value": ${value}, "id": ${id}, "score": ${score}, "phone": ${phone}}`;
          const { body } = await client.post(`${hook.path}/preview`, `{"payload": ${payload}}`).expect(200);
          expect([locale, path, amount, body.data.warnings]).toEqual([locale, path, amount, []]);
          expect(body.data.lead).toMatchObject({ phone: `+49${phone}`, metadata: { id, score } });
          expect(Number(body.data.lead.value.amount)).toBe(Number(amount));
        }
        await client.delete(hook.path).expect(204);
      }
    }
  });

  it('in a CSV file with a value in JSON, and in the file of rejected rows', async () => {
    const property = fc.asyncProperty(cases, async ([rows, locale]) => {
      const emails = rows.map(() => `${randomUUID()}@example.com`);
      const lines = rows.map(({ amount }) => `{"name": "Ada", "email": "nowhere", "amount": ${amount}}`);
      const defaults = { 'value.currency': 'KWD' };
      const changes = { mapping: { amount: 'value.amount' }, defaults, locale };
      const rejected = await importFile(app, client, csv(...lines), 'start=true', changes);
      expect(rejected.counts).toMatchObject({ failed: rows.length });
      const { text } = await client.get(`/imports/${rejected.id}/rejected-rows`).expect(200);
      const corrected = emails.reduce((file, email) => file.replace('nowhere', email), text);
      const done = await importFile(app, client, corrected, 'start=true', changes);
      expect([done.counts, await errorsOf(client, done.id)]).toMatchObject([{ created: rows.length }, []]);
      for (const [index, { amount }] of rows.entries()) {
        expect(await leadOf(emails[index] ?? '')).toMatchObject({ value: dinars(amount) });
      }
    });
    await fc.assert(property, few);
  });
});

describe('a value of a request', () => {
  it('in a cell of a CSV file is read as in a request', async () => {
    const email = `${randomUUID()}@example.com`;
    const cell = '"{""amount"": ""1.234"", ""currency"": ""KWD""}"';
    await importFile(app, client, csv('name,email,value', `Ada,${email},${cell}`), '', { locale: 'de' });
    expect(await leadOf(email)).toMatchObject({ value: { amount: '1.234', currency: 'KWD' } });
  });

  it('has the decimals of its currency: otherwise it is a text, as people write it', async () => {
    const email = `${randomUUID()}@example.com`;
    const line = `{"name": "Ada", "email": "${email}", "value": {"amount": "1.234", "currency": "EUR"}}`;
    await importFile(app, client, csv(line), '', { locale: 'de' });
    expect(await leadOf(email)).toMatchObject({ value: { amount: '1234.00', currency: 'EUR' } });
  });
});

describe('a number cell', () => {
  const send = (cells: Parameters<typeof row>[1][], header: string[], email: string, changes?: object) => {
    const rows = row(1, 'name', 'email', ...header) + row(2, 'Ada', email, ...cells);
    return importFile(app, client, workbook({ sheets: { Leads: rows }, formats }), 'start=true', changes);
  };

  it('has the currency of its format', async () => {
    const email = `${randomUUID()}@example.com`;
    const changes = { locale: 'de', mapping: { 'Deal size': 'value.amount' } };
    await send([number('19.995', IN_DINARS)], ['Deal size'], email, changes);
    expect(await leadOf(email)).toMatchObject({ value: { amount: '19.995', currency: 'KWD' } });
  });

  it('that is negative is left out with a warning', async () => {
    const email = `${randomUUID()}@example.com`;
    const done = await send([number('-5'), 'EUR'], ['Amount', 'Currency'], email);
    expect(await errorsOf(client, done.id)).toMatchObject([{ message: 'An amount must not be negative.' }]);
    expect(await leadOf(email)).toMatchObject({ value: null });
  });
});

it('an object keeps its numbers, wherever it goes', async () => {
  const object = '{"score":5,"rate":1.50,"ids":[9007199254740993]}';
  const mapping = { name: '/name', email: '/email', note: '/data', 'metadata.data': '/data' };
  const hook = await makeHook(client, { mapping });
  const payload = `{"payload": {"name": "Ada", "email": "ada@example.com", "data": ${object}}}`;
  const { body } = await client.post(`${hook.path}/preview`, payload).expect(200);
  expect(body.data).toMatchObject({ note: object, lead: { metadata: { data: object } } });
  const email = `${randomUUID()}@example.com`;
  const line = `{"name": "Ada", "email": "${email}", "data": ${object}, "metadata": {"rate": 1.50}}`;
  await importFile(app, client, csv(line), '', { mapping: { data: 'metadata.data' } });
  expect((await leadOf(email)).metadata).toEqual({ data: object, rate: '1.50' });
});
