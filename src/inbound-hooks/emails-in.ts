/** No more than these are remembered of one payload. */
const MAX_EMAILS = 20;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;

/** The email addresses among the texts of a payload, in lower case, so that it is found when one of them is erased. */
export function emailsIn(payload: unknown): string[] {
  const found = new Set<string>();
  const waiting: unknown[] = [payload];
  while (waiting.length > 0 && found.size < MAX_EMAILS) {
    const value = waiting.pop();
    if (typeof value === 'string') {
      const text = value.trim().toLowerCase();
      if (EMAIL.test(text)) found.add(text);
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) waiting.push(member);
    }
  }
  return [...found];
}
