import pg from 'pg';
import { toId } from '../../src/db/id.ts';

/** Adds so many leads, a second apart, with one insert; gives the ids of a thousand of them. */
export async function seedLeads(databaseUrl: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into leads (id, name, email, phone, status, source, company, tags, created_at, updated_at)
       select gen_random_uuid(), 'Lead ' || i, 'lead' || i || '@example.com', '+4915112345678',
         (array['new', 'contacted', 'qualified', 'won', 'lost'])[1 + i % 5],
         (array['api', 'website', 'referral', 'manual'])[1 + i % 4],
         'Company ' || i % 1000, array['vip', 'newsletter'],
         now() - i * interval '1 second', now() - i * interval '1 second'
       from generate_series(1, $1::int) i`,
      [count],
    );
    await client.query('vacuum analyze leads');
    const { rows } = await client.query<{ id: string }>('select id from leads order by id limit 1000');
    return rows.map(({ id }) => toId('lead', id));
  } finally {
    await client.end();
  }
}
