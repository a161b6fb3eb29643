import { toAsciiEmail } from './email.ts';

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;
/** Characters that end an address. */
const SEPARATOR = /[\s\p{Cc}\p{Cs}<>()[\]{}",;:]+/u;
/** Characters that may end an address or belong to it. */
const POSSIBLE_SEPARATOR = /[/?&=#|\\`']+/;
/** From the first letter or digit to the last. */
const CORE = /[\p{L}\p{N}].*[\p{L}\p{N}]/su;

/**
 * Yields the email addresses in a value, in lower case, so that it is found when a person is erased. Searches strings and
 * keys, also within longer text, and as URLs, HTML and JSON write them. May yield an address twice. `spend` is called with the
 * number of different words of each text that contain an @, and may throw: each takes microseconds.
 */
export function* addressesIn(
  value: unknown,
  spend: (words: number) => void = () => undefined,
): Generator<string> {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') yield* addressesInText(next.toLowerCase(), spend);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) pending.push(key, member);
    }
  }
}

function* addressesInText(text: string, spend: (words: number) => void): Generator<string> {
  const plain = withoutEscapes(text);
  // In a form, a space is a plus sign, and a plus sign is escaped. In other texts, it belongs to the address.
  const readings = plain === text ? [text] : [text, plain];
  if (plain !== text && text.includes('+')) readings.push(withoutEscapes(text.replaceAll('+', ' ')));
  for (const reading of readings) if (reading.includes('@')) yield* addressesInPlain(reading, spend);
}

/** Splits the text instead of searching it for EMAIL, which would take quadratic time. */
function addressesInPlain(text: string, spend: (words: number) => void): string[] {
  const words = [...new Set(text.split(SEPARATOR).filter((word) => word.includes('@')))];
  spend(words.length);
  const parts = words.flatMap((word) => [word, ...word.split(POSSIBLE_SEPARATOR)]);
  const candidates = [text.trim(), ...parts, ...parts.map((part) => CORE.exec(part)?.[0] ?? '')];
  // Leads have the ASCII form of an international domain.
  return candidates
    .filter((candidate) => EMAIL.test(candidate))
    .flatMap((email) => [email, toAsciiEmail(email) ?? email]);
}

/** Bytes in a URL, and characters in HTML and in JSON, whose backslashes may be escaped too. */
const ESCAPES =
  /((?:%[0-9a-f]{2})+)|&#0{0,9}([1-9]\d{0,4});|&#x0{0,9}([1-9a-f][0-9a-f]{0,4});|&(commat);|\\{1,8}u([0-9a-f]{4})/g;
/** Escapes that are remembered. */
const MAX_KNOWN = 1_000;
/** A URL within a URL within a URL. */
const MAX_ESCAPED = 3;

type Escape = Partial<Record<'bytes' | 'decimal' | 'hex' | 'commat', string>>;

function characterOf({ bytes, decimal, hex = '', commat }: Escape): string {
  if (bytes !== undefined) return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString().toLowerCase();
  if (commat !== undefined) return '@';
  return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
}

/** `text` is in lower case. */
function withoutEscapes(text: string): string {
  let plain = text;
  for (let times = 0; times < MAX_ESCAPED && /[%&\\]/.test(plain); times += 1) {
    // A hostile text has a few hundred thousand escapes, mostly the same ones.
    const known = new Map<string, string>();
    plain = plain.replace(ESCAPES, (written, bytes, decimal, hex, commat, json) => {
      const character = known.get(written) ?? characterOf({ bytes, decimal, hex: hex ?? json, commat });
      if (known.size < MAX_KNOWN) known.set(written, character);
      return character;
    });
  }
  return plain;
}
