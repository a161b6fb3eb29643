import type { Db } from '../../db/db.ts';
import { knex, prepare } from '../../db/query.ts';
import type { IdempotencyKeyRow } from './tables.ts';

type Claim = Pick<IdempotencyKeyRow, 'client_id' | 'key' | 'request_hash' | 'operation'>;

export const ANSWERS_KEPT = '24 hours';
const expired = knex.raw(`idempotency_keys.created_at < now() - interval '${ANSWERS_KEPT}'`);

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
