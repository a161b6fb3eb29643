import pg from 'pg';
import { load, type Target } from './load.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const WARM_UP = 2;

/**
 * How many leads a second sixteen writers create, by turns with the counters' triggers and without: the first divided
 * by the second.
 */
export async function compareWriters(target: Target, databaseUrl: string, seconds: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const rates = { enable: [] as number[], disable: [] as number[] };
  const create = (time: number) => load({ resource: 'leads', operation: 'create' }, target, new Map(), time);
  try {
    await create(WARM_UP);
    for (let round = 0; round < ROUNDS; round += 1) {
      // In changing order, since the first turn after a pause has the checkpoint of the one before.
      const turns = ['enable', 'disable'] as const;
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
        await client.query(`alter table leads ${turn} trigger leads_inserted`);
        rates[turn].push((await create(seconds)).requestsPerSecond);
      }
    }
  } finally {
    await client.query('alter table leads enable trigger leads_inserted');
    await client.query('select rebuild_lead_counts()');
    await client.end();
  }
  const [counted, uncounted] = [median(rates.enable), median(rates.disable)];
  console.log(
    `16 writers: ${counted.toFixed(0)}/s counted, ${uncounted.toFixed(0)}/s with the triggers disabled`,
  );
  return counted / uncounted;
}
