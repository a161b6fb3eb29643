import type { Db } from '../../db/db.ts';
import { before, knex, prepare } from '../../db/query.ts';

interface IdempotencyKeyRow {
  client_id: string;
  key: string;
  request_hash: Buffer;
  /** The operationId. Null if an earlier version stored the response. */
  operation: string | null;
  status: number | null;
  headers: Record<string, string> | null;
  /** JSON; text when written, parsed when read. */
  body: unknown;
  /** Encrypted, replaces `body` if that contains a secret. */
  sealed_body: Buffer | null;
  /** UUIDs of the leads, contacts and users in the response. */
  people: string[];
  /** Scopes that a replay needs in addition to the operation's. Null if an earlier version stored the response. */
  scopes: string[] | null;
  created_at: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    idempotency_keys: IdempotencyKeyRow;
  }
}

type Claim = Pick<IdempotencyKeyRow, 'client_id' | 'key' | 'request_hash' | 'operation'>;

const KEPT = '24 hours';
const expired = knex.raw(`idempotency_keys.created_at < now() - interval '${KEPT}'`);

const claim = prepare<Claim, Pick<IdempotencyKeyRow, 'key'>>('claim_idempotency_key', ($) =>
  knex('idempotency_keys')
    .insert({
      client_id: $('client_id'),
      key: $('key'),
      request_hash: $('request_hash'),
      operation: $('operation'),
    })
    .onConflict(['client_id', 'key'])
    .merge({
      request_hash: $('request_hash'),
      operation: $('operation'),
      status: null,
      headers: null,
      body: null,
      sealed_body: null,
      people: [],
      scopes: null,
      created_at: knex.fn.now(),
    })
    .where(expired)
    .returning('key'),
);

/** Returns true if the key was free or older than 24 hours. Blocks while another transaction holds it uncommitted. */
export async function claimKey(trx: Db, values: Claim): Promise<boolean> {
  const claimed = await trx.run(claim(values));
  return claimed.length === 1;
}

type StoredResponse = Omit<IdempotencyKeyRow, 'request_hash' | 'operation' | 'created_at'>;

const store = prepare<StoredResponse, never>('store_idempotent_response', ($) =>
  knex('idempotency_keys')
    .where({ client_id: $('client_id'), key: $('key') })
    .update({
      status: $('status'),
      headers: $('headers'),
      body: $('body'),
      sealed_body: $('sealed_body'),
      people: $('people'),
      scopes: $('scopes'),
    }),
);

/** Queues the query; its result is awaited at commit. */
export function storeResponse(trx: Db, response: StoredResponse): void {
  trx.send(store(response));
}

const stored = prepare<Claim, IdempotencyKeyRow>('idempotent_response', ($) =>
  knex('idempotency_keys')
    .where({ client_id: $('client_id'), key: $('key') })
    .select('*'),
);

export async function findStoredResponse(trx: Db, values: Claim): Promise<IdempotencyKeyRow> {
  const [row] = await trx.run(stored(values));
  if (row === undefined) throw new Error('The idempotency record was deleted while it was read.');
  return row;
}

/** Deletes up to `limit` keys that had expired at `now`. Returns the number of deleted keys. */
export async function deleteExpiredKeys(db: Db, now: Date, limit: number): Promise<number> {
  const keys = knex('idempotency_keys')
    .where('created_at', '<', before(now, KEPT))
    .select('client_id', 'key')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const deleted = await db.run(
    knex('idempotency_keys').whereIn(['client_id', 'key'], keys).delete().returning('key'),
  );
  return deleted.length;
}
