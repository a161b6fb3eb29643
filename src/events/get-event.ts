import { hash } from 'node:crypto';
import { toUuid } from '../db/id.ts';
import { notFound } from '../http/errors/problem.ts';
import type { Input, OperationContext, Result } from '../http/operation.ts';
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
  // Not the id: erasing a person changes the event.
  const ETag = `"${hash('sha256', JSON.stringify(data), 'base64url').slice(0, 20)}"`;
  return { status: 200, headers: { ETag }, body: { data } };
}
