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
  // domainToASCII() drops line ends, tabs and invisible characters.
  if (!LOCAL_PART.test(local) || given.length > MAX_ADDRESS || /[\s\p{C}]/u.test(given)) return undefined;
  const domain = /^[\x21-\x7e]*$/.test(given) ? given : domainToASCII(given);
  const address = `${local}@${domain}`;
  return DOMAIN.test(domain) && address.length <= MAX_ADDRESS ? address : undefined;
}

/** Between addresses of one cell. A slash may also be part of a local part. */
const BETWEEN_ADDRESSES =
  /[,;|\n\r\t]|:::|\s(?:or|and|oder|und|ou|et|o|y|e|of|en|i|og|och|lub|&|\/|-|–)\s|(?<=@[^\s@/]{3,253})\/(?=[^\s/]+@)/iu;

const NAME_WORD = /^\p{Lu}[\p{L}\p{M}.'’-]{0,40}$/u;

/** An address without anything around it. */
const PLAIN = /^[a-z0-9][a-z0-9._+-]{0,63}@[a-z0-9][a-z0-9.-]{0,190}[a-z0-9]$/i;

/** Reads a cell with one or more addresses, also `Name <a@b.example>` and `mailto:`. */
export function readEmails(text: string): EmailReading {
  // Nearly all cells: a third of the time.
  const plainest = PLAIN.test(text) ? toAsciiEmail(text) : undefined;
  if (plainest !== undefined) return { value: plainest, others: [] };
  const trimmed = trimText(text);
  if (trimmed.length > MAX_TEXT)
    return { others: [], warning: 'This text is too long for an email address.' };
  const plain = withoutStray(withoutLinks(plainText(trimmed)));
  if (isBlank(plain)) return { others: [] };
  const texts = plain
    .split(BETWEEN_ADDRESSES)
    .flatMap((part) => textsIn(part, plain.includes('<')))
    .map(bare);
  const addresses = texts.filter((address) => address !== '').map(toAsciiEmail);
  const [value, ...others] = distinctEmails(addresses.filter((address) => address !== undefined));
  if (value === undefined) return { others: [], warning: 'This is not an email address.' };
  const name = nameIn(plain);
  const warning = warningOf(others, addresses);
  return { value, ...(name !== '' && { name }), others, ...(warning !== undefined && { warning }) };
}

function warningOf(others: readonly string[], addresses: readonly unknown[]): string | undefined {
  if (addresses.includes(undefined)) return 'Part of this text is not an email address.';
  return others.length > 0 ? 'There are several email addresses. The first one was used.' : undefined;
}

/** Each address once, ignoring case, in its first place and spelling. */
export function distinctEmails(addresses: readonly string[]): string[] {
  const lower = addresses.map((address) => address.toLowerCase());
  return addresses.filter((_, index) => lower.indexOf(lower[index] ?? '') === index);
}

/** The address of a link, as Markdown, Access and browsers write it. Word processors curl an apostrophe. */
function withoutLinks(text: string): string {
  const decoded = text.includes('@') ? text : text.replaceAll(/%40/gi, '@');
  return decoded
    .replace(/^[^#]{0,300}#mailto:([^#]{1,300})#.{0,300}$/i, '$1')
    .replaceAll(/\[[^\][]{0,300}\]\((?:mailto:)?([^()\s]{1,300})\)/gi, ' $1 ')
    .replaceAll(/[’‘](?=[^\s@]{0,64}@)/gu, "'");
}

/** Without invisible characters, remarks in brackets, and spaces around `@`, which no address has. */
function withoutStray(text: string): string {
  return trimText(text.replaceAll(/\p{Cf}/gu, ''))
    .replaceAll(/\([^()@]{0,100}\)/g, ' ')
    .replaceAll(/\s{0,3}@\s{0,3}/g, '@');
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
function textsIn(part: string, hasNames: boolean): string[] {
  const start = part.indexOf('<');
  if (start !== -1) return [part.slice(start + 1).split('>', 1)[0] ?? ''];
  if (part.trim() === '' || (hasNames && !part.includes('@'))) return [];
  const words = part.trim().split(/\s+/u);
  const addresses = words.filter((word) => word.includes('@'));
  // Of `Ada Example ada@example.com`, the name before it.
  const isNamed = words.length > 1 && words.slice(0, -1).every((word) => NAME_WORD.test(word));
  if (addresses.length === 1 && isNamed && words.at(-1) === addresses[0]) return addresses;
  return words.length === addresses.length ? words : [part];
}

/** Without `mailto:`, a label, quotes, brackets, and dots at the end. */
function bare(part: string): string {
  const [address = ''] = part
    .trim()
    .replace(/^[*=\s]*(?:\p{L}[\p{L} -]{0,20}:\s*)*/iu, '')
    .split('?', 1);
  return address.replaceAll(/^[\s"'“”‘’<([{]+|(?<![\s"'“”‘’>)\]}.:])[\s"'“”‘’>)\]}.:]+$/gu, '');
}
