import type { Input, OperationContext } from '../../operation.ts';
import { toAsciiEmail } from '../../spellings/email.ts';
import { toId, toUuid } from '../../values/id.ts';
import { addMerges } from '../add-merges.ts';
import { KnownRows } from '../known-rows.ts';
import type { PersonTypes, SingleRules } from '../rules.ts';
import { answerBatch } from './answer.ts';

/** Finds rows by one kind of value, in the order of the values. */
export function batchRead<T extends PersonTypes>(rules: SingleRules<T>) {
  return async (
    { body: { ids, emails, external_ids } }: Pick<Input<'batchReadLeads'>, 'body'>,
    context: OperationContext,
  ) => {
    const { resource } = rules;
    const wanted = {
      id: ids?.map((id) => toUuid(resource.prefix, id)),
      email: emails?.map((email) => toAsciiEmail(email) ?? email),
      external_id: external_ids,
    };
    // The contract allows exactly one.
    const [[column, values = []] = ['id']] = Object.entries(wanted).filter(
      ([, given]) => given !== undefined,
    );
    const known = new KnownRows(resource);
    const given = values.filter((value) => value !== undefined);
    for (const row of await rules.findRows(context.db, { [column]: given })) known.add(row);
    await addMerges(context.db, rules.kind, { [column]: given }, known);
    const outcomes = values.map((value) => {
      const row = value === undefined ? undefined : known.find(column, value);
      if (row !== undefined) return { status: 'found' as const, row };
      const merge = value === undefined ? undefined : known.findMerge(column, value);
      return {
        status: 'not_found' as const,
        ...(merge !== undefined && { merged_into: toId(rules.kind, merge.merged_into) }),
      };
    });
    return answerBatch(rules, outcomes);
  };
}
