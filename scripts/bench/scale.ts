/**
 * `npm run bench:scale`: what lists, search, reports and creating leads cost, over HTTP, with 10 thousand and with a million
 * leads of three years. The sizes take turns, so that a noisy neighbour meets all of them.
 *
 *   --full         with ten million too: 17 GB of disk, and ten minutes to load
 *   --data DIR     where the data is kept for the next run, which then loads nothing (else in a folder that is removed)
 *   --requests N   for each measure and size (31)
 *   --seconds N    for each turn of sixteen writers (4)
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { openDatabases } from '../../src/db/databases.ts';
import { toId } from '../../src/db/id.ts';
import { createKnex } from '../../src/db/knex.ts';
import { foldLeadCounts } from '../../src/db/lead-count-queries.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Target } from './load.ts';
import { median } from './median.ts';
import { startApi } from './processes.ts';
import { load } from './scale-load.ts';
import { type Loaded, measures, type ScaleMeasure } from './scale-measures.ts';
import { compareWriters } from './scale-writers.ts';

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
/** A measure ends after so many milliseconds, however few requests it has made. */
const PATIENCE = 30_000;
/** Of the throughput without the triggers of leads and their history. */
const LEAST_WRITERS = 0.8;
const NAME_WIDTH = 52;

const agent = new Agent({ keepAlive: true });

/** Throws for anything but a 2xx. Gives the parsed body. */
async function ask({ url, token }: Target, path: string, body?: object): Promise<unknown> {
  const sent = request(url + path, {
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.end(body && JSON.stringify(body));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  const answer = await text(response);
  if ((response.statusCode ?? 500) >= 300) throw new Error(`${path}: ${response.statusCode} ${answer}`);
  return JSON.parse(answer);
}

/** A running service with so many leads. */
interface Size {
  leads: number;
  target: Target;
  databaseUrl: string;
  loaded: Loaded;
}

async function open(leads: number, folder: string, closers: (() => Promise<void>)[]): Promise<Size> {
  const dataDir = join(folder, String(leads));
  await mkdir(dataDir, { recursive: true });
  const databases = await openDatabases({ databases: undefined, dataDir });
  closers.push(databases.stop);
  const databaseUrl = databases.production;
  await migrate(databaseUrl);
  const ids = await prepare(databaseUrl, leads);
  const target = await startApi(dataDir, 0);
  closers.push(target.stop);
  const middle = `/leads?per_page=1&page=${Math.ceil(leads / 2)}`;
  const { meta } = (await ask(target, middle)) as { meta: { next_cursor: string } };
  return { leads, target, databaseUrl, loaded: { leads, ...ids, cursor: meta.next_cursor } };
}

/** Loads what is not there yet, and does what the service does in the background then. Gives the public ids of a user and of content. */
async function prepare(databaseUrl: string, leads: number): Promise<Pick<Loaded, 'user' | 'content'>> {
  const db = createKnex(databaseUrl, 1, Number.POSITIVE_INFINITY);
  const step = async (name: string, action: () => Promise<unknown>) => {
    const began = performance.now();
    await action();
    console.log(`${leads} leads: ${name} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  };
  try {
    if ((await db('leads').first('id')) === undefined) {
      await step('loaded', () => load(databaseUrl, leads));
    }
    await step('counters folded', () => foldLeadCounts(db));
    // What autovacuum does in the minutes after a load.
    await db.raw('vacuum analyze lead_counts');
    const user = await db('users').orderBy('id').first('id');
    const content = await db('content').orderBy('id').first('id');
    return { user: toId('user', user?.id ?? ''), content: toId('content', content?.id ?? '') };
  } finally {
    await db.destroy();
  }
}

/** For each size the median time of an answer, in milliseconds. */
async function timesOf({ path, body }: ScaleMeasure, sizes: readonly Size[]): Promise<number[]> {
  const times = sizes.map((): number[] => []);
  const end = performance.now() + PATIENCE;
  for (let turn = 0; turn < WARM_UPS + Number(values.requests); turn += 1) {
    for (const [index, { target, loaded }] of sizes.entries()) {
      const began = performance.now();
      await ask(target, path(loaded), body?.());
      times[index]?.push(performance.now() - began);
    }
    if (performance.now() > end) break;
  }
  // What is so slow that it ran out of patience has no warm-ups to leave out.
  return times.map((all) => median(all.length > 2 * WARM_UPS ? all.slice(WARM_UPS) : all));
}

/** A measure's times, the growth from the smallest size to the largest, and whether it is within its bounds. */
function line({ name, growth: mostGrowth, most }: ScaleMeasure, times: readonly number[]): string {
  const growth = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN);
  const slowest = Math.max(...times);
  const isWithin = !(growth > (mostGrowth ?? growth)) && !(slowest > (most ?? slowest));
  const bounds = [
    ...(mostGrowth === undefined ? [] : [`at most ${mostGrowth} times`]),
    ...(most === undefined ? [] : [`at most ${most} ms`]),
  ];
  const columns = [...times.map((time) => time.toFixed(2)), `${growth.toFixed(2)}x`];
  const verdict = bounds.length === 0 ? '' : `  ${isWithin ? 'ok' : 'TOO MUCH'}: ${bounds.join(', ')}`;
  return name.padEnd(NAME_WIDTH) + columns.map((column) => column.padStart(11)).join('') + verdict;
}

async function main(): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  try {
    const folder = resolve(values.data ?? (await mkdtemp(join(tmpdir(), 'lead-pipeline-bench-scale-'))));
    if (values.data === undefined) closers.push(() => rm(folder, { recursive: true, force: true }));
    await mkdir(folder, { recursive: true });
    // As root the server runs as another user, who must be able to get in.
    await chmod(folder, 0o755);
    const sizes: Size[] = [];
    for (const leads of SIZES) sizes.push(await open(leads, folder, closers));
    console.log(
      `${'median, ms'.padEnd(NAME_WIDTH)}${SIZES.map((leads) => String(leads).padStart(11)).join('')}     growth`,
    );
    for (const measure of measures) console.log(line(measure, await timesOf(measure, sizes)));
    for (const { leads, target, databaseUrl } of sizes) {
      const part = await compareWriters(target, databaseUrl, Number(values.seconds));
      const verdict = part >= LEAST_WRITERS ? 'ok' : 'TOO LITTLE';
      console.log(
        `16 writers at ${leads} leads: ${part.toFixed(2)} of it; ${verdict}: at least ${LEAST_WRITERS}`,
      );
    }
  } finally {
    agent.destroy();
    for (const close of closers.reverse()) await close();
  }
}

await main();
