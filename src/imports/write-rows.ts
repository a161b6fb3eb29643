import { contactRules } from '../contacts/contact-rules.ts';
import { leadRules } from '../leads/lead-rules.ts';
import type { OperationContext, Schema } from '../operation.ts';
import type { Problem } from '../problem.ts';
import { checkItems } from '../resource/batches/check-items.ts';
import { createMany, upsertMany } from '../resource/many.ts';
import type { Outcome, Writer } from '../resource/write-many.ts';
import type { ImportRow } from './tables.ts';

export type Checks = Pick<OperationContext, 'checkBody' | 'checkItem'>;

type Options = Pick<ImportRow, 'resource' | 'match' | 'on_duplicate'>;

/** A valid item of a batch, or what is wrong with it. */
export type Item = object | Problem;

/** A row of the table, as far as an import needs to know it. */
export interface WrittenRow {
  email: string | null;
  external_id: string | null;
}

const batches = {
  leads: { create: 'batchCreateLeads', upsert: 'batchUpsertLeads' },
  contacts: { create: 'batchCreateContacts', upsert: 'batchUpsertContacts' },
} as const;

/** Validates the bodies as items of a batch. */
export function checkBodies(
  { resource, on_duplicate }: Options,
  bodies: readonly object[],
  checks: Checks,
): Promise<Item[]> {
  return checkItems(batches[resource][on_duplicate === 'reject' ? 'create' : 'upsert'], bodies, checks);
}

/** Writes the items by the same rules as batches and single requests, in their order. */
export function writeItems(
  { resource, match, on_duplicate: onDuplicate }: Options,
  items: readonly Item[],
  context: Writer & Checks,
): Promise<Outcome<WrittenRow>[]> {
  if (resource === 'leads') {
    return onDuplicate === 'reject'
      ? createMany(leadRules, items as (Schema<'CreateLead'> | Problem)[], context)
      : upsertMany(leadRules, items as (Schema<'UpdateLead'> | Problem)[], { match, onDuplicate }, context);
  }
  return onDuplicate === 'reject'
    ? createMany(contactRules, items as (Schema<'CreateContact'> | Problem)[], context)
    : upsertMany(
        contactRules,
        items as (Schema<'UpdateContact'> | Problem)[],
        { match, onDuplicate },
        context,
      );
}
