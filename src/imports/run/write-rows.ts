import { contactImportRules } from '../../contacts/import-rules.ts';
import { leadImportRules, withLatestStatus } from '../../leads/import-rules.ts';
import type { OperationContext } from '../../operation.ts';
import { invalidFields, Problem } from '../../problem.ts';
import { checkItems } from '../../resource/batches/check-items.ts';
import { createMany, upsertMany } from '../../resource/many.ts';
import type { Rules, Types, Writer } from '../../resource/rules.ts';
import type { Outcome } from '../../resource/write-many.ts';
import { isPastTime } from '../mapping/fields.ts';
import type { ImportRow } from '../tables.ts';

export type Checks = Pick<OperationContext, 'checkBody' | 'checkItem'>;

type Options = Pick<ImportRow, 'resource' | 'match' | 'on_duplicate'>;

/** A valid item of a batch, or its faults. */
export type Item = object | Problem;

/** The part of a table row that an import needs. */
export interface WrittenRow {
  id: string;
  email: string | null;
  external_id: string | null;
}

/** Outcomes of a dry run, whose rows may not exist. */
export type Tried = Outcome<WrittenRow> | { status: 'updated' | 'unchanged' };

/** Validates the bodies as items of a batch. The times of the past are no fields of one. */
export async function checkBodies(
  { resource, on_duplicate }: Options,
  bodies: readonly Record<string, unknown>[],
  checks: Checks,
): Promise<Item[]> {
  const rows = bodies.map((body) => takeTimes(resource, body));
  const isNew = on_duplicate === 'reject';
  const plural = resource === 'leads' ? 'Leads' : 'Contacts';
  const items: Item[] = await checkItems(
    `batch${isNew ? 'Create' : 'Upsert'}${plural}`,
    rows.map(({ fields, times }) =>
      isNew && resource === 'leads' ? withLatestStatus(fields, times) : fields,
    ),
    checks,
  );
  return items.map((item, index) => (item instanceof Problem ? item : withTimes(item, rows[index]?.times)));
}

function takeTimes(resource: Options['resource'], body: Record<string, unknown>) {
  const entries = Object.entries(body);
  const isTime = ([field]: [string, unknown]) => isPastTime(resource, field);
  return {
    times: Object.fromEntries(entries.filter(isTime)),
    fields: Object.fromEntries(entries.filter((entry) => !isTime(entry))),
  };
}

/** The times have been read, and so are written as in rows, unless that was impossible. */
function withTimes(item: object, times: Record<string, unknown> = {}): Item {
  const wrong = Object.keys(times).filter((field) => !isTimestamp(times[field]));
  if (wrong.length === 0) return { ...item, ...times };
  const message = 'must be a date or a time, such as 2027-01-31 or 2027-01-31T09:30:00Z';
  return invalidFields(Object.fromEntries(wrong.map((field) => [field, [message]])));
}

function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
}

/** Writes the items in order, by the same rules as batches and single requests. */
export function writeItems(
  options: Options,
  items: readonly Item[],
  context: Writer & Checks,
): Promise<Outcome<WrittenRow>[]> {
  return options.resource === 'leads'
    ? writeBy(leadImportRules, options, items, context)
    : writeBy(contactImportRules, options, items, context);
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
