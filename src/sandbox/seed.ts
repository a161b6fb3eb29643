import type { Db } from '../db/db.ts';
import { brokenConstraint } from '../db/errors.ts';
import { Problem } from '../problem.ts';
import { DAY } from '../values/time.ts';
import { contentEvents, userEvents } from './make-events.ts';
import { DAYS, makeContent, makeUsers, type Source } from './make-fixtures.ts';
import { makeLeads } from './make-leads.ts';
import { type Counts, insertPastEvents, insertRows, type PastEvent } from './queries.ts';

/** Leads per batch. Small, so that a statement takes a fraction of a second and memory use stays constant. */
const BATCH = 2_000;

interface Seeding {
  seed: number;
  leads: number;
  /** Recorded with the events and status changes. */
  requestId: string;
  /** Called after each batch with the number of leads added so far. */
  onProgress?: (leads: number) => void;
}

/**
 * Adds users, content, leads and contacts generated from the seed. Must run in a transaction. Throws 422 if the seed is
 * used twice: emails, slugs and external ids contain it, so they violate a unique constraint.
 */
export async function seedData(trx: Db, seeding: Seeding): Promise<Counts> {
  try {
    return await insertData(trx, seeding);
  } catch (error) {
    if (!brokenConstraint(error)?.endsWith('_key')) throw error;
    throw new Problem(
      'already_seeded',
      'The sandbox already contains the data of this seed. Reset it, or choose another seed.',
      { details: { errors: { seed: ['was already used; reset the sandbox or choose another'] } } },
    );
  }
}

async function insertData(trx: Db, { seed, leads, requestId, onProgress }: Seeding): Promise<Counts> {
  const source = await createSource(seed);
  const users = makeUsers(source, 10 + Math.floor(leads / 500));
  const content = makeContent(source, 20 + Math.floor(leads / 250), users);
  await insertRows(trx, 'users', users);
  await insertRows(trx, 'content', content);
  await insertPastEvents(
    trx,
    requestId,
    sortByTime([...users.flatMap(userEvents), ...content.flatMap(contentEvents)]),
  );
  const fixtures = { users: users.filter(({ active }) => active), content, requestId };
  let contacts = 0;
  for (let first = 1; first <= leads; first += BATCH) {
    const last = Math.min(first + BATCH - 1, leads);
    const batch = makeLeads(source, fixtures, { first, last, count: leads });
    await insertRows(trx, 'contacts', batch.contacts);
    await insertRows(trx, 'leads', batch.leads);
    await insertRows(trx, 'lead_status_changes', batch.changes);
    await insertPastEvents(trx, requestId, sortByTime(batch.events));
    contacts += batch.contacts.length;
    onProgress?.(last);
  }
  return { users: users.length, contacts, content: content.length, leads };
}

/** A stable sort by time: simultaneous events keep the order in which they were generated. */
function sortByTime(events: PastEvent[]): PastEvent[] {
  return events.sort((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at));
}

/** Loads Faker on first use, because it is large and production never needs it. */
async function createSource(seed: number): Promise<Source> {
  const { base, en, Faker } = await import('@faker-js/faker');
  const end = Math.floor(Date.now() / DAY) * DAY;
  return { fake: new Faker({ locale: [en, base], seed }), seed, begin: end - DAYS * DAY, end };
}
