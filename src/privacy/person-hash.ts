import { hash } from 'node:crypto';
import { toAsciiEmail } from '../spellings/email.ts';

/** The first 64 bits, for PostgreSQL's bigint. */
function hash64(text: string): string {
  return hash('sha256', text, 'buffer').readBigInt64LE().toString();
}

/** The hash of an email address, the same for every resource and however its domain is written. */
export function hashOfEmail(email: string): string {
  return hash64(`email ${(toAsciiEmail(email) ?? email).toLowerCase()}`);
}

/** The hash of a lead's or contact's external id. */
export function hashOfExternalId(kind: 'lead' | 'contact', externalId: string): string {
  return hash64(`${kind} external_id ${externalId}`);
}
