/**
 * What the compiler must refuse in a handler (architecture.md, rule 1). `tsc --noEmit` fails where one of these compiles,
 * for then its directive has no error to expect. Nothing here runs.
 */

import type { LeadRow } from '../../src/db/tables.ts';
import type { Handlers, Input, Result, Schema } from '../../src/http/operation.ts';
import { handlers } from '../../src/operations.ts';

declare const lead: Schema<'Lead'>;
declare const row: LeadRow;
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
  const meta = { total: 0, per_page: 20, current_page: 1, last_page: 1, next_cursor: null };
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
  // @ts-expect-error TS2739
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
