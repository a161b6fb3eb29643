/** Exports of other products, made up from their documentation: nobody has to map a column. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addressBookExports } from '../../../support/address-book-exports.ts';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import type { TestClient } from '../../../support/client.ts';
import { type Column, crmExports } from '../../../support/crm-exports.ts';
import { csv, importFile, send } from '../../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() => app.production.knex.raw('truncate leads, contacts cascade'));

const ada = { name: 'Ada Example', email: 'ada@example.com' };

const products = [...crmExports, ...addressBookExports];

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

const fileOf = (columns: readonly Column[]) =>
  csv(columns.map(([name]) => quoted(name)).join(), columns.map(([, , cell]) => quoted(cell)).join());

describe('an export of', () => {
  it.each(products)('%s is mapped without a doubt', async (_product, columns, lead) => {
    const file = fileOf(columns);
    const { mapping, doubts, unused_columns } = await send(client, file, 'start=false');
    expect(mapping).toEqual(Object.fromEntries(columns.map(([name, field]) => [name, field])));
    expect(doubts.filter(({ code }) => code !== 'unused_columns')).toEqual([]);
    const unused = columns.flatMap(([name, field]) => (field === null ? [name] : []));
    expect(unused_columns.map(({ column }) => column)).toEqual(unused);
    expect(await importFile(app, client, file, 'accept_doubts=unused_columns')).toMatchObject({
      status: 'completed',
      counts: { created: 1 },
    });
    const { body } = await client.get('/leads').expect(200);
    expect(body.data).toMatchObject([{ ...ada, ...lead }]);
  });

  it('these products, as contacts, has the job title', async () => {
    for (const [, columns] of products) {
      await app.production.knex.raw('truncate leads, contacts cascade');
      const { mapping } = await importFile(
        app,
        client,
        fileOf(columns),
        'resource=contacts&accept_doubts=unused_columns',
      );
      const hasTitle = columns.some(([, field]) => field === 'metadata.title');
      expect(Object.values(mapping).includes('title')).toBe(hasTitle);
      const { body } = await client.get('/contacts').expect(200);
      expect(body.data).toMatchObject([{ email: ada.email, title: hasTitle ? 'CTO' : null }]);
    }
  });
});
