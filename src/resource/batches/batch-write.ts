import type { BaseRow } from '../../db/tables.ts';
import type { OperationContext } from '../../operation.ts';
import {
  createMany,
  type ManyRules,
  type Update,
  type UpsertPatch,
  updateMany,
  upsertMany,
} from '../many.ts';
import { answerBatch } from './answer.ts';
import { checkItems } from './check-items.ts';

interface Input<Item> {
  body: { atomic: boolean; items: Item[] };
}

export function batchCreate<
  Row extends BaseRow,
  Kind extends 'lead' | 'contact',
  New extends object,
  Patch,
  R,
>(rules: ManyRules<Row, Kind, New, Patch, R>) {
  return async ({ body }: Input<New>, context: OperationContext) => {
    const items = await checkItems(`batchCreate${rules.plural}`, body.items, context);
    return answerBatch(rules, await createMany(rules, items, context), context, body);
  };
}

export function batchUpdate<
  Row extends BaseRow,
  Kind extends 'lead' | 'contact',
  New,
  Patch extends object,
  R,
>(rules: ManyRules<Row, Kind, New, Patch, R>) {
  return async ({ body }: Input<Update<Patch>>, context: OperationContext) => {
    const items = await checkItems(`batchUpdate${rules.plural}`, body.items, context);
    return answerBatch(rules, await updateMany(rules, items, context), context, body);
  };
}

export function batchUpsert<
  Row extends BaseRow,
  Kind extends 'lead' | 'contact',
  New,
  Patch extends UpsertPatch,
  R,
>(rules: ManyRules<Row, Kind, New, Patch, R>) {
  return async (
    { body }: { body: Input<Patch>['body'] & { match: 'email' | 'external_id' } },
    context: OperationContext,
  ) => {
    const items = await checkItems(`batchUpsert${rules.plural}`, body.items, context);
    const upsert = { match: body.match, onDuplicate: 'update' } as const;
    return answerBatch(rules, await upsertMany(rules, items, upsert, context), context, body);
  };
}
