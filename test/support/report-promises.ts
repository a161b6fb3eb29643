/** What every report promises: its figures match a count, and each links to the list that proves it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getReport, leadsAt, queries, type ReportQuery, totalOf } from './analytics.ts';
import { makeWorld, readFacts, type World } from './analytics-world.ts';
import { startTestApp, type TestApp } from './app.ts';
import { amount, hundredths } from './money.ts';

interface Promises {
  queries?: readonly ReportQuery[];
  /** Changes the leads before the report is read. */
  prepare?(app: TestApp, world: World): Promise<void>;
  /** The expected report, with any string as `leads_url`. */
  expected(world: World, query: ReportQuery): unknown;
  /** The field with the total of the list at `leads_url`. */
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
      world = { ...world, facts: await readFacts(app, world.client) };
    });

    afterAll(() => app.close());

    it.each(promises.queries ?? queries)('matches a count of the leads: %j', (query) => check(query));

    async function check(query: ReportQuery): Promise<void> {
      const { data, meta } = await getReport(world.client, report, query);
      expect(meta).toMatchObject({ from: query.from, to: query.to, timezone: query.timezone ?? 'UTC' });
      expect(data).toEqual(expected(world, query));
      for (const row of countedRows(data)) {
        if (typeof row.amount === 'string') await checkSum(row);
        else expect(await totalOf(world.client, row.leads_url), row.leads_url).toBe(row[main]);
      }
    }

    /** The leads of the list add up to the sum. */
    async function checkSum({ leads_url, ...sum }: CountedRow): Promise<void> {
      const leads = await leadsAt(world.client, leads_url);
      expect(sum, leads_url).toMatchObject({ leads: leads.length, amount: amount(hundredths(leads)) });
    }

    more?.(
      () => world,
      () => app,
    );
  });
}

type CountedRow = { leads_url: string } & Record<string, unknown>;

/** Everything in the report that has a list; of many, every seventh. */
function countedRows(node: unknown): CountedRow[] {
  if (Array.isArray(node)) {
    return node.filter((_, index) => node.length < 20 || index % 7 === 0).flatMap(countedRows);
  }
  if (typeof node !== 'object' || node === null) return [];
  const own = 'leads_url' in node ? [node as CountedRow] : [];
  return [...own, ...Object.values(node).flatMap(countedRows)];
}
