import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '../../src/embedded-postgres/server.ts';
import { type Closers, newFolder, open } from '../closing.ts';
import { newLead } from './leads.ts';
import { load, send, type Target } from './load.ts';
import { median } from './median.ts';
import { startApi } from './service.ts';

const ROUNDS = 5;
const SECONDS = 3;
/** The maximum size of a batch. */
const BATCH = 1_000;
/** Batches of a round. */
const BATCHES = 8;
/** Rows of an imported file. */
const FILE_ROWS = 50_000;
/** How long sixteen clients list leads, without and during an import. Less than the import takes. */
const LIST_SECONDS = 5;
const list = () => ({ method: 'GET' as const, path: '/leads?per_page=20' });

const COLUMNS = ['name', 'email', 'phone', 'source', 'company'];

/** Rows per second of each way in and out, beside a bare COPY of the same rows. */
export async function measureBulk(closers: Closers): Promise<void> {
  const dataDir = await newFolder(closers);
  const api = await startApi(closers, { dataDir });
  const server = await open(closers, startEmbedded(dataDir), (started) => started.stop());
  const client = new pg.Client({ connectionString: server.url('lead_pipeline_production') });
  await client.connect();
  closers.push(() => client.end());
  await client.query(`create table yardstick as select ${COLUMNS} from leads with no data`);

  const rates = new Map<string, number[]>();
  const note = (name: string, rate: number) => rates.set(name, [...(rates.get(name) ?? []), rate]);
  const batchTimes: number[] = [];
  const idle: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    note('single', (await load(api, newLead, SECONDS)).requestsPerSecond);
    for (let turn = 0; turn < BATCHES; turn += 1) {
      const seconds = await timed(() => createBatch(api));
      batchTimes.push(seconds * 1000);
      note('batch', BATCH / seconds);
    }
    const file = join(dataDir, `${round}.csv`);
    const csv = csvFile();
    await writeFile(file, csv, { mode: 0o644 });
    note('copy_in', FILE_ROWS / (await timed(() => copyIn(client, file))));
    note('import', FILE_ROWS / (await timed(() => importFile(api, csv))));
    idle.push((await load(api, list, LIST_SECONDS)).p99);
    const imported = importFile(api, csvFile());
    busy.push((await load(api, list, LIST_SECONDS)).p99);
    await imported;
    const total = await countLeads(client);
    note('copy_out', total / (await timed(() => client.query(`copy leads to '/dev/null' csv header`))));
    for (const type of ['csv', 'x-ndjson']) {
      const seconds = await timed(() => exportAll(api, type === 'csv' ? 'text/csv' : `application/${type}`));
      note(type === 'csv' ? 'export_csv' : 'export_ndjson', total / seconds);
    }
  }
  print(rates, { batchTime: median(batchTimes), slower: median(busy) / median(idle) });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function createBatch(api: Target): Promise<void> {
  const items = Array.from({ length: BATCH }, () => newLead().body);
  const answer = (await send(api, { method: 'POST', path: '/leads/batch/create', body: { items } })) as {
    meta: { created: number };
  };
  if (answer.meta.created !== BATCH) throw new Error(`The batch created ${JSON.stringify(answer.meta)}.`);
}

function csvFile(): string {
  const lines = Array.from(
    { length: FILE_ROWS },
    (_, row) => `Person ${row},${randomUUID()}@example.com,+4915112345678,website,Company ${row % 1000}`,
  );
  return `${[COLUMNS.join(), ...lines].join('\n')}\n`;
}

/** Copies into a table without indexes and triggers. */
async function copyIn(client: pg.Client, file: string): Promise<void> {
  await client.query(`copy yardstick (${COLUMNS}) from ${client.escapeLiteral(file)} csv header`);
}

interface Import {
  data: { id: string; status: string; counts: { created: number } };
}

/** Uploads a file, and waits until the last row is imported. */
async function importFile({ url, token }: Target, csv: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/imports?resource=leads`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: csv,
  });
  let { data } = (await response.json()) as Import;
  while (data.status === 'queued' || data.status === 'running') {
    await sleep(50);
    ({ data } = (await (await fetch(`${url}/imports/${data.id}`, { headers })).json()) as Import);
  }
  if (data.counts.created !== FILE_ROWS) throw new Error(`The import ended as ${JSON.stringify(data)}.`);
}

async function countLeads(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ total: number }>('select count(*)::int as total from leads');
  return rows[0]?.total ?? 0;
}

async function exportAll({ url, token }: Target, accept: string): Promise<void> {
  const response = await fetch(`${url}/leads/export`, {
    headers: { authorization: `Bearer ${token}`, accept },
  });
  if (!response.ok) throw new Error(`The export answered ${response.status}.`);
  for await (const _ of response.body ?? []);
}

interface Figures {
  /** Milliseconds. */
  batchTime: number;
  /** How many times longer other requests take during an import. */
  slower: number;
}

function print(rates: Map<string, number[]>, { batchTime, slower }: Figures): void {
  const of = (name: string) => median(rates.get(name) ?? []);
  const verdict = (holds: boolean, bound: string) => `  ${holds ? 'ok' : 'TOO LITTLE'}: ${bound}`;
  const row = (name: string, yardstick: string | undefined, bound: string) => {
    const ratio = yardstick === undefined ? '' : (of(name) / of(yardstick)).toFixed(3);
    console.log(`${name.padEnd(15)}${of(name).toFixed(0).padStart(9)}/s ${ratio.padStart(8)}${bound}`);
  };
  const factor = of('batch') / of('single');
  console.log('median rows per second, and the ratio to a bare COPY');
  row('copy_in', undefined, '');
  row('single', 'copy_in', '');
  row(
    'batch',
    'copy_in',
    verdict(
      factor >= 3 && batchTime <= 300,
      `${factor.toFixed(1)} times single (at least 3), ${BATCH} in ${batchTime.toFixed(0)} ms (at most 300)`,
    ),
  );
  const import_ = of('import') >= 5_000 && slower <= 2;
  row(
    'import',
    'copy_in',
    verdict(
      import_,
      `at least 5,000/s; p99 of sixteen clients that list ${slower.toFixed(1)} times that without (at most 2)`,
    ),
  );
  row('copy_out', undefined, '');
  for (const name of ['export_csv', 'export_ndjson']) {
    row(name, 'copy_out', verdict(of(name) >= 1e6 / 60, 'a million in at most 60 s'));
  }
  const all = [...rates.keys()].map((name) => [name, Math.round(of(name))]);
  console.log(
    JSON.stringify({
      ...Object.fromEntries(all),
      batch_ms: Math.round(batchTime),
      import_p99_ratio: Number(slower.toFixed(2)),
    }),
  );
}
