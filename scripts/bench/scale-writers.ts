import pg from 'pg';
import { newLead } from './leads.ts';
import { load, type Target } from './load.ts';
import { median } from './median.ts';

const ROUNDS = 5;
const WARM_UP = 2;

/** Compares the rates at which sixteen writers create leads with and without the triggers. */
export interface Writers {
  /**
   * The ratio of the rates with and without the triggers on leads and status changes, which alternate. Undoes what it
   * changed.
   */
  compare(target: Target, seconds: number): Promise<number>;
  /** Enables the triggers and deletes the leads, if compare() has begun. */
  undo(): Promise<void>;
}

export function createWriters(databaseUrl: string): Writers {
  const client = new pg.Client({ connectionString: databaseUrl });
  let began: Date | undefined;
  let undone: Promise<void> | undefined;
  const setTriggers = (turn: 'enable' | 'disable') =>
    client.query(
      `alter table leads ${turn} trigger user; alter table lead_status_changes ${turn} trigger user`,
    );

  async function restore(): Promise<void> {
    if (began === undefined) return;
    await setTriggers('enable');
    await client.query('delete from leads where created_at >= $1', [began]);
    await client.query('select rebuild_lead_counters()');
    await client.end();
  }

  function undo(): Promise<void> {
    undone ??= restore();
    return undone;
  }

  async function compare(target: Target, seconds: number): Promise<number> {
    await client.connect();
    const { rows } = await client.query<{ began: Date }>('select statement_timestamp() as began');
    began = rows[0]?.began;
    const rates = { enable: [] as number[], disable: [] as number[] };
    const create = (time: number) => load(target, newLead, time);
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
      await undo();
    }
    const [withTriggers, withoutTriggers] = [median(rates.enable), median(rates.disable)];
    console.log(
      `16 writers: ${withTriggers.toFixed(0)}/s with triggers, ${withoutTriggers.toFixed(0)}/s without`,
    );
    return withTriggers / withoutTriggers;
  }

  return { compare, undo };
}
