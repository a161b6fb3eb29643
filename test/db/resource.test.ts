import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/db.ts';
import { newUuid } from '../../src/db/id.ts';
import { knex } from '../../src/db/query.ts';
import { insertRow } from '../../src/db/resource.ts';
import { run } from '../../src/db/statement.ts';
import { leadInsertion } from '../../src/leads/queries.ts';
import { users } from '../../src/users/queries.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { leadInput, uniqueEmail } from '../support/factories.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, so that its prepared statements meet.
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
      expect(await insertRow(db, users, row)).toMatchObject({ name: 'Ada', active: active ?? true });
    }
  });

  it('has them as a lead too', async () => {
    const origin = { actor: { type: 'system', id: null }, requestId: 'request-of-the-test' } as const;
    for (const tags of [['a'], undefined, ['b'], undefined]) {
      const { name, email } = leadInput();
      const row = { id: newUuid(), name, email, status: 'new', source: 'api', tags } as const;
      const insertion = leadInsertion({ ...row, tags: tags as string[] | undefined }, origin);
      expect((await run(db, insertion))[0]).toMatchObject({ email, tags: tags ?? [], metadata: {} });
    }
  });

  it('takes one prepared statement for each table', async () => {
    const inserts = knex('pg_prepared_statements').where('name', 'like', 'insert_%').select('name');
    const rows = await db.run<{ name: string }>(inserts);
    expect(rows.map(({ name }) => name).sort()).toEqual(['insert_leads', 'insert_users']);
  });
});
