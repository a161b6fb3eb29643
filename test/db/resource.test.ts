import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../src/db/id.ts';
import { createKnex } from '../../src/db/knex.ts';
import { insertRow } from '../../src/db/resource.ts';
import { run } from '../../src/db/statement.ts';
import { leadInsertion } from '../../src/leads/queries.ts';
import { users } from '../../src/users/queries.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { leadInput, uniqueEmail } from '../support/factories.ts';

let database: TestDatabase;
let db: Knex;

beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, so that its prepared statements meet.
  db = createKnex(database.url, 1);
});

afterAll(async () => {
  await db.destroy();
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
    const { rows } = await db.raw("select name from pg_prepared_statements where name like 'insert_%'");
    expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(['insert_leads', 'insert_users']);
  });
});
