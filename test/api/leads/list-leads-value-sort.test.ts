/** GET /leads by amount, within a currency. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toId } from '../../../src/values/id.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { insertLeads, leadsPath, listLeads, listNames, walk } from '../../support/lists.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('GET /leads?sort=value', () => {
  const many = Array.from({ length: 23 }, (_, index) => ({
    name: `GBP ${index}`,
    // With ties, and in another order as text than as numbers.
    value_amount: `${(index * 7) % 5 === 0 ? 100 : index * 9}.00`,
    value_currency: 'GBP',
  }));
  let ordered: string[];

  beforeAll(async () => {
    const uuids = await insertLeads(app.production.knex, many);
    ordered = many
      .map(({ value_amount }, index) => ({
        amount: Number(value_amount),
        id: toId('lead', uuids[index] ?? ''),
      }))
      .sort((a, b) => a.amount - b.amount || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id);
  });

  it.each([
    ['value', () => ordered],
    ['-value', () => ordered.toReversed()],
  ])(
    '%s orders by amount within a currency, ties by id, on every page and by cursor',
    async (sort, expected) => {
      const query = { currency: 'GBP', sort };
      expect((await listLeads(client, { ...query, per_page: 100 })).leads.map(({ id }) => id)).toEqual(
        expected(),
      );
      for (const per_page of [1, 4, 10]) {
        const walked = await walk(client, { ...query, per_page });
        expect(walked.flatMap(({ leads }) => leads.map(({ id }) => id))).toEqual(expected());
        const pages = await Promise.all(
          walked.map((_, index) => listLeads(client, { ...query, per_page, page: index + 1 })),
        );
        expect(pages.flatMap(({ leads }) => leads.map(({ id }) => id))).toEqual(expected());
        expect(new Set(pages.map(({ meta }) => meta.total))).toEqual(new Set([23]));
      }
    },
  );

  it('works with other filters, a search and amounts of any size', async () => {
    const worth = (name: string, value_amount: string, value_currency = 'CLF') => ({
      name,
      value_amount,
      value_currency,
    });
    await insertLeads(app.production.knex, [
      worth('A first', '900719925474099.3003'),
      worth('B second', '0.0001'),
      worth('C first', '900719925474099.3002'),
      worth('D first', '1000.00', 'EUR'),
    ]);
    const find = async (query: Record<string, string>) =>
      (await listNames(client, { currency: 'CLF', ...query })).map(([letter]) => letter).join('');
    expect(await find({ sort: 'value' })).toBe('BCA');
    expect(await find({ sort: '-value', search: 'first' })).toBe('AC');
    expect(await find({ sort: '-value', value_to: '900719925474099.3002' })).toBe('CB');
    const walked = await walk(client, { currency: 'CLF', sort: '-value', per_page: 1 });
    expect(walked.map(({ leads }) => leads[0]?.name[0]).join('')).toBe('ACB');
  });

  it('orders the export too', async () => {
    const { text } = await client
      .get('/leads/export?currency=GBP&sort=-value')
      .set('Accept', 'application/x-ndjson')
      .expect(200);
    const ids = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(ids).toEqual(ordered.toReversed());
  });

  it.each(['sort=value', 'sort=-value', 'sort=value&currency=none', 'sort=-value&value_from=1'])(
    'needs a currency: %s',
    async (query) => {
      for (const path of ['/leads', '/leads/export']) {
        const refusal = { status: 400, field: 'sort', code: 'invalid_parameter' };
        const { errors } = await expectRefusal(client.get(`${path}?${query}`), refusal);
        expect(errors?.sort?.join()).toContain('currency=EUR');
      }
    },
  );

  it('takes the cursor of another list for what it is, and no changed one', async () => {
    const query = { currency: 'GBP', sort: 'value', per_page: 1 };
    const { meta } = await listLeads(client, query);
    const parts = JSON.parse(Buffer.from(meta.next_cursor ?? '', 'base64url').toString());
    const cursors = ['NaN', '1e3', '-1', 'Infinity', '', null, 7].map((value) =>
      Buffer.from(JSON.stringify([value, ...parts.slice(1)])).toString('base64url'),
    );
    for (const cursor of cursors) {
      const changed = client.get(leadsPath({ ...query, cursor }));
      await expectRefusal(changed, { status: 400, field: 'cursor', code: 'invalid_cursor' });
    }
    const other = client.get(leadsPath({ ...query, currency: 'EUR', cursor: meta.next_cursor ?? '' }));
    await expectRefusal(other, { status: 400, field: 'cursor', code: 'invalid_cursor' });
  });

  it('is no order of contacts', async () => {
    const refused = client.get('/contacts?sort=value');
    await expectRefusal(refused, { status: 400, field: 'sort', code: 'invalid_parameter' });
  });
});
