import { domainToUnicode } from 'node:url';

/** The ways to write an address: with its domain in ASCII, and as people read it. */
function formsOf(email: string): string[] {
  const at = email.lastIndexOf('@');
  const domain = domainToUnicode(email.slice(at + 1));
  const readable = `${email.slice(0, at)}@${domain}`;
  return domain === '' || readable === email ? [email] : [email, readable];
}

/** Regular expressions of PostgreSQL, to be used without regard to case. */
export interface Patterns {
  /** Finds addresses within texts, but not within longer addresses. */
  whole: string;
  /** Finds them behind anything, as in the Idempotency-Key `create-ada@example.com`. */
  part: string;
}

export function patternsOf(emails: Iterable<string>): Patterns {
  const forms = [...new Set([...emails].map((email) => email.toLowerCase()))].flatMap(formsOf);
  // Without an address, they find nothing.
  if (forms.length === 0) return { whole: '(?!)', part: '(?!)' };
  const escaped = forms.map((form) => form.replaceAll(/[^\p{L}\p{N}@]/gu, String.raw`\$&`));
  const part = `(?:${escaped.join('|')})`;
  return { whole: String.raw`(?<![\w.+%-])${part}(?![\w-]|\.\w)`, part };
}
