import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lead, Ledger } from './ledger.ts';
import { recordLead } from './ledger.ts';

/** Concurrent clients, each with its own leads. */
const CLIENTS = 16;
/** Delay between two requests of a client, to leave CPU time for injecting faults. Milliseconds. */
const REQUEST_DELAY = 20;
/** Delay before a client retries a failed request. Milliseconds. */
const RETRY_DELAY = 500;
/** Maximum response time. Milliseconds. */
const MAX_RESPONSE_TIME = 20_000;

interface ClientResponse {
  status: number;
  body: unknown;
}

/** The address of the service and the credentials for it. */
export interface Access {
  /** Base URL, including the version. */
  url: string;
  clientId: string;
  clientSecret: string;
}

export interface Tally {
  requests: number;
  writes: number;
  /** Response times. Milliseconds. */
  durations: number[];
  /** Counts by reason: a status with its code, or a connection error. */
  failures: Map<string, number>;
  /** Broken guarantees, one sentence each. */
  violations: string[];
}

/** Runs mixed traffic until `signal` is aborted. A third of the requests write. */
export async function runTraffic(
  access: Access,
  ledger: Ledger,
  tally: Tally,
  signal: AbortSignal,
  isDisrupted: () => boolean,
): Promise<void> {
  const client = createClient(access, tally, isDisrupted);
  const work = async () => {
    const own: Lead[] = [];
    while (!signal.aborted) {
      await step(client, own, ledger, tally, signal);
      await sleep(REQUEST_DELAY);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
}

type Client = ReturnType<typeof createClient>;

/** A client that renews its token. `send` returns undefined when the connection failed. */
export function createClient(access: Access, tally: Tally, isDisrupted: () => boolean) {
  let token = '';

  async function send(
    method: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<ClientResponse | undefined> {
    const startedAt = performance.now();
    const wasDisrupted = isDisrupted();
    try {
      const fetched = await fetch(access.url + path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          ...(key && { 'Idempotency-Key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(2 * MAX_RESPONSE_TIME),
      });
      const text = await fetched.text();
      const response = { status: fetched.status, body: text === '' ? undefined : JSON.parse(text) };
      record(startedAt, response, `${method} ${path}`, wasDisrupted);
      return response;
    } catch (error) {
      const { cause, name } = error as Error & { cause?: { code?: string } };
      fail(cause?.code ?? name, `${method} ${path}`, startedAt, wasDisrupted);
      return undefined;
    }
  }

  function record(
    startedAt: number,
    { status, body }: ClientResponse,
    request: string,
    wasDisrupted: boolean,
  ): void {
    const duration = performance.now() - startedAt;
    tally.requests += 1;
    tally.durations.push(duration);
    const code = (body as { code?: string } | undefined)?.code;
    if (status >= 500) fail(`${status} ${code}`, request, startedAt, wasDisrupted);
    else if (duration > MAX_RESPONSE_TIME)
      tally.violations.push(`${request} took ${(duration / 1000).toFixed(1)} s.`);
  }

  function fail(reason: string, request: string, startedAt: number, wasDisrupted: boolean): void {
    tally.failures.set(reason, (tally.failures.get(reason) ?? 0) + 1);
    const duration = performance.now() - startedAt;
    if (duration > MAX_RESPONSE_TIME + 1_000)
      tally.violations.push(`${request} took ${(duration / 1000).toFixed(1)} s: ${reason}.`);
    if (reason.startsWith('500') || (!wasDisrupted && !isDisrupted())) {
      tally.violations.push(`${request} failed without a fault: ${reason}.`);
    }
  }

  async function renew(): Promise<void> {
    const response = await send('POST', '/auth/token', {
      grant_type: 'client_credentials',
      client_id: access.clientId,
      client_secret: access.clientSecret,
    });
    if (response?.status === 200) token = (response.body as { access_token: string }).access_token;
  }

  return {
    renew,
    async send(
      method: string,
      path: string,
      body?: object,
      key?: string,
    ): Promise<ClientResponse | undefined> {
      if (token === '') await renew();
      const response = await send(method, path, body, key);
      if (response?.status === 401) token = '';
      return response;
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

/** Retries the request with the same Idempotency-Key until it succeeds or `signal` is aborted. */
async function postWithRetries(
  client: Client,
  path: string,
  body: object,
  signal: AbortSignal,
): Promise<ClientResponse | undefined> {
  const key = randomUUID();
  for (;;) {
    const response = await client.send('POST', path, body, key);
    if (response !== undefined && response.status < 500 && response.status !== 401) return response;
    if (signal.aborted) return undefined;
    await sleep(RETRY_DELAY);
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
  const response = await postWithRetries(client, '/leads', { name, email: `${name}@example.com` }, signal);
  if (response === undefined) return;
  if (response.status !== 201)
    return void tally.violations.push(`Creating a lead returned ${response.status}.`);
  const { data } = response.body as { data: Lead };
  own.push(data);
  recordLead(ledger, data);
}

async function createContact(
  client: Client,
  ledger: Ledger,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const name = randomUUID();
  tally.writes += 1;
  const response = await postWithRetries(client, '/contacts', { name }, signal);
  if (response?.status === 201) ledger.contacts.add(name);
  else if (response !== undefined) tally.violations.push(`Creating a contact returned ${response.status}.`);
}

async function patch(client: Client, lead: Lead, ledger: Ledger, tally: Tally): Promise<void> {
  const entry = ledger.leads.get(lead.id);
  if (entry === undefined) return;
  const name = randomUUID();
  entry.names.add(name);
  tally.writes += 1;
  const response = await client.send('PATCH', `/leads/${lead.id}`, { name });
  if (response?.status !== 200) return;
  entry.version = (response.body as { data: Lead }).data.version;
  entry.names = new Set([name]);
}

async function remove(client: Client, own: Lead[], lead: Lead, ledger: Ledger, tally: Tally): Promise<void> {
  const entry = ledger.leads.get(lead.id);
  if (entry === undefined) return;
  own.splice(own.indexOf(lead), 1);
  entry.deleted = 'maybe';
  tally.writes += 1;
  const response = await client.send('DELETE', `/leads/${lead.id}`);
  if (response?.status === 204) entry.deleted = 'yes';
}
