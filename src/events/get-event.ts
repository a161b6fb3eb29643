import { hash } from 'node:crypto';
import type { Input, OperationContext, Result } from '../operation.ts';
import { notFound } from '../problem.ts';
import { toUuid } from '../values/id.ts';
import { toEvent } from './event.ts';
import { findEvent } from './queries.ts';

export async function getEvent(
  { path }: Input<'getEvent'>,
  { db, environment }: OperationContext,
): Promise<Result<'getEvent'>> {
  const uuid = toUuid('event', path.id);
  const row = uuid === undefined ? undefined : await findEvent(db, uuid);
  if (row === undefined) throw notFound(`The event ${path.id}`);
  const data = toEvent(row, environment);
  // The id is not enough for the ETag: erasing a person changes the event.
  const ETag = `"${hash('sha256', JSON.stringify(data), 'base64url').slice(0, 20)}"`;
  return { status: 200, headers: { ETag }, body: { data } };
}
