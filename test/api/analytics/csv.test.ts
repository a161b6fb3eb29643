/** Reports as CSV say the same as in JSON. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, type World } from '../../support/analytics-world.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createLead } from '../../support/factories.ts';
import { content, make, users } from '../../support/resources.ts';

type Row = Record<string, unknown>;
type Line = Record<string, string>;

const year = 'from=2026-01-01&to=2026-12-31';

/** The rows of the JSON report, and the columns that each line of a row repeats. */
const reports: Record<string, { names: string[]; rows(data: never, meta: Row): Row[] }> = {
  [`summary?${year}`]: {
    names: ['from', 'to'],
    rows: ({ previous, ...now }: { previous: Row }, { from, to }) => [{ from, to, ...now }, previous],
  },
  [`funnel?${year}`]: {
    names: ['status'],
    rows: ({ stages: [first, ...others], lost, open }: { stages: Row[]; lost: number; open: number }) => [
      { ...first, lost, open },
      ...others,
    ],
  },
  [`breakdown?${year}`]: { names: ['group', 'group_name'], rows: (data) => data },
  [`breakdown?${year}&group_by=assigned_user`]: { names: ['group', 'group_name'], rows: (data) => data },
  [`breakdown?${year}&group_by=source_detail`]: { names: ['group', 'group_name'], rows: (data) => data },
  [`timeseries?${year}&interval=month&group_by=assigned_user`]: {
    names: ['period_start', 'period_end', 'group', 'group_name'],
    rows: (data) => data,
  },
  [`time-in-status?${year}`]: { names: ['status'], rows: (data) => data },
  [`timeseries?${year}&interval=month&group_by=content`]: {
    names: ['period_start', 'period_end', 'group', 'group_name'],
    rows: (data) => data,
  },
  pipeline: { names: ['status', 'currency'], rows: (data) => data },
  'forecast?months=3': {
    names: ['period', 'month', 'currency'],
    rows: ({ win_rates, periods }: { win_rates: { status: string; win_rate: number }[]; periods: Row[] }) => {
      const rates = win_rates.map(({ status, win_rate }) => [`win_rates.${status}`, win_rate]);
      return periods.map((period) => ({ ...period, ...Object.fromEntries(rates) }));
    },
  },
};

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startTestApp();
  world = await makeWorld(app, 300);
  const { client } = world;
  const spring = { source_detail: '=HYPERLINK("https://example.com")', content_id: null };
  const user = await make(client, users, { name: '@SUM(A1)' });
  const piece = await make(client, content, { title: '+1, "quoted"\nand a line' });
  const fields = { ...spring, assigned_user_id: user.id, content_id: piece.id };
  for (const currency of ['EUR', 'JPY', 'KWD', 'USD']) {
    await createLead(client, { ...fields, status: 'won', value: { amount: '12', currency } });
    await createLead(client, {
      ...fields,
      status: 'lost',
      lost_reason: '-1',
      value: { amount: '7', currency },
    });
    await createLead(client, { ...fields, value: { amount: '3', currency }, expected_close_on: null });
  }
});

afterAll(() => app.close());

async function getCsv(path: string): Promise<{ lines: Line[]; columns: string[]; headers: Line }> {
  const answer = await world.client.get(`/analytics/${path}`).set('Accept', 'text/csv').expect(200);
  const [columns = [], ...cells] = parse(answer.text) as string[][];
  const lines = cells.map((line) => Object.fromEntries(columns.map((name, n) => [name, line[n] ?? ''])));
  return { lines, columns, headers: answer.headers };
}

const cellOf = (value: unknown) => {
  const text = value === null || value === undefined ? '' : String(value);
  return /^'*[=+\-@]/.test(text) ? `'${text}` : text;
};

/** Paths of the values in a row, in which a list has been replaced by one of its items. */
function flat(row: object, prefix = ''): Line {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flat(value, `${prefix}${name}.`))
        : [[prefix + name, cellOf(value)]],
    ),
  );
}

type Sum = { currency: string };

/** A line for each currency of either value. */
function linesOf({ value = [], open_value = [], ...row }: Row, names: readonly string[]): Line[] {
  const [closed, open] = [value as Sum[], open_value as Sum[]];
  const currencies = [...new Set([...closed, ...open].map(({ currency }) => currency))].sort();
  const [first, ...others] = currencies.map((currency) => {
    const [{ currency: _, ...sold }, { currency: __, ...left }] = [closed, open].map(
      (sums) => sums.find((sum) => sum.currency === currency) ?? { currency },
    ) as [Sum, Sum];
    return flat({ currency, value: sold, open_value: left });
  });
  const cells = flat(row);
  const named = Object.fromEntries(names.map((name) => [name, cells[name] ?? '']));
  return [{ ...cells, ...first }, ...others.map((sum) => ({ ...named, ...sum }))];
}

describe.each(Object.entries(reports))('%s', (path, { names, rows }) => {
  it('has the rows of the JSON report', async () => {
    const { body } = await world.client.get(`/analytics/${path}`).expect(200);
    const { lines, columns, headers } = await getCsv(path);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const { from, to } = body.meta;
    const [report] = path.split('?');
    expect(headers['content-disposition']).toBe(`attachment; filename="${report}_${from}_${to}.csv"`);
    expect(headers['omitted-rows']).toBe(body.meta.omitted === undefined ? undefined : '0');
    const expected = rows(body.data as never, body.meta).flatMap((row) => linesOf(row, names));
    const blank = Object.fromEntries(columns.map((column) => [column, '']));
    expect(lines).toEqual(expected.map((line) => ({ ...blank, ...line })));
    expect(lines.length).toBeGreaterThan(0);
    expect(columns.slice(0, names.length)).toEqual(names);
  });

  it('has the same columns when it has no rows', async () => {
    const { columns } = await getCsv(path);
    const empty = await getCsv(`${path}${path.includes('?') ? '&' : '?'}tag=nobody`);
    expect(empty.columns).toEqual(columns);
  });
});

it('has the counts of a row once, and its names in each line', async () => {
  const { lines } = await getCsv(`breakdown?${year}&group_by=source_detail`);
  const own = lines.filter(({ group }) => group?.includes('HYPERLINK'));
  expect(own.map((line) => [line.group, line.created, line.currency, line['value.won.amount']])).toEqual([
    [`'=HYPERLINK("https://example.com")`, '12', 'EUR', '12.00'],
    [`'=HYPERLINK("https://example.com")`, '', 'JPY', '12'],
    [`'=HYPERLINK("https://example.com")`, '', 'KWD', '12.000'],
    [`'=HYPERLINK("https://example.com")`, '', 'USD', '12.00'],
  ]);
  const { body } = await world.client.get(`/analytics/summary?${year}`).expect(200);
  const total = lines.reduce((sum, { created }) => sum + Number(created), 0);
  expect(total).toBe(body.data.leads_created);
});

it('is negotiated: JSON unless CSV is preferred, and errors are JSON', async () => {
  const { client } = world;
  const typeFor = async (accept: string) => {
    const { headers } = await client.get('/analytics/breakdown').set('Accept', accept).expect(200);
    return headers['content-type']?.split(';')[0];
  };
  expect(await typeFor('*/*')).toBe('application/json');
  expect(await typeFor('text/csv;q=0.5, application/json')).toBe('application/json');
  expect(await typeFor('text/csv, application/json;q=0.5')).toBe('text/csv');
  expect(await typeFor('application/csv')).toBe('text/csv');
  expect(await typeFor('text/csv; charset=utf8')).toBe('text/csv');
  const invalid = await client.get('/analytics/breakdown?from=x').set('Accept', 'text/csv').expect(400);
  expect(invalid.body.code).toBe('invalid_parameter');
  await client.get('/analytics/breakdown').set('Accept', 'text/html').expect(406);
});

it('counts the rows that did not fit', async () => {
  await app.production.knex.raw(`
    insert into leads (id, name, email, status, source, tags, company)
    select new_uuid(), 'Many', 'many-' || n || '@example.com', 'new', 'api', '{of-many}', 'Company ' || n
    from generate_series(1, 1009) n`);
  const { lines, headers } = await getCsv('breakdown?group_by=company&tag=of-many');
  expect([new Set(lines.map(({ group }) => group)).size, headers['omitted-rows']]).toEqual([1_000, '9']);
});
