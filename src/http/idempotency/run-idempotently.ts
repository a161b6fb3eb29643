import { hash } from 'node:crypto';
import type { AnswerStorage } from '../../context.ts';
import type { Db } from '../../db/db.ts';
import { ConflictError, isLockTimeout } from '../../db/errors.ts';
import type { Answer } from '../../operation.ts';
import type { Principal } from '../../principal.ts';
import { invalidField } from '../../problem.ts';
import { covers, insufficientScope } from '../../scopes.ts';
import { toUuid } from '../../values/id.ts';
import { decrypt, encrypt, type SecretKey } from '../../values/secrets.ts';
import type { OperationMatch } from '../find-operation.ts';
import { claimKey, findStoredResponse, storeResponse } from './queries.ts';

interface KeyedRequest {
  key: string;
  principal: Principal;
  match: OperationMatch;
  method: string;
  url: string;
  body: unknown;
  /** The user that `Acting-User` names. */
  actingUser: string | undefined;
  /** Encrypts stored responses that contain a secret. */
  secretKey: SecretKey;
  storage: Pick<AnswerStorage, 'requireRoom' | 'add'>;
}

const KEY_IN_USE = 'The first request with this Idempotency-Key is still running. Try again shortly.';

/**
 * Runs `handle` once per client and key; a repeated request gets the stored response
 * (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/). Runs in the transaction of the write:
 * while the first request is running, the row it inserted makes the second wait. If the first fails, its claim is rolled
 * back and the second runs instead. Throws ConflictError if the first takes too long, 429 if there is no room for another answer,
 * 422 if the key was used for a different request, and 403 if the stored answer depends on scopes that the principal lacks.
 */
export async function runIdempotently(
  trx: Db,
  { key, principal, match, method, url, body, actingUser, secretKey, storage }: KeyedRequest,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  const claim = {
    client_id: principal.clientId ?? '',
    key,
    operation: match.id,
    request_hash: hashOf([
      method,
      url,
      withSortedKeys(body),
      ...(actingUser === undefined ? [] : [actingUser]),
    ]),
  };
  const isFirst = await claimKey(trx, claim).catch((error: unknown) => {
    throw isLockTimeout(error) ? new ConflictError(KEY_IN_USE, error) : error;
  });
  if (isFirst) {
    storage.requireRoom(claim.client_id);
    const answer = await handle();
    const json = JSON.stringify(answer.body ?? null);
    const { secretAnswer } = match.operation;
    storeResponse(trx, {
      client_id: claim.client_id,
      key,
      status: answer.status,
      headers: answer.headers ?? {},
      body: secretAnswer ? null : json,
      sealed_body: secretAnswer ? encrypt(secretKey, json) : null,
      people: personIdsIn(answer.body),
      scopes: [...(principal.usedScopes ?? [])],
    });
    trx.afterCommit(() => storage.add(claim.client_id, Buffer.byteLength(json)));
    return answer;
  }
  const stored = await findStoredResponse(trx, claim);
  // Without a hash, a person was erased from the answer. Their data can't be compared any more, only the operation.
  const isSame =
    stored.request_hash.length === 0
      ? stored.operation === match.id
      : stored.request_hash.equals(claim.request_hash);
  if (!isSame) {
    const message =
      'was used for a different request within the last 24 hours; use a new key for a new request';
    throw invalidField('Idempotency-Key', message, 'idempotency_key_reused');
  }
  const missing = stored.scopes?.find((scope) => !covers(principal.scopes, scope));
  if (missing !== undefined) {
    throw insufficientScope(
      principal,
      `The stored answer to this request needs the scope ${missing}`,
      missing,
    );
  }
  return {
    status: stored.status ?? 200,
    headers: { ...stored.headers, 'Idempotency-Replayed': 'true' },
    body:
      stored.sealed_body === null
        ? (stored.body ?? undefined)
        : JSON.parse(decrypt(secretKey, stored.sealed_body)),
  };
}

function hashOf(request: readonly unknown[]): Buffer {
  return hash('sha256', JSON.stringify(request), 'buffer');
}

/** Sorts the members of objects, whose order depends on the client's library. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    withSortedKeys(member),
  ]);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The leads, contacts and users (UUIDs) in a response, so that erasing one of them finds the stored copy. They are the
 * response's data, its members, or items of a batch.
 */
function personIdsIn(body: unknown): string[] {
  const { data } = (body ?? {}) as { data?: object };
  const items: unknown[] = Array.isArray(data) ? data : [data];
  const shown = items.flatMap((item) => [item, ...Object.values(item ?? {})]);
  return [...new Set(shown.flatMap(personIdsOf))];
}

function personIdsOf(shown: unknown): string[] {
  if (typeof shown !== 'object' || shown === null) return [];
  const { id, lead_id, contact_id } = shown as Record<string, unknown>;
  const owners = /^(note|cycle)_/.test(String(id)) ? [lead_id, contact_id] : [id];
  return owners.flatMap((owner) => {
    const text = String(owner);
    const prefix = (['lead', 'contact', 'user'] as const).find((kind) => text.startsWith(`${kind}_`));
    return prefix === undefined ? [] : (toUuid(prefix, text) ?? []);
  });
}
