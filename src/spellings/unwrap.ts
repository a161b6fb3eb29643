import { isUtf8 } from 'node:buffer';
import { decodeHTMLStrict } from 'entities';
import { isObject } from '../values/exact-json.ts';

/** `="0047"`: so a spreadsheet leaves a text as it is. */
const ARMOUR = /^="((?:[^"]|"")*)"$/;
/** UTF-8 that was taken for windows-1252: `MÃ¼ller`. */
const TWICE_ENCODED = /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]/;

/** The bytes of the characters that windows-1252 has beyond Latin-1. */
const WINDOWS = new Map(
  Array.from({ length: 32 }, (_, index) => 0x80 + index).map((byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);

/**
 * The text that a cell or a form's field stands for: without the armour against spreadsheets, with the characters that HTML
 * names, decoded once more if it was encoded twice, and the values of a JSON list of objects, as some CRMs export emails and phones.
 */
export function unwrap(text: string): string {
  const first = text.charCodeAt(0);
  if (first === 0x3d) {
    const [, inner] = ARMOUR.exec(text) ?? [];
    if (inner !== undefined) return inner.replaceAll('""', '"');
  }
  if (text.startsWith('[{')) return valuesIn(text) ?? text;
  if (first === 0x7b) return text;
  const named = text.includes('&') && text.includes(';') ? decodeHTMLStrict(text) : text;
  return TWICE_ENCODED.test(named) ? (decodedAgain(named) ?? named) : named;
}

function decodedAgain(text: string): string | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const byte = code < 0x100 ? code : WINDOWS.get(character);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  const buffer = Buffer.from(bytes);
  return isUtf8(buffer) ? buffer.toString() : undefined;
}

/** Of `[{"value": "a@example.com", "label": "work"}]`. */
function valuesIn(text: string): string | undefined {
  try {
    const list: unknown = JSON.parse(text);
    const values = Array.isArray(list)
      ? list.map((item) => (isObject(item) ? Object(item).value : undefined))
      : [];
    return values.length > 0 && values.every((value) => typeof value === 'string')
      ? values.join(', ')
      : undefined;
  } catch {
    return undefined;
  }
}
