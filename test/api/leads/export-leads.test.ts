/** GET /leads/export returns the leads of GET /leads as a file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../../generated/api.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { endpoints, readDocument, takes } from '../../support/document.ts';
import { exportRows, fetchExport, parseCsv, readCsv } from '../../support/exports.ts';
import { createLead, createUser } from '../../support/factories.ts';
import { insertLeads } from '../../support/lists.ts';
import { watchQueries } from '../../support/queries.ts';
import { expectRefusal } from '../../support/resources.ts';

type Lead = components['schemas']['Lead'];

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

async function listed(query: string): Promise<Lead[]> {
  const leads: Lead[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { body } = await client.get(`/leads?per_page=100&page=${page}&${query}`).expect(200);
    leads.push(...body.data);
    last = body.meta.last_page;
  }
  return leads;
}

/** Values that CSV, spreadsheets and careless programs mishandle. */
const hostile = [
  '=1+1',
  '=cmd|" /C calc"!A0',
  '+49 1',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  "'=1",
  "''+1",
  "'t Hooft",
  "'",
  '"quoted"',
  'a,b;c\td',
  'line\nline\r\nline',
  ' space ',
  'null',
  'Zoë 🎉',
];

describe('GET /leads/export', () => {
  it('gives every lead once in the order of the list, however many there are', async () => {
    const fresh = await startTestApp();
    await insertLeads(
      fresh.production.knex,
      Array.from({ length: 1_203 }, (_, n) => ({
        name: `Lead ${n}`,
        created_at: new Date(n * 1_000).toISOString(),
      })),
    );
    const leads = await exportRows<Lead>(await fresh.client(), '/leads/export');
    await fresh.close();
    expect(leads.map(({ name }) => name)).toEqual(
      Array.from({ length: 1_203 }, (_, n) => `Lead ${1_202 - n}`),
    );
  });

  it('shows each lead as it is read, as NDJSON and, read as described, as CSV', async () => {
    const user = await createUser(client);
    for (const text of hostile) {
      const fields = { name: `${text}.`, company: text, lost_reason: text, status: 'lost' as const };
      const more = {
        tags: [text.replaceAll(',', ''), 'b;c'],
        metadata: { [text]: text },
        assigned_user_id: user,
      };
      await createLead(client, { ...fields, ...more, phone: '+4915112345678' });
    }
    await createLead(client, { value: { amount: '0.5', currency: 'KWD' }, expected_close_on: '2027-01-31' });
    await createLead(client);
    const leads = await listed('');
    expect(await exportRows(client, '/leads/export')).toEqual(leads);
    const csv = await fetchExport(client, '/leads/export');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.headers.get('cache-control')).toBe('no-store');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="leads.csv"');
    expect(readCsv(await csv.text())).toEqual(leads);
  });

  it('has no cell that a spreadsheet runs as a formula', async () => {
    const cells = parseCsv(await (await fetchExport(client, '/leads/export')).text()).flat();
    expect(cells.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell))).toEqual([]);
    for (const cell of ["'=1+1", "'+4915112345678", "''=1", "'''+1", "'t Hooft"])
      expect(cells).toContain(cell);
  });

  it.each([
    'status=lost',
    'status=new,won&source=api',
    'tag=b%3Bc',
    'tag=b%3Bc&sort=name',
    'search=zoe',
    'search=null&sort=-updated_at',
    'created_from=2026-01-01&sort=created_at',
    'created_to=2020-01-01',
    'assigned_user_id=none',
    'assigned_user_id=user_01h455vb4pex5vsknk084sn02q',
    'reached=lost&reached_from=2020-01-01',
    'email=nobody@example.com',
    'sort=name',
    'sort=-expected_close_on',
    'currency=KWD&value_to=0.5',
    'expected_close_from=2027-01-01&expected_close_to=2027-01-31',
  ])('takes the filters and the order of the list: %s', async (query) => {
    const leads = await listed(query);
    expect(await exportRows(client, `/leads/export?${query}`)).toEqual(leads);
  });

  it('takes all filters that the list has, and so does that of contacts', () => {
    const all = endpoints(readDocument());
    const parametersOf = (id: string) =>
      all.find(({ operationId }) => operationId === id)?.parameters.map(({ name }) => name) ?? [];
    const paging = ['page', 'per_page', 'cursor'];
    expect(all.some((endpoint) => endpoint.path === '/leads/export' && takes(endpoint, 'status'))).toBe(true);
    for (const kind of ['Leads', 'Contacts']) {
      const ofList = parametersOf(`list${kind}`).filter((name) => !paging.includes(name));
      expect(parametersOf(`export${kind}`)).toEqual(ofList);
    }
  });

  it('gives nothing but the names if no lead matches', async () => {
    const csv = await (await fetchExport(client, '/leads/export?email=nobody@example.com')).text();
    expect(csv).toMatch(/^id,name,email,.*,version\r\n$/);
    expect(await exportRows(client, '/leads/export?email=nobody@example.com')).toEqual([]);
  });

  it.each([
    [undefined, 'text/csv'],
    ['*/*', 'text/csv'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['text/csv;q=0.1, application/x-ndjson', 'application/x-ndjson'],
    ['text/*, application/json', 'text/csv'],
  ])('answers Accept: %s with %s', async (accept, type) => {
    const headers = { ...client.headers, ...(accept && { Accept: accept }) };
    const response = await fetch(`${client.baseUrl}/leads/export`, { headers });
    expect(response.headers.get('content-type')).toMatch(new RegExp(`^${type}`));
    await response.text();
  });

  it.each(['application/json', 'text/html', 'text/csv;q=0'])('answers 406 to Accept: %s', async (accept) => {
    const { status, headers } = await fetchExport(client, '/leads/export', accept);
    expect([status, headers.get('content-type')]).toEqual([406, 'application/json; charset=utf-8']);
  });

  it('answers HEAD without making the file', async () => {
    const { headers, text } = await client.head('/leads/export').expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(text).toBeUndefined();
  });

  it.each([
    ['page', 'page=1'],
    ['status', 'status=open'],
    ['reached_from', 'reached_from=2026-01-01'],
    ['created_from', 'created_from=2026-01-02&created_to=2026-01-01'],
    ['sort', 'sort=email'],
  ])('rejects what the list refuses: %s', async (field, query) => {
    await expectRefusal(client.get(`/leads/export?${query}`), {
      status: 400,
      field,
      code: 'invalid_parameter',
    });
  });

  it('shows a single moment', async () => {
    const { before } = watchQueries(app);
    const leads = await listed('');
    before('fetch', () => createLead(client));
    expect(await exportRows(client, '/leads/export')).toEqual(leads);
    expect(await exportRows(client, '/leads/export')).toHaveLength(leads.length + 1);
  });
});
