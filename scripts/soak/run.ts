import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Rig } from './faults.ts';
import { compare, compareEvents, createLedger, type Ledger } from './ledger.ts';
import { waitUntil } from './service.ts';
import { type Access, createClient, runTraffic, type Tally } from './traffic.ts';

/** Time that the service has to recover after a fault. Milliseconds. */
const RECOVERY_TIME = 10_000;
/** Timeout for the deliveries that were delayed by faults. Milliseconds. */
const DELIVERY_TIMEOUT = 90_000;
const MIB = 2 ** 20;

/** Runs traffic and injects each fault in turn, `calm` milliseconds apart. Returns the violations, one sentence each. */
export async function soak(
  rig: Omit<Rig, 'client'>,
  faults: readonly Fault[],
  calm: number,
): Promise<string[]> {
  const ledger = createLedger();
  const tally: Tally = { requests: 0, writes: 0, durations: [], failures: new Map(), violations: [] };
  let disrupted = false;
  const client = createClient(rig.access, tally, () => disrupted);
  const receiver = await startReceiver();
  try {
    const webhook = await client.send('POST', '/webhooks', { url: receiver.url, event_types: ['*'] });
    if (webhook?.status !== 201) throw new Error(`Creating the webhook returned ${webhook?.status}.`);
    const before = rig.service.memory();
    const stopping = new AbortController();
    const traffic = runTraffic(rig.access, ledger, tally, stopping.signal, () => disrupted);
    for (const fault of faults) {
      await sleep(calm);
      disrupted = fault.disruptive;
      await inject(fault, { ...rig, client }, tally);
      disrupted = false;
    }
    await sleep(calm);
    const after = rig.service.memory();
    stopping.abort();
    await traffic;
    report(tally, before, after);
    tally.violations.push(...(await verify(rig.access, ledger, receiver.received)));
    return tally.violations;
  } finally {
    await receiver.close();
  }
}

async function inject(fault: Fault, rig: Rig, tally: Tally): Promise<void> {
  const startedAt = performance.now();
  try {
    await fault.inject(rig);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (fault.disruptive) await recover(rig);
    console.log(`${fault.name}: ${seconds} s; recovered`);
  } catch (error) {
    tally.violations.push(`${fault.name}: ${(error as Error).message}`);
    console.log(tally.violations.at(-1));
  }
}

async function recover({ service, client }: Rig): Promise<void> {
  await sleep(RECOVERY_TIME);
  const { status } = await fetch(`${service.url}/readyz`);
  const written = await client.send('POST', '/contacts', { name: `after ${performance.now()}` });
  if (status === 200 && written?.status === 201) return;
  throw new Error(`10 s later /readyz returns ${status} and a write ${written?.status}.`);
}

function report({ requests, writes, durations, failures }: Tally, before: number, after: number): void {
  durations.sort((a, b) => a - b);
  const p99 = durations[Math.floor(durations.length * 0.99)] ?? 0;
  const memory = [before, after].map((bytes) => `${Math.round(bytes / MIB)} MiB`).join(' and ');
  console.log(`${requests} responses, ${writes} writes, p99 ${Math.round(p99)} ms, resident ${memory}`);
  for (const [reason, count] of failures) console.log(`  ${reason}: ${count}`);
}

/** Waits for pending deliveries, then returns what was lost or duplicated. */
async function verify(access: Access, ledger: Ledger, received: Set<string>): Promise<string[]> {
  const tally: Tally = { requests: 0, writes: 0, durations: [], failures: new Map(), violations: [] };
  const client = createClient(access, tally, () => false);
  const get = async (path: string) => {
    const response = await client.send('GET', path);
    return response ?? { status: 0, body: undefined };
  };
  let violations: string[] = [];
  const allDelivered = async () => {
    violations = await compareEvents(ledger, received, get);
    return violations.length === 0;
  };
  await waitUntil(allDelivered, DELIVERY_TIMEOUT, '').catch(() => undefined);
  console.log(
    `${ledger.leads.size} leads, ${ledger.contacts.size} contacts, ${received.size} events received`,
  );
  return [...violations, ...(await compare(ledger, get)), ...tally.violations];
}

/** Starts a webhook receiver that collects the ids of the events it receives. */
async function startReceiver() {
  const received = new Set<string>();
  const server = createServer((req, res) => {
    received.add(String(req.headers['webhook-id']));
    req.resume().on('end', () => res.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
