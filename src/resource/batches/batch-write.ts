import type { OperationContext } from '../../operation.ts';
import { createMany, type Update, updateMany, upsertMany } from '../many.ts';
import type { PersonTypes, SingleRules } from '../rules.ts';
import { answerBatch } from './answer.ts';
import { checkItems } from './check-items.ts';

interface Input<Item> {
  body: { atomic: boolean; items: Item[] };
}

/** As in the names of the operations. */
const plurals = { lead: 'Leads', contact: 'Contacts' } as const;

export function batchCreate<T extends PersonTypes>(rules: SingleRules<T>) {
  return async ({ body }: Input<T['new']>, context: OperationContext) => {
    const items = await checkItems(`batchCreate${plurals[rules.kind]}`, body.items, context);
    return answerBatch(rules, await createMany<T>(rules, items, context), body);
  };
}

export function batchUpdate<T extends PersonTypes>(rules: SingleRules<T>) {
  return async ({ body }: Input<Update<T['patch']>>, context: OperationContext) => {
    const items = await checkItems(`batchUpdate${plurals[rules.kind]}`, body.items, context);
    return answerBatch(rules, await updateMany<T>(rules, items, context), body);
  };
}

export function batchUpsert<T extends PersonTypes>(rules: SingleRules<T>) {
  return async (
    { body }: Input<T['patch']> & { body: { match: 'email' | 'external_id' } },
    context: OperationContext,
  ) => {
    const items = await checkItems(`batchUpsert${plurals[rules.kind]}`, body.items, context);
    const upsert = { match: body.match, onDuplicate: 'update' } as const;
    return answerBatch(rules, await upsertMany<T>(rules, items, upsert, context), body);
  };
}
