import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { createLead } from '../../support/factories.ts';
import { insertLeads, leadsPath, listNames, walk } from '../../support/lists.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  await insertLeads(app.production.knex, [
    { name: 'José García', email: 'jg@iberia.example.com', company: 'Iberia Líneas' },
    { name: 'Ünal Straße', email: 'first.last+tag@sub-domain.example.com' },
    { name: "Conan O'Brien-Smith", email: 'conan_ob@example.org', company: 'Acme & Sons (AT&T)' },
    { name: 'Ada Lovelace', email: 'ada@example.org', company: 'Acme 3000', status: 'won' },
    { name: 'Жанна Ёлкина', email: 'zh@example.net' },
    { name: '李 小龍', email: 'bruce@example.net' },
    { name: 'Jose\u0301 Decomposed', email: 'nfd@example.net' },
    { name: 'ＦＵＬＬ Ｗｉｄｔｈ', email: 'wide@example.net' },
  ]);
});

afterAll(() => app.close());

const search = (words: string) => listNames(client, { search: words, sort: 'name' });

describe('GET /leads?search=', () => {
  it.each([
    ['lovelace', 'Ada Lovelace'],
    ['LOVE', 'Ada Lovelace'],
    ['ada love', 'Ada Lovelace'],
    ['love ada', 'Ada Lovelace'],
    ['ada@example.org', 'Ada Lovelace'],
    ['ada acme', 'Ada Lovelace'],
    ['acme 3000', 'Ada Lovelace'],
    ['30', 'Ada Lovelace'],
    ['acme ada example org 3', 'Ada Lovelace'],
    ['jose garcia', 'José García'],
    ['JOSÉ GARC', 'José García'],
    ['lineas', 'José García'],
    ['decomposed José', 'Jose\u0301 Decomposed'],
    ['unal', 'Ünal Straße'],
    ['ÜNAL', 'Ünal Straße'],
    ['strasse', 'Ünal Straße'],
    ['straße', 'Ünal Straße'],
    ['STRASSE', 'Ünal Straße'],
    ['STRAẞE', 'Ünal Straße'],
    ['last', 'Ünal Straße'],
    ['tag', 'Ünal Straße'],
    ['domain', 'Ünal Straße'],
    ['first.last+tag@sub-domain.example.com', 'Ünal Straße'],
    ['ob', "Conan O'Brien-Smith"],
    ["o'brien", "Conan O'Brien-Smith"],
    ['smith', "Conan O'Brien-Smith"],
    ['at&t', "Conan O'Brien-Smith"],
    ['acme sons', "Conan O'Brien-Smith"],
    ['жанна', 'Жанна Ёлкина'],
    ['ЖАННА', 'Жанна Ёлкина'],
    ['елкина', 'Жанна Ёлкина'],
    ['小', '李 小龍'],
  ])('%s finds %s alone', async (words, name) => {
    expect(await search(words)).toEqual([name]);
  });

  it.each(['velace', 'dalovelace', 'ada garcia', 'love lovelaces', 'xyz', 'ada won', 'api', 'lead'])(
    '%s finds nothing: each word must begin one of name, email or company',
    async (words) => {
      expect(await search(words)).toEqual([]);
    },
  );

  it('finds one word in several leads, wherever it stands', async () => {
    expect(await search('acme')).toEqual(['Ada Lovelace', "Conan O'Brien-Smith"]);
    expect(await search('jose')).toEqual(['Jose\u0301 Decomposed', 'José García']);
    expect(await search('example')).toHaveLength(8);
  });

  it('finds the same with words apart by +, %20, a comma or many spaces', async () => {
    for (const words of ['ada+love', 'ada%20love', 'ada%2Clove', 'ada,love', '++ada++love+', 'ada%09love']) {
      expect(await listNames(client, `/leads?search=${words}`)).toEqual(['Ada Lovelace']);
    }
  });

  it.each([
    '"ada"',
    "ada'",
    'ada\\',
    '!ada',
    'ada:*',
    'ada:A',
    '(ada',
    'ada & love',
    'ada <-> love',
    '%ada%',
    '$ada$',
    'ada 🙂',
    '\u202eada',
  ])('reads the words of %s and leaves out the rest', async (words) => {
    expect(await search(words)).toEqual(['Ada Lovelace']);
  });

  it.each([
    "'",
    '"',
    '\\',
    '\\x',
    '%',
    '_',
    '*',
    '?',
    '$1',
    ':*',
    '&|!()',
    '<->',
    'ada | bob',
    "ada' or 1=1 --",
    '!?.,;-',
    '🙂',
    '🏳️‍🌈',
    'ﷺ',
    '½',
  ])('finds nothing for %s, without an error', async (words) => {
    expect(await search(words)).toEqual([]);
  });

  it('takes at most 200 characters', async () => {
    expect(await search(`${'x '.repeat(98)}ada`)).toEqual([]);
    expect(await search(`ada ${'love '.repeat(39)}l`)).toEqual(['Ada Lovelace']);
    await client.get(leadsPath({ search: '𝒳'.repeat(200) })).expect(200);
    const { body } = await client.get(leadsPath({ search: 'x'.repeat(201) })).expect(400);
    expect(Object.keys(body.errors)).toEqual(['search']);
  });

  it('finds a lead as soon as it is created or changed, and not after its deletion', async () => {
    const lead = await createLead(client, { name: 'Grace Hopper', company: 'Navy' });
    expect(await search('hopper navy')).toEqual(['Grace Hopper']);
    await client.patch(`/leads/${lead.id}`, { name: 'Grace Murray', company: null }).expect(200);
    expect(await search('murray')).toEqual(['Grace Murray']);
    expect(await search('hopper')).toEqual([]);
    expect(await search('navy')).toEqual([]);
    await client.patch(`/leads/${lead.id}`, { email: 'cobol.inventor@example.com' }).expect(200);
    expect(await search('inventor')).toEqual(['Grace Murray']);
    await client.delete(`/leads/${lead.id}`).expect(204);
    expect(await search('murray')).toEqual([]);
  });

  it('goes together with filters, sorting, pages and cursors', async () => {
    expect(await listNames(client, { search: 'acme', status: 'won' })).toEqual(['Ada Lovelace']);
    expect(await listNames(client, { search: 'acme', status: 'lost' })).toEqual([]);
    const sorted = await listNames(client, { search: 'example', sort: '-name' });
    const pages = await walk(client, { search: 'example', sort: '-name', per_page: 3 });
    expect(pages.flatMap(({ leads }) => leads.map(({ name }) => name))).toEqual(sorted);
    expect(pages.map(({ meta }) => meta.total)).toEqual([8, 8, 8]);
    expect(await listNames(client, { search: 'example', sort: '-name', per_page: 3, page: 3 })).toEqual(
      sorted.slice(6),
    );
  });
});
