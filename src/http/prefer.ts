/** How much of what it changed an answer shows (RFC 7240 section 4.2). */
type Return = 'minimal' | 'representation';

/** Tokens and quoted strings (RFC 9110 section 5.6), and what separates them. */
const PARTS = /"(?:[^"\\]|\\.)*"|[,;=]|[^\s,;="]+/g;

/** The preference `return`. If it is repeated, the first one counts. Undefined if the client has none, or another one. */
export function preferredReturn(prefer = ''): Return | undefined {
  const parts = prefer.match(PARTS) ?? [];
  for (let at = 0; at < parts.length; at = endOf(parts, at) + 1) {
    if (parts[at]?.toLowerCase() !== 'return') continue;
    const value = parts[at + 1] === '=' ? unquoted(parts[at + 2]).toLowerCase() : '';
    return value === 'minimal' || value === 'representation' ? value : undefined;
  }
  return undefined;
}

/** The index of the comma after a preference, or of the end. */
function endOf(parts: readonly string[], start: number): number {
  const comma = parts.indexOf(',', start);
  return comma === -1 ? parts.length : comma;
}

function unquoted(word = ''): string {
  return word.startsWith('"') ? word.slice(1, -1) : word;
}

/** The header that says which preference the answer follows. */
export function preferenceApplied(applied: Return | undefined): Record<string, string> {
  return applied === undefined ? {} : { 'Preference-Applied': `return=${applied}` };
}
