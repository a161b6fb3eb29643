/**
 * What the compiler must reject in a handler (architecture.md, rule 1) and in a query (rule 10). `tsc --noEmit` fails
 * where one of these compiles, for then its directive has no error to expect. Nothing here runs.
 */

import { toContact } from '../../src/contacts/contact.ts';
import { contactRules } from '../../src/contacts/contact-rules.ts';
import { contacts } from '../../src/contacts/queries.ts';
import type { Db } from '../../src/db/db.ts';
import { knex, prepare } from '../../src/db/query.ts';
import { conditionsOfLeads } from '../../src/leads/conditions.ts';
import { toLead } from '../../src/leads/lead.ts';
import { leadRules } from '../../src/leads/lead-rules.ts';
import { leads } from '../../src/leads/queries.ts';
import type { LeadRow } from '../../src/leads/tables.ts';
import type { Handlers, Input, Result, Schema } from '../../src/operation.ts';
import { batchRead } from '../../src/resource/batches/batch-read.ts';
import { batchCreate, batchUpdate, batchUpsert } from '../../src/resource/batches/batch-write.ts';
import { exportAll, getOne } from '../../src/resource/read.ts';
import { createOne, updateOne, upsertOne } from '../../src/resource/write-one.ts';

declare const handlers: Handlers;
declare const lead: Schema<'Lead'>;
declare const row: LeadRow;
declare const db: Db;
declare const input: Input<'updateLead'>;

// A missing operation.
const { getLead: _getLead, ...incomplete } = handlers;
// @ts-expect-error TS1360
incomplete satisfies Handlers;

// An operation that the contract does not have.
// @ts-expect-error TS2353
({ ...handlers, sellLead: handlers.getLead }) satisfies Handlers;

// A handler under the name of another operation.
// @ts-expect-error TS2322
({ ...handlers, deleteLead: handlers.getLead }) satisfies Handlers;

// An operation of the other resource.
// @ts-expect-error TS2322
({ ...handlers, batchCreateLeads: batchCreate(contactRules) }) satisfies Handlers;
// @ts-expect-error TS2322
({ ...handlers, batchUpsertContacts: batchUpsert(leadRules) }) satisfies Handlers;
// @ts-expect-error TS2322
({ ...handlers, batchUpdateLeads: batchUpdate(contactRules) }) satisfies Handlers;
// @ts-expect-error TS2322
({ ...handlers, batchReadContacts: batchRead(leadRules) }) satisfies Handlers;
// @ts-expect-error TS2322
({ ...handlers, getLead: getOne(contacts, toContact) }) satisfies Handlers;
// @ts-expect-error TS2322
({ ...handlers, createLead: createOne(contactRules) }) satisfies Handlers;
// @ts-expect-error TS2322
({ ...handlers, updateContact: updateOne(leadRules) }) satisfies Handlers;
// @ts-expect-error TS2322
({ ...handlers, upsertContact: upsertOne(leadRules) }) satisfies Handlers;
// @ts-expect-error TS2322
({ ...handlers, exportContacts: exportAll(leads, conditionsOfLeads, toLead) }) satisfies Handlers;

// Another operation of the same resource.
// @ts-expect-error TS2322
({ ...handlers, batchCreateLeads: batchUpsert(leadRules) }) satisfies Handlers;
// @ts-expect-error TS2322
({ ...handlers, batchUpdateLeads: batchCreate(leadRules) }) satisfies Handlers;

export async function documentedStatuses(): Promise<Result<'getLead'>[]> {
  return [
    { status: 200, body: { data: lead } },
    { status: 304, body: undefined },
  ];
}

export async function undocumentedStatus(): Promise<Result<'getLead'>> {
  // @ts-expect-error TS2322
  return { status: 201, body: { data: lead } };
}

export async function failureAsResult(): Promise<Result<'getLead'>> {
  // @ts-expect-error TS2322
  return { status: 404, body: undefined };
}

export async function bodyOfAnotherStatus(): Promise<Result<'deleteLead'>> {
  // @ts-expect-error TS2322
  return { status: 204, body: { data: lead } };
}

export async function missingBody(): Promise<Result<'getLead'>> {
  // @ts-expect-error TS2322
  return { status: 200 };
}

export async function bareResource(): Promise<Result<'getLead'>> {
  // @ts-expect-error TS2741
  return { status: 200, body: lead };
}

export async function missingField(): Promise<Result<'getLead'>> {
  const { version: _version, ...rest } = lead;
  // @ts-expect-error TS2741
  return { status: 200, body: { data: rest } };
}

export async function extraField(): Promise<Result<'getLead'>> {
  // @ts-expect-error TS2353
  return { status: 200, body: { data: { ...lead, secret: 'x' } } };
}

export async function extraMember(): Promise<Result<'listLeads'>> {
  const meta = { total: 0, per_page: 20, current_page: 1, last_page: 1, next_cursor: null, has_more: false };
  // @ts-expect-error TS2353
  return { status: 200, body: { data: [], meta, links: [] } };
}

export async function wrongType(): Promise<Result<'getLead'>> {
  // @ts-expect-error TS2322
  return { status: 200, body: { data: { ...lead, version: '1' } } };
}

export async function nullWhereThereIsNone(): Promise<Result<'getLead'>> {
  // @ts-expect-error TS2322
  return { status: 200, body: { data: { ...lead, email: null } } };
}

export async function unknownValue(): Promise<Result<'getLead'>> {
  // @ts-expect-error TS2322
  return { status: 200, body: { data: { ...lead, status: 'sold' } } };
}

export async function rowAsBody(): Promise<Result<'getLead'>> {
  // @ts-expect-error TS2740
  return { status: 200, body: { data: row } };
}

export function unknownInput() {
  // @ts-expect-error TS2339
  input.body.version;
  // @ts-expect-error TS2339
  input.query.page;
  // @ts-expect-error TS7053
  input.headers['if-none-match'];
  // @ts-expect-error TS2339
  input.path.lead_id;
  // @ts-expect-error TS2322
  const email: string = input.body.email;
  return email;
}

export function unknownColumn() {
  // @ts-expect-error TS2769
  knex('leads').where({ e_mail: 'ada@example.com' });
  // @ts-expect-error TS2353
  knex('leads').insert({ e_mail: 'ada@example.com' });
  // @ts-expect-error TS2353
  knex('leads').update({ e_mail: 'ada@example.com' });
}

export function valueOfAnotherType() {
  // @ts-expect-error TS2769
  knex('leads').where({ version: '1' });
  // @ts-expect-error TS2322
  knex('leads').insert({ version: '1' });
  // @ts-expect-error TS2322
  knex('leads').update({ tags: 'vip' });
  // @ts-expect-error TS2322
  knex('leads').update({ email: null });
}

export function unknownStatus() {
  // @ts-expect-error TS2769
  knex('leads').where({ status: 'sold' });
  // @ts-expect-error TS2322
  knex('leads').update({ status: 'sold' });
}

export function unknownPlaceholder() {
  return prepare<{ id: string }, Pick<LeadRow, 'id'>>('never', ($) =>
    // @ts-expect-error TS2345
    knex('leads').where({ id: $('uuid') }),
  );
}

export function rowOfAnotherType() {
  const found = knex('leads').select('id');
  // @ts-expect-error TS2345
  db.run<{ id: number }>(found);
}
