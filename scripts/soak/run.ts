import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Rig } from './faults.ts';
import { compare, compareEvents, createLedger, type Ledger } from './ledger.ts';
import { until } from './service.ts';
import { type Access, createClient, runTraffic, type Tally } from './traffic.ts';

/** The service is well again so soon after a fault (milliseconds). */
const RECOVERY = 10_000;
/** What waited while a fault lasted is delivered within this (milliseconds). */
const DELIVERY = 90_000;
const MIB = 2 ** 20;

/** Traffic on the rig's service while each fault is injected in turn. Gives what was wrong, a sentence each. */
export async function soak(
  rig: Omit<Rig, 'client'>,
  faults: readonly Fault[],
  calm: number,
): Promise<string[]> {
  const ledger = createLedger();
  const tally: Tally = { requests: 0, writes: 0, durations: [], failures: new Map(), faults: [] };
  let disturbed = false;
  const client = createClient(rig.access, tally, () => disturbed);
  const receiver = await startReceiver();
  try {
    const webhook = await client.send('POST', '/webhooks', { url: receiver.url, event_types: ['*'] });
    if (webhook?.status !== 201) throw new Error(`The webhook was answered ${webhook?.status}.`);
    const before = rig.service.memory();
    const ending = new AbortController();
    const traffic = runTraffic(rig.access, ledger, tally, ending.signal, () => disturbed);
    for (const fault of faults) {
      await sleep(calm);
      disturbed = fault.disturbs;
      await inject(fault, { ...rig, client }, tally);
      disturbed = false;
    }
    await sleep(calm);
    const after = rig.service.memory();
    ending.abort();
    await traffic;
    report(tally, before, after);
    tally.faults.push(...(await verify(rig.access, ledger, receiver.received)));
    return tally.faults;
  } finally {
    await receiver.close();
  }
}

async function inject(fault: Fault, rig: Rig, tally: Tally): Promise<void> {
  const began = performance.now();
  try {
    await fault.inject(rig);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (fault.disturbs) await recover(rig);
    console.log(`${fault.name}: ${seconds} s; well again`);
  } catch (error) {
    tally.faults.push(`${fault.name}: ${(error as Error).message}`);
    console.log(tally.faults.at(-1));
  }
}

async function recover({ service, client }: Rig): Promise<void> {
  await sleep(RECOVERY);
  const { status } = await fetch(`${service.url}/readyz`);
  const written = await client.send('POST', '/contacts', { name: `after ${performance.now()}` });
  if (status === 200 && written?.status === 201) return;
  throw new Error(`10 s later /readyz answers ${status} and a write ${written?.status}.`);
}

function report({ requests, writes, durations, failures }: Tally, before: number, after: number): void {
  durations.sort((a, b) => a - b);
  const p99 = durations[Math.floor(durations.length * 0.99)] ?? 0;
  const memory = [before, after].map((bytes) => `${Math.round(bytes / MIB)} MiB`).join(' and ');
  console.log(`${requests} answers, ${writes} writes, p99 ${Math.round(p99)} ms, resident ${memory}`);
  for (const [what, count] of failures) console.log(`  ${what}: ${count}`);
}

/** What was lost or doubled, once everything that waits has been delivered. */
async function verify(access: Access, ledger: Ledger, received: Set<string>): Promise<string[]> {
  const tally: Tally = { requests: 0, writes: 0, durations: [], failures: new Map(), faults: [] };
  const client = createClient(access, tally, () => false);
  const get = async (path: string) => {
    const answered = await client.send('GET', path);
    return answered ?? { status: 0, body: undefined };
  };
  let faults: string[] = [];
  const isTold = async () => {
    faults = await compareEvents(ledger, received, get);
    return faults.length === 0;
  };
  await until(isTold, DELIVERY, '').catch(() => undefined);
  console.log(
    `${ledger.leads.size} leads, ${ledger.contacts.size} contacts, ${received.size} events received`,
  );
  return [...faults, ...(await compare(ledger, get)), ...tally.faults];
}

/** Remembers the ids of the events that it was sent. */
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
