/** Mixed traffic: 30 % of the requests write, over all resources. What is acknowledged is written down in the ledger. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Access,
  type Client,
  type ClientResponse,
  type Current,
  createClient,
  type Tally,
} from './client.ts';
import { type Lead, type Ledger, recordLead } from './ledger.ts';

/** Delay between two requests of a client, to leave CPU time for injecting faults. Milliseconds. */
const REQUEST_DELAY = 50;
/** Delay before a client retries a failed request. Milliseconds. */
const RETRY_DELAY = 500;
const ROWS_OF_BATCH = 20;
const ROWS_OF_IMPORT = 200;

/** What a client of the traffic works with. */
interface Hand {
  client: Client;
  own: Lead[];
  ledger: Ledger;
  tally: Tally;
  signal: AbortSignal;
}

type Step = (hand: Hand, lead: Lead) => Promise<unknown>;

/** Steps by their share of the requests, in percent. The writes are 30. */
const steps: readonly [share: number, step: Step][] = [
  [10, createLead],
  [7, patchLead],
  [1.5, deleteLead],
  [4, createContact],
  [2.5, createContent],
  [4, createNote],
  [0.7, createBatch],
  [0.3, createImport],
  [24, read((lead) => `/leads/${lead.id}`)],
  [14, read(() => '/leads?per_page=20&status=new')],
  [8, read((lead) => `/leads?search=${lead.name.slice(0, 8)}`)],
  [6, read((lead) => `/leads/${lead.id}/events`)],
  [6, read(() => '/events?limit=50&after=latest')],
  [4, read(() => '/contacts?sort=-created_at')],
  [3, read(() => '/content?per_page=10')],
  [3, read((lead) => `/leads/${lead.id}/notes`)],
  [1, read(() => '/analytics/summary')],
  [0.9, read(() => '/analytics/funnel')],
  [0.1, read(() => '/leads/export?format=csv&status=won')],
];

/** Runs the traffic until `signal` is aborted. */
export async function runTraffic(
  access: Access,
  ledger: Ledger,
  tally: Tally,
  signal: AbortSignal,
  current: Current,
  clients: number,
): Promise<void> {
  const client = createClient(access, tally, current);
  const work = async () => {
    const hand: Hand = { client, own: [], ledger, tally, signal };
    while (!signal.aborted) {
      const lead = hand.own[Math.floor(Math.random() * hand.own.length)];
      await (lead === undefined ? createLead(hand) : choose()(hand, lead));
      await sleep(REQUEST_DELAY);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
}

function choose(): Step {
  let dice = Math.random() * 100;
  const found = steps.find(([share]) => {
    dice -= share;
    return dice < 0;
  });
  return found?.[1] ?? createLead;
}

function read(path: (lead: Lead) => string): Step {
  return ({ client }, lead) => client.send('GET', path(lead));
}

/** Retries the request with the same Idempotency-Key until it succeeds, or for as long as the traffic runs. */
async function post(
  { client, tally, signal }: Hand,
  path: string,
  body: object | string,
  contentType?: string,
): Promise<ClientResponse | undefined> {
  const key = randomUUID();
  tally.writes += 1;
  for (;;) {
    const response = await client.send('POST', path, body, { key, ...(contentType && { contentType }) });
    if (response !== undefined && response.status < 500 && response.status !== 401) {
      if (response.status < 300) return response;
      // An import's file is received a few at a time, and its key may be in use by the attempt that got no answer.
      if (response.status !== 409) {
        tally.violations.push(`POST ${path} returned ${response.status} ${JSON.stringify(response.body)}.`);
        return undefined;
      }
    }
    if (signal.aborted) return undefined;
    await sleep(RETRY_DELAY);
  }
}

async function createLead(hand: Hand): Promise<void> {
  const name = randomUUID();
  const response = await post(hand, '/leads', { name, email: `${name}@example.com` });
  if (response === undefined) return;
  const { data } = response.body as { data: Lead };
  hand.own.push(data);
  recordLead(hand.ledger, data);
}

async function createContact(hand: Hand): Promise<void> {
  const name = randomUUID();
  if (await post(hand, '/contacts', { name })) hand.ledger.contacts.add(name);
}

async function createContent(hand: Hand): Promise<void> {
  const title = randomUUID();
  if (await post(hand, '/content', { title, type: 'article', body: title.repeat(50) }))
    hand.ledger.content.add(title);
}

async function createNote(hand: Hand, lead: Lead): Promise<void> {
  const text = randomUUID();
  const response = await post(hand, `/leads/${lead.id}/notes`, { text });
  if (response !== undefined) hand.ledger.notes.set(text, lead.id);
}

async function createBatch(hand: Hand): Promise<void> {
  const names = Array.from({ length: ROWS_OF_BATCH }, () => randomUUID());
  const items = names.map((name) => ({ name }));
  if (await post(hand, '/contacts/batch/create', { items }))
    for (const name of names) hand.ledger.contacts.add(name);
}

async function createImport(hand: Hand): Promise<void> {
  const names = Array.from({ length: ROWS_OF_IMPORT }, () => randomUUID());
  const file = `name,email\n${names.map((name) => `${name},${name}@example.com\n`).join('')}`;
  if (await post(hand, '/imports?resource=contacts', file, 'text/csv'))
    for (const name of names) hand.ledger.contacts.add(name);
}

async function patchLead({ client, ledger, tally }: Hand, lead: Lead): Promise<void> {
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

async function deleteLead({ client, own, ledger, tally }: Hand, lead: Lead): Promise<void> {
  const entry = ledger.leads.get(lead.id);
  if (entry === undefined) return;
  own.splice(own.indexOf(lead), 1);
  entry.deleted = 'maybe';
  tally.writes += 1;
  const response = await client.send('DELETE', `/leads/${lead.id}`);
  if (response?.status === 204) entry.deleted = 'yes';
}
