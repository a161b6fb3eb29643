import { contactRules } from '../../contacts/contact-rules.ts';
import { leadRules } from '../../leads/lead-rules.ts';
import type { OperationContext } from '../../operation.ts';
import type { Problem } from '../../problem.ts';
import { checkItems } from '../../resource/batches/check-items.ts';
import { createMany, upsertMany } from '../../resource/many.ts';
import type { Rules, Types, Writer } from '../../resource/rules.ts';
import type { Outcome } from '../../resource/write-many.ts';
import type { ImportRow } from '../tables.ts';

export type Checks = Pick<OperationContext, 'checkBody' | 'checkItem'>;

type Options = Pick<ImportRow, 'resource' | 'match' | 'on_duplicate'>;

/** A valid item of a batch, or its faults. */
export type Item = object | Problem;

/** The part of a table row that an import needs. */
export interface WrittenRow {
  email: string | null;
  external_id: string | null;
}

/** Validates the bodies as items of a batch. */
export function checkBodies(
  { resource, on_duplicate }: Options,
  bodies: readonly object[],
  checks: Checks,
): Promise<Item[]> {
  const { plural } = resource === 'leads' ? leadRules : contactRules;
  return checkItems(`batch${on_duplicate === 'reject' ? 'Create' : 'Upsert'}${plural}`, bodies, checks);
}

/** Writes the items in order, by the same rules as batches and single requests. */
export function writeItems(
  options: Options,
  items: readonly Item[],
  context: Writer & Checks,
): Promise<Outcome<WrittenRow>[]> {
  return options.resource === 'leads'
    ? writeBy(leadRules, options, items, context)
    : writeBy(contactRules, options, items, context);
}

function writeBy<T extends Types>(
  rules: Rules<T>,
  { match, on_duplicate: onDuplicate }: Options,
  items: readonly Item[],
  context: Writer & Checks,
): Promise<Outcome<WrittenRow>[]> {
  return onDuplicate === 'reject'
    ? createMany(rules, items as (T['new'] | Problem)[], context)
    : upsertMany(rules, items as (T['patch'] | Problem)[], { match, onDuplicate }, context);
}
