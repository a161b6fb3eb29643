/** Payloads of form builders in test/cases/round-4, with the default mapping. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { type Hook, makeHook, send } from '../../support/hooks.ts';

let app: TestApp;
let client: TestClient;
let hook: Hook;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
  hook = await makeHook(client);
});

afterAll(() => app.close());

async function leadOf(payload: object | string, contentType = 'application/json') {
  await app.production.knex.raw('truncate leads cascade');
  await send(app, hook, payload, { 'Content-Type': contentType }).expect(202);
  const lead = (await client.get('/leads').expect(200)).body.data[0];
  const notes = (await client.get(`/notes?lead_id=${lead.id}`).expect(200)).body.data;
  return { lead, note: notes[0]?.text };
}

const read = (name: string) => readFileSync(new URL(`../../cases/round-4/${name}`, import.meta.url), 'utf8');

it('character references of HTML become the characters', async () => {
  const { lead, note } = await leadOf(read('h1-entities.json'));
  expect(lead).toMatchObject({ name: "Conan O'Brien", company: 'Tom & Jerry' });
  expect(note).toBe('I’m interested');
});

it("WPForms' message is the note", async () => {
  expect((await leadOf(read('h2-wpforms.json'))).note).toBe('Please call me');
});

it("JSON with the content type of a form is JSON, and a form that begins with a brace isn't", async () => {
  const type = 'application/x-www-form-urlencoded';
  const { lead, note } = await leadOf(read('h3-json-as-form.txt'), type);
  expect(lead).toMatchObject({ name: 'Ada A', email: 'ada@example.com' });
  expect(note).toBe('x=1&y=2');
  expect((await leadOf('{a}=1&name=Ada&email=ada@example.com', type)).lead.name).toBe('Ada');
});

it.each([
  JSON.parse(read('h5-name-object.json')),
  { name: { first: 'Ada', last: 'X' }, email: 'ada@example.com' },
  { 'name[first]': 'Ada', 'name[last]': 'X', email: 'ada@example.com' },
])('the parts of a name in an object or in brackets are the name: %j', async (payload) => {
  expect((await leadOf(payload)).lead.name).toBe('Ada X');
});
