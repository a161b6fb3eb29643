/** The files of test/cases whose columns are unusual, with what its README says. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import type { TestClient } from '../../../support/client.ts';
import { importCase, readCase, unusedIn } from '../../../support/import-cases.ts';
import { send } from '../../../support/imports.ts';
import { runJobs } from '../../../support/jobs.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() => app.production.knex.raw('truncate leads, contacts cascade'));

describe.each([
  ['leads', { metadata: { title: 'CTO' } }],
  ['contacts', { title: 'CTO' }],
])('as %s', (resource, cto) => {
  const run = (file: string) => importCase(app, client, file, `resource=${resource}`);

  it.each(['01-linkedin-connections.csv', '01c-linkedin-no-preamble.csv'])('%s', async (file) => {
    const done = await run(file);
    expect(done.people['Ada Example']).toMatchObject({
      email: 'ada@example.com',
      company: 'Engines, Inc.',
      ...cto,
    });
    expect(unusedIn(done)).toEqual(['URL', 'Connected On']);
  });

  it('02-google-contacts.csv', async () => {
    const { people } = await run('02-google-contacts.csv');
    const { metadata } = cto as { metadata?: object };
    expect(people).toEqual({
      'Ada King Example': expect.objectContaining({
        ...cto,
        email: 'ada@example.com',
        phone: '+442079460123',
        company: 'Engines Ltd',
        tags: ['Work'],
        other_emails: ['ada@home.example'],
        metadata: { ...metadata },
      }),
    });
  });

  it('40-salesforce-data-export-lead.csv', async () => {
    const { people, warned } = await run('40-salesforce-data-export-lead.csv');
    expect(people).toEqual({
      'Ada Example': expect.objectContaining({ email: 'ada@example.com', phone: '+14155550101' }),
    });
    expect(people['Ada Example']).toMatchObject(cto);
    expect(warned[2]).toContain('Phone');
  });

  it('40e-hubspot-contacts.csv', async () => {
    const done = await run('40e-hubspot-contacts.csv');
    expect(done.people['Ada Example']).toMatchObject({ phone: '+14155550100', company: 'Engines', ...cto });
    expect(done.people['Bob Example']).toMatchObject({ phone: null, company: 'Engines', ...cto });
  });
});

describe('a case', () => {
  it.each(['04-duplicate-headers.csv', '04b-empty-duplicate-headers.csv'])('%s', async (file) => {
    const { counts, columns, people } = await importCase(app, client, file);
    expect(counts).toMatchObject({ created: 1, failed: 0 });
    expect(new Set(columns).size).toBe(columns.length);
    expect(Object.keys(people)).toEqual(['Ada Example']);
  });

  it('04, with a number that exists in the second column', async () => {
    const file =
      'Name,Email,Phone,Phone\nAda,ada@example.com,,+4915112345678\nBob,bob@example.com,+4930123456,+4915112345678\n';
    await send(client, file);
    await runJobs(app.production);
    const { body } = await client.get('/leads?sort=name').expect(200);
    expect(body.data).toMatchObject([{ phone: '+4915112345678' }, { phone: '+4930123456' }]);
  });

  it('12-no-header.csv', async () => {
    const bytes = readCase('12-no-header.csv');
    const draft = await send(client, bytes);
    expect(draft).toMatchObject({
      status: 'draft',
      columns: ['Column 1', 'Column 2'],
      mapping: { 'Column 1': 'name', 'Column 2': 'email' },
      doubts: [{ code: 'no_header' }],
    });
    const { people, counts } = await importCase(app, client, '12-no-header.csv');
    expect(counts).toMatchObject({ created: 2 });
    expect(Object.keys(people).sort()).toEqual(['Ada Example', 'Bob Example']);
  });

  it.each(['40b-first-last-full.csv', '40c-name-first-last.csv', '40d-last-first.csv'])(
    '%s',
    async (file) => {
      const { people, doubts } = await importCase(app, client, file);
      expect(Object.keys(people)).toEqual(['Ada Example']);
      expect(doubts).toEqual([]);
    },
  );

  it('43-facebook-leads.csv', async () => {
    const { people, warned } = await importCase(app, client, '43-facebook-leads.csv');
    expect(people).toEqual({
      'Ada Example': expect.objectContaining({ phone: '+14155550100', company: 'Engines', status: 'new' }),
    });
    expect(warned).toEqual({ 2: ['lead_status'] });
  });

  it('45-brackets-in-header.csv', async () => {
    const done = await importCase(app, client, '45-brackets-in-header.csv');
    expect(done.counts).toMatchObject({ created: 1 });
    expect(unusedIn(done)).toEqual(['Budget [EUR]', 'a=b&c']);
  });

  it('46-emails-two-columns.csv', async () => {
    const { people } = await importCase(app, client, '46-emails-two-columns.csv');
    expect(people['Ada Example']).toMatchObject({
      email: 'ada@work.example',
      other_emails: ['ada@home.example'],
    });
    expect(people['Bob Example']).toMatchObject({
      email: 'bob@work.example',
      other_emails: ['bob@example.com'],
    });
  });

  it('47-german-headers.csv', async () => {
    const done = await importCase(app, client, '47-german-headers.csv');
    expect(done.people['Ada Example']).toMatchObject({
      email: 'ada@example.com',
      phone: '+4930123456',
      company: 'Engines',
    });
    expect(unusedIn(done)).toEqual(['Unternehmen']);
  });

  it('50-comma-in-semicolon-header.csv', async () => {
    const { people, counts } = await importCase(app, client, '50-comma-in-semicolon-header.csv');
    expect(counts).toMatchObject({ created: 2 });
    expect(
      Object.values(people)
        .map(({ email }) => email)
        .sort(),
    ).toEqual(['ada@example.com', 'max@example.com']);
  });

  it('51-two-phone-columns.csv', async () => {
    const { people } = await importCase(app, client, '51-two-phone-columns.csv');
    expect([people.Ada?.phone, people.Bob?.phone]).toEqual(['+4915112345678', '+4930123456']);
  });

  it('54-padded-external-id.csv with match=external_id and on_duplicate=merge', async () => {
    const { people, counts } = await importCase(
      app,
      client,
      '54-padded-external-id.csv',
      'match=external_id&on_duplicate=merge',
    );
    expect(counts).toMatchObject({ created: 1, failed: 0 });
    expect(people).toEqual({ Ada: expect.objectContaining({ external_id: '4711' }) });
  });
});
