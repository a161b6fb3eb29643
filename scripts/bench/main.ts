/**
 * `npm run bench`: measures this API against a yardstick, the least that its answers can cost (see yardstick.ts): by turns,
 * in short slices, on one database with 100,000 rows per resource. Before, it checks that both answer with the same JSON.
 * Prints a table of medians, with the CPU time of Node and of PostgreSQL per request; says of each ratio whether it is at
 * its bound. Then measures webhook deliveries.
 *
 *   --deliveries     measure only the deliveries
 *   --bulk           measure only batches, imports and exports, beside a bare COPY; prints a last line of JSON
 *   --resources A,B  measure only these of leads, contacts, content and users
 *   --only A,B       measure only these rows of the table, such as list_1,search, and no deliveries
 *   --json           print a last line of JSON with the ratio of each row about leads
 *   --paths N        add N unused paths to the document, to check that a request's cost doesn't grow with the contract
 *   --rounds N       slices of each server per row (7)
 *   --seconds N      duration of a slice (2)
 */
import { parseArgs } from 'node:util';
import { startEmbedded } from '../../src/db/embedded/server.ts';
import { type Closers, closing, newFolder, open } from '../closing.ts';
import { measureBulk } from './bulk.ts';
import { checkSame } from './check.ts';
import { compare, printTable, type Result } from './compare.ts';
import { postgresCpu } from './cpu.ts';
import { measureDeliveries } from './deliveries.ts';
import { send, type Target } from './load.ts';
import { type Measure, measuresOf, readCursors } from './measures.ts';
import { type Contestant, type Running, startApi, startYardstick } from './processes.ts';
import { newLead, type ResourceName, resources } from './resources.ts';
import { seed } from './seed.ts';

const ROWS = 100_000;
/** Enough for a page of the event log, which has 100. */
const EVENTS = 200;
/**
 * Seconds of load before anything is measured: V8 compiles what runs often, and the first thousands of writes take twice as
 * long as those after them.
 */
const WARM_UP = 10;
/** Maximum cost of the paths that --paths adds, as a part of the requests per second. */
const MAX_COST_OF_PATHS = 0.1;

const { values } = parseArgs({
  options: {
    bulk: { type: 'boolean', default: false },
    deliveries: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    paths: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    resources: { type: 'string', default: Object.keys(resources).join() },
  },
});
const names = values.resources.split(',').map((name) => {
  if (name in resources) return name as ResourceName;
  throw new Error(
    `--resources must be a comma-separated list of ${Object.keys(resources).join(', ')}; not "${name}".`,
  );
});
const hasLeads = names.includes('leads');
if (values.json && !hasLeads) throw new Error('--json requires leads in --resources.');
const only = values.only?.split(',');

async function fillEventLog(api: Target): Promise<void> {
  for (let count = 0; count < EVENTS; count += 1) {
    await send(api, newLead());
  }
}

async function main(closers: Closers): Promise<void> {
  const dataDir = await newFolder(closers);
  const startedAt = performance.now();
  const api = await startApi(closers, dataDir, 0);
  console.log(`start to first response: ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);
  const server = await open(closers, startEmbedded(dataDir), (started) => started.stop());
  const databaseUrl = server.url('lead_pipeline_production');
  const ids = await seed(databaseUrl, names, ROWS);
  if (hasLeads) await fillEventLog(api);

  const contestants = new Map<string, Contestant>();
  const enter = async (name: string, running: Running) => {
    contestants.set(name, { ...running, cursors: await readCursors(running, hasLeads) });
    return contestants.get(name) as Contestant;
  };
  const contender = await enter('api', api);
  const yardstick = await enter('yardstick', await startYardstick(closers, databaseUrl, api));
  const paths = Number(values.paths);
  if (paths > 0) await enter(`api+${paths}`, await startApi(closers, dataDir, paths));

  const measures = measuresOf(ids).filter(({ name }) => only?.includes(name) ?? true);
  for (const measure of measures) await checkSame(measure, contender, yardstick);
  const results = new Map<Measure, Map<string, Result>>();
  const seconds = Number(values.seconds);
  const options = {
    ...{ rounds: Number(values.rounds), seconds, warmUp: WARM_UP },
    postgresCpu: await postgresCpu(databaseUrl),
  };
  for (const measure of measures) results.set(measure, await compare(measure, contestants, options));
  console.log(
    `resident memory of the API after the load: ${((await api.memory()) / 2 ** 20).toFixed(0)} MiB`,
  );
  printTable(results, MAX_COST_OF_PATHS);
  if (only === undefined) await measureDeliveries(closers);
  if (values.json) {
    const ratios = [...results]
      .filter(([{ name }]) => !name.includes(' '))
      .map(([{ name }, byContestant]) => [name, Number(byContestant.get('api')?.ratio.toFixed(3))]);
    console.log(JSON.stringify(Object.fromEntries(ratios)));
  }
}

await closing(values.bulk ? measureBulk : values.deliveries ? measureDeliveries : main);
