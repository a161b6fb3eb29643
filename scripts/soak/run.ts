import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, type Client, type Current, createClient, createTally, type Tally } from './client.ts';
import { compare, compareEvents, createLedger, type Ledger } from './ledger.ts';
import { watchMemory } from './memory.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { Fault, Rig } from './rig.ts';
import { waitUntil } from './service.ts';
import { runTraffic } from './traffic.ts';

/** Time that the service has to recover after a fault. Milliseconds. */
const RECOVERY_TIME = 10_000;
/** Timeouts for the imports, and for the deliveries that were delayed by faults. Milliseconds. */
const IMPORT_TIMEOUT = 60_000;
const DELIVERY_TIMEOUT = 60_000;
/** Milliseconds between two looks at whether all is delivered. */
const LOOK_INTERVAL = 3_000;

interface Plan {
  faults: readonly Fault[];
  /** Milliseconds of traffic before the first fault and after each one. */
  calm: number;
  /** Milliseconds. All faults are injected once, if there is time, and then those again that restart nothing. */
  duration: number;
  /** That send requests at the same time. */
  clients: number;
}

/** Runs traffic and injects one fault after the other. Returns the violations, one sentence each. */
export async function soak(rig: Omit<Rig, 'client' | 'receiver'>, plan: Plan): Promise<string[]> {
  const ledger = createLedger();
  const tally = createTally();
  const current: Current = { since: performance.now() };
  const client = createClient(rig.access, tally, current);
  const receiver = await startReceiver();
  try {
    const webhook = await client.send('POST', '/webhooks', { url: receiver.url, event_types: ['*'] });
    if (webhook?.status !== 201) throw new Error(`Creating the webhook returned ${webhook?.status}.`);
    const memory = watchMemory(rig.service);
    const startedAt = performance.now();
    const stopping = new AbortController();
    const traffic = runTraffic(rig.access, ledger, tally, stopping.signal, current, plan.clients);
    await injectAll({ ...rig, client, receiver }, plan, tally, current);
    stopping.abort();
    await traffic;
    report(tally, (performance.now() - startedAt) / 1000);
    tally.violations.push(...memory.stop());
    tally.violations.push(...(await verify(rig.access, ledger, receiver)));
    return tally.violations;
  } finally {
    await receiver.close();
  }
}

async function injectAll(
  rig: Rig,
  { faults, calm, duration }: Plan,
  tally: Tally,
  current: Current,
): Promise<void> {
  const deadline = performance.now() + duration;
  const repeatable = faults.filter(({ restarts }) => !restarts);
  const queue = [...faults];
  await sleep(Math.min(calm, duration));
  while (performance.now() < deadline) {
    const fault = queue.shift();
    if (fault === undefined) {
      if (repeatable.length === 0) break;
      queue.push(...repeatable);
      continue;
    }
    Object.assign(current, { fault, since: performance.now() });
    await inject(fault, rig, tally);
    delete current.fault;
    await sleep(Math.max(0, Math.min(calm, deadline - performance.now())));
  }
  await sleep(Math.max(0, deadline - performance.now()));
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

function report({ requests, writes, durations, failures }: Tally, seconds: number): void {
  durations.sort((a, b) => a - b);
  const quantile = (share: number) => Math.round(durations[Math.floor(durations.length * share)] ?? 0);
  console.log(
    `${requests} responses in ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)} a second), ` +
      `${writes} writes (${((100 * writes) / requests).toFixed(0)} %), p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms`,
  );
  for (const [reason, counts] of failures) {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    console.log(`  ${reason}: ${total}`);
    for (const [when, count] of counts) console.log(`    ${when}: ${count}`);
  }
}

/** Waits for imports and deliveries, then returns what was lost or doubled. */
async function verify(access: Access, ledger: Ledger, { received }: Receiver): Promise<string[]> {
  const tally = createTally();
  const client: Client = createClient(access, tally, { since: performance.now() });
  const get = async (path: string) => {
    const response = await client.send('GET', path);
    return response ?? { status: 0, body: undefined };
  };
  const areImported = async () => {
    const { body } = await get('/imports?status=queued,running');
    return (body as { meta?: { total: number } } | undefined)?.meta?.total === 0;
  };
  await waitUntil(areImported, IMPORT_TIMEOUT, '').catch(() => undefined);
  const violations = await verifyEvents(ledger, received, client, get);
  const again = [...received.values()].filter((count) => count > 1).length;
  console.log(
    `${ledger.leads.size} leads, ${ledger.contacts.size} contacts, ${ledger.content.size} pieces of content, ${ledger.notes.size} notes; ` +
      `${received.size} events received, ${again} of them more than once`,
  );
  return [...violations, ...(await compare(ledger, get)), ...tally.violations];
}

type Get = (path: string) => Promise<{ status: number; body: unknown }>;

/**
 * Waits until each event has arrived. Whatever was refused twice has its third attempt minutes later: that is asked for
 * now.
 */
async function verifyEvents(
  ledger: Ledger,
  received: Receiver['received'],
  client: Client,
  get: Get,
): Promise<string[]> {
  const later = Date.now() + DELIVERY_TIMEOUT;
  const { body } = await get('/webhooks');
  const deliveries = `/webhooks/${(body as { data: { id: string }[] }).data[0]?.id}/deliveries`;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await get(`${deliveries}?status=pending&per_page=100${cursor && `&cursor=${cursor}`}`);
    const { data, meta } = page.body as {
      data: { id: string; next_attempt_at: string }[];
      meta: { next_cursor: string | null };
    };
    for (const { id, next_attempt_at } of data) {
      if (Date.parse(next_attempt_at) > later) await client.send('POST', `${deliveries}/${id}/redeliver`);
    }
    cursor = meta.next_cursor;
  }
  for (;;) {
    const violations = await compareEvents(ledger, new Set(received.keys()), get);
    if (violations.length === 0 || Date.now() > later) return violations;
    await sleep(LOOK_INTERVAL);
  }
}
