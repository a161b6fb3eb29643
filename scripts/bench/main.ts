/**
 * `npm run bench`: measures requests about leads, in a database with 100,000 of them. Contestants take turns, in short slices,
 * so that noisy neighbours affect all alike. Prints the medians of each: requests per second, CPU time per request of Node
 * and of PostgreSQL, and the ratios of rate and of CPU time to the first contestant's.
 *
 *   --against DIR    compare with the service in another checkout, which has its packages installed
 *   --only A,B       measure only these, such as read,list
 *   --rounds N       slices of each contestant (7)
 *   --seconds N      duration of a slice (2)
 *   --json           print the ratios as a last line of JSON
 *   --webhooks KIND  with 20 paused webhooks: `plain` ones, which get a row for each event, or `filtered` ones, which get none.
 *                    Only the service of this checkout has filters.
 *   --deliveries     measure deliveries to webhooks instead
 *   --bulk           measure batches, imports and exports instead, beside a bare COPY
 */
import { deepStrictEqual } from 'node:assert';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../../src/embedded-postgres/server.ts';
import { type Closers, closing, newFolder, open } from '../closing.ts';
import { measureBulk } from './bulk.ts';
import { measureDeliveries } from './deliveries.ts';
import { type Measure, type Measured, measured, measures, newLead, seed } from './leads.ts';
import { load, send } from './load.ts';
import { median } from './median.ts';
import { postgresCpu, type Running, startApi, startYardstick } from './service.ts';

const LEADS = 100_000;
/** Enough for a page of the event log, which has 100. */
const EVENTS = 200;
/** Seconds of load before anything is measured: V8 first has to compile what runs often. */
const WARM_UP = 8;

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    bulk: { type: 'boolean', default: false },
    deliveries: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    webhooks: { type: 'string' },
  },
});

interface Contestant {
  name: string;
  target: Measured;
  node: Running['cpu'];
  postgres: () => Promise<number>;
}

/** Requests per second, and microseconds of CPU time per request. */
type Slice = Record<'rate' | 'node' | 'postgres', number>;

async function enter(closers: Closers, name: string, root?: string) {
  const dataDir = await newFolder(closers);
  const startedAt = performance.now();
  const running = await startApi(closers, { dataDir, ...(root !== undefined && { root }) });
  console.log(`${name}: first response after ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);
  const server = await open(closers, startEmbedded(dataDir), (started) => started.stop());
  const databaseUrl = server.url('lead_pipeline_production');
  await seed(databaseUrl, LEADS);
  for (let count = 0; count < EVENTS; count += 1) await send(running, newLead());
  await subscribe(running, root === undefined);
  const target = await measured(running, databaseUrl);
  const contestant = { name, target, node: running.cpu, postgres: await postgresCpu(databaseUrl) };
  return { contestant, databaseUrl, running };
}

async function subscribe(running: Running, hasFilters: boolean): Promise<void> {
  const isFiltered = values.webhooks === 'filtered';
  if (values.webhooks === undefined || (isFiltered && !hasFilters)) return;
  const plain = { url: 'https://example.com/hooks', event_types: ['*'], status: 'paused' };
  for (let count = 0; count < 20; count += 1) {
    const filter = {
      status: ['lost'],
      source: ['website', 'api'],
      tag: ['none'],
      company: `Nobody ${count}`,
    };
    const body = { ...plain, ...(isFiltered && { filter, event_types: ['lead.*'] }) };
    await send(running, { method: 'POST', path: '/webhooks', body });
  }
}

async function slice(
  { target, node, postgres }: Contestant,
  measure: Measure,
  seconds: number,
): Promise<Slice> {
  const before = [await node(), await postgres()] as const;
  const loaded = await load(target, (turn) => measure.next(target, turn), seconds);
  const micros = (from: number, to: number) => ((to - from) / loaded.requests) * 1e6;
  return {
    rate: loaded.requestsPerSecond,
    node: micros(before[0], await node()),
    postgres: micros(before[1], await postgres()),
  };
}

/** The medians of each contestant's slices. */
async function compare(measure: Measure, contestants: readonly Contestant[]): Promise<Slice[]> {
  for (const contestant of contestants) await slice(contestant, measure, WARM_UP);
  const slices = contestants.map((): Slice[] => []);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (let turn = 0; turn < contestants.length; turn += 1) {
      const index = (turn + round) % contestants.length;
      slices[index]?.push(await slice(contestants[index] as Contestant, measure, Number(values.seconds)));
    }
  }
  return slices.map((all) => {
    const of = (key: keyof Slice) => median(all.map((one) => one[key]));
    return { rate: of('rate'), node: of('node'), postgres: of('postgres') };
  });
}

async function main(closers: Closers): Promise<void> {
  const { contestant: api, databaseUrl, running } = await enter(closers, 'api');
  const before =
    values.against === undefined ? undefined : await enter(closers, 'before', resolve(values.against));
  const bare = await startYardstick(closers, databaseUrl, running);
  const yardstick = { ...api, name: 'yardstick', target: { ...api.target, ...bare }, node: bare.cpu };

  const only = values.only?.split(',');
  const ratios: Record<string, number> = {};
  const row = (...cells: string[]) =>
    console.log(cells.map((cell, at) => (at < 2 ? cell.padEnd(12) : cell.padStart(10))).join(''));
  row('median', '', '/s', 'Node µs', 'Postgres', 'rate', 'CPU');
  for (const measure of measures.filter(({ name }) => only?.includes(name) ?? true)) {
    if (measure.hasYardstick && measure.name !== 'create') await checkSame(measure, api, yardstick);
    const others = [
      ...(before === undefined ? [] : [before.contestant]),
      ...(measure.hasYardstick ? [yardstick] : []),
    ];
    const contestants = [api, ...others];
    const results = await compare(measure, contestants);
    const [own] = results as [Slice];
    for (const [index, { rate, node, postgres }] of results.entries()) {
      const name = contestants[index]?.name ?? '';
      const cpu = (own.node + own.postgres) / (node + postgres);
      if (index > 0) ratios[`${measure.name}/${name}`] = Number((own.rate / rate).toFixed(3));
      const ratio = index === 0 ? ['', ''] : [(own.rate / rate).toFixed(3), cpu.toFixed(3)];
      row(measure.name, name, rate.toFixed(0), node.toFixed(0), postgres.toFixed(0), ...ratio);
    }
  }
  console.log(
    `resident memory of the service after the load: ${((await running.memory()) / 2 ** 20).toFixed(0)} MiB`,
  );
  if (values.json) console.log(JSON.stringify(ratios));
}

/** Throws unless the yardstick answers like the service. Only the service can read its cursors. */
async function checkSame(measure: Measure, ...contestants: [Contestant, Contestant]): Promise<void> {
  const [expected, found] = await Promise.all(
    contestants.map(async ({ target }) => {
      const body = JSON.stringify(await send(target, measure.next(target, 0)));
      return JSON.parse(body, (field, value) => (field === 'next_cursor' ? typeof value : value));
    }),
  );
  deepStrictEqual(found, expected);
}

await closing(values.bulk ? measureBulk : values.deliveries ? measureDeliveries : main);
