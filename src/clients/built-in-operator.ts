import { randomBytes } from 'node:crypto';
import { findClient } from '../auth/queries.ts';
import type { ApiClientRow } from '../auth/tables.ts';
import type { Db } from '../db/db.ts';
import { insertClientOnce, OPERATOR_ID } from './queries.ts';

/** What the operator's commands may do. */
export const OPERATOR_SCOPES = ['read', 'write', 'admin'];

/**
 * The client as which the operator's commands call the service, so that histories and the audit log name them. It is made when
 * it is first needed. It has no secret: nobody knows the text of this hash.
 */
export async function builtInOperator(db: Db): Promise<ApiClientRow> {
  const operator = (await findClient(db, OPERATOR_ID)) ?? (await make(db));
  if (operator.disabled_at === null) return operator;
  throw new Error(
    'The built-in client Operator is disabled. Enable it with: lead-pipeline clients enable, and the id from clients list.',
  );
}

async function make(db: Db): Promise<ApiClientRow> {
  const row = { id: OPERATOR_ID, name: 'Operator', scopes: OPERATOR_SCOPES, secret_hash: randomBytes(32) };
  await insertClientOnce(db, row);
  const made = await findClient(db, OPERATOR_ID);
  if (made === undefined) throw new Error('The built-in client Operator was deleted while it was made.');
  return made;
}
