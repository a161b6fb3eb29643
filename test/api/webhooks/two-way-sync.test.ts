/** Two systems that copy each other's changes: production and the sandbox, each followed by a webhook with exclude_own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Environment } from '../../../src/environment.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { TestClient } from '../../support/client.ts';
import {
  countPending,
  type Received,
  startReceiver,
  startTestWorker,
  until,
} from '../../support/deliveries.ts';
import { make } from '../../support/resources.ts';
import { webhooks } from '../../support/webhooks.ts';

const LEADS = 100;
/** Edits of each lead on each side. */
const EDITS = 10;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ sandbox: true });
});

afterAll(() => app.close());

interface Side {
  /** A person's client. */
  user: TestClient;
  /** The client that follows the other side. Its own webhook leaves out what it writes. */
  mirror: TestClient;
  worker: ReturnType<typeof startTestWorker>;
  context: TestApp['production'];
}

async function startSide(environment: Environment): Promise<Side> {
  const context = app[environment];
  const worker = startTestWorker({ production: context, secretKey: app.secretKey });
  const user = await app.client(undefined, environment);
  return { user, mirror: await app.client(undefined, environment), worker, context };
}

type ChangedLead = Record<string, string> & { external_id: string; version: number };

/** Copies one field of changed leads to the other side, which has them under these ids by their external ids. */
async function follow(
  from: Side,
  to: Side,
  ids: ReadonlyMap<string, string>,
  field: 'company' | 'next_step',
) {
  const versions = new Map<string, number>();
  const waiting = new Map<string, object>();
  let writing: Promise<unknown> = Promise.resolve();
  /** Events may arrive in another order. */
  function note({ event }: Received): void {
    const { external_id, version, [field]: value } = event.data.object as unknown as ChangedLead;
    if ((versions.get(external_id) ?? 0) > version) return;
    versions.set(external_id, version);
    waiting.set(external_id, { id: ids.get(external_id), patch: { [field]: value } });
  }
  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    const items = [...waiting.values()];
    waiting.clear();
    await to.mirror.post('/leads/batch/update', { items, atomic: true }).expect(200);
  }
  const receiver = await startReceiver((received, res) => {
    note(received);
    writing = writing.then(write);
    res.writeHead(204).end();
  });
  const fields = { url: receiver.url, event_types: ['lead.updated'], exclude_own: true };
  const webhook = await make(from.mirror, webhooks, fields);
  async function isIdle(): Promise<boolean> {
    const pending = await countPending(from.mirror, webhook.id);
    await writing;
    return pending === 0;
  }
  return { receiver, isIdle };
}

async function edit({ user }: Side, ids: ReadonlyMap<string, string>, field: string): Promise<void> {
  for (let round = 1; round <= EDITS; round += 1) {
    const items = [...ids.values()].map((id) => ({ id, patch: { [field]: `${field} ${round}` } }));
    const { body } = await user.post('/leads/batch/update', { items }).expect(200);
    expect(body.data.every(({ status }: { status: string }) => status === 'updated')).toBe(true);
  }
}

/** Returns the ids by external id. */
async function addLeads({ user }: Side): Promise<Map<string, string>> {
  const items = Array.from({ length: LEADS }, (_, index) => ({
    name: 'Ada',
    email: `person-${index}@example.com`,
    external_id: `crm-${index}`,
  }));
  const { body } = await user.post('/leads/batch/create', { items }).expect(200);
  return new Map(items.map(({ external_id }, index) => [external_id, body.data[index].lead.id]));
}

async function readLeads({ user }: Side): Promise<object[]> {
  const { body } = await user
    .get(`/leads?per_page=${LEADS}&fields=external_id,company,next_step`)
    .expect(200);
  return body.data
    .map(({ id: _id, ...fields }: { id: string; external_id: string }) => fields)
    .toSorted((a: { external_id: string }, b: { external_id: string }) =>
      a.external_id < b.external_id ? -1 : 1,
    );
}

const countEvents = async ({ context }: Side) => (await context.knex('events').pluck('id')).length;

it('falls silent after 1,000 edits on each side, which both sides then have', async () => {
  const left = await startSide('production');
  const right = await startSide('sandbox');
  const [leftIds, rightIds] = [await addLeads(left), await addLeads(right)];
  const toRight = await follow(left, right, rightIds, 'company');
  const toLeft = await follow(right, left, leftIds, 'next_step');
  await Promise.all([edit(left, leftIds, 'company'), edit(right, rightIds, 'next_step')]);
  await until(async () => (await toRight.isIdle()) && (await toLeft.isIdle()), 120);
  const counts = [await countEvents(left), await countEvents(right)];
  const leads = await readLeads(left);
  expect(leads[0]).toEqual({ external_id: 'crm-0', company: 'company 10', next_step: 'next_step 10' });
  expect(await readLeads(right)).toEqual(leads);
  // Each edit was sent once, and nothing that a mirror wrote.
  const received = [toRight, toLeft].map(
    ({ receiver }) => new Set(receiver.received.map(({ event }) => event.id)).size,
  );
  expect(received).toEqual([LEADS * EDITS, LEADS * EDITS]);
  await Promise.all([left.worker.stop(5_000), right.worker.stop(5_000)]);
  await Promise.all([toRight.receiver.close(), toLeft.receiver.close()]);
  expect([await countEvents(left), await countEvents(right)]).toEqual(counts);
}, 180_000);
