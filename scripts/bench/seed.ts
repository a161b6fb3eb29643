import pg from 'pg';
import { toId } from '../../src/db/id.ts';
import type { Ids, Resource } from './load.ts';

const columns = 'id, name, email, phone, company, tags, created_at, updated_at';

/** A row of anybody, number i. */
const person = `gen_random_uuid(), 'Person ' || i, 'person' || i || '@example.com', '+4915112345678',
  'Company ' || i % 1000, array['vip', 'newsletter'], now() - i * interval '1 second', now() - i * interval '1 second'`;

const inserts = {
  leads: `insert into leads (${columns}, status, source)
    select ${person}, (array['new', 'contacted', 'qualified', 'won', 'lost'])[1 + i % 5],
      (array['api', 'website', 'referral', 'manual'])[1 + i % 4]
    from generate_series(1, $1::int) i`,
  contacts: `insert into contacts (${columns}, title)
    select ${person}, 'Title ' || i % 10 from generate_series(1, $1::int) i`,
};
const prefixes = { leads: 'lead', contacts: 'contact' } as const;

/** Adds so many leads and contacts, a second apart, with one insert each; gives the ids of a thousand of each. */
export async function seed(databaseUrl: string, count: number): Promise<Ids> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  async function fill(table: Resource): Promise<string[]> {
    await client.query(inserts[table], [count]);
    await client.query(`vacuum analyze ${table}`);
    const { rows } = await client.query<{ id: string }>(`select id from ${table} order by id limit 1000`);
    return rows.map(({ id }) => toId(prefixes[table], id));
  }
  try {
    return { leads: await fill('leads'), contacts: await fill('contacts') };
  } finally {
    await client.end();
  }
}
