/** What `expand` adds to lists and single reads of every resource with ids of others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExpandWorld, type ExpandWorld, type Item } from '../../support/expand.ts';
import { createLead, createUser } from '../../support/factories.ts';
import { parseLinks } from '../../support/lists.ts';
import { watchQueries } from '../../support/queries.ts';
import { expectRefusal } from '../../support/resources.ts';

let world: ExpandWorld;

beforeAll(async () => {
  world = await createExpandWorld();
});

afterAll(() => world.app.close());

describe.each(['leads', 'contacts', 'content', 'notes', 'sales-cycles'] as const)('expand of %s', (name) => {
  const path = `/${name}`;

  it('adds what the ids of one name, and null where there is none', async () => {
    const { full, empty, expand, added, nothing } = world[name];
    for (const [id, more] of [[full, added] as const, [empty, nothing] as const]) {
      const plain = await world.readOne(`${path}/${id}`);
      expect(Object.keys(plain).filter((field) => expand.includes(field))).toEqual([]);
      expect(await world.readOne(`${path}/${id}?expand=${expand}`)).toEqual({ ...plain, ...more });
    }
  });

  it('adds it to each of a list, with one query', async () => {
    const { full, empty, expand, added, nothing } = world[name];
    const { sent } = watchQueries(world.app);
    const plain = await world.readList(path);
    const whole = await world.readList(`${path}?expand=${expand}`);
    expect(sent.filter((text) => text.includes('string_to_array('))).toHaveLength(1);
    const expected = plain.map((item) => {
      if (item.id === full) return { ...item, ...added };
      return item.id === empty ? { ...item, ...nothing } : expect.objectContaining(item);
    });
    expect(whole).toEqual(expected);
  });

  it('adds only what is asked for, once', async () => {
    const { full, expand, added } = world[name];
    const [first = '', ...others] = expand;
    for (const query of [`expand=${first}`, `expand=${first}&expand=${first}`, `expand[]=${first}`]) {
      const one = await world.readOne(`${path}/${full}?${query}`);
      expect(one[first]).toEqual(added[first]);
      expect(Object.keys(one).filter((field) => others.includes(field))).toEqual([]);
    }
  });

  it('needs the scope to read what it adds, which the refusal names', async () => {
    const { full, expand, scopes } = world[name];
    const own = name === 'sales-cycles' || name === 'notes' ? 'leads:read' : `${name}:read`;
    const narrow = await world.app.client([own]);
    const doors = [path, `${path}/${full}`];
    if (name !== 'content' && name !== 'notes') doors.push(`${path}/export`);
    for (const [index, field] of expand.entries()) {
      const scope = scopes[index] ?? '';
      const able = await world.app.client([own, scope]);
      for (const door of doors) {
        await able.get(`${door}?expand=${field}`).expect(200);
        if (scope === own) continue;
        const { body } = await narrow.get(`${door}?expand=${field}`).expect(403);
        expect(body).toMatchObject({ code: 'insufficient_scope', required_scope: scope });
        expect(body.message).toContain(`expand=${field} needs the scope ${scope}.`);
      }
    }
  });

  it('rejects other names', async () => {
    const { full, expand } = world[name];
    const refusal = { status: 400, field: 'expand', code: 'invalid_parameter' };
    const [first] = expand;
    for (const door of [path, `${path}/${full}`]) {
      for (const wrong of ['colour', 'user', `${first}_id`, `${first},colour`, 'constructor']) {
        const { errors } = await expectRefusal(world.client.get(`${door}?expand=${wrong}`), refusal);
        // The names to choose from.
        expect(errors?.expand?.join()).toContain(first);
      }
    }
  });

  it('is never a 304, since the version says nothing about others', async () => {
    const { full, expand, added } = world[name];
    const { headers } = await world.client.get(`${path}/${full}`).expect(200);
    const again = (query: string) =>
      world.client.get(`${path}/${full}${query}`).set('If-None-Match', headers.etag ?? '');
    await again('').expect(304);
    const { body } = await again(`?expand=${expand}`).expect(200);
    expect(body.data).toMatchObject(added);
  });
});

describe('A page', () => {
  it('links to the next one with the same expand, and its cursor goes on with another', async () => {
    const { client, leads, readList } = world;
    const { contact } = leads.added;
    const first = await client.get('/leads?per_page=1&sort=created_at&expand=contact').expect(200);
    expect(first.body.data).toMatchObject([{ id: leads.full, contact }]);
    const { next = '' } = parseLinks(first.headers.link ?? '');
    expect(new URL(next, 'http://host').searchParams.get('expand')).toBe('contact');
    const cursor = first.body.meta.next_cursor;
    const [second] = await readList(`/leads?per_page=1&sort=created_at&expand=content&cursor=${cursor}`);
    expect(second).toMatchObject({ id: leads.empty, content: null });
    expect(second).not.toHaveProperty('contact');
  });

  it('with fields also shows what expand asks for', async () => {
    const { full, added } = world.leads;
    const [lead] = await world.readList(`/leads?ids=${full}&fields=status&expand=assigned_user,content`);
    const { assigned_user, content } = added;
    expect(lead).toEqual({ id: full, status: 'new', assigned_user, content });
  });

  it('without rows is empty', async () => {
    expect(await world.readList('/leads?tag=nobody&expand=contact')).toEqual([]);
  });
});

describe('By an external id', () => {
  it.each(['leads', 'contacts'] as const)('one of the %s is expanded too', async (name) => {
    const { full, expand, added } = world[name];
    const one = await world.readOne(`/${name}/external/own-1?expand=${expand}`);
    expect(one).toMatchObject({ id: full, ...added });
  });
});

describe('What is gone', () => {
  it('is null, also beside an id that a closed sales cycle keeps', async () => {
    const { client, readOne, readList } = world;
    const user = await createUser(client);
    const { body } = await client.post('/contacts', { name: 'Gone' }).expect(201);
    const contact_id = body.data.id;
    const { id } = await createLead(client, { contact_id, assigned_user_id: user, status: 'won' });
    await client.delete(`/contacts/${contact_id}`).expect(204);
    await client.patch(`/leads/${id}`, { assigned_user_id: null }).expect(200);
    await client.delete(`/users/${user}`).expect(204);
    const lead = await readOne(`/leads/${id}?expand=contact,assigned_user`);
    expect(lead).toMatchObject({ contact_id: null, contact: null, assigned_user: null });
    const [cycle] = await readList(`/sales-cycles?lead_id=${id}&expand=assigned_user,lead`);
    expect(cycle).toMatchObject({ assigned_user_id: user, assigned_user: null, lead: { id } });
  });
});

describe('Answers to writes, and events', () => {
  it('have nothing of it', async () => {
    const { client, leads } = world;
    const path = `/leads/${leads.full}`;
    await client.patch(`${path}?expand=contact`, { company: 'Engines' }).expect(400);
    const { body } = await client.patch(path, { company: 'Engines' }).expect(200);
    const { body: events } = await client.get(`${path}/events`).expect(200);
    const shown: Item[] = [
      body.data,
      ...events.data.map(({ data }: { data: { object: Item } }) => data.object),
    ];
    expect(shown.length).toBeGreaterThan(2);
    for (const item of shown) {
      expect(Object.keys(item).filter((field) => leads.expand.includes(field))).toEqual([]);
    }
  });
});
