/** JSONPath in the mapping of a hook: what it finds, what is refused, and that no query takes long. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { formInput, leadsOf, makeHook, sendAndRead, sendIn } from '../../support/hooks.ts';
import { expectRefusal } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

const plain = { name: '/name', email: '/email' };

describe('A JSONPath', () => {
  const answers = [
    { type: 'text', field: { ref: 'company' }, text: 'Engines Ltd', score: 9007199254740993n },
    { type: 'email', field: { ref: 'email' }, email: 'ada@example.com' },
    { type: 'choices', field: { ref: 'topics' }, choices: { labels: ['a', 'b'] } },
  ];

  it.each<[string, string]>([
    ["$.answers[?@.field.ref=='company'].text", 'Engines Ltd'],
    ['$.answers[0].text', 'Engines Ltd'],
    ['$.answers[-3]["text"]', 'Engines Ltd'],
    ['$..text', 'Engines Ltd'],
    ["$.answers[?match(@.field.ref, 'comp.*')].text", 'Engines Ltd'],
    ["$.answers[?search(@.field.ref, '^[a-d]om')].text", 'Engines Ltd'],
    ['$.answers[?@.score > 100].text', 'Engines Ltd'],
    ["$.answers[?length(@.field.ref) == 7 && @.type != 'email'].text", 'Engines Ltd'],
    ["$['answers'][?count(@.choices.labels[*]) == 2].choices.labels[1]", 'b'],
    ['$.answers[:1].score', '9007199254740993'],
  ])('%s', async (path, found) => {
    const hook = await makeHook(client, { mapping: { ...plain, company: path } });
    const form = formInput();
    const text = JSON.stringify({ ...form, answers: answers.map(({ score: _score, ...rest }) => rest) });
    const body = text.replace('"text":"Engines Ltd"', '"text":"Engines Ltd","score":9007199254740993');
    await app.anonymous.post(`/hooks/${hook.token}`, body).type('application/json').expect(202);
    expect(await leadsOf(client, form.email)).toMatchObject([{ company: found }]);
  });

  it('gives all that it finds to tags, and to a note and metadata as one text', async () => {
    const mapping = { ...plain, tags: '$.answers[*].label', note: '$.lines', 'metadata.all': '$.lines[*]' };
    const hook = await makeHook(client, { mapping });
    const form = formInput({
      answers: [{ label: 'x' }, { label: ['y', 'z'] }],
      lines: ['One', 2, null, true],
    });
    const { lead, notes } = await sendAndRead(app, client, hook, form);
    expect(lead?.tags).toEqual(['x', 'y', 'z']);
    expect(lead?.metadata).toEqual({ all: 'One' });
    expect(notes).toEqual(['One, 2, true']);
  });

  it('may stand in a list, with a default and in a join, and further addresses are kept', async () => {
    const mapping = {
      name: ['$.none', { join: ['$.person.first', '/person/last'] }],
      email: ['$.none', '$.mails[*]'],
      company: { path: '$.none', default: 'Unknown' },
    };
    const hook = await makeHook(client, { mapping });
    const mails = [uniqueEmail(), uniqueEmail()];
    await sendIn(app, hook, { person: { first: 'Ada', last: 'Example' }, mails });
    expect(await leadsOf(client, mails[0] ?? '')).toMatchObject([
      { name: 'Ada Example', company: 'Unknown', other_emails: [mails[1]] },
    ]);
  });

  it.each([
    '$[',
    '$.answers[?@.a=]',
    '$.a..',
    '$[?nothing(@.a)]',
    '$[?length(@.a)]',
    "$[?match(@.a, '(')]",
    `$[?match(@.a, '${'a'.repeat(201)}')]`,
    '$[?@.a == 1 ||]',
    '$ .a b',
    '$[99999999999999999999]',
    `$${'.a'.repeat(250)}`,
  ])('is refused with a sentence: %s', async (path) => {
    const hook = { name: 'Form', mapping: { ...plain, company: path } };
    const { errors } = await expectRefusal(client.post('/inbound-hooks', hook), { field: 'mapping.company' });
    expect(errors?.['mapping.company']?.[0]).toMatch(/JSONPath|characters/);
    const { id } = await makeHook(client);
    const patch = { mapping: { company: ['/company', path] } };
    const { status, body } = await client.patch(`/inbound-hooks/${id}`, patch);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)[0]).toMatch(/^mapping\.company/);
  });

  it.each<[object, string]>([
    [{ ...plain, company: {} }, 'mapping.company'],
    [{ ...plain, company: { path: '/a', join: ['/b'] } }, 'mapping.company'],
    [{ ...plain, company: { path: '/a', with: ' ' } }, 'mapping.company'],
    [{ email: '/email', company: '/company' }, 'mapping.name'],
    [
      { ...plain, ...Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`metadata.${n}`, paths(20)])) },
      'mapping',
    ],
  ])('and other rules are checked: %j', async (mapping, field) => {
    await expectRefusal(client.post('/inbound-hooks', { name: 'Form', mapping }), { field });
  });

  it('needs no name if a part of the name is mapped', async () => {
    const hook = await makeHook(client, { mapping: { 'name.last': '/last', email: '/email' } });
    const { lead } = await sendAndRead(app, client, hook, { last: 'Example', email: uniqueEmail() } as never);
    expect(lead?.name).toBe('Example');
  });
});

function paths(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `/${n}`);
}

describe('A query that would never end', () => {
  const letters = 'a'.repeat(30_000);
  const nested = (depth: number, width: number): unknown =>
    depth === 0 ? 'x' : Array.from({ length: width }, () => nested(depth - 1, width));
  const wide = { letters, items: Array.from({ length: 2_000 }, (_, n) => ({ n, text: 'e'.repeat(400) })) };
  const deep = { letters, items: nested(8, 3) };

  it.each([
    '$..[?$..[?$..*]]',
    '$..[?count($..*) > count($..[?count($..*) > 5])]',
    `$${'..*'.repeat(160)}.x`,
    `$.items${'[*,*,*,*]'.repeat(50)}.x`,
    `$.items${'[0,0,0,0,0,0]'.repeat(30)}.x`,
    `$..[?${'$..*&&'.repeat(80)}$.x]`,
    "$..[?match(@.text, '(e*)*x')]",
    "$..[?search($.letters, '(a|a)*b')]",
    "$..[?search($.letters, '(.*)(.*)(.*)(.*)[^a]')]",
    "$..[?match($.letters, 'a{900}b')]",
    '$..[?match($.letters, $.letters)]',
    '$..[?$.letters == $.letters && $.items == $.items && @ == 0]',
    `$[?${'!('.repeat(100)}@.x${')'.repeat(100)}]..x`,
  ])('ends soon, and the lead is kept: %s', async (path) => {
    const hook = await makeHook(client, { mapping: { ...plain, company: path, phone: '/phone' } });
    for (const data of [wide, deep]) {
      const form = formInput({ ...data, phone: '+49 151 1234567' });
      const body = JSON.stringify(form);
      expect(body.length).toBeLessThan(1_048_576);
      const start = performance.now();
      const { status, lead, warnings } = await sendAndRead(app, client, hook, form);
      // Measured: at most 0.4 seconds alone on one processor.
      expect(performance.now() - start).toBeLessThan(8_000);
      expect({ status, phone: lead?.phone }).toEqual({ status: 'created', phone: '+491511234567' });
      for (const { field, message } of warnings) {
        expect([field, message]).toEqual(['company', expect.stringMatching(/too many steps|object/)]);
      }
    }
  });

  it('takes no steps from the name and the email', async () => {
    const mapping = { name: '$.name', email: '$..email', note: '$..[?$..[?$..*]].x', tags: '$.tags' };
    const hook = await makeHook(client, { mapping });
    const { status, warnings } = await sendAndRead(app, client, hook, formInput({ ...deep, tags: ['a'] }));
    expect(status).toBe('created');
    expect(warnings.map(({ field }) => field)).toEqual(['note', 'tags']);
  });

  it('is stopped with a warning', async () => {
    const hook = await makeHook(client, { mapping: { ...plain, company: '$..[?$..[?$..*]].x' } });
    const { warnings } = await sendAndRead(app, client, hook, formInput(deep));
    expect(warnings).toEqual([{ field: 'company', message: expect.stringContaining('too many steps') }]);
  });
});
