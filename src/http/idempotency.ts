import { hash } from 'node:crypto';
import type { Principal } from '../auth/principal.ts';
import { decrypt, encrypt } from '../auth/secrets.ts';
import { toUuid } from '../db/id.ts';
import { claimKey, findStoredResponse, storeResponse } from '../db/idempotency-queries.ts';
import type { Db } from '../db/knex.ts';
import { Problem } from './problem.ts';

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

interface KeyedRequest {
  key: string;
  principal: Principal;
  method: string;
  url: string;
  body: unknown;
  /** SECRET_KEY, and whether it must seal what is stored, since that holds a secret. */
  secretKey: Buffer;
  secretAnswer: boolean;
}

/**
 * Runs `handle` once for each key of a client: a repeat gets the stored answer
 * (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/). All of it happens in the transaction of
 * the write: while the first request still runs, the row it inserted makes the second wait; when it fails, its claim
 * is rolled back with it and the second becomes the first.
 */
export async function runIdempotently(
  trx: Db,
  { key, principal, method, url, body, secretKey, secretAnswer }: KeyedRequest,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  const clientId = principal.clientId ?? '';
  const requestHash = hash('sha256', JSON.stringify([method, url, body]), 'buffer');
  if (await claimKey(trx, { clientId, key, requestHash })) {
    const answer = await handle();
    const sealedBody = secretAnswer ? encrypt(secretKey, JSON.stringify(answer.body)) : undefined;
    const stored = secretAnswer ? { ...answer, body: undefined, sealedBody } : answer;
    await storeResponse(trx, { clientId, key, people: peopleIn(answer.body), answer: stored });
    return answer;
  }
  const stored = await findStoredResponse(trx, clientId, key);
  if (!stored.request_hash.equals(requestHash)) {
    const message = 'was used for another request within the last 24 hours; use a new key for a new request';
    throw new Problem('idempotency_key_reused', `Idempotency-Key: ${message}.`, {
      details: { errors: { 'Idempotency-Key': [message] } },
    });
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

/** The leads and contacts (uuids) that an answer shows, so that it is found when one of them is erased. */
function peopleIn(body: unknown): string[] {
  const { data } = (body ?? {}) as { data?: object };
  return [data, ...Object.values(data ?? {})].flatMap((shown) => {
    const id = String((shown as { id?: unknown } | null | undefined)?.id);
    return toUuid('lead', id) ?? toUuid('contact', id) ?? [];
  });
}
