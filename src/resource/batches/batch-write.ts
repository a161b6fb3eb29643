import type { OperationContext } from '../../operation.ts';
import { createMany, type Update, updateMany, upsertMany } from '../many.ts';
import type { PersonRules, PersonTypes } from '../rules.ts';
import { answerBatch } from './answer.ts';
import { checkItems } from './check-items.ts';

interface Input<Item> {
  body: { atomic: boolean; items: Item[] };
}

export function batchCreate<T extends PersonTypes>(rules: PersonRules<T>) {
  return async ({ body }: Input<T['new']>, context: OperationContext) => {
    const items = await checkItems(`batchCreate${rules.plural}`, body.items, context);
    return answerBatch(rules, await createMany(rules, items, context), context, body);
  };
}

export function batchUpdate<T extends PersonTypes>(rules: PersonRules<T>) {
  return async ({ body }: Input<Update<T['patch']>>, context: OperationContext) => {
    const items = await checkItems(`batchUpdate${rules.plural}`, body.items, context);
    return answerBatch(rules, await updateMany(rules, items, context), context, body);
  };
}

export function batchUpsert<T extends PersonTypes>(rules: PersonRules<T>) {
  return async (
    { body }: { body: Input<T['patch']>['body'] & { match: 'email' | 'external_id' } },
    context: OperationContext,
  ) => {
    const items = await checkItems(`batchUpsert${rules.plural}`, body.items, context);
    const upsert = { match: body.match, onDuplicate: 'update' } as const;
    return answerBatch(rules, await upsertMany(rules, items, upsert, context), context, body);
  };
}
