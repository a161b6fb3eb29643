/**
 * The journey of a new integrator, which a program in every language makes with its generated client. The program gets its
 * settings as environment variables, and prints its results as one line of JSON.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { TestClient } from '../support/client.ts';
import {
  type Received,
  startReceiver,
  startTestWorker,
  subscribe,
  unsubscribe,
  until,
} from '../support/deliveries.ts';
import { createLead } from '../support/factories.ts';
import { createWorkshop } from './tools.ts';

interface Failure {
  status: number;
  code: string;
}

/** The results, which must be the same in every language. */
interface Journey {
  /** A lead with this TAG, the email TAG@example.com and the company "Analytical Engines". */
  created: { id: string; version: number; status: string };
  /** The answer to a second lead with the same email. */
  duplicate: Failure & { existing_id: string };
  /** The names of the five leads that a batch created, and the code of its item without an email. */
  batch: { created: string[]; failed: string[] };
  /** The names on all pages of the leads with this TAG: two per page, the newest first. */
  walked: string[];
  /** How many leads with this TAG and the status `new` a bulk job would give the tag `seen`. A dry run. */
  chosen: number;
  /** The lead after a PATCH of its status to `contacted` and its company to null, with `If-Match: "1"`. */
  updated: { status: string; company: null; version: number };
  /** The answer to another PATCH with `If-Match: "1"`. */
  stale: Failure;
  /** The received event, once its signature is verified. */
  delivery: { type: string; name: string };
  /** Whether verification rejects the same event with one changed byte. */
  rejectsForged: boolean;
}

export interface Journeys {
  app: TestApp;
  /** A temporary folder for clients and programs. */
  root: string;
  /** Ends the service, and deletes the folder. */
  close(): Promise<void>;
  /**
   * The environment variables of a program: BASE_URL, CLIENT_ID, CLIENT_SECRET, TAG, and WEBHOOK_SECRET with DELIVERY, the path
   * of a JSON file with the headers and the body of an event. Its signature is valid for five minutes.
   */
  settings(tag: string): Promise<Record<string, string>>;
}

/** Starts a service for the programs. */
export async function prepareJourneys(): Promise<Journeys> {
  const app = await startTestApp();
  const { root, remove } = await createWorkshop();
  const client = await app.client();
  return {
    app,
    root,
    async close() {
      await app.close();
      await remove();
    },
    async settings(tag) {
      const { secret, headers, body } = await deliver(app, client);
      const file = join(root, `${tag}.json`);
      await writeFile(file, JSON.stringify({ headers, body }));
      const { client_id, client_secret } = await app.credentials();
      return {
        BASE_URL: `${app.url}/v1`,
        CLIENT_ID: client_id,
        CLIENT_SECRET: client_secret,
        TAG: tag,
        WEBHOOK_SECRET: secret,
        DELIVERY: file,
      };
    },
  };
}

/** Has the service send an event to a receiver. */
async function deliver(app: TestApp, client: TestClient): Promise<Received & { secret: string }> {
  const receiver = await startReceiver();
  const worker = startTestWorker(app);
  try {
    const { secret } = await subscribe(client, receiver.url);
    await createLead(client, { name: 'Zoë Delivered' });
    return { ...(await until(() => receiver.received[0])), secret };
  } finally {
    await unsubscribe(client);
    await worker.stop(1_000);
    await receiver.close();
  }
}

/** Checks what the program printed. */
export function expectJourney(output: string): void {
  const seen: Journey = JSON.parse(output);
  expect(seen).toEqual({
    created: { id: expect.stringMatching(/^lead_/), version: 1, status: 'new' },
    duplicate: { status: 422, code: 'duplicate_email', existing_id: seen.created.id },
    batch: { created: ['Blaise', 'Carl', 'Dorothy', 'Emmy', 'Felix'], failed: ['validation_failed'] },
    walked: ['Felix', 'Emmy', 'Dorothy', 'Carl', 'Blaise', 'Ada'],
    chosen: 6,
    updated: { status: 'contacted', company: null, version: 2 },
    stale: { status: 412, code: 'version_mismatch' },
    delivery: { type: 'lead.created', name: 'Zoë Delivered' },
    rejectsForged: true,
  });
}
