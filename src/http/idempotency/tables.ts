import { column, personal } from '../../db/tables.ts';

export const idempotencyKey = {
  client_id: column<string>(),
  /** Clients make keys from addresses. */
  key: personal<string>({ person: 'erase_key(key, (select addresses from given))' }),
  /** A digest of personal data proves a guess. */
  request_hash: personal<Buffer>({ person: `''`, address: `''` }),
  /** The operationId. */
  operation: column<string>(),
  status: column<number | null>(),
  headers: column<Record<string, string> | null>(),
  /** JSON; text when written, parsed when read. */
  body: personal<unknown>({
    person: 'erase_people_answer(body, (select jsonb_object_agg(public_id, email) from person))',
    address: 'erase_address(body, whole)',
  }),
  /** Encrypted, replaces `body` if that contains a secret. */
  sealed_body: column<Buffer | null>(),
  /** UUIDs of the leads, contacts and users in the response. */
  people: column<string[]>(),
  /** Scopes that a replay needs in addition to the operation's. */
  scopes: column<string[] | null>(),
  created_at: column<string>(),
};

export type IdempotencyKeyRow = typeof idempotencyKey;

declare module 'knex/types/tables.js' {
  interface Tables {
    idempotency_keys: IdempotencyKeyRow;
  }
}
