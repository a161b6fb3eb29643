/** The other addresses of leads find their contacts, and hooks find leads by them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { makeHook, sendIn } from '../../support/hooks.ts';
import { contacts, leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(allScopes);
});

afterAll(() => app.close());

const newEmails = (count: number) => Array.from({ length: count }, () => uniqueEmail());

describe('the other addresses of leads', () => {
  it('find the contact of a lead that is converted', async () => {
    const [main = '', other = '', third = ''] = newEmails(3);
    const contact = await make(client, contacts, { email: third, other_emails: [other] });
    const lead = await make(client, leads, { email: main, other_emails: [other] });
    const { body } = await client.post(`/leads/${lead.id}/convert`).expect(201);
    expect(body.data).toMatchObject({ contact_created: false, contact: { id: contact.id, email: third } });
    const anew = await make(client, leads, { other_emails: newEmails(2) });
    const converted = await client.post(`/leads/${anew.id}/convert`).expect(201);
    expect(converted.body.data.contact).toMatchObject({ email: anew.email, other_emails: anew.other_emails });
  });

  it('find the lead that a hook receives again, and a hook adds others, except those of somebody else', async () => {
    const [main = '', other = '', more = '', taken = ''] = newEmails(4);
    const lead = await make(client, leads, { email: main, other_emails: [other] });
    await make(client, leads, { email: taken });
    const hook = await makeHook(client, {
      on_duplicate: 'merge',
      mapping: { name: '/name', email: '/email', other_emails: '/others' },
    });
    const send = (others: string[]) => sendIn(app, hook, { name: 'Ada', email: other, others });
    expect(await send([more])).toMatchObject({ status: 'merged' });
    const again = await send([taken]);
    expect(again).toMatchObject({ status: 'merged' });
    const { body } = await client.get(`${hook.path}/deliveries/${again.delivery_id}`).expect(200);
    expect(body.data.warnings).toMatchObject([{ field: 'other_emails' }]);
    const { body: after } = await client.get(`/leads/${lead.id}`).expect(200);
    expect(after.data).toMatchObject({ email: main, other_emails: [other, more] });
  });
});
