import { hash } from 'node:crypto';

/** The first 64 bits, for PostgreSQL's bigint. */
function hash64(text: string): string {
  return hash('sha256', text, 'buffer').readBigInt64LE().toString();
}

/** A hash of an email address, which a person has in any resource. */
export function hashOfEmail(email: string): string {
  return hash64(`email ${email.toLowerCase()}`);
}

/** A hash of the external id of a lead or contact. */
export function hashOfExternalId(kind: 'lead' | 'contact', externalId: string): string {
  return hash64(`${kind} external_id ${externalId}`);
}
