import { decodeText, knownCharset } from '../../values/charset.ts';

/** A line of a vCard: `item1.TEL;TYPE=cell,pref:+49 151 1234567`. */
export interface Property {
  name: string;
  /** Values of TYPE and parameters without a name, in lower case. */
  types: readonly string[];
  /** The parts between semicolons, decoded. */
  parts: readonly string[];
}

/** Reads versions 2.1, 3.0 and 4.0. Undefined if the line is none of a property. */
export function readProperty(line: string): Property | undefined {
  const colon = endOfName(line);
  if (colon === undefined) return undefined;
  const [head = '', ...parameters] = line.slice(0, colon).split(';');
  const name = head.slice(head.lastIndexOf('.') + 1).toUpperCase();
  const types: string[] = [];
  let charset: string | undefined;
  let isQuotedPrintable = false;
  for (const parameter of parameters) {
    const [key = '', value] = parameter.split('=', 2);
    const texts = (value ?? key).replaceAll('"', '').toLowerCase().split(',');
    if (value === undefined || /^type$/i.test(key)) types.push(...texts);
    if (/^pref$/i.test(key) && value === '1') types.push('pref');
    if (/^charset$/i.test(key)) charset = value;
    isQuotedPrintable ||= texts.includes('quoted-printable');
  }
  const value = line.slice(colon + 1);
  const text = isQuotedPrintable ? fromQuotedPrintable(value, charset) : value;
  return { name, types, parts: splitParts(text).map(unescapePart) };
}

/** The first colon outside of quotes. */
function endOfName(line: string): number | undefined {
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ':' && !isQuoted) return at;
  }
  return undefined;
}

function splitParts(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ';') {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function unescapePart(text: string): string {
  return text
    .replaceAll(/\\(.)/gs, (_, character: string) => (/n/i.test(character) ? '\n' : character))
    .trim();
}

function fromQuotedPrintable(text: string, charset: string | undefined): string {
  const bytes = Buffer.from(text).toString('latin1');
  const decoded = bytes.replaceAll(/=([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decodeText(Buffer.from(decoded, 'latin1'), charset && knownCharset(charset));
}
