import pg from 'pg';
import { type Resource, type ResourceName, resources } from './resources.ts';
import { toId } from './yardstick/typeid.ts';

/** A thousand public ids to read and change, by resource. */
export type Ids = Map<ResourceName, readonly string[]>;

/** Half a minute apart, so that a hundred thousand rows are five weeks of work. */
const createdAt = `now() - i * interval '30 seconds'`;

/** Adds `count` rows per resource with one insert each. */
export async function seed(databaseUrl: string, names: readonly ResourceName[], count: number): Promise<Ids> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const ids: Ids = new Map();
    for (const name of names) {
      const { prefix, seeded }: Resource = resources[name];
      const columns = { id: 'gen_random_uuid()', created_at: createdAt, updated_at: createdAt, ...seeded };
      await client.query(
        `insert into ${name} (${Object.keys(columns)}) select ${Object.values(columns)}
          from generate_series(1, $1::int) i`,
        [count],
      );
      await client.query(`vacuum analyze ${name}`);
      const { rows } = await client.query<{ id: string }>(`select id from ${name} order by id limit 1000`);
      ids.set(
        name,
        rows.map(({ id }) => toId(prefix, id)),
      );
    }
    return ids;
  } finally {
    await client.end();
  }
}
