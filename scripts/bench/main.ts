/**
 * `npm run bench`: measures this API against a minimal yardstick, alternating on one database with 100,000 rows per
 * resource; then measures webhook deliveries.
 *
 *   --deliveries     measure only the deliveries
 *   --resources A,B  measure only these of leads, contacts, content and users
 *   --json           print a last line {"list": ratio, "read": ratio, "create": ratio} for the leads
 *   --paths N        add N unused paths to the document, to check that a request's cost doesn't grow with the contract
 *   --rounds N       pairs per measure (5)
 *   --seconds N      duration of each half of a pair (4)
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../../src/db/embedded.ts';
import { measureDeliveries } from './deliveries.ts';
import { type Ids, type LoadResult, load, type Measure, measuresOf } from './load.ts';
import { median } from './median.ts';
import { type Running, startApi, startYardstick } from './processes.ts';
import { type ResourceName, resources } from './resources.ts';
import { seed } from './seed.ts';

const ROWS = 100_000;
/** Seconds of load before anything is measured. */
const WARM_UP = 2;

const { values } = parseArgs({
  options: {
    deliveries: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    paths: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    resources: { type: 'string', default: Object.keys(resources).join() },
  },
});
const names = values.resources.split(',').map((name) => {
  if (name in resources) return name as ResourceName;
  throw new Error(
    `--resources must be a comma-separated list of ${Object.keys(resources).join(', ')}; not "${name}".`,
  );
});
if (values.json && !names.includes('leads')) throw new Error('--json requires leads in --resources.');

/** By name. The others are compared with `yardstick`. */
type Contestants = Record<string, Running>;

const nameOf = ({ resource, operation }: Measure) => `${operation} ${resource}`;

/** The median ratio of each contestant. They alternate in changing order, so that noisy neighbours affect all alike. */
async function compare(measure: Measure, contestants: Contestants, ids: Ids): Promise<Map<string, number>> {
  const names = Object.keys(contestants);
  const run = (name: string, seconds: number) => load(measure, contestants[name] as Running, ids, seconds);
  for (const name of names) await run(name, WARM_UP);
  const ratios = new Map<string, number[]>();
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const results = new Map<string, LoadResult>();
    for (const index of names.keys()) {
      const name = names[(index + round) % names.length] as string;
      results.set(name, await run(name, Number(values.seconds)));
    }
    const yardstick = results.get('yardstick')?.requestsPerSecond ?? Number.NaN;
    for (const [name, { requestsPerSecond, p50, p99, cpu }] of [...results].sort()) {
      const ratio = requestsPerSecond / yardstick;
      ratios.set(name, [...(ratios.get(name) ?? []), ratio]);
      console.log(
        `${nameOf(measure)} ${round + 1}  ${name.padEnd(10)} ${requestsPerSecond.toFixed(0).padStart(6)}/s` +
          `  p50 ${p50} ms  p99 ${p99} ms  CPU ${cpu.toFixed(0).padStart(4)} µs  ratio ${ratio.toFixed(3)}`,
      );
    }
  }
  return new Map([...ratios].map(([name, all]) => [name, median(all)]));
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lead-pipeline-bench-'));
  const stops: (() => Promise<void>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  try {
    // When run as root, PostgreSQL runs as another user, who needs access.
    await chmod(dataDir, 0o755);
    const startedAt = performance.now();
    const api = await startApi(dataDir, 0);
    stops.push(api.stop);
    console.log(`start to first response: ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);
    const server = await startEmbedded(dataDir);
    stops.push(() => server.stop());
    const databaseUrl = server.url('lead_pipeline_production');
    const ids = await seed(databaseUrl, names, ROWS);
    const yardstick = await startYardstick(databaseUrl, dataDir);
    stops.push(yardstick.stop);
    const contestants: Contestants = { api, yardstick };
    const paths = Number(values.paths);
    if (paths > 0) {
      const large = await startApi(dataDir, paths);
      stops.push(large.stop);
      contestants[`api+${paths}`] = large;
    }
    const medians = new Map<Measure, Map<string, number>>();
    for (const measure of measuresOf(names)) medians.set(measure, await compare(measure, contestants, ids));
    console.log(
      `resident memory of the API after the load: ${((await api.memory()) / 2 ** 20).toFixed(0)} MiB`,
    );
    for (const [measure, ratios] of medians) {
      for (const [name, ratio] of ratios)
        console.log(`median ${nameOf(measure)} ${name}: ${ratio.toFixed(3)}`);
    }
    await measureDeliveries();
    if (values.json) {
      const ratios = [...medians]
        .filter(([{ resource }]) => resource === 'leads')
        .map(([{ operation }, byName]) => [operation, Number(byName.get('api')?.toFixed(3))]);
      console.log(JSON.stringify(Object.fromEntries(ratios)));
    }
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

await (values.deliveries ? measureDeliveries() : main());
