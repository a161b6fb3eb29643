import type { BaseRow } from '../db/tables.ts';
import type { Input, OperationContext } from '../operation.ts';
import { KnownRows } from '../resource/known-rows.ts';
import type { ManyRules } from '../resource/many.ts';
import { toUuid } from '../values/id.ts';
import { answerBatch } from './answer.ts';

/** Finds rows by one kind of value, in the order of the values. */
export async function readBatch<Row extends BaseRow, Shown extends { id: string }>(
  rules: Pick<ManyRules<Row, 'lead' | 'contact', never, never, never>, 'resource' | 'findRows'>,
  { ids, emails, external_ids }: Input<'batchReadLeads'>['body'],
  show: (row: Row) => Shown,
  { db }: OperationContext,
) {
  const { prefix } = rules.resource;
  const wanted = {
    id: ids?.map((id) => toUuid(prefix, id)),
    email: emails,
    external_id: external_ids,
  };
  // The contract sees to it that there is exactly one.
  const [[column, values = []] = ['id']] = Object.entries(wanted).filter(([, given]) => given !== undefined);
  const known = new KnownRows(rules.resource);
  const given = values.filter((value) => value !== undefined);
  for (const row of await rules.findRows(db, { [column]: given })) known.add(row);
  const outcomes = values.map((value) => {
    const row = value === undefined ? undefined : known.find(column, value);
    return row === undefined ? { status: 'not_found' as const } : { status: 'found' as const, row };
  });
  return answerBatch(outcomes, show);
}
