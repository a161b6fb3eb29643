import { randomBytes } from 'node:crypto';

/** How long the secret before a rotation goes on signing (milliseconds). */
export const OVERLAP = 24 * 60 * 60_000;

/** A new secret in the form of Standard Webhooks: `whsec_` and 256 random bits in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The answer, which shows a secret, with the word that nobody on its way may store it. */
export function noStore<Answer extends { headers: object }>(answer: Answer) {
  return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'no-store' } };
}
