/** An export of the service restores the same leads elsewhere. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedData } from '../../../src/sandbox/seed.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { fetchExport, readCsv } from '../../support/exports.ts';
import { importFile } from '../../support/imports.ts';

let source: TestApp;
let target: TestApp;

beforeAll(async () => {
  [source, target] = await Promise.all([startTestApp({ sandbox: true }), startTestApp({ sandbox: true })]);
  await source.sandbox.db.transaction((trx) =>
    seedData(trx, { seed: 42, leads: 500, requestId: 'seed-of-test' }),
  );
});

afterAll(() => Promise.all([source.close(), target.close()]));

const readLines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

it.each([
  ['text/csv', 'production', readCsv],
  ['application/x-ndjson', 'sandbox', readLines],
] as const)('as %s', async (accept, environment, read) => {
  const exported = async (app: TestApp, from: 'production' | 'sandbox') =>
    (await fetchExport(await app.client(['read'], from), '/leads/export?sort=name', accept)).text();
  const text = await exported(source, 'sandbox');
  const client = await target.client(['read', 'write', 'admin'], environment);
  // The target has other users and content.
  const changes = { mapping: { assigned_user_id: null, content_id: null } };
  const imported = await importFile({ production: target[environment] }, client, text, 'start=true', changes);
  expect(imported).toMatchObject({ rows_total: 500, counts: { created: 500, failed: 0 } });
  // Fields that the service sets itself differ.
  const own = /^(id|.*_at|version|contact_id|assigned_user_id|content_id|sales_cycle(\.id|\.opened_at)?)$/;
  const leads = (file: string) =>
    read(file)
      .map((row) => JSON.stringify(Object.entries(row).filter(([field]) => !own.test(field))))
      .sort();
  expect(leads(await exported(target, environment))).toEqual(leads(text));
});
