import { randomBytes } from 'node:crypto';

/** How long the previous secret still signs after a rotation. Milliseconds. */
export const OVERLAP = 24 * 60 * 60_000;

/** A new secret in the format of Standard Webhooks: `whsec_` and 256 random bits in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Adds `Cache-Control: no-store`, for a response that shows a secret. */
export function noStore<R extends { headers: object }>(response: R) {
  return { ...response, headers: { ...response.headers, 'Cache-Control': 'no-store' } };
}
