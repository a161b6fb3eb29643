import type { Input, OperationContext, Result } from '../operation.ts';
import { updateOne } from '../resource/write-one.ts';
import { namesOf } from './named-by.ts';
import { userRules } from './user-rules.ts';

const update = updateOne(userRules);

/** Says what still names the user: it would go on giving new work to somebody who has left. */
export async function updateUser(
  input: Input<'updateUser'>,
  context: OperationContext,
): Promise<Result<'updateUser'>> {
  const answer = await update(input, context);
  const { data } = answer.body;
  return { ...answer, body: { data: { ...data, named_by: await namesOf(context.db, data.id) } } };
}
