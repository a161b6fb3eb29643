/** Ranges, orders and reports by keys of metadata. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { declare } from '../../support/metadata-fields.ts';
import { contacts, content, leads, make, type TestResource } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
  for (const resource of ['leads', 'contacts', 'content']) {
    await declare(app, client, { resource, key: 'score', type: 'number', indexed: true });
    await declare(app, client, { resource, key: 'due', type: 'date', indexed: true });
    await declare(app, client, { resource, key: 'loose', type: 'number' });
  }
  await declare(app, client, { key: 'plan', type: 'choice', options: ['gold', 'silver'], indexed: true });
});

afterAll(() => app.close());

describe.each([
  ['leads', leads],
  ['contacts', contacts],
  ['content', content],
] as [string, TestResource][])('of %s', (_name, resource) => {
  const names = new Map<string, string>();

  beforeAll(async () => {
    const all = {
      none: {},
      minus: { score: -5, due: '2026-01-31' },
      nine: { score: 9, due: '2026-02-01', loose: 9 },
      eighty: { score: 80.5, due: '2026-12-24' },
      hundred: { score: 100 },
    };
    for (const [name, metadata] of Object.entries(all)) {
      names.set((await make(client, resource, { metadata })).id, name);
    }
  });

  const namesIn = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => names.get(id));

  it.each([
    ['score', '80..', ['eighty', 'hundred']],
    ['score', '..9', ['minus', 'nine']],
    ['score', '9..80.5', ['eighty', 'nine']],
    ['score', '-10..-1', ['minus']],
    ['score', '9,100,none', ['hundred', 'nine', 'none']],
    ['score', '80.50', ['eighty']],
    ['due', '2026-02-01..', ['eighty', 'nine']],
    ['due', '..2026-02-01', ['minus', 'nine']],
    ['due', 'none', ['hundred', 'none']],
    ['loose', '9', ['nine']],
    ['loose', '9,none', ['eighty', 'hundred', 'minus', 'nine', 'none']],
  ])('%s=%s', async (key, wanted, expected) => {
    const { body } = await client.get(`${resource.path}?metadata[${key}]=${wanted}`).expect(200);
    expect([namesIn(body).toSorted(), body.meta.total]).toEqual([expected, expected.length]);
  });

  it.each([
    ['score=abc', 'metadata.score must be a number of at most 15 digits, such as 80 or 1.5, or none.'],
    ['score=1..x', 'metadata.score must be a number of at most 15 digits, such as 80 or 1.5, or none.'],
    ['due=tomorrow', 'metadata.due must be a date such as 2026-11-20, or none.'],
    [
      'loose=1..2',
      "metadata.loose can't use metadata.loose: set indexed to true with PATCH /metadata-fields/{id} first.",
    ],
  ])('%s is a 400', async (query, message) => {
    const [key, value] = query.split('=');
    const { body } = await client.get(`${resource.path}?metadata[${key}]=${value}`).expect(400);
    expect(body.message).toBe(message);
  });

  it.each([
    ['metadata.score', ['minus', 'nine', 'eighty', 'hundred']],
    ['-metadata.score', ['hundred', 'eighty', 'nine', 'minus']],
    ['metadata.due', ['minus', 'nine', 'eighty']],
  ])('sort=%s, page by page', async (sort, expected) => {
    const found = [];
    let query = '';
    do {
      const { body } = await client.get(`${resource.path}?sort=${sort}&per_page=2${query}`).expect(200);
      expect(body.meta.total).toBe(expected.length);
      found.push(...namesIn(body));
      query = body.meta.next_cursor && `&cursor=${body.meta.next_cursor}`;
    } while (query);
    expect(found).toEqual(expected);
    if (resource === content) return;
    const exported = await client
      .get(`${resource.path}/export?sort=${sort}`)
      .set('Accept', 'application/x-ndjson')
      .expect(200);
    const lines = String(exported.text ?? exported.body)
      .trim()
      .split('\n');
    expect(lines.map((line) => names.get(JSON.parse(line).id))).toEqual(expected);
  });

  it.each([
    ['metadata.unknown', 'declare the key with POST /metadata-fields first'],
    ['metadata.loose', 'set indexed to true'],
  ])('sort=%s is a 400', async (sort, message) => {
    const { body } = await client.get(`${resource.path}?sort=${sort}`).expect(400);
    expect(body.errors.sort[0]).toContain(message);
  });
});

describe('reports by a key', () => {
  beforeAll(async () => {
    for (const [plan, count] of [
      ['gold', 2],
      ['silver', 1],
    ] as const) {
      for (let n = 0; n < count; n += 1) {
        const value = { amount: '100.00', currency: 'EUR' };
        await make(client, leads, { status: 'won', value, tags: ['report'], metadata: { plan } });
      }
    }
    await make(client, leads, { tags: ['report'] });
  });

  interface Row {
    group: string | null;
    won: number;
    open: number;
    created: number;
    value: { sales_cycles_url: string }[];
    leads_url: string;
    sales_cycles_url: string;
  }

  const follow = async (url: string) => {
    const { pathname, search } = new URL(url);
    const { body } = await client.get(pathname.replace(/^.*\/v1/, '') + search).expect(200);
    return body.meta.total;
  };

  it('break down what happened, with lists that have as many rows', async () => {
    const { body } = await client.get('/analytics/breakdown?group_by=metadata.plan&tag=report').expect(200);
    const rows: Row[] = body.data;
    expect(rows.map(({ group, won, open, created }) => [group, won, open, created])).toEqual([
      ['gold', 2, 0, 2],
      ['silver', 1, 0, 1],
      [null, 0, 1, 1],
    ]);
    for (const { leads_url, created, sales_cycles_url, won } of rows) {
      expect([await follow(leads_url), await follow(sales_cycles_url)]).toEqual([created, won]);
    }
  });

  it('follow the value that the lead has now', async () => {
    const lead = await make(client, leads, { status: 'won', tags: ['moved'], metadata: { plan: 'gold' } });
    await client.patch(`/leads/${lead.id}`, { metadata: { plan: 'silver' } }).expect(200);
    const { body } = await client.get('/analytics/breakdown?group_by=metadata.plan&tag=moved').expect(200);
    expect(body.data).toMatchObject([{ group: 'silver', won: 1 }]);
  });

  it('are made for each period', async () => {
    const query = 'group_by=metadata.plan&interval=month&tag=report';
    const { body } = await client.get(`/analytics/timeseries?${query}`).expect(200);
    const last = body.data.filter(({ created }: Row) => created > 0);
    expect(last).toMatchObject([
      { group: 'gold', won: 2 },
      { group: 'silver', won: 1 },
      { group: null, created: 1 },
    ]);
    const file = await client.get(`/analytics/timeseries?${query}`).set('Accept', 'text/csv').expect(200);
    expect(file.text).toContain(',gold,');
  });

  it.each(['breakdown', 'timeseries'])('need an indexed key of leads: %s', async (name) => {
    const { body } = await client.get(`/analytics/${name}?group_by=metadata.loose`).expect(400);
    expect(body.errors.group_by[0]).toContain('set indexed to true');
    await client.get(`/analytics/${name}?group_by=nothing`).expect(400);
  });
});
