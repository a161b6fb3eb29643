/** Mappings of files with notes, users and content. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/app.ts';
import type { TestClient } from '../../../support/client.ts';
import { csv, send } from '../../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

it.each<[string, string[], Record<string, string | null>]>([
  [
    'content',
    ['Title;Type;Status;Language;Archived', 'Seven Ways;ebook;Published;en;no'],
    { Title: 'title', Type: 'type', Status: 'status', Language: 'language', Archived: null },
  ],
  [
    'notes',
    ['Lead external ID;Comment;Owner;Pinned', '4711;Call;Grace;yes'],
    { 'Lead external ID': 'lead_external_id', Comment: 'text', Owner: 'author_name', Pinned: 'pinned' },
  ],
  [
    'users',
    ['Vorname;Nachname;E-Mail;Active', 'Ada;Example;ada@example.com;yes'],
    { Vorname: 'name.first', Nachname: 'name.last', 'E-Mail': 'email', Active: 'active' },
  ],
])('columns of %s are recognized', async (resource, lines, mapping) => {
  const proposed = await send(client, csv(...lines), `start=false&resource=${resource}`);
  expect(proposed.mapping).toEqual(mapping);
  expect(proposed.doubts).toEqual([]);
});
