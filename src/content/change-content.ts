import type { Values } from '../db/resource.ts';
import type { ContentRow } from '../db/tables.ts';
import type { OperationContext } from '../http/operation.ts';
import { change } from '../http/resource.ts';
import { contents } from './queries.ts';

/** The one way to change content. */
export async function changeContent(
  before: ContentRow,
  wanted: Values<ContentRow>,
  { db, principal }: OperationContext,
): Promise<ContentRow> {
  return change(db, contents, before, wanted, principal);
}
