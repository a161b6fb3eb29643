import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { one } from '../../src/db/db.ts';
import { knex, MAX_NAMED_SHAPES } from '../../src/db/query.ts';
import { updateRow } from '../../src/db/resource.ts';
import { NOW } from '../../src/db/row-statements.ts';
import { newUuid } from '../../src/values/id.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { leadInput, uniqueEmail } from '../support/factories.ts';

// Its own copies, because the first rows that a process writes decide which statements are named.
const { contacts } = await copyOf<typeof import('../../src/contacts/queries.ts')>('contacts');
const { leadInsertion } = await copyOf<typeof import('../../src/leads/queries.ts')>('leads');
const { users } = await copyOf<typeof import('../../src/users/queries.ts')>('users');

function copyOf<Module>(resource: string): Promise<Module> {
  return import(`../../src/${resource}/queries.ts?copy`);
}

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, which has all prepared statements.
  db = new Database(database.url, 1);
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('a row that is inserted', () => {
  it('has the default of each column that is undefined, whatever was inserted before', async () => {
    for (const active of [false, undefined, true, undefined, false]) {
      const row = { id: newUuid(), name: 'Ada', email: uniqueEmail(), active };
      expect(await one(db, users.statements.insert(row))).toMatchObject({
        name: 'Ada',
        active: active ?? true,
      });
    }
  });

  it('has them as a lead too', async () => {
    const origin = {
      actor: { type: 'system', id: null, userId: null },
      requestId: 'request-of-the-test',
    } as const;
    for (const tags of [['a'], undefined, ['b'], undefined]) {
      const { name, email } = leadInput();
      const row = { id: newUuid(), name, email, status: 'new', source: 'api', tags } as const;
      const insertion = leadInsertion({ ...row, tags: tags as string[] | undefined }, origin);
      expect((await db.run(insertion))[0]).toMatchObject({ email, tags: tags ?? [], metadata: {} });
    }
  });

  it('takes one prepared statement for each table', async () => {
    const inserts = knex('pg_prepared_statements').where('name', 'like', 'insert_%').select('name');
    const rows = await db.run<{ name: string }>(inserts);
    expect(rows.map(({ name }) => name).sort()).toEqual(['insert_leads', 'insert_users']);
  });
});

describe('a row that is changed', () => {
  const named = () =>
    db.run<{ name: string }>(knex('pg_prepared_statements').where('name', 'like', 'update_%').select('name'));

  async function newContact(): Promise<string> {
    const row = { id: newUuid(), name: 'Ada', email: uniqueEmail() };
    const { id } = await one(db, contacts.statements.insert(row));
    return id;
  }

  it('has the new values, the next version and the time of the statement', async () => {
    const id = await newContact();
    const before = Date.now();
    const row = await updateRow(db, contacts, id, {
      name: 'Grace',
      phone: undefined,
      tags: ['a'],
      created_at: NOW,
    });
    expect(row).toMatchObject({ name: 'Grace', tags: ['a'], phone: null, version: 2 });
    expect(row.created_at).toEqual(row.updated_at);
    expect(Date.parse(row.updated_at)).toBeGreaterThanOrEqual(before - 1_000);
  });

  it('takes one prepared statement for each set of columns, up to a limit', async () => {
    const id = await newContact();
    const columns = ['name', 'phone', 'company', 'title', 'external_id', 'email', 'tags'] as const;
    const count = (await named()).length;
    for (let round = 0; round < 2; round += 1) {
      expect(await updateRow(db, contacts, id, { phone: `${round}` })).toMatchObject({ phone: `${round}` });
    }
    expect(await named()).toHaveLength(count + 1);
    for (let set = 1; set < 2 ** columns.length; set += 1) {
      const changed = columns.filter((_column, index) => set & (1 << index));
      const changes = Object.fromEntries(
        changed.map((column) => {
          const value = `${column}-${set}`;
          return [column, column === 'tags' ? [value] : value];
        }),
      );
      expect(await updateRow(db, contacts, id, changes)).toMatchObject(changes);
    }
    expect(await named()).toHaveLength(MAX_NAMED_SHAPES);
  });
});
