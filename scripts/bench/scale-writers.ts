import pg from 'pg';
import { load, type Target } from './load.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const WARM_UP = 2;

/**
 * How many leads a second sixteen writers create, by turns with the triggers of leads and their history, and without:
 * the first divided by the second. The leads are deleted again.
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
      // In changing order, since the first turn after a pause has the checkpoint of the one before.
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
  const [counted, uncounted] = [median(rates.enable), median(rates.disable)];
  console.log(
    `16 writers: ${counted.toFixed(0)}/s counted, ${uncounted.toFixed(0)}/s with the triggers disabled`,
  );
  return counted / uncounted;
}
