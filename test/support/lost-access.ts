/** Clients that start jobs of each kind, and lose their access. */
import { randomUUID } from 'node:crypto';
import { issueApiKey } from '../../src/clients/operator.ts';
import type { TestApp } from './app.ts';
import { type BulkJob, readJob } from './bulk-jobs.ts';
import type { TestClient } from './client.ts';
import { uniqueEmail } from './factories.ts';
import { csv, type Import, readImport, send } from './imports.ts';
import { runJobs } from './jobs.ts';
import { insertLeads } from './lists.ts';
import { addEvents, getReplay, type Replay, startReplay } from './replays.ts';
import { make } from './resources.ts';
import { webhooks } from './webhooks.ts';

/** A client, and where an admin finds it. */
interface Subject {
  client: TestClient;
  id: string;
  path: string;
}

export async function newSubject(app: TestApp, scopes = ['read', 'write']): Promise<Subject> {
  const client = await app.client(scopes);
  const { client_id: id } = (await client.get('/auth/me').expect(200)).body.data;
  return { client, id, path: `/clients/${id}` };
}

export async function newKey(app: TestApp, { id, path }: Subject, scopes?: string[]) {
  const key = await issueApiKey(app.production, { clientId: id, name: 'Key', scopes, expiresAt: null });
  return { path: `${path}/keys/${key.key_id}`, client: app.anonymous.with({ 'X-API-Key': key.api_key }) };
}

/** Queues the deletion of this many leads, which takes a step for each 500. */
export async function startDeletion(app: TestApp, client: TestClient, rows: number): Promise<BulkJob> {
  const tag = randomUUID();
  await insertLeads(
    app.production.knex,
    Array.from({ length: rows }, () => ({ tags: [tag] })),
  );
  const job = { resource: 'leads', filter: { tag: [tag] }, action: { delete: true } };
  return (await client.post('/bulk-jobs', job).expect(202)).body.data;
}

/** Runs everything to its end, as the workers do. */
export async function workAll(app: TestApp): Promise<void> {
  await runJobs(app.production);
}

interface Started {
  webhook: { id: string };
  replay: Replay;
  job: BulkJob;
  started: Import;
}

/** Starts one of each kind. */
export async function startAll(app: TestApp, client: TestClient): Promise<Started> {
  const job = await startDeletion(app, client, 600);
  const webhook = await make(client, webhooks);
  await addEvents(app, 1);
  const replay = await startReplay(client, webhook.id);
  const started = await send(client, csv('name,email', `Ada,${uniqueEmail()}`), 'start=true');
  return { webhook, replay, job, started };
}

/** The status of each, and why it failed. */
export async function endsOf(as: TestClient, { replay, job, started }: Started) {
  const all = [await getReplay(as, replay), await readJob(as, job.id), await readImport(as, started.id)];
  return all.map(({ status, failure }) => [status, failure?.code]);
}

export const failed = (code: string) => Array(3).fill(['failed', code]);
export const completed = Array(3).fill(['completed', undefined]);
