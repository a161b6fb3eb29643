import { Problem } from '../../problem.ts';
import { addressesIn } from '../../spellings/addresses-in.ts';

/** Maximum addresses per payload. Each takes an index entry, and no genuine form submission has more. */
const MAX_EMAILS = 1_000;

/**
 * The email addresses in a payload, in lower case, so that the payload is found when a person is erased. Throws 413 when there
 * are more than MAX_EMAILS.
 */
export function extractEmails(payload: unknown): string[] {
  const found = new Set<string>();
  for (const email of addressesIn(payload)) {
    found.add(email);
    if (found.size <= MAX_EMAILS) continue;
    const message = `The body must not contain more than ${MAX_EMAILS} email addresses.`;
    throw new Problem('body_too_large', message);
  }
  return [...found];
}
