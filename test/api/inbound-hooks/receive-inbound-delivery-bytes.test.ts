/** Text and digits arrive as they were meant, in whatever bytes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { type Hook, leadsOf, makeHook, readDelivery, send } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;
let hook: Hook;

const FORM = 'application/x-www-form-urlencoded';

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  hook = await makeHook(client, {
    mapping: { name: '/name', email: '/email', external_id: '/id', 'metadata.deep': '/a/b/0' },
  });
});

afterAll(() => app.close());

/** Sends bytes with this Content-Type. Returns the id of the delivery. */
async function sendBytes(bytes: Uint8Array | string, type: string, to = hook): Promise<string> {
  const url = `${app.url}/v1/hooks/${to.token}`;
  const answer = await fetch(url, { method: 'POST', body: bytes, headers: { 'Content-Type': type } });
  const body = (await answer.json()) as { data: { status: string; delivery_id: string } };
  expect({ status: answer.status, body }).toMatchObject({
    status: 202,
    body: { data: { status: 'created' } },
  });
  return body.data.delivery_id;
}

async function nameOf(email: string): Promise<string | undefined> {
  const [lead] = await leadsOf(client, email);
  return lead?.name;
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a form', () => {
  it('in windows-1252 keeps its letters', async () => {
    const file = readFileSync(join(import.meta.dirname, '../../cases/61-hook-latin1.form'));
    const delivery = await sendBytes(file, FORM);
    expect(await nameOf('juergen@example.com')).toBe('Jürgen');
    expect((await readDelivery(client, hook, delivery)).payload).toMatchObject({ name: 'Jürgen' });
  });

  it.each([
    ['raw windows-1252', latin1('name=J\xFCrgen \x80'), FORM, 'Jürgen €'],
    ['raw UTF-8', 'name=Jürgen €', FORM, 'Jürgen €'],
    ['a field each', latin1('name=J%FCrgen %80&company=Gr%C3%B6%C3%9Fe'), FORM, 'Jürgen €'],
    ['iso-8859-15', 'name=J%FCrgen %A4', `${FORM}; charset=ISO-8859-15`, 'Jürgen €'],
    ['quoted', 'name=J%FCrgen %A4', `${FORM};charset="iso-8859-15"`, 'Jürgen €'],
    ['shift_jis', 'name=%8ER%93c', `${FORM}; charset=Shift_JIS`, '山田'],
    ['utf8 without a hyphen', 'name=J%C3%BCrgen', `${FORM}; charset=utf8`, 'Jürgen'],
    ['wrongly called UTF-8', 'name=J%FCrgen', `${FORM}; charset=UTF-8`, 'Jürgen'],
    ['an unknown charset', 'name=J%C3%BCrgen', `${FORM}; charset=klingon`, 'Jürgen'],
    ['UTF-16, which no browser sends', 'name=J%C3%BCrgen', `${FORM}; charset=utf-16`, 'Jürgen'],
    ['the field _charset_', 'name=%8ER%93c&_charset_=Shift_JIS', FORM, '山田'],
    ['broken escapes', 'name=100%+%zz+%4&x', FORM, '100% %zz %4'],
    ['a byte order mark', '\uFEFFname=Ada', FORM, 'Ada'],
    ['NUL', 'name=A%00da', FORM, 'Ada'],
  ])('%s', async (_title, bytes, type, name) => {
    const email = uniqueEmail();
    await sendBytes(Buffer.concat([Buffer.from(bytes), Buffer.from(`&email=${email}`)]), type);
    expect(await nameOf(email)).toBe(name);
  });

  it('has names that no object may inherit', async () => {
    const email = uniqueEmail();
    const delivery = await sendBytes(`name=Ada&email=${email}&__proto__=x&constructor=y&toString=z`, FORM);
    const { payload } = await readDelivery(client, hook, delivery);
    expect(Object.entries(payload ?? {})).toEqual([
      ['name', 'Ada'],
      ['email', email],
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['toString', 'z'],
    ]);
  });
});

describe('a field of a form with a JSON object', () => {
  const inner = '{"name":"Ada","n":9007199254740995,"list":[{"id":2,"text":"two"}]}';

  it('is read as that object, with every digit', async () => {
    const mapping = {
      name: '/raw/name',
      email: '/email',
      external_id: '/raw/n',
      company: '$.raw.list[?@.id==2].text',
    };
    const to = await makeHook(client, { mapping });
    const email = uniqueEmail();
    const delivery = await sendBytes(`email=${email}&raw=${encodeURIComponent(inner)}`, FORM, to);
    const [lead] = await leadsOf(client, email);
    expect(lead).toMatchObject({ name: 'Ada', external_id: '9007199254740995', company: 'two' });
    const { text } = await client.get(`${to.path}/deliveries/${delivery}`).expect(200);
    expect(text).toContain(`"raw":${inner}`);
  });

  it.each(['{not JSON}', '[1,2]', '{"a":1} and more', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`])(
    'stays a text if it is none: %s',
    async (text) => {
      const email = uniqueEmail();
      const delivery = await sendBytes(`name=Ada&email=${email}&raw=${encodeURIComponent(text)}`, FORM);
      expect((await readDelivery(client, hook, delivery)).payload).toMatchObject({ raw: text });
    },
  );
});

describe('JSON', () => {
  it('keeps every digit', async () => {
    const file = readFileSync(join(import.meta.dirname, '../../cases/63-hook-big-number.json'));
    const delivery = await sendBytes(file, 'application/json');
    expect(await leadsOf(client, 'ada-big@example.com')).toMatchObject([{ external_id: '9007199254740993' }]);
    const { text } = await client.get(`${hook.path}/deliveries/${delivery}`).expect(200);
    expect(text).toContain('{"id":9007199254740993,"name":"Ada","email":"ada-big@example.com"}');
  });

  it('keeps them at any depth, in metadata, in a preview, and after reprocessing', async () => {
    const email = uniqueEmail();
    const payload = `{"name":"Ada","email":"${email}","a":{"b":[9007199254740993.10]}}`;
    const preview = await client.post(`${hook.path}/preview`, `{"payload":${payload}}`).expect(200);
    expect(preview.body.data.lead.metadata).toEqual({ deep: '9007199254740993.10' });
    const delivery = await sendBytes(payload, 'application/json');
    const deep = { metadata: { deep: '9007199254740993.10' } };
    expect(await leadsOf(client, email)).toMatchObject([deep]);
    await client
      .patch(`/leads/${(await leadsOf(client, email))[0]?.id}`, { metadata: { deep: null } })
      .expect(200);
    await client.post(`${hook.path}/deliveries/${delivery}/reprocess`).expect(200);
    expect(await leadsOf(client, email)).toMatchObject([deep]);
  });

  it.each([
    ['a byte order mark', `\uFEFF{"name":"Jürgen"`, 'application/json', 'Jürgen'],
    ['charset=utf8', '{"name":"Jürgen"', 'application/json;charset=utf8', 'Jürgen'],
    [
      'a charset that it names',
      latin1('{"name":"J\xFCrgen \xA4"'),
      'application/json; charset=iso-8859-15',
      'Jürgen €',
    ],
    ['bytes that are not UTF-8', latin1('{"name":"J\xFCrgen"'), 'application/json', 'Jürgen'],
    ['a lone surrogate', '{"name":"Ada \\ud83d"', 'application/json', 'Ada'],
    ['NUL', '{"name":"A\\u0000da","\\u0000":1', 'application/json', 'Ada'],
  ])('with %s is read', async (_title, bytes, type, name) => {
    const email = uniqueEmail();
    await sendBytes(Buffer.concat([Buffer.from(bytes), Buffer.from(`,"email":"${email}"}`)]), type);
    expect(await nameOf(email)).toBe(name);
  });

  it.each([
    ['with a byte order mark', Buffer.from('\uFEFF{"name": "Ada"}', 'utf16le')],
    ['without one', Buffer.from('{"name": "Ada"}', 'utf16le')],
    ['big-endian', Buffer.from('\uFEFF{"name": "Ada"}', 'utf16le').swap16()],
  ])('in UTF-16 %s is refused', async (_title, bytes) => {
    const { body } = await send(app, hook, '').send(bytes.toString('latin1')).expect(400);
    expect(body.code).toBe('invalid_json');
    const answer = await fetch(`${app.url}/v1/hooks/${hook.token}`, {
      method: 'POST',
      body: bytes,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: 'The body is in UTF-16. Send JSON in UTF-8.' });
  });
});

describe('a stored body', () => {
  it('is the bytes that came', async () => {
    const text = `{ "email": "${uniqueEmail()}",\r\n\t"name": "Ada\\u0021", "name": "Ada", "n": 1.50e+2 }`;
    const delivery = await sendBytes(text, 'application/json');
    const [row] = await app.production
      .knex('inbound_deliveries')
      .whereNotNull('body')
      .orderBy('id', 'desc')
      .limit(1);
    expect(row?.body?.toString()).toBe(text);
    expect((await client.get(`${hook.path}/deliveries/${delivery}`)).text).toContain('"n":1.50e+2}');
  });
});
