import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { paths } from './api.d.ts';
import type { LeadPipeline } from './client.ts';

type Json<Path extends '/leads' | '/events'> =
  paths[Path]['get']['responses'][200]['content']['application/json'];
type Lead = Json<'/leads'>['data'][number];
type ApiEvent = Json<'/events'>['data'][number];

/** Every change of a lead causes one of these events. */
const TYPES = ['lead.created', 'lead.updated', 'lead.deleted'] as const;
/** Milliseconds between two requests at the end of the log. */
const PAUSE = 2_000;

/**
 * Keeps a copy of all leads in the table `leads`, until the signal. It saves the cursor in the same transaction as the changes
 * before it. So after a crash it continues at the right place: no event is lost or applied twice.
 */
export async function mirrorLeads(api: LeadPipeline, db: DatabaseSync, signal: AbortSignal): Promise<void> {
  db.exec('create table if not exists leads (id text primary key, version integer, lead text) strict');
  db.exec('create table if not exists follower (id integer primary key check (id = 1), cursor text) strict');
  while (!signal.aborted) {
    const cursor = savedCursor(db);
    if (cursor === undefined) {
      await readAll(api, db, signal);
      continue;
    }
    const query = { cursor, event_types: [...TYPES], per_page: 500 };
    const { data: page, error, response } = await api.GET('/events', { params: { query }, signal });
    if (response.status === 410) {
      // 410: the events after the cursor have expired, or the service was restored from an older backup.
      await readAll(api, db, signal);
      continue;
    }
    if (page === undefined) throw new Error(`GET /events: ${error?.code} ${error?.message}`);
    transaction(db, () => {
      for (const event of page.data) apply(db, event);
      saveCursor(db, page.meta.next_cursor);
    });
    if (!page.meta.has_more) await sleep(PAUSE, undefined, { signal });
  }
}

/** Reads everything again: first the current cursor, then the leads. Events after the cursor have the changes made meanwhile. */
async function readAll(api: LeadPipeline, db: DatabaseSync, signal: AbortSignal): Promise<void> {
  const now = await api.GET('/events', { params: { query: { cursor: 'latest' } }, signal });
  if (now.data === undefined) throw new Error(`GET /events: ${now.error?.code} ${now.error?.message}`);
  db.exec('create temp table if not exists incoming as select * from leads where false');
  db.exec('delete from incoming');
  const add = db.prepare('insert into incoming (id, version, lead) values (?, ?, ?)');
  let cursor: string | null | undefined;
  do {
    const query = { per_page: 100, sort: 'created_at' as const, ...(cursor && { cursor }) };
    const { data: page, error } = await api.GET('/leads', { params: { query }, signal });
    if (page === undefined) throw new Error(`GET /leads: ${error?.code} ${error?.message}`);
    for (const lead of page.data) add.run(lead.id, lead.version, JSON.stringify(lead));
    cursor = page.meta.next_cursor;
  } while (cursor);
  transaction(db, () => {
    db.exec('delete from leads');
    db.exec('insert into leads select * from incoming');
    saveCursor(db, now.data.meta.next_cursor);
  });
}

function apply(db: DatabaseSync, event: ApiEvent): void {
  if (event.type === 'lead.deleted') {
    db.prepare('delete from leads where id = ?').run(event.data.object.id);
  } else if (event.type === 'lead.created' || event.type === 'lead.updated') {
    store(db, event.data.object);
  }
}

/** An event older than the copy changes nothing. */
function store(db: DatabaseSync, lead: Lead): void {
  db.prepare(
    `insert into leads (id, version, lead) values (?, ?, ?)
     on conflict (id) do update set version = excluded.version, lead = excluded.lead
     where excluded.version > leads.version`,
  ).run(lead.id, lead.version, JSON.stringify(lead));
}

function savedCursor(db: DatabaseSync): string | undefined {
  return db.prepare('select cursor from follower').get()?.cursor as string | undefined;
}

function saveCursor(db: DatabaseSync, cursor: string): void {
  db.prepare('insert or replace into follower (id, cursor) values (1, ?)').run(cursor);
}

function transaction(db: DatabaseSync, work: () => void): void {
  db.exec('begin immediate');
  try {
    work();
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}
