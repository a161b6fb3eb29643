import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lead, Ledger } from './ledger.ts';
import { noteLead } from './ledger.ts';

/** Clients that work at the same time, each with leads of its own. */
const CLIENTS = 16;
/** Between two requests of a client (milliseconds): a load that leaves the machine room to inject faults. */
const PAUSE = 20;
/** A client waits so long before it repeats what was not answered (milliseconds). */
const RETRY = 500;
/** The longest that the service may take for an answer (milliseconds). */
const MAX_WAIT = 20_000;

export interface Answered {
  status: number;
  body: unknown;
}

/** Where the service is, which changes when it is started anew, and how to get in. */
export interface Access {
  /** With the version. */
  url: string;
  clientId: string;
  clientSecret: string;
}

export interface Tally {
  requests: number;
  writes: number;
  /** Milliseconds of all answered requests. */
  durations: number[];
  /** By what was answered: a status with its code, or the failure of the connection. */
  failures: Map<string, number>;
  /** What must never happen, a sentence each. */
  faults: string[];
}

/** Mixed traffic until `signal` is aborted; a third of it writes. */
export async function runTraffic(
  access: Access,
  ledger: Ledger,
  tally: Tally,
  signal: AbortSignal,
  isDisturbed: () => boolean,
): Promise<void> {
  const client = createClient(access, tally, isDisturbed);
  const work = async () => {
    const own: Lead[] = [];
    while (!signal.aborted) {
      await step(client, own, ledger, tally, signal);
      await sleep(PAUSE);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
}

type Client = ReturnType<typeof createClient>;

/** Sends requests with a token that it renews. */
export function createClient(access: Access, tally: Tally, isDisturbed: () => boolean) {
  let token = '';

  async function send(
    method: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<Answered | undefined> {
    const began = performance.now();
    const wasDisturbed = isDisturbed();
    try {
      const response = await fetch(access.url + path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          ...(key && { 'Idempotency-Key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(2 * MAX_WAIT),
      });
      const text = await response.text();
      const answered = { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
      note(began, answered, `${method} ${path}`, wasDisturbed);
      return answered;
    } catch (error) {
      const { cause, name } = error as Error & { cause?: { code?: string } };
      fail(cause?.code ?? name, `${method} ${path}`, began, wasDisturbed);
      return undefined;
    }
  }

  function note(began: number, { status, body }: Answered, request: string, wasDisturbed: boolean): void {
    const duration = performance.now() - began;
    tally.requests += 1;
    tally.durations.push(duration);
    const code = (body as { code?: string } | undefined)?.code;
    if (status >= 500) fail(`${status} ${code}`, request, began, wasDisturbed);
    else if (duration > MAX_WAIT) tally.faults.push(`${request} took ${(duration / 1000).toFixed(1)} s.`);
  }

  function fail(what: string, request: string, began: number, wasDisturbed: boolean): void {
    tally.failures.set(what, (tally.failures.get(what) ?? 0) + 1);
    const duration = performance.now() - began;
    if (duration > MAX_WAIT + 1_000)
      tally.faults.push(`${request} took ${(duration / 1000).toFixed(1)} s: ${what}.`);
    if (what.startsWith('500') || (!wasDisturbed && !isDisturbed())) {
      tally.faults.push(`${request} failed while nothing was wrong: ${what}.`);
    }
  }

  async function renew(): Promise<void> {
    const answered = await send('POST', '/auth/token', {
      grant_type: 'client_credentials',
      client_id: access.clientId,
      client_secret: access.clientSecret,
    });
    if (answered?.status === 200) token = (answered.body as { access_token: string }).access_token;
  }

  return {
    renew,
    async send(method: string, path: string, body?: object, key?: string): Promise<Answered | undefined> {
      if (token === '') await renew();
      const answered = await send(method, path, body, key);
      if (answered?.status === 401) token = '';
      return answered;
    },
  };
}

async function step(
  client: Client,
  own: Lead[],
  ledger: Ledger,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const lead = own[Math.floor(Math.random() * own.length)];
  const dice = Math.random();
  if (lead === undefined || dice < 0.12) return create(client, own, ledger, tally, signal);
  if (dice < 0.22) return patch(client, lead, ledger, tally);
  if (dice < 0.24) return remove(client, own, lead, ledger, tally);
  if (dice < 0.3) return createContact(client, ledger, tally, signal);
  await client.send('GET', readPath(lead, dice));
}

function readPath(lead: Lead, dice: number): string {
  if (dice < 0.55) return `/leads/${lead.id}`;
  if (dice < 0.75) return '/leads?per_page=20&status=new';
  if (dice < 0.85) return `/leads?search=${lead.name.slice(0, 8)}`;
  if (dice < 0.93) return `/leads/${lead.id}/events`;
  if (dice < 0.98) return '/events?limit=50&after=latest';
  return '/analytics/summary';
}

/** Repeats the request under one key until it is answered. */
async function insist(
  client: Client,
  path: string,
  body: object,
  signal: AbortSignal,
): Promise<Answered | undefined> {
  const key = randomUUID();
  for (;;) {
    const answered = await client.send('POST', path, body, key);
    if (answered !== undefined && answered.status < 500 && answered.status !== 401) return answered;
    if (signal.aborted) return undefined;
    await sleep(RETRY);
  }
}

async function create(
  client: Client,
  own: Lead[],
  ledger: Ledger,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const name = randomUUID();
  tally.writes += 1;
  const answered = await insist(client, '/leads', { name, email: `${name}@example.com` }, signal);
  if (answered === undefined) return;
  if (answered.status !== 201) return void tally.faults.push(`A creation was answered ${answered.status}.`);
  const { data } = answered.body as { data: Lead };
  own.push(data);
  noteLead(ledger, data);
}

async function createContact(
  client: Client,
  ledger: Ledger,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const name = randomUUID();
  tally.writes += 1;
  const answered = await insist(client, '/contacts', { name }, signal);
  if (answered?.status === 201) ledger.contacts.add(name);
  else if (answered !== undefined) tally.faults.push(`A contact's creation was answered ${answered.status}.`);
}

async function patch(client: Client, lead: Lead, ledger: Ledger, tally: Tally): Promise<void> {
  const entry = ledger.leads.get(lead.id);
  if (entry === undefined) return;
  const name = randomUUID();
  entry.names.add(name);
  tally.writes += 1;
  const answered = await client.send('PATCH', `/leads/${lead.id}`, { name });
  if (answered?.status !== 200) return;
  entry.version = (answered.body as { data: Lead }).data.version;
  entry.names = new Set([name]);
}

async function remove(client: Client, own: Lead[], lead: Lead, ledger: Ledger, tally: Tally): Promise<void> {
  const entry = ledger.leads.get(lead.id);
  if (entry === undefined) return;
  own.splice(own.indexOf(lead), 1);
  entry.deleted = 'perhaps';
  tally.writes += 1;
  const answered = await client.send('DELETE', `/leads/${lead.id}`);
  if (answered?.status === 204) entry.deleted = 'yes';
}
