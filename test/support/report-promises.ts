/** What every report promises: its figures match a count, and each links to the list that proves it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getReport, queries, type ReportQuery, rowsAt, totalOf } from './analytics.ts';
import { makeWorld, readWorld, type World } from './analytics-world.ts';
import { startTestApp, type TestApp } from './app.ts';
import { amount, hundredths } from './money.ts';

interface Promises {
  queries?: readonly ReportQuery[];
  /** Changes the leads before the report is read. */
  prepare?(app: TestApp, world: World): Promise<void>;
  /** The expected report, with any string as `leads_url`. */
  expected(world: World, query: ReportQuery): unknown;
  /** The field with the total of the list at `leads_url`, where there is no amount. */
  main: string;
  /** Tests of only this report. */
  more?(world: () => World, app: () => TestApp): void;
}

export function describeReport(report: string, { expected, main, more, ...promises }: Promises): void {
  describe(`GET /analytics/${report}`, () => {
    let app: TestApp;
    let world: World;

    beforeAll(async () => {
      app = await startTestApp();
      world = await makeWorld(app, 400);
      if (promises.prepare === undefined) return;
      await promises.prepare(app, world);
      world = { ...world, ...(await readWorld(app, world.client)) };
    });

    afterAll(() => app.close());

    it.each(promises.queries ?? queries)('matches a count of the leads and sales cycles: %j', (query) =>
      check(query),
    );

    async function check(query: ReportQuery): Promise<void> {
      const { data, meta } = await getReport(world.client, report, query);
      const { from = meta.from, to = meta.to, timezone = 'UTC' } = query;
      expect(meta).toMatchObject({ from, to, timezone });
      expect(data).toEqual(expected(world, query));
      for (const row of countedRows(data)) await checkLists(row);
    }

    /** Each list has as many rows as the figure says, and they add up to the sum. */
    async function checkLists({
      leads_url,
      sales_cycles_url,
      amount: sum,
      ...row
    }: CountedRow): Promise<void> {
      const counts = {
        ...(leads_url && { [leads_url]: sum === undefined ? row[main] : row.leads }),
        ...(sales_cycles_url && {
          [sales_cycles_url]: row.sales_cycles ?? Number(row.won) + Number(row.lost),
        }),
      };
      for (const [url, total] of Object.entries(counts)) {
        const listed = sum === undefined ? [] : await rowsAt(world.client, url);
        if (typeof sum === 'string') expect(amount(hundredths(listed)), url).toBe(sum);
        expect(sum === undefined ? await totalOf(world.client, url) : listed.length, url).toBe(total);
      }
    }

    more?.(
      () => world,
      () => app,
    );
  });
}

type CountedRow = { leads_url?: string; sales_cycles_url?: string; amount?: string } & Record<
  string,
  unknown
>;

/** Everything in the report that has a list; of many, every seventh. */
function countedRows(node: unknown): CountedRow[] {
  if (Array.isArray(node)) {
    return node.filter((_, index) => node.length < 20 || index % 7 === 0).flatMap(countedRows);
  }
  if (typeof node !== 'object' || node === null) return [];
  const own = 'leads_url' in node || 'sales_cycles_url' in node ? [node as CountedRow] : [];
  return [...own, ...Object.values(node).flatMap(countedRows)];
}
