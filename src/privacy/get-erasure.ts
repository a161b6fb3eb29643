import { hash } from 'node:crypto';
import { nameActors } from '../events/name-actors.ts';
import type { Input, OperationContext, Result } from '../operation.ts';
import { notFound } from '../problem.ts';
import { toUuid } from '../values/id.ts';
import { toErasure } from './erasure.ts';
import { findErasure } from './queries.ts';

export async function getErasure(
  { path }: Input<'getErasure'>,
  { db }: OperationContext,
): Promise<Result<'getErasure'>> {
  const uuid = toUuid('erasure', path.id);
  const row = uuid === undefined ? undefined : await findErasure(db, uuid);
  if (row === undefined) throw notFound(`The erasure ${path.id}`);
  const [data = toErasure(row)] = await nameActors(db, [toErasure(row)]);
  // The names of those who act may change.
  const ETag = `"${hash('sha256', JSON.stringify(data), 'base64url').slice(0, 20)}"`;
  return { status: 200, headers: { ETag }, body: { data } };
}
