/** PostgreSQL stores neither NUL nor lone surrogates. No text that somebody sends makes a request fail because of that. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { leadInput, uniqueEmail } from '../../support/factories.ts';
import { leadsOf, makeHook, readDelivery, send as sendTo } from '../../support/hooks.ts';
import { errorsOf, importFile, ndjson } from '../../support/imports.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client();
});

afterAll(() => app.close());

describe('the name of a file in a form', () => {
  it.each([
    ['a NUL', 'c\0v.pdf', /^The file c\uFFFDv\.pdf was left out/],
    ['bytes of a lone surrogate', 'c\xed\xa0\x80v.pdf', /^The file c.+v\.pdf was left out/],
  ])('may have %s: the lead is made, and the warning names the file', async (_what, name, message) => {
    const { token, ...hook } = await makeHook(client);
    const email = uniqueEmail();
    const part = (disposition: string, value: string) =>
      `--xyz\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
    const body = Buffer.from(
      `${part('name="name"', 'Ada')}${part('name="email"', email)}${part(`name="c\0v"; filename="${name}"`, '%PDF')}--xyz--\r\n`,
      'latin1',
    );
    const answer = await fetch(`${app.url}/v1/hooks/${token}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'multipart/form-data; boundary=xyz' },
    });
    expect(answer.status).toBe(202);
    const { data } = (await answer.json()) as { data: { delivery_id: string; status: string } };
    expect(data.status).toBe('created');
    expect(await leadsOf(client, email)).toHaveLength(1);
    const { warnings } = await readDelivery(client, { token, ...hook }, data.delivery_id);
    expect(warnings).toMatchObject([{ field: 'c\uFFFDv', message: expect.stringMatching(message) }]);
  });
});

describe.each([
  ['NUL', '\0'],
  ['a lone surrogate', '\ud800'],
])('%s', (_what, bad) => {
  it('in the keys and values of a payload costs no lead', async () => {
    const hook = await makeHook(client);
    const email = uniqueEmail();
    const payload = { name: `A${bad}da`, email, [`other${bad}`]: [{ [bad]: bad }], phone: bad, tags: [bad] };
    const { body } = await sendTo(app, hook, payload).expect(202);
    expect(body.data.status).toBe('created');
    expect(await leadsOf(client, email)).toMatchObject([{ name: 'Ada' }]);
    await readDelivery(client, hook, body.data.delivery_id);
    await client
      .with({ 'Idempotency-Key': `preview-${email}` })
      .post(`${hook.path}/preview`, { payload })
      .expect(200);
  });

  it('in column names and cells of a file costs at most its row', async () => {
    const [one, two] = [uniqueEmail(), uniqueEmail()];
    const column = `x${bad}`;
    const file = ndjson({ name: 'Ada', email: one, [column]: bad }, { name: bad, email: two, [column]: bad });
    const done = await importFile(app, client, file, 'start=true');
    expect(done).toMatchObject({ status: 'completed', columns: ['name', 'email', 'x\uFFFD'] });
    await errorsOf(client, done.id);
    expect(await leadsOf(client, one)).toHaveLength(1);
  });

  it('in a request is a 400 or 422 that says so, or finds nothing', async () => {
    const text = JSON.stringify(bad);
    const path = encodeURIComponent(bad.toWellFormed());
    const statuses = [
      await client.post('/leads', `{"name": ${text}, "email": "${uniqueEmail()}"}`),
      await client.post(
        '/leads',
        JSON.stringify(leadInput({ metadata: { k: 'v' } })).replace('"v"', `"v${text.slice(1)}`),
      ),
      await client.post(
        '/leads',
        JSON.stringify(leadInput({ metadata: { k: 'v' } })).replace('"k"', `"k${text.slice(1)}`),
      ),
      await client.post('/leads/batch/create', `{"items": [{"name": ${text}, "email": "x@example.com"}]}`),
      await client.post(
        '/bulk-jobs',
        `{"resource": "leads", "filter": {"email": ${text}}, "action": {"delete": true}}`,
      ),
      await client.get(`/leads/external/${path}`),
      await client.get(`/leads?search=${path}`),
      await client.get(`/leads?metadata[${path}]=${path}`),
      await client.get(`/events?resource_id=${path}`),
    ].map(({ status }) => status);
    for (const status of statuses) expect([200, 400, 404, 422]).toContain(status);
  });
});
