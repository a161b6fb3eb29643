/** GET /leads by value and by the day on which leads are expected to be won. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { insertLeads, leadsPath, listLeads, listNames, walk } from '../../support/lists.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  const worth = (value_amount: string, value_currency: string) => ({ value_amount, value_currency });
  await insertLeads(
    app.production.knex,
    [
      { name: 'A', ...worth('100.00', 'EUR'), expected_close_on: '2027-01-31' },
      { name: 'B', ...worth('99.99', 'EUR'), expected_close_on: '2027-02-01', status: 'won' as const },
      { name: 'C', ...worth('900719925474099.3003', 'CLF') },
      { name: 'D', ...worth('100.01', 'EUR') },
      { name: 'E', ...worth('100.000', 'KWD'), expected_close_on: '2026-12-31' },
      { name: 'F', expected_close_on: '2027-01-01' },
      { name: 'G', status_changed_at: '2026-01-02T12:00:00.000Z' },
    ].map((lead) => ({ status_changed_at: '2026-01-01T00:00:00.000Z', ...lead })),
  );
});

afterAll(() => app.close());

describe('GET /leads filters by', () => {
  it.each([
    ['currency=EUR', 'ABD'],
    ['currency=CLF', 'C'],
    ['currency=USD', ''],
    ['currency=none', 'FG'],
    ['currency=none&status=won', ''],
    ['currency=EUR&status=won', 'B'],
    ['currency=EUR&value_from=100', 'AD'],
    ['currency=EUR&value_from=100.00&value_to=100', 'A'],
    ['currency=EUR&value_to=99.999', 'B'],
    ['currency=EUR&value_to=100.0099', 'AB'],
    ['currency=CLF&value_from=900719925474099.3002&value_to=900719925474099.3003', 'C'],
    ['currency=CLF&value_from=900719925474099.3004', ''],
    ['expected_close_from=2027-01-01', 'ABF'],
    ['expected_close_to=2027-01-01', 'EF'],
    ['expected_close_from=2027-01-01&expected_close_to=2027-01-31', 'AF'],
    ['expected_close_from=2027-01-31&expected_close_to=2027-01-31', 'A'],
    ['expected_close_from=0001-01-01&expected_close_to=9999-12-31', 'ABEF'],
    ['expected_close_on=none', 'CDG'],
    ['expected_close_on=none&currency=EUR', 'D'],
    ['expected_close_on=none&expected_close_to=2027-01-31', ''],
    ['expected_close_from=2027-01-01&currency=EUR&value_from=100', 'A'],
    ['status_changed_from=2026-01-02', 'G'],
    ['status_changed_to=2026-01-01', 'ABCDEF'],
    ['status_changed_from=2026-01-02T12:00:00Z&status_changed_to=2026-01-02T12:00:00Z', 'G'],
  ])('%s', async (query, expected) => {
    const { leads, meta } = await listLeads(client, `/leads?sort=name&${query}`);
    expect(leads.map(({ name }) => name).join('')).toBe(expected);
    expect(meta.total).toBe(expected.length);
    const byDefault = await listNames(client, `/leads?${query}`);
    expect(byDefault.toSorted().join('')).toBe(expected);
  });

  it.each([
    ['value_from', 'value_from=1', 'currency'],
    ['value_to', 'value_to=1', 'currency'],
    ['value_to', 'value_to=1&currency=none', 'currency'],
    ['value_from', 'value_from=100&value_to=99.99&currency=EUR', 'must not be more than value_to'],
    ['value_from', 'value_from=-1&currency=EUR', 'must be an amount'],
    ['value_from', 'value_from=1e3&currency=EUR', 'must be an amount'],
    ['value_to', 'value_to=1000000000000000&currency=EUR', 'must be an amount'],
    ['currency', 'currency=eur', 'ISO 4217'],
    ['currency', 'currency=EUR,USD', 'ISO 4217'],
    ['expected_close_from', 'expected_close_from=2027-02-30', 'must be a date'],
    ['expected_close_from', 'expected_close_from=2027-01-01T00:00:00Z', 'must be a date'],
    ['expected_close_from', 'expected_close_from=2027-01-02&expected_close_to=2027-01-01', 'not be later'],
    ['expected_close_on', 'expected_close_on=2027-01-01', 'must be none'],
    ['status_changed_from', 'status_changed_from=2027-01-02&status_changed_to=2027-01-01', 'not be later'],
  ])('rejects %s in %s', async (field, query, message) => {
    for (const path of ['/leads', '/leads/export']) {
      const refusal = { status: 400, field, code: 'invalid_parameter' };
      const { errors } = await expectRefusal(client.get(`${path}?${query}`), refusal);
      expect(errors?.[field]?.join()).toContain(message);
    }
  });

  it.each([
    'currency=EUR',
    'currency=EUR&value_from=1',
    'expected_close_from=2027-01-01',
    'expected_close_on=none',
  ])('a cursor belongs to %s', async (query) => {
    const { meta } = await listLeads(client, `/leads?per_page=1&${query}`);
    expect(meta.next_cursor).not.toBeNull();
    await client.get(`/leads?per_page=1&${query}&cursor=${meta.next_cursor}`).expect(200);
    const other = client.get(`/leads?per_page=1&cursor=${meta.next_cursor}`);
    await expectRefusal(other, { status: 400, field: 'cursor', code: 'invalid_cursor' });
  });
});

describe('GET /leads?sort=expected_close_on', () => {
  const orders = [
    ['expected_close_on', 'EFABCDG'],
    ['-expected_close_on', 'BAFEGDC'],
  ] as const;

  it.each(orders)('%s has leads without a day last: %s', async (sort, expected) => {
    expect((await listNames(client, { sort })).join('')).toBe(expected);
    for (const per_page of [1, 2, 3, 4]) {
      const walked = await walk(client, { sort, per_page });
      expect(walked.flatMap(({ leads }) => leads.map(({ name }) => name)).join('')).toBe(expected);
      const pages = await Promise.all(
        walked.map((_, index) => listNames(client, { sort, per_page, page: index + 1 })),
      );
      expect(pages.flat().join('')).toBe(expected);
    }
  });

  it.each(orders)('%s works with a filter and a search', async (sort, expected) => {
    const dated = expected.replaceAll(/[CDG]/g, '');
    expect((await listNames(client, { sort, expected_close_from: '2000-01-01' })).join('')).toBe(dated);
    expect((await listNames(client, { sort, search: 'example' })).join('')).toBe(expected);
    expect((await listNames(client, { sort, currency: 'EUR' })).join('')).toBe(
      expected.replaceAll(/[CEFG]/g, ''),
    );
  });

  it('rejects a cursor that was changed', async () => {
    const { meta } = await listLeads(client, { sort: 'expected_close_on', per_page: 1 });
    const parts = JSON.parse(Buffer.from(meta.next_cursor ?? '', 'base64url').toString());
    for (const value of ['2027-02-30', 'epoch', 'now', '', null]) {
      const cursor = Buffer.from(JSON.stringify([value, ...parts.slice(1)])).toString('base64url');
      const changed = client.get(leadsPath({ sort: 'expected_close_on', per_page: 1, cursor }));
      await expectRefusal(changed, { status: 400, field: 'cursor', code: 'invalid_cursor' });
    }
  });
});
