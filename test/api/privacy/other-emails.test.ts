/** An address that is not the main one of a lead or a contact, but that the service has kept, belongs to the person too. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetErased } from '../../../src/imports/erasure/forget-erased.ts';
import { allScopes, startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { someone, traces } from '../../support/erasure.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { leadsOf, makeHook, sendIn } from '../../support/hooks.ts';
import { csv, importFile, send as sendFile } from '../../support/imports.ts';
import { leads, make } from '../../support/resources.ts';

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(allScopes);
});

afterAll(() => app.close());

describe.each(['leads', 'contacts'])('the second address of a cell in a file of %s', (resource) => {
  async function importPerson() {
    const { mark, fields } = someone();
    const emails = [fields.email, `Second-${mark}@example.com`, `third-${mark}@example.com`] as const;
    const file = csv('name,email', `Name ${mark},"${emails.join('; ')}"`);
    await importFile(app, client, file, `resource=${resource}`);
    const { body } = await client.get(`/${resource}?email=${emails[0]}`).expect(200);
    expect(body.data[0].other_emails).toEqual([emails[1], emails[2]]);
    return { mark, emails, id: body.data[0].id as string };
  }

  it('is found by a lookup and a search', async () => {
    const { emails, id } = await importPerson();
    for (const email of [emails[1].toLowerCase(), emails[2].toUpperCase()]) {
      const person = await client.post('/people/lookup', { email }).expect(200);
      expect(person.body.data[resource]).toMatchObject([{ id }]);
      const found = await client.get(`/${resource}?search=${email}`).expect(200);
      expect(found.body.data).toMatchObject([{ id }]);
    }
  });

  it('erases the whole person, wherever one of the addresses is', async () => {
    const { mark, emails, id } = await importPerson();
    const hook = await makeHook(client);
    for (const email of emails) {
      await sendIn(app, hook, { name: '', email: 'none', about: `${mark} <${email}>` });
      await sendFile(client, csv('name,email', `Name ${mark},${email}`), `resource=${resource}&start=false`);
    }
    const { body } = await client.post('/erasures', { email: emails[2] }).expect(201);
    expect(body.data.counts).toMatchObject({ [resource]: 1, inbound_deliveries: 3 });
    await client.get(`/${resource}/${id}`).expect(404);
    while (await forgetErased(app.production.db, 0));
    expect(await traces(app, mark)).toEqual([]);
  });

  it('goes with a person who is deleted, also if it was removed before', async () => {
    const { mark, emails, id } = await importPerson();
    const hook = await makeHook(client);
    await sendIn(app, hook, { name: '', email: 'none', about: `${mark} <${emails[1]}>` });
    await client.patch(`/${resource}/${id}`, { other_emails: null }).expect(200);
    await client.delete(`/${resource}/${id}`).expect(204);
    expect(await traces(app, mark)).toEqual([]);
  });
});

describe('an address that somebody had before', () => {
  it('takes no data from the lead that has it now, when the other one is deleted', async () => {
    const shared = uniqueEmail();
    const hook = await makeHook(client, { mapping: { name: '/name', email: '/email', note: '/message' } });
    const first = await make(client, leads, { email: shared });
    await client.patch(`/leads/${first.id}`, { email: uniqueEmail() }).expect(200);
    const payload = { name: 'Two', email: shared, message: 'Hello' };
    const { delivery_id } = await sendIn(app, hook, payload);
    await client.delete(`/leads/${first.id}`).expect(204);
    const { body } = await client.get(`${hook.path}/deliveries/${delivery_id}`).expect(200);
    expect(body.data).toMatchObject({ payload, version: 1 });
    expect((await sendIn(app, hook, payload)).status).toBe('duplicate');
  });

  it.each([
    ['had it in between', (id: string) => client.patch(`/leads/${id}`, { email: uniqueEmail() }).expect(200)],
    [
      'is now part of another one',
      async (id: string) => {
        const stays = await make(client, leads);
        await client.post(`/leads/${stays.id}/merge`, { lead_id: id }).expect(200);
      },
    ],
  ])('takes no data from a lead that %s', async (_what, change) => {
    const shared = uniqueEmail();
    const hook = await makeHook(client);
    const first = await make(client, leads, { email: shared });
    await client.patch(`/leads/${first.id}`, { email: uniqueEmail() }).expect(200);
    const payload = { name: 'Two', email: shared };
    const { delivery_id } = await sendIn(app, hook, payload);
    const [second] = await leadsOf(client, shared);
    await change(second?.id ?? '');
    await client.delete(`/leads/${first.id}`).expect(204);
    const { body } = await client.get(`${hook.path}/deliveries/${delivery_id}`).expect(200);
    expect(body.data.payload).toEqual(payload);
  });

  it('ends no bulk job that writes it about the one who has it now, and none with a longer address', async () => {
    const { mark, fields } = someone();
    const first = await make(client, leads, { email: fields.email });
    await client.patch(`/leads/${first.id}`, { email: `first-${mark}@example.com` }).expect(200);
    const second = await make(client, leads, { email: fields.email });
    const filter = { email: second.email };
    const texts = [`Asked by ${fields.email}`, `Asked by x.first-${mark}@example.com`];
    const jobs = [];
    for (const source_detail of texts) {
      const job = { resource: 'leads', filter, expected_total: 1, action: { update: { source_detail } } };
      jobs.push((await client.post('/bulk-jobs', job).expect(202)).body.data.id);
    }
    await client.delete(`/leads/${first.id}`).expect(204);
    for (const id of jobs) {
      const { body } = await client.get(`/bulk-jobs/${id}`).expect(200);
      expect(body.data.status).toBe('queued');
    }
  });

  it('is left in the settings of imports for the user who has it now', async () => {
    const shared = uniqueEmail();
    const first = await client.post('/users', { name: 'Ada', email: shared }).expect(201);
    await client.patch(`/users/${first.body.data.id}`, { email: uniqueEmail() }).expect(200);
    await client.post('/users', { name: 'Grace', email: shared }).expect(201);
    const values = { assigned_user_email: { Grace: shared } };
    const draft = await sendFile(client, csv('name,email', `Bob,${uniqueEmail()}`), 'start=false', {
      values,
    });
    await client.delete(`/users/${first.body.data.id}`).expect(204);
    const { body } = await client.get(`/imports/${draft.id}`).expect(200);
    expect(body.data.values).toEqual(values);
  });
});

describe('the history of somebody who has another address now', () => {
  it('loses the address behind a line break, in a URL, and as HTML and JSON write it', async () => {
    const { mark } = someone();
    const email = `nada+x@${mark}.example.com`;
    const lead = await make(client, leads, { email });
    const note = `One:\n${email}\nTwo: \\${email}\t${email.replace('@', '&#64;')}`;
    await client
      .with({ 'Idempotency-Key': randomUUID() })
      .post('/notes', { lead_id: lead.id, text: note })
      .expect(201);
    const url = `https://example.com/?to=%20${encodeURIComponent(email)}&again=${encodeURIComponent(encodeURIComponent(email))}`;
    await client.patch(`/leads/${lead.id}`, { source_detail: url }).expect(200);
    await client.patch(`/leads/${lead.id}`, { email: uniqueEmail(), source_detail: null }).expect(200);
    const { body } = await client.post('/erasures', { email }).expect(201);
    expect(body.data.former).toEqual([lead.id]);
    // The lead and its note stay.
    expect(await traces(app, mark)).toEqual(['notes.text']);
  });
});
