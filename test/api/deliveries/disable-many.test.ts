/** A webhook with very many waiting or failed deliveries. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knex as builder } from '../../../src/db/query.ts';
import { hasFailedForLong } from '../../../src/deliveries/outcome-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { addWebhook } from '../../support/deliveries.ts';

const MANY = 20_000;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

/** A webhook that has failed for 73 hours, with deliveries of these values. */
async function failing(count: number, values: string): Promise<string> {
  const { db, knex } = app.production;
  const id = await addWebhook(db, app.secretKey, 'https://example.com');
  const since = "now() - interval '73 hours'";
  await knex.raw(`update webhooks set failing_since = ${since}, first_failed_at = ${since} where id = ?`, [
    id,
  ]);
  await knex.raw(
    `insert into webhook_deliveries (webhook_id, event_type, resource_id, event_id, status, attempt_count, updated_at)
      select ?, 'lead.created', new_uuid(), ${values} from generate_series(1, ?) as n`,
    [id, count],
  );
  return id;
}

/** How many rows are read to find out whether it is due. */
async function rowsRead(id: string): Promise<number> {
  const { db, knex } = app.production;
  await knex.raw('analyze webhook_deliveries');
  return db.transaction(async (trx) => {
    const read = async () => {
      const [row] = await trx.run<{ read: number }>(
        builder.raw(`select sum(pg_stat_get_xact_tuples_fetched(oid) + pg_stat_get_xact_tuples_returned(oid))::int as read
          from pg_class where relname like 'webhook_deliveries%'`),
      );
      return row?.read ?? 0;
    };
    const before = await read();
    await hasFailedForLong(trx, id);
    return (await read()) - before;
  });
}

describe('whether a webhook has failed for long', () => {
  it.each([
    ['events that have failed', true, "new_uuid(), 'failed', 10, now()"],
    ['events that wait and were never tried', false, "new_uuid(), 'pending', 0, now()"],
    ['failures from before the last success', false, "new_uuid(), 'failed', 10, now() - interval '80 hours'"],
    ['deliveries of one event', false, "'00000000-0000-7000-8000-000000000001', 'failed', 10, now()"],
  ])('is found out without reading through %s', async (_, due, values) => {
    const id = await failing(MANY, values);
    expect(await hasFailedForLong(app.production.db, id)).toBe(due);
    expect(await rowsRead(id)).toBeLessThan(5_000);
  });
});
