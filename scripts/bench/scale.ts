/**
 * `npm run bench:scale`: measures lists, search, reports and creating leads over HTTP, with ten thousand and a million
 * leads from three years. The sizes alternate, so that noisy neighbours affect all alike.
 *
 *   --full         also measure ten million leads, which takes 20 GB of disk and more than an hour to load
 *   --data DIR     keep the data for later runs, which then skip loading (default: a temporary folder)
 *   --requests N   requests per measure and size (31)
 *   --seconds N    duration of each turn of sixteen writers (4)
 */
import { mkdir } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { knex } from '../../src/db/query.ts';
import { foldLeadCounters } from '../../src/leads/counter-queries.ts';
import { openDatabases } from '../../src/process/databases.ts';
import { openSecretKey } from '../../src/process/secret-key.ts';
import { toId } from '../../src/values/id.ts';
import { type Closers, closing, newFolder, open } from '../closing.ts';
import type { Target } from './load.ts';
import { median } from './median.ts';
import { load } from './scale-load.ts';
import { type Loaded, measures, type ScaleMeasure } from './scale-measures.ts';
import { createWriters, type Writers } from './scale-writers.ts';
import { startApi } from './service.ts';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    data: { type: 'string' },
    requests: { type: 'string', default: '31' },
    seconds: { type: 'string', default: '4' },
  },
});

const SIZES = values.full ? [10_000, 1_000_000, 10_000_000] : [10_000, 1_000_000];
const WARM_UPS = 5;
/** Maximum duration of a measure, however few requests it has made. Milliseconds. */
const MEASURE_TIMEOUT = 30_000;
/** Minimum throughput of the writers, relative to the throughput without triggers. */
const MIN_WRITE_RATIO = 0.8;
const NAME_WIDTH = 52;

const agent = new Agent({ keepAlive: true });

/** Sends a request and returns the parsed body. Throws on a response other than 2xx. */
async function send({ url, token }: Target, path: string, body?: object): Promise<unknown> {
  const req = request(url + path, {
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  req.end(body && JSON.stringify(body));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    req.once('response', resolve).once('error', reject);
  });
  const answer = await text(response);
  if ((response.statusCode ?? 500) >= 300) throw new Error(`${path}: ${response.statusCode} ${answer}`);
  return JSON.parse(answer);
}

/** A running service with a number of leads. */
interface Size {
  leads: number;
  target: Target;
  writers: Writers;
  loaded: Loaded;
}

async function openSize(leads: number, folder: string, closers: Closers): Promise<Size> {
  const dataDir = join(folder, String(leads));
  await mkdir(dataDir, { recursive: true });
  // The service refuses a database without its key.
  await openSecretKey({ secretKey: undefined, dataDir });
  const opening = openDatabases({ databases: undefined, dataDir }, { create: true });
  const databases = await open(closers, opening, ({ stop }) => stop());
  const databaseUrl = (await databases.findRoute('production')).url;
  await migrate(databaseUrl, 'production');
  const ids = await prepare(databaseUrl, leads);
  const writers = createWriters(databaseUrl);
  // After the service has stopped, so that it writes no more.
  closers.push(writers.undo);
  const target = await startApi(closers, { dataDir });
  const middle = `/leads?per_page=1&page=${Math.ceil(leads / 2)}`;
  const { meta } = (await send(target, middle)) as { meta: { next_cursor: string } };
  return { leads, target, writers, loaded: { leads, ...ids, cursor: meta.next_cursor } };
}

/**
 * Loads the leads unless they were kept from an earlier run, and runs the service's background work. Returns the public
 * ids of a user and of content.
 */
async function prepare(databaseUrl: string, leads: number): Promise<Pick<Loaded, 'user' | 'content'>> {
  const db = new Database(databaseUrl, 1, { limit: Number.POSITIVE_INFINITY });
  const step = async (name: string, action: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await action();
    console.log(`${leads} leads: ${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  try {
    const [lead] = await db.run(knex('leads').select('id').limit(1));
    if (lead === undefined) {
      await step('loaded', () => load(databaseUrl, leads));
    }
    await step('counters folded', () => foldLeadCounters(db));
    // Autovacuum would do this in the minutes after a load.
    await db.run(knex.raw('vacuum analyze lead_counters'));
    const [user] = await db.run(knex('users').select('id').orderBy('id').limit(1));
    const [content] = await db.run(knex('content').select('id').orderBy('id').limit(1));
    return { user: toId('user', user?.id ?? ''), content: toId('content', content?.id ?? '') };
  } finally {
    await db.close();
  }
}

/** The median response time for each size. Milliseconds. */
async function timesOf({ path, body }: ScaleMeasure, sizes: readonly Size[]): Promise<number[]> {
  const times = sizes.map((): number[] => []);
  const end = performance.now() + MEASURE_TIMEOUT;
  for (let turn = 0; turn < WARM_UPS + Number(values.requests); turn += 1) {
    for (const [index, { target, loaded }] of sizes.entries()) {
      const startedAt = performance.now();
      await send(target, path(loaded), body?.());
      times[index]?.push(performance.now() - startedAt);
    }
    if (performance.now() > end) break;
  }
  // A measure so slow that it timed out early has no warm-ups to discard.
  return times.map((all) => median(all.length > 2 * WARM_UPS ? all.slice(WARM_UPS) : all));
}

/** A row of the report: the times, the growth from the smallest size to the largest, and whether the limits hold. */
function line({ name, maxGrowth, maxTime }: ScaleMeasure, times: readonly number[]): string {
  const growth = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN);
  const slowest = Math.max(...times);
  const isWithin = !(growth > (maxGrowth ?? growth)) && !(slowest > (maxTime ?? slowest));
  const bounds = [
    ...(maxGrowth === undefined ? [] : [`at most ${maxGrowth} times`]),
    ...(maxTime === undefined ? [] : [`at most ${maxTime} ms`]),
  ];
  const columns = [...times.map((time) => time.toFixed(2)), `${growth.toFixed(2)}x`];
  const verdict = bounds.length === 0 ? '' : `  ${isWithin ? 'ok' : 'TOO MUCH'}: ${bounds.join(', ')}`;
  return name.padEnd(NAME_WIDTH) + columns.map((column) => column.padStart(11)).join('') + verdict;
}

async function main(closers: Closers): Promise<void> {
  const folder = values.data === undefined ? await newFolder(closers) : resolve(values.data);
  const sizes: Size[] = [];
  for (const leads of SIZES) sizes.push(await openSize(leads, folder, closers));
  closers.push(() => agent.destroy());
  console.log(
    `${'median, ms'.padEnd(NAME_WIDTH)}${SIZES.map((leads) => String(leads).padStart(11)).join('')}     growth`,
  );
  for (const measure of measures) console.log(line(measure, await timesOf(measure, sizes)));
  for (const { leads, target, writers } of sizes) {
    const ratio = await writers.compare(target, Number(values.seconds));
    const verdict = ratio >= MIN_WRITE_RATIO ? 'ok' : 'TOO LITTLE';
    console.log(
      `16 writers at ${leads} leads: ${ratio.toFixed(2)} of the rate without triggers; ${verdict}: at least ${MIN_WRITE_RATIO}`,
    );
  }
}

await closing(main);
