import { recordAct } from '../audit-log/record-act.ts';
import { toContact } from '../contacts/contact.ts';
import type { Db } from '../db/db.ts';
import { toEvent } from '../events/event.ts';
import { nameActors } from '../events/name-actors.ts';
import { toInboundDelivery } from '../inbound-hooks/delivery.ts';
import { deliveries, findBody } from '../inbound-hooks/queries.ts';
import { readBody } from '../inbound-hooks/receiving/body/read-body.ts';
import type { InboundDeliveryRow } from '../inbound-hooks/tables.ts';
import { toJobId } from '../jobs/job-id.ts';
import { toLead } from '../leads/lead.ts';
import { salesCycles } from '../leads/sales-cycles/queries.ts';
import { toSalesCycle } from '../leads/sales-cycles/sales-cycle.ts';
import type { SalesCycleRow } from '../leads/sales-cycles/tables.ts';
import { toStatusChange } from '../leads/status-change.ts';
import { statusChanges } from '../leads/status-change-queries.ts';
import type { ListedStatusChange } from '../leads/tables.ts';
import { findMergedInto } from '../merges/queries.ts';
import { toNote } from '../notes/note.ts';
import { listedNotes } from '../notes/queries.ts';
import type { NoteRow } from '../notes/tables.ts';
import type { Input, OperationContext, Result, Schema } from '../operation.ts';
import { readFields } from '../resource/read-fields.ts';
import { toUser } from '../users/user.ts';
import { userRules } from '../users/user-rules.ts';
import { toId } from '../values/id.ts';
import { findPeople } from './find-people.ts';
import * as find from './person-queries.ts';
import { receiversOf } from './queries.ts';
import { toReceiver } from './receiver.ts';

const MAX_ITEMS = 100;
const MAX_DELIVERIES = 20;
/** Bytes of received data in an answer. A single delivery may have more. */
const MAX_RECEIVED = 1024 * 1024;

export async function lookUpPerson(
  { body }: Input<'lookUpPerson'>,
  context: OperationContext,
): Promise<Result<'lookUpPerson'>> {
  const { email } = readFields(body);
  const { db, baseUrl, environment } = context;
  await recordAct(context, 'person.looked_up');
  const { leads, contacts, former } = await findPeople(db, email);
  const users = await userRules.findRows(db, { email: [email] });
  const own = { leads: leads.map(({ id }) => id), contacts: contacts.map(({ id }) => id) };
  const ids = { ...own, merged: await findMergedInto(db, [...own.leads, ...own.contacts]) };
  const all = find.allOf(ids);

  const notes = await find.newest<NoteRow>(db, listedNotes, find.notesAbout(ids), MAX_ITEMS);
  const statuses = await find.newest<ListedStatusChange>(db, statusChanges, find.ofLeads(ids), MAX_ITEMS);
  const cycles = await find.newest<SalesCycleRow>(db, salesCycles, find.ofLeads(ids), MAX_ITEMS);
  const events = await find.newestEvents(db, all, MAX_ITEMS);
  const about = find.deliveriesAbout(ids, email);
  const received = await find.newest<InboundDeliveryRow>(db, deliveries, about, MAX_DELIVERIES);
  const detailed = await withPayloads(db, received.rows);
  const left = received.rows.slice(detailed.length).map(toInboundDelivery);
  const jobs = await find.findJobs(db, all);

  const lists = [
    ...own.leads.map((id) => `leads/${toId('lead', id)}`),
    ...own.contacts.map((id) => `contacts/${toId('contact', id)}`),
  ];
  const data = {
    email,
    leads: leads.slice(0, MAX_ITEMS).map(toLead),
    contacts: contacts.slice(0, MAX_ITEMS).map(toContact),
    users: users.map(toUser),
    former: former.map(({ publicId }) => publicId).slice(0, MAX_ITEMS),
    notes: notes.rows.map(toNote),
    sales_cycles: cycles.rows.map(toSalesCycle),
    status_changes: await nameActors(db, statuses.rows.map(toStatusChange)),
    events: await nameActors(
      db,
      events.rows.map((row) => toEvent(row, environment)),
    ),
    inbound_deliveries: detailed,
    imports: jobs.map(({ kind, id }) => toJobId(kind, id)),
    receivers: (await receiversOf(db, all)).map(toReceiver),
    totals: {
      notes: notes.total,
      sales_cycles: cycles.total,
      status_changes: statuses.total,
      events: events.total,
      inbound_deliveries: received.total,
      ...(await find.countAnswers(db, all)),
    },
    more: [
      ...(notes.rows.length < notes.total
        ? [...own.leads.map(toNotesOf('lead')), ...own.contacts.map(toNotesOf('contact'))]
        : []),
      ...(cycles.rows.length < cycles.total ? own.leads.map(toCyclesPath) : []),
      ...(statuses.rows.length < statuses.total ? own.leads.map(toStatusPath) : []),
      ...(events.rows.length < events.total ? lists.map((path) => `${path}/events`) : []),
      ...left.map(({ id, hook_id }) => `inbound-hooks/${hook_id}/deliveries/${id}`),
    ].map((path) => `${baseUrl}/${path}`),
  };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { data } };
}

const toNotesOf = (kind: 'lead' | 'contact') => (id: string) => `notes?${kind}_id=${toId(kind, id)}`;
const toCyclesPath = (id: string) => `sales-cycles?lead_id=${toId('lead', id)}`;
const toStatusPath = (id: string) => `leads/${toId('lead', id)}/status-changes`;

/** The first deliveries with what they received, until it is too much. */
async function withPayloads(
  db: Db,
  rows: readonly InboundDeliveryRow[],
): Promise<Schema<'InboundDeliveryWithPayload'>[]> {
  const shown: Schema<'InboundDeliveryWithPayload'>[] = [];
  let size = 0;
  for (const row of rows) {
    const body = await findBody(db, row.id);
    size += body?.bytes.length ?? 0;
    if (shown.length > 0 && size > MAX_RECEIVED) return shown;
    const payload = body === undefined ? null : readBody(body).payload;
    shown.push({ ...toInboundDelivery(row), payload });
  }
  return shown;
}
