import { ExactNumber } from '../../../values/exact-json.ts';
import { type Body, readBody } from './read-body.ts';

const REDACTED = '[redacted]';

/** The value without the secret, wherever it occurs. */
export function withoutSecret(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return value.replaceAll(secret, REDACTED);
  if (typeof value === 'number' || value instanceof ExactNumber) {
    return JSON.stringify(value).includes(secret) ? REDACTED : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSecret(item, secret));
  const members = Object.entries(value).map(([key, member]) => [
    key.replaceAll(secret, REDACTED),
    withoutSecret(member, secret),
  ]);
  return Object.fromEntries(members);
}

/** A body with the same payload, in JSON, but for the secret: its bytes could have escaped it in many ways. */
export function redactedBody(body: Body, secret: string): Body {
  return bodyOf(withoutSecret(readBody(body).payload, secret));
}

/** A body with the same payload, in JSON, without files. */
export function bodyWithoutFiles(body: Body): Body {
  return bodyOf(readBody(body).payload);
}

function bodyOf(payload: unknown): Body {
  return { bytes: Buffer.from(JSON.stringify(payload)), contentType: 'application/json' };
}
