import { randomBytes } from 'node:crypto';
import { DAY } from '../values/time.ts';

/** How long the previous secret still signs after a rotation. Milliseconds. */
export const OVERLAP = DAY;

/** A new secret in the format of Standard Webhooks: `whsec_` and 256 random bits in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
