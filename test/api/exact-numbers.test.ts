/** A number in JSON never loses digits on its way to a text. Where the contract wants a text, a number is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import { createLead, uniqueEmail } from '../support/factories.ts';
import { leadsOf, makeHook, send } from '../support/hooks.ts';
import { importFile } from '../support/imports.ts';

/** Numbers that a double can't tell from a neighbour, or writes in another way. */
const numbers = [
  '9007199254740993',
  '9007199254740992',
  '0.10',
  '99999999999999.99',
  '1e21',
  '12345678901234567890',
];

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe.each(numbers)('the number %s', (number) => {
  /** In a text, an exponent is written out. */
  const shown = number === '1e21' ? '1000000000000000000000' : number;
  const fields = [
    ['external_id', `"external_id": ${number}`, 'external_id'],
    ['metadata', `"metadata": {"id": ${number}}`, 'metadata.id'],
    ['value.amount', `"value": {"amount": ${number}, "currency": "EUR"}`, 'value.amount'],
    ['tags', `"tags": [${number}]`, 'tags.0'],
    ['source_detail', `"source_detail": ${number}`, 'source_detail'],
  ] as const;

  it.each(fields)('is refused in %s, in every request', async (_, member, field) => {
    const lead = await createLead(client);
    const sent = `{"name": "Ada", "email": "${uniqueEmail()}", ${member}}`;
    const upsert = client.patch('/leads/external/x', sent).set('Content-Type', 'application/json');
    const refusals = [
      [client.post('/leads', sent), field],
      [client.patch(`/leads/${lead.id}`, `{${member}}`), field],
      [client.post('/leads/batch/create', `{"atomic": true, "items": [${sent}]}`), `items.0.${field}`],
      // The path has the external id already.
      ...(field === 'external_id' ? [] : [[upsert, field] as const]),
    ] as const;
    for (const [request, name] of refusals) {
      const { body } = await request.expect(422);
      expect(Object.keys(body.errors)).toEqual([name]);
    }
    expect((await client.get(`/leads/${lead.id}`)).body.data.version).toBe(1);
  });

  it('keeps its digits in a hook and its preview', async () => {
    const mapping = { name: '/name', email: '/email', external_id: '/id', 'metadata.id': '/deep/0/id' };
    const hook = await makeHook(client, { mapping });
    const email = uniqueEmail();
    const payload = `{"name": "Ada", "email": "${email}", "id": ${number}, "deep": [{"id": ${number}}]}`;
    const preview = await client.post(`${hook.path}/preview`, `{"payload": ${payload}}`).expect(200);
    expect(preview.body.data.lead).toMatchObject({ external_id: shown, metadata: { id: shown } });
    await send(app, hook, payload).expect(202);
    expect(await leadsOf(client, email)).toMatchObject([{ external_id: shown, metadata: { id: shown } }]);
    await client.delete(`/leads/${(await leadsOf(client, email))[0]?.id}`).expect(204);
  });

  it('keeps its digits in an import of NDJSON, at any depth', async () => {
    const email = uniqueEmail();
    const row = `{"name":"Ada","email":"${email}","external_id":${number},"metadata":{"id":${number}},"metadata.other":${number}}\n`;
    await importFile(app, client, row);
    const metadata = { id: shown, other: shown };
    expect(await leadsOf(client, email)).toMatchObject([{ external_id: shown, metadata }]);
    await client.delete(`/leads/${(await leadsOf(client, email))[0]?.id}`).expect(204);
  });
});
