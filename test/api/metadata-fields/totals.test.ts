/** Totals by indexed keys come from counters; these compare them with the metadata itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDrift, foldLeadCounters } from '../../../src/leads/counter-queries.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { insertLeads } from '../../support/lists.ts';
import { declare } from '../../support/metadata-fields.ts';

let app: TestApp;
let client: TestClient;

const numbers = [
  ...[0, 1, 9, 9.99, 10, 10.5, 42, 95, 95.5, 96, 99, 99.5, 100, 100.5, 110, 119, 1234.5, 999_999_999_999_999],
  ...[0.004, 0.0099, 0.01, 0.5, 0.123456789, 0.999999, 123_456.789_012_345],
].flatMap((number) => [number, -number]);
const plans = ['free', 'gold', 'silver'];
const days = ['2026-01-31', '2026-02-01', '2026-02-02', '2027-12-31'];

const statusOf = (n: number) => (n % 4 === 0 ? 'won' : 'new');

type Metadata = Partial<Record<'score' | 'plan' | 'due' | 'done' | 'city', number | string | boolean>>;

const metadata: Metadata[] = [
  {},
  { plan: 'gold' },
  ...numbers.flatMap((score, n) => [
    { score, plan: plans[n % 3], due: days[n % 4], done: n % 5 === 0, city: `City ${n % 7}` },
    { score, due: days[n % 3] },
  ]),
];

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
  const types = { score: 'number', plan: 'choice', due: 'date', done: 'boolean', city: 'text' };
  for (const [key, type] of Object.entries(types)) {
    await declare(app, client, { key, type, indexed: true, ...(key === 'plan' && { options: plans }) });
  }
  await insertLeads(
    app.production.knex,
    metadata.map((each, n) => ({
      email: uniqueEmail(),
      status: statusOf(n),
      metadata: each,
    })),
  );
});

afterAll(() => app.close());

/** The list's total, and how many leads it is about. */
async function compare(query: string, matches: (each: Metadata, status: string) => boolean) {
  const { body } = await client.get(`/leads?per_page=1&${query}`).expect(200);
  const expected = metadata.filter((each, n) => matches(each, statusOf(n))).length;
  expect({ query, total: body.meta.total }).toEqual({ query, total: expected });
}

const isScored = ({ score }: Metadata, from: number, to = Number.POSITIVE_INFINITY) =>
  typeof score === 'number' && score >= from && score <= to;

describe.each(['not yet folded', 'folded'])('A total by counters that are %s is exact', (state) => {
  beforeAll(async () => {
    if (state === 'folded') await foldLeadCounters(app.production.db);
  });

  it.each(numbers.map((from, n) => [from, numbers[(n * 7 + 3) % numbers.length] as number]))(
    'for ranges from %d, to %d',
    async (from, to) => {
      // In the order of the key, the list doesn't count its hits itself.
      const range = (text: string) => `sort=-metadata.score&metadata[score]=${text}`;
      await compare(range(`${from}..`), (each) => isScored(each, from));
      await compare(range(`..${to}`), (each) => isScored(each, Number.NEGATIVE_INFINITY, to));
      await compare(range(`${from}..${to}`), (each) => isScored(each, from, to));
      await compare(range(`${from}..${from}`), (each) => isScored(each, from, from));
      await compare(`${range(`${from}..`)}&status=won`, (each, is) => is === 'won' && isScored(each, from));
    },
  );

  it('for ranges in the order of creation', async () => {
    await compare('metadata[score]=10..100', (each) => isScored(each, 10, 100));
    await compare(
      'metadata[score]=10..100&status=new',
      (each, is) => is === 'new' && isScored(each, 10, 100),
    );
    await compare('metadata[due]=2026-02-01..2026-02-02', ({ due = '' }) => /2026-02-0[12]/.test(`${due}`));
    const both = 'metadata[score]=10..&metadata[due]=2026-02-01..';
    await compare(both, (each) => isScored(each, 10) && String(each.due) >= '2026-02-01');
  });

  it('for dates, options, booleans and texts, and for none', async () => {
    await compare('metadata[due]=2026-02-01', ({ due }) => due === '2026-02-01');
    await compare('metadata[plan]=gold', ({ plan }) => plan === 'gold');
    await compare('metadata[plan]=gold,silver', ({ plan = '' }) => /gold|silver/.test(`${plan}`));
    await compare('metadata[plan]=gold&status=new,won', ({ plan }) => plan === 'gold');
    await compare('metadata[plan]=gold&sort=metadata.plan', ({ plan }) => plan === 'gold');
    await compare(
      'metadata[plan]=gold&metadata[done]=true',
      ({ plan, done }) => plan === 'gold' && done === true,
    );
    await compare('metadata[done]=false', ({ done }) => done === false);
    await compare('metadata[city]=City 3', ({ city }) => city === 'City 3');
    for (const key of ['score', 'plan', 'due', 'done', 'city'] as const) {
      await compare(`metadata[${key}]=none`, ({ [key]: value }) => value === undefined);
      await compare(`sort=metadata.${key}`, ({ [key]: value }) => value !== undefined);
      await compare(
        `sort=-metadata.${key}&status=won`,
        ({ [key]: value }, is) => value !== undefined && is === 'won',
      );
    }
  });

  it('as the counters are', async () => {
    expect(await app.production.db.transaction((trx) => findDrift(trx, 10))).toEqual([]);
  });
});

it('Lists by an indexed key count no rows', async () => {
  await app.production.knex.raw('begin; select clear_lead_counters(); commit');
  for (const query of [
    'sort=metadata.score',
    'metadata[plan]=gold',
    'sort=metadata.due&metadata[due]=..2030-01-01',
  ]) {
    const { body } = await client.get(`/leads?${query}`).expect(200);
    expect(body.meta.total).toBe(0);
  }
});
