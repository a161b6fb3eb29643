/** The mapping that is proposed from column names and cells together. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import type { TestClient } from '../../../support/client.ts';
import { csv, importFile, send } from '../../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

beforeEach(() => app.production.knex.raw('truncate leads, contacts cascade'));

async function propose(lines: readonly string[], query = '', given?: object) {
  const changes = given && { mapping: given };
  const sent = await send(client, csv(...lines), `start=false${query}`, changes);
  const { mapping, doubts, unused_columns } = sent;
  return {
    used: Object.fromEntries(Object.entries(mapping).filter(([, field]) => field !== null)),
    doubts: doubts.map(({ code, column }) => [code, column]),
    hints: Object.fromEntries(unused_columns.map(({ column, hint }) => [column, hint])),
    messages: doubts.map(({ message }) => message),
  };
}

describe('the cells decide where the name of a column does not', () => {
  it.each<[string, string[], Record<string, string>]>([
    ['addresses are the email', ['Contact;Name', 'ada@example.com;Ada'], { Contact: 'email', Name: 'name' }],
    ['also under Username', ['Username;Name', 'ada@example.com;Ada'], { Username: 'email', Name: 'name' }],
    [
      'but not those of an owner',
      ['Owner email;Name;Email', 'grace@example.com;Ada;ada@example.com'],
      { Name: 'name', Email: 'email' },
    ],
    [
      'nor consents to emails',
      ['Name;Email;Email marketing', 'Ada;ada@example.com;yes'],
      { Name: 'name', Email: 'email' },
    ],
    [
      'phones are the phone',
      ['Name;Email;Reach me', 'Ada;ada@example.com;+49 30 123456'],
      { Name: 'name', Email: 'email', 'Reach me': 'phone' },
    ],
    [
      'and dates, links and types of phones are not',
      ['Name;Email;Phone type;Callback', 'Ada;ada@example.com;mobile;31.01.2027'],
      { Name: 'name', Email: 'email' },
    ],
    [
      'a clear name is never overruled',
      ['Status;Title;Contact name;Email', 'subscribed;Director;Engines GmbH;ada@example.com'],
      { Status: 'status', Title: 'metadata.title', 'Contact name': 'name', Email: 'email' },
    ],
    [
      'not even by addresses',
      ['Name;Phone;Email', 'ada@example.com;ada@example.com;'],
      { Name: 'name', Phone: 'phone', Email: 'email' },
    ],
    [
      "a question's answer is used",
      ['What is your email?;Your name;Your phone number', 'ada@example.com;Ada Example;+49 30 123456'],
      { 'What is your email?': 'email', 'Your name': 'name', 'Your phone number': 'phone' },
    ],
  ])('%s', async (_, lines, used) => {
    const proposed = await propose(lines);
    expect(proposed.used).toEqual(used);
    expect(proposed.doubts).toEqual([]);
  });
});

describe('names', () => {
  it.each<[string, string[]]>([
    ['Last Name;First Name;Email', ['Example;Ada']],
    ['Name;Vorname;Email', ['Example;Ada']],
    ['Name;Surname;Email', ['Ada;Example']],
    ['Nom;Prénom;Email', ['Example;Ada']],
    ['Full Name;First Name;Last Name;Email', ['Ada Example;Ada;Example', ';Ada;Example', 'Ada Example;;']],
    ['First Name;Last Name;Name;Email', ['Ada;Example;Ada Example']],
    ['Full Name;First Name;Last Name;Email', ['Ms. Ada Example;Ada;Example']],
    ['Name;Contact person;Email', ['Engines 3000;Ada Example']],
    ['Customer;Contact person;Email', ['Engines 3000;Ada Example']],
    ['Customer;First Name;Last Name;Email', ['Engines 3000;Ada;Example']],
    ['Customer;Company;Email', ['Ada Example;Engines 3000']],
    ['Full Name;First Name;Email', ['Ada Example;Ada']],
    ['Contact;Email', ['Ada Example']],
  ])('%s give Ada Example', async (header, rows) => {
    const emails = rows.map((_, index) => `ada${index}@example.com`);
    const lines = rows.map((row, index) => `${row};${emails[index]}`);
    expect(await propose([header, ...lines])).toMatchObject({ doubts: [] });
    await importFile(app, client, csv(header, ...lines));
    const { body } = await client.get('/leads?sort=created_at').expect(200);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(rows.map(() => 'Ada Example'));
  });

  it.each([
    ['Customer;Email', 'Engines 3000;ada@example.com', 'Customer', 'name'],
    ['Name;Contact;Email', 'Engines 3000;Ada Example;ada@example.com', 'Name', 'company'],
    ['Name;First Name;Last Name;Email', 'Engines 3000;Ada;Example;ada@example.com', 'Name', 'company'],
    ['Name;First Name;Email', 'Ada Example;Ada;ada@example.com', 'Name', 'name'],
    ['Title;Name;Email', 'Mrs;Ada Example;ada@example.com', 'Title', 'metadata.title'],
  ])('%s with %s leaves open what %s is', async (header, row, column, field) => {
    const { used, doubts } = await propose([header, row]);
    expect(used[column]).toBe(field);
    expect(doubts).toContainEqual(['ambiguous_column', column]);
  });

  it('of several columns that are mapped to name are joined, without repeating anything', async () => {
    const file = csv(
      'A;B;C;Email',
      'Ada;Ada Example;Example;ada@example.com',
      'Bob;;Example;bob@example.com',
    );
    await importFile(app, client, file, '', { mapping: { A: 'name', B: 'name', C: 'name' } });
    const { body } = await client.get('/leads?sort=created_at').expect(200);
    expect(body.data).toMatchObject([{ name: 'Ada Example' }, { name: 'Bob Example' }]);
  });

  it('can have a prefix and a middle name', async () => {
    const file = csv('P;F;M;L;Email', 'Dr.;Ada;King;Example;ada@example.com');
    const mapping = { P: 'name.prefix', F: 'name.first', M: 'name.middle', L: 'name.last' };
    await importFile(app, client, file, '', { mapping });
    const { body } = await client.get('/leads').expect(200);
    expect(body.data).toMatchObject([{ name: 'Dr. Ada King Example' }]);
  });
});

describe('two columns for a field', () => {
  it('both give the email and the phone: the first that is filled', async () => {
    const lines = ['Name;Email;Email 2;Phone;Mobile', 'Ada;;ada@example.com;;+49 151 1234567'];
    expect(await propose(lines)).toMatchObject({
      used: { Email: 'email', 'Email 2': 'email', Phone: 'phone', Mobile: 'phone' },
    });
    await importFile(app, client, csv(...lines));
    const { body } = await client.get('/leads').expect(200);
    expect(body.data).toMatchObject([{ email: 'ada@example.com', phone: '+491511234567' }]);
  });

  it('both give the company only if one fills the gaps of the other', async () => {
    const same = await propose(['Name;Email;Company;Organisation', 'Ada;ada@example.com;Engines;Engines']);
    expect(same.used).toEqual({ Name: 'name', Email: 'email', Company: 'company' });
    expect(same.hints).toEqual({
      Organisation:
        'The column Company gives the company already. To keep this one too, map it to metadata.organisation.',
    });
    const gaps = await propose([
      'Name;Email;Company;Organisation',
      'Ada;ada@example.com;Engines;',
      'Bob;bob@example.com;;Acme',
    ]);
    expect(gaps.used).toMatchObject({ Company: 'company', Organisation: 'company' });
  });
});

describe('columns that are not used', () => {
  it('are listed with a hint', async () => {
    const { hints } = await propose([
      'id;Salutation;Name;Email;Budget [EUR];Notes;Owner;Owner email;Created at;Currency;Empty',
      '7;Ms.;Ada Example;ada@example.com;9;Hi;Grace;grace@example.com;2026-01-31;EUR;',
    ]);
    expect(hints).toEqual({
      id: 'To find the same records again by this id, map it to external_id.',
      Salutation: 'To put it before the name, map it to name.prefix.',
      'Budget [EUR]': 'To keep it, map it to metadata.budget_eur.',
      Notes: 'To keep it as a note, map it to note.',
      Owner:
        'To assign the records to these users, map it to assigned_user_name. Create users who are not here yet first.',
      'Owner email': 'To assign the records to these users, map it to assigned_user_email.',
      'Created at':
        'To keep when the records were created, map it to created_at, which needs the scope admin.',
      Currency:
        'A currency needs an amount: map another column to value.amount, and this one to value.currency.',
      Empty: 'It is empty in the first rows.',
    });
  });

  it("don't include those that the client maps, and include those that the client leaves out", async () => {
    const lines = ['Name;Email;Plan;Phone', 'Ada;ada@example.com;gold;+4930123456'];
    const { used, hints } = await propose(lines, '', { Plan: 'metadata.plan', Phone: null });
    expect(used).toEqual({ Name: 'name', Email: 'email', Plan: 'metadata.plan' });
    expect(Object.keys(hints)).toEqual(['Phone']);
  });

  it('may be thousands', async () => {
    const extra = Array.from({ length: 3_000 }, (_, index) => `Property ${index}`);
    const lines = [
      ['Name', ...extra, 'Email'].join(';'),
      ['Ada', ...extra.map(() => 'x'), 'ada@example.com'].join(';'),
    ];
    const { used, hints } = await propose(lines, '', { 'Property 7': 'metadata.p7', Name: null });
    expect(used).toEqual({ 'Property 7': 'metadata.p7', Email: 'email' });
    expect(Object.keys(hints)).toHaveLength(3_000);
  });

  it('of an export of this service need no hint', async () => {
    await client.post('/leads', { name: 'Ada', email: 'ada@example.com', company: '=1' }).expect(201);
    const { text } = await client.get('/leads/export').set('Accept', 'text/csv').expect(200);
    const { doubts, unused_columns } = await send(client, text, 'start=false');
    expect(doubts).toEqual([]);
    expect(unused_columns.find(({ column }) => column === 'id')).toEqual({ column: 'id', hint: null });
    const { counts } = await importFile(app, client, text, 'on_duplicate=update');
    expect(counts).toMatchObject({ unchanged: 1, failed: 0, warned: 0 });
  });
});

describe('a note', () => {
  it('is added to the lead, and not again when the file is sent again', async () => {
    const file = csv('Name;Email;Message', 'Ada;ada@example.com;Call me', 'Bob;bob@example.com;');
    const query = 'on_duplicate=merge';
    const changes = { mapping: { Message: 'note' } };
    for (const counts of [{ created: 2 }, { unchanged: 2 }]) {
      expect(await importFile(app, client, file, query, changes)).toMatchObject({ counts });
      const { body } = await client.get('/leads?email=ada@example.com').expect(200);
      const notes = await client.get(`/notes?lead_id=${body.data[0].id}`).expect(200);
      expect(notes.body.data).toMatchObject([{ text: 'Call me' }]);
    }
    const again = file.replace('Call me', 'Call me tomorrow');
    await importFile(app, client, again, query, changes);
    const { body } = await client.get('/leads?email=ada@example.com').expect(200);
    const notes = await client.get(`/notes?lead_id=${body.data[0].id}&sort=created_at`).expect(200);
    expect(notes.body.data).toMatchObject([{ text: 'Call me' }, { text: 'Call me tomorrow' }]);
  });

  it('keeps what is too long for its field', async () => {
    const company = 'x'.repeat(300);
    const { counts } = await importFile(
      app,
      client,
      csv('Name;Email;Company', `Ada;ada@example.com;${company}`),
    );
    expect(counts).toMatchObject({ created: 1, warned: 1 });
    const { body } = await client.get('/leads').expect(200);
    expect(body.data[0].company).toBeNull();
    const notes = await client.get(`/notes?lead_id=${body.data[0].id}`).expect(200);
    expect(notes.body.data).toMatchObject([{ text: `Company: ${company}` }]);
  });
});
