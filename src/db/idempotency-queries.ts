import type { Knex } from 'knex';
import { run } from './statement.ts';

export interface IdempotencyKeyRow {
  client_id: string;
  key: string;
  request_hash: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: unknown;
  /** Encrypted, replaces `body` if that contains a secret. */
  sealed_body: Buffer | null;
  people: string[];
  created_at: Date;
}

const LIFETIME = '24 hours';

interface Claim {
  clientId: string;
  key: string;
  requestHash: Buffer;
}

/** Returns true if the key was free or older than 24 hours. Blocks while another transaction holds it uncommitted. */
export async function claimKey(trx: Knex, { clientId, key, requestHash }: Claim): Promise<boolean> {
  const row = { client_id: clientId, key, request_hash: requestHash };
  const claimed = await trx('idempotency_keys')
    .insert(row)
    .onConflict(['client_id', 'key'])
    .merge({
      request_hash: requestHash,
      status: null,
      headers: null,
      body: null,
      sealed_body: null,
      people: [],
      created_at: trx.fn.now(),
    })
    .whereRaw(`idempotency_keys.created_at < now() - interval '${LIFETIME}'`)
    .returning('key');
  return claimed.length === 1;
}

interface Stored {
  clientId: string;
  key: string;
  answer: { status: number; headers?: Record<string, string>; body?: unknown; sealedBody?: Buffer };
  /** UUIDs of the leads and contacts in the response. */
  people: readonly string[];
}

export async function storeResponse(trx: Knex, { clientId, key, people, answer }: Stored): Promise<void> {
  await trx('idempotency_keys')
    .where({ client_id: clientId, key })
    .update({
      status: answer.status,
      headers: JSON.stringify(answer.headers ?? {}) as never,
      body: answer.body === undefined ? null : JSON.stringify(answer.body),
      sealed_body: answer.sealedBody ?? null,
      people: [...people],
    });
}

export async function findStoredResponse(
  trx: Knex,
  clientId: string,
  key: string,
): Promise<IdempotencyKeyRow> {
  return trx('idempotency_keys')
    .where({ client_id: clientId, key })
    .first()
    .then((row) => {
      if (row === undefined) throw new Error('The idempotency record was deleted while it was read.');
      return row;
    });
}

/** Deletes up to `limit` expired keys. Returns the number of deleted keys. */
export async function deleteExpiredKeys(db: Knex, limit: number): Promise<number> {
  const deleted = await run(db, {
    sql: `delete from idempotency_keys where (client_id, key) in (
        select client_id, key from idempotency_keys where created_at < now() - interval '${LIFETIME}'
        limit ? for update skip locked
      ) returning key`,
    bindings: [limit],
  });
  return deleted.length;
}
