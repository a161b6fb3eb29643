import type { OperationContext } from '../operation.ts';
import { notFound } from '../problem.ts';
import { hasScope, requireEach } from '../scopes.ts';
import { findNote, type Owner, ownerOf } from './owner.ts';
import type { NoteRow } from './tables.ts';

type Access = 'read' | 'write';

const scopeOf = ({ prefix }: Owner, access: Access) => `${prefix}s:${access}`;

/** Whether the client may read the notes about leads, or those about contacts. */
export function mayRead({ principal }: Pick<OperationContext, 'principal'>, owner: Owner): boolean {
  return hasScope(principal, scopeOf(owner, 'read'));
}

/** Throws 403 unless the client may read or write notes about leads, or those about contacts. */
export function requireScope(
  { principal }: Pick<OperationContext, 'principal'>,
  owner: Owner,
  access: Access,
): void {
  requireEach(principal, [scopeOf(owner, access)]);
}

/** The note, if the client may read or write it. Throws 403 or 404. */
export async function findAllowed(context: OperationContext, id: string, access: Access): Promise<NoteRow> {
  const note = await findNote(context.db, id);
  if (note === undefined) throw notFound(`The note ${id}`);
  requireScope(context, ownerOf(note), access);
  return note;
}
