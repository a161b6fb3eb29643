/** The next step of leads and contacts: whom to call today, and an event when the time comes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tellDue } from '../../../src/next-steps/tell-due.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import { eventsOf, typesOf } from '../../support/events.ts';
import { uniqueEmail } from '../../support/factories.ts';
import { formInput, leadsOf, makeHook, sendIn } from '../../support/hooks.ts';
import { csv, importFile } from '../../support/imports.ts';
import { contacts, expectRefusal, leads, make, read, type TestResource } from '../../support/resources.ts';

type Person = { id: string; version: number; next_step: string | null; next_step_at: string | null };

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await startTestApp();
  client = await app.client(['read', 'write', 'admin']);
});

afterAll(() => app.close());

const soon = () => new Date(Date.now() + 3_600_000).toISOString();

/** As if the time had come. */
async function arrive(table: string, { id }: { id: string }): Promise<void> {
  const rows = app.production.knex(table).whereRaw(`search is not null`);
  await rows.whereNotNull('next_step_due_at').update({ next_step_due_at: new Date(0) });
  expect(id).toBeTruthy();
}

describe.each([leads, contacts] as unknown as TestResource<Person>[])('the next step: $path', (resource) => {
  const { path, prefix } = resource;
  const table = path.slice(1);
  const add = (fields: object) => make(client, resource, fields) as Promise<Person>;
  const due = async (id: string) =>
    typesOf(await eventsOf(client, id)).filter((type) => type === `${prefix}.next_step_due`);

  it('is stored in UTC, changed and cleared', async () => {
    const person = await add({ next_step: 'Call', next_step_at: '2099-01-31T10:00:00+01:00' });
    expect(person).toMatchObject({ next_step: 'Call', next_step_at: '2099-01-31T09:00:00.000Z' });
    const same = await client
      .patch(`${path}/${person.id}`, { next_step_at: '2099-01-31T09:00:00Z' })
      .expect(200);
    expect(same.body.data.version).toBe(1);
    const { body } = await client.patch(`${path}/${person.id}`, {
      next_step: null,
      next_step_at: '2099-02-01',
    });
    expect(body.data).toMatchObject({ next_step: null, next_step_at: '2099-02-01T00:00:00.000Z' });
    const [event] = (await eventsOf(client, person.id)).slice(-1);
    expect(event?.data.changes).toMatchObject({ next_step: { from: 'Call', to: null } });
    await expectRefusal(client.patch(`${path}/${person.id}`, { next_step: 'x'.repeat(201) }), {
      field: 'next_step',
    });
    await expectRefusal(client.patch(`${path}/${person.id}`, { next_step_at: 'soon' }), {
      field: 'next_step_at',
    });
  });

  it('is listed: today, from a time on, without one, in its order', async () => {
    await app.production.knex(table).delete();
    const [late, early, none] = [
      await add({ next_step_at: '2090-03-02T09:00:00Z' }),
      await add({ next_step_at: '2090-03-01T09:00:00Z' }),
      await add({}),
    ];
    const ids = async (query: string) => {
      const { body } = await client.get(`${path}?${query}`).expect(200);
      return body.data.map(({ id }: Person) => id);
    };
    expect(await ids('next_step_to=2090-03-01')).toEqual([early.id]);
    expect(await ids('next_step_from=2090-03-02&next_step_to=2090-03-02')).toEqual([late.id]);
    expect(await ids('next_step_at=none')).toEqual([none.id]);
    expect(await ids('sort=next_step_at')).toEqual([early.id, late.id]);
    expect(await ids('sort=-next_step_at')).toEqual([late.id, early.id]);
    const { body } = await client.get(`${path}?sort=next_step_at&per_page=1`).expect(200);
    expect(body.meta).toMatchObject({ total: 2, has_more: true });
    expect(await ids(`sort=next_step_at&per_page=1&cursor=${body.meta.next_cursor}`)).toEqual([late.id]);
  });

  it('is told once for each time, and changes nothing', async () => {
    const person = await add({ next_step: 'Call', next_step_at: soon() });
    await tellDue(app.production.db);
    expect(await due(person.id)).toEqual([]);
    await arrive(table, person);
    await Promise.all([tellDue(app.production.db), tellDue(app.production.db)]);
    expect(await due(person.id)).toHaveLength(1);
    expect(await read(client, resource, person.id)).toEqual(person);
    const [event] = (await eventsOf(client, person.id)).slice(-1);
    expect(event).toMatchObject({ actor: { type: 'system' }, data: { object: person, changes: {} } });
    await client.patch(`${path}/${person.id}`, { next_step: 'Call again' }).expect(200);
    await arrive(table, person);
    await tellDue(app.production.db);
    expect(await due(person.id)).toHaveLength(1);
    await client.patch(`${path}/${person.id}`, { next_step_at: soon() }).expect(200);
    await arrive(table, person);
    await tellDue(app.production.db);
    expect(await due(person.id)).toHaveLength(2);
  });

  it('is not told if it was past when it was written, or was cleared', async () => {
    const past = await add({ next_step_at: '2020-01-01' });
    const cleared = await add({ next_step_at: soon() });
    await client.patch(`${path}/${cleared.id}`, { next_step_at: null }).expect(200);
    await arrive(table, cleared);
    await tellDue(app.production.db);
    expect([await due(past.id), await due(cleared.id)]).toEqual([[], []]);
  });

  it('of the one that stays survives a merge, else that of the other one', async () => {
    const step = { next_step: 'Call', next_step_at: '2099-01-31T09:00:00.000Z' };
    const other = await add({ next_step: 'Write', next_step_at: '2098-01-31T09:00:00.000Z' });
    const field = `${prefix}_id`;
    const kept = await client
      .post(`${path}/${(await add(step)).id}/merge`, { [field]: other.id })
      .expect(200);
    expect(kept.body.data).toMatchObject(step);
    const second = await add(step);
    const taken = await client
      .post(`${path}/${(await add({})).id}/merge`, { [field]: second.id })
      .expect(200);
    expect(taken.body.data).toMatchObject(step);
  });

  it('comes from a file', async () => {
    const email = uniqueEmail();
    const file = csv('name,email,next_step,next_step_at', `Ada,${email},Call,2099-01-31T09:00:00Z`);
    await importFile(app, client, file, `resource=${table}`);
    const { body } = await client.get(`${path}?email=${encodeURIComponent(email)}`).expect(200);
    expect(body.data).toMatchObject([{ next_step: 'Call', next_step_at: '2099-01-31T09:00:00.000Z' }]);
  });
});

describe('a hook with first_contact_seconds', () => {
  it('gives a new lead its next step, and a known one none', async () => {
    const hook = await makeHook(client, { first_contact_seconds: 900 });
    const input = formInput();
    const before = Date.now();
    await sendIn(app, hook, input);
    const [lead] = await leadsOf(client, input.email);
    expect(lead?.next_step).toBe('First contact');
    const wait = Date.parse(`${lead?.next_step_at}`) - before;
    expect(wait).toBeGreaterThanOrEqual(900_000);
    expect(wait).toBeLessThan(960_000);
    const known = await make(client, leads);
    await sendIn(app, hook, formInput({ email: known.email }));
    expect(await read(client, leads, known.id)).toMatchObject({ next_step: null, next_step_at: null });
    await expectRefusal(client.patch(hook.path, { first_contact_seconds: 1 }), {
      field: 'first_contact_seconds',
    });
  });
});
