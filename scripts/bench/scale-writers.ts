import pg from 'pg';
import { load, type Target } from './load.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const WARM_UP = 2;

/**
 * Measures how many leads per second sixteen writers create, alternating with and without the triggers on leads and
 * status changes. Returns the ratio of the rates with and without triggers, and deletes the leads afterwards.
 */
export async function compareWriters(target: Target, databaseUrl: string, seconds: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ began: Date }>('select statement_timestamp() as began');
  const setTriggers = (turn: 'enable' | 'disable') =>
    client.query(
      `alter table leads ${turn} trigger user; alter table lead_status_changes ${turn} trigger user`,
    );
  const rates = { enable: [] as number[], disable: [] as number[] };
  const create = (time: number) => load({ resource: 'leads', operation: 'create' }, target, new Map(), time);
  try {
    await create(WARM_UP);
    for (let round = 0; round < ROUNDS; round += 1) {
      // In alternating order, since the first turn after a pause bears the checkpoint of the previous one.
      const turns = ['enable', 'disable'] as const;
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
        await setTriggers(turn);
        rates[turn].push((await create(seconds)).requestsPerSecond);
      }
    }
  } finally {
    await setTriggers('enable');
    await client.query('delete from leads where created_at >= $1', [rows[0]?.began]);
    await client.query('select rebuild_lead_counts()');
    await client.end();
  }
  const [withTriggers, withoutTriggers] = [median(rates.enable), median(rates.disable)];
  console.log(
    `16 writers: ${withTriggers.toFixed(0)}/s with triggers, ${withoutTriggers.toFixed(0)}/s without`,
  );
  return withTriggers / withoutTriggers;
}
