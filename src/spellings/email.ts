import { domainToASCII } from 'node:url';
import type { Reading } from './reading.ts';
import { collapseSpaces, isBlank, plainText, trimText } from './text.ts';

interface EmailReading extends Reading<string> {
  /** The name before an address in angle brackets. */
  name?: string;
  others: string[];
}

const MAX_ADDRESS = 254;
const MAX_TEXT = 5_000;
const LOCAL_PART = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/i;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/**
 * The address with its domain in ASCII (`ada@xn--mnchen-3ya.de` for `ada@münchen.de`), which is how addresses are stored and
 * compared. Undefined if it is no address: the domain needs a dot, and the local part must be ASCII, as most mail servers and
 * generated clients demand.
 */
export function toAsciiEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, Math.max(at, 0));
  const given = email.slice(at + 1);
  if (!LOCAL_PART.test(local) || given.length > MAX_ADDRESS) return undefined;
  const domain = /^[\x21-\x7e]*$/.test(given) ? given : domainToASCII(given);
  const address = `${local}@${domain}`;
  return DOMAIN.test(domain) && address.length <= MAX_ADDRESS ? address : undefined;
}

/** Between addresses of one cell. */
const BETWEEN_ADDRESSES = /[,;|\n\r\t]|:::|\s(?:or|and|oder|und|ou|et|o|y|e|of|en|&|\/)\s/iu;

/** Reads a cell with one or more addresses, also `Name <a@b.example>` and `mailto:`. */
export function readEmails(text: string): EmailReading {
  const plain = trimText(text).length > MAX_TEXT ? undefined : unwrap(plainText(text));
  if (plain === undefined) return { others: [], warning: 'This text is too long for an email address.' };
  if (isBlank(plain)) return { others: [] };
  const texts = plain
    .split(BETWEEN_ADDRESSES)
    .flatMap(textsIn)
    .map(bare)
    .filter((address) => address !== '');
  const addresses = texts.map(toAsciiEmail);
  const [value, ...others] = [...new Set(addresses.filter((address) => address !== undefined))];
  if (value === undefined) return { others: [], warning: 'This is not an email address.' };
  const shown = nameIn(plain);
  const name = shown === '' ? {} : { name: shown };
  if (others.length > 0) {
    return { value, ...name, others, warning: 'There are several email addresses. The first one was used.' };
  }
  const isComplete = addresses.every((address) => address !== undefined);
  return {
    value,
    ...name,
    others,
    ...(!isComplete && { warning: 'Part of the text is not an email address.' }),
  };
}

function unwrap(text: string): string {
  return trimText(text.replaceAll(/\p{Cf}/gu, ''));
}

/** The name before the first address in angle brackets. */
function nameIn(text: string): string {
  const [before = ''] = text.includes('<') ? text.split('<', 1) : [];
  return before.includes('@') ? '' : collapseSpaces(before.replaceAll(/["“”]/gu, ' '));
}

/**
 * The addresses of a part: in angle brackets, or separated by spaces only. A space within an address gives something that is
 * none. A part without `@` is half of a name, as in `Example, Ada <ada@example.com>`.
 */
function textsIn(part: string, _index: number, parts: readonly string[]): string[] {
  const [, bracketed] = /<([^<>]*)>?/.exec(part) ?? [];
  if (bracketed !== undefined) return [bracketed];
  if (!part.includes('@') && parts.some((other) => other.includes('<'))) return [];
  const words = part.trim().split(/\s+/u);
  return words.every((word) => word.includes('@')) ? words : [part];
}

/** Without `mailto:`, a label, quotes, brackets, and dots at the end. */
function bare(part: string): string {
  const [address = ''] = part
    .trim()
    .replace(/^(?:mailto:|e-?mail:|\p{L}{1,20}:\s)\s*/iu, '')
    .split('?', 1);
  return address.replaceAll(/^[\s"'“”‘’<([{]+|[\s"'“”‘’>)\]}.:]+$/gu, '');
}
