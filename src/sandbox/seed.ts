import { createHash } from 'node:crypto';
import { system } from '../actor.ts';
import { contactRules } from '../contacts/contact-rules.ts';
import { contentImportRules } from '../content/content-rules.ts';
import { lockExisting } from '../content/queries.ts';
import type { Db } from '../db/db.ts';
import { requireEnvironment } from '../db/label.ts';
import type { Change } from '../db/many-rows.ts';
import { leadImportRules } from '../leads/import-rules.ts';
import { historyOf, type PastLead } from '../leads/past-times.ts';
import type { LeadRow } from '../leads/tables.ts';
import { anonymous } from '../principal.ts';
import { Problem } from '../problem.ts';
import type { Writer } from '../resource/rules.ts';
import { lockActive } from '../users/queries.ts';
import { userRules } from '../users/user-rules.ts';
import { newUuid } from '../values/id.ts';
import { DAY } from '../values/time.ts';
import { contactEvents, contentEvents, leadEvents, userEvents } from './make-events.ts';
import { DAYS, makeContent, makeUsers, type Source } from './make-fixtures.ts';
import { makeLeads } from './make-leads.ts';
import { makeReturns, returnEvents } from './make-returns.ts';
import { type Counts, dateLeads, insertPastEvents, isSeeded, type PastEvent } from './queries.ts';
import { createRandom } from './random.ts';

/** Leads per part. Few, so that a transaction takes a fraction of a second and memory use stays constant. */
const PART = 1_000;
/** Maximum external ids to look up for a seed. Of the leads, 40 % have one. */
const MAX_LOOKUPS = 50;

/** What a seed adds, in parts. Each part depends on nothing but this, so that it can be made again. */
interface Plan {
  seed: number;
  leads: number;
  /** UUID that the ids of users and content are derived from. */
  id: string;
  /** Recorded with the events and status changes. */
  requestId: string;
  /** The histories end at the start of this day. Milliseconds since 1970. */
  now: number;
}

/** How many users and how much content a seed adds. */
export function sizesOf({ leads }: Pick<Plan, 'leads'>): { users: number; content: number } {
  return { users: 10 + Math.floor(leads / 500), content: 20 + Math.floor(leads / 250) };
}

/** The last part. Part 0 is the users and the content. */
export function lastPart({ leads }: Pick<Plan, 'leads'>): number {
  return Math.ceil(leads / PART);
}

/** Adds everything. Must run in a transaction. Throws 409 if the seed is used twice. */
export async function seedData(
  trx: Db,
  { onProgress, ...given }: Omit<Plan, 'id' | 'now'> & { onProgress?: (leads: number) => void },
): Promise<Counts> {
  const plan = { ...given, id: newUuid(), now: Date.now() };
  await rejectUsed(trx, plan);
  const counts = { users: 0, contacts: 0, content: 0, leads: 0 };
  for (let part = 0; part <= lastPart(plan); part += 1) {
    const added = await seedPart(trx, plan, part);
    for (const kind of Object.keys(counts) as (keyof Counts)[]) counts[kind] += added[kind];
    if (part > 0) onProgress?.(counts.leads);
  }
  return counts;
}

/** Throws 409 if the data of this seed is there already. */
export async function rejectUsed(db: Db, plan: Plan): Promise<void> {
  const { users, content } = makeFixtures(plan);
  const numbers = Array.from({ length: MAX_LOOKUPS }, (_, index) => index + 1);
  const isUsed = await isSeeded(db, {
    emails: users.slice(0, MAX_LOOKUPS).map(({ email }) => email.toLowerCase()),
    slugs: content.slice(0, MAX_LOOKUPS).map(({ slug }) => slug),
    externalIds: numbers.map((number) => `seed-${plan.seed}-${number}`),
  });
  if (isUsed) throw alreadySeeded();
}

export function alreadySeeded(): Problem {
  return new Problem(
    'already_seeded',
    'The sandbox already contains the data of this seed. Reset it, or choose another seed.',
    { details: { errors: { seed: ['was already used; reset the sandbox or choose another'] } } },
  );
}

/** Adds a part. Throws 409 if rows of the seed are there already: emails, slugs and external ids contain it. */
export async function seedPart(trx: Db, plan: Plan, part: number): Promise<Counts> {
  await requireEnvironment(trx, 'sandbox');
  // A savepoint: nothing remains of a part that fails.
  return trx.transaction((db) => (part === 0 ? addFixtures(db, plan) : addLeads(db, plan, part)));
}

async function addFixtures(trx: Db, plan: Plan): Promise<Counts> {
  const { users, content } = makeFixtures(plan);
  const writer = writerOf(trx, plan);
  requireAll(users, await userRules.insertRows(users, writer));
  requireAll(content, await contentImportRules.insertRows(content, writer));
  const events = [...users.flatMap(userEvents), ...content.flatMap(contentEvents)];
  await insertPastEvents(trx, plan.requestId, sortByTime(events));
  return { users: users.length, contacts: 0, content: content.length, leads: 0 };
}

async function addLeads(trx: Db, plan: Plan, part: number): Promise<Counts> {
  const first = 1 + (part - 1) * PART;
  const last = Math.min(part * PART, plan.leads);
  const made = makeFixtures(plan);
  // Somebody may have changed or deleted them since.
  const active = await lockActive(
    trx,
    made.users.map(({ id }) => id),
  );
  const existing = await lockExisting(
    trx,
    made.content.map(({ id }) => id),
  );
  const fixtures = {
    users: made.users.filter(({ id }) => active.has(id)),
    content: made.content.filter(({ id }) => existing.has(id)),
  };
  if (fixtures.users.length === 0 || fixtures.content.length === 0) {
    throw new Problem(
      'not_found',
      'The users or the content of this seed were deleted while it was running.',
    );
  }
  const source = createSource(plan, part);
  const batch = makeLeads(source, fixtures, { first, last, count: plan.leads });
  const writer = writerOf(trx, plan);
  requireAll(batch.contacts, await contactRules.insertRows(batch.contacts, writer));
  const rows = await leadImportRules.insertRows(batch.leads, writer);
  requireAll(batch.leads, rows);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const events = batch.leads.flatMap((made) =>
    leadEvents(byId.get(made.id) as LeadRow, historyOf(made as PastLead)),
  );
  const returns = await addReturns(trx, makeReturns(source, rows), writer);
  const all = [...batch.contacts.flatMap(contactEvents), ...events, ...returns];
  await insertPastEvents(trx, plan.requestId, sortByTime(all));
  return { users: 0, contacts: batch.contacts.length, content: 0, leads: rows.length };
}

/** Customers who come back. Returns their events. */
async function addReturns(
  trx: Db,
  returns: readonly Change<LeadRow>[],
  writer: Writer,
): Promise<PastEvent[]> {
  if (returns.length === 0) return [];
  const befores = new Map(returns.map(({ before }) => [before.id, before]));
  const rows = await leadImportRules.updateRows(returns, writer);
  await dateLeads(trx, [...befores.keys()]);
  return rows.flatMap((row) =>
    returnEvents(befores.get(row.id) as LeadRow, { ...row, updated_at: row.status_changed_at }),
  );
}

/** The service itself. */
function writerOf(db: Db, { requestId }: Plan): Writer {
  return { db, actor: system, requestId, principal: anonymous };
}

/** Throws 409 if some rows were not inserted, since others have their emails, slugs or external ids. */
function requireAll(made: readonly unknown[], inserted: readonly unknown[]): void {
  if (inserted.length < made.length) throw alreadySeeded();
}

/** The users and the content, always the same for a plan. */
function makeFixtures(plan: Plan) {
  const source = createSource(plan, 0);
  const sizes = sizesOf(plan);
  const users = makeUsers(source, sizes.users).map((user, index) => ({
    ...user,
    id: derivedId(`${plan.id} user ${index}`),
  }));
  const content = makeContent(source, sizes.content, users).map((item, index) => ({
    ...item,
    id: derivedId(`${plan.id} content ${index}`),
  }));
  return { users, content };
}

/** A UUIDv8 (RFC 9562). */
function derivedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A stable sort by time: simultaneous events keep the order in which they were generated. */
function sortByTime(events: PastEvent[]): PastEvent[] {
  return events.sort((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at));
}

function createSource({ seed, now }: Plan, part: number): Source {
  const end = Math.floor(now / DAY) * DAY;
  return { random: createRandom(`${seed} ${part}`), seed, begin: end - DAYS * DAY, end };
}
