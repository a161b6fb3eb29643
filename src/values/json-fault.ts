/** Beyond these limits, other clients would have to wait for the search. Within them, it takes at most some 20 ms. */
const MAX_CHARACTERS = 2 ** 20;
const MAX_TOKENS = 100_000;

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^"[\]{},: \t\n\r]+/gs;
const VALUE = /^(?:["[{]|-?\d|(?:true|false|null)$)/;

/**
 * Where and why a text is not JSON, such as " at line 2, column 11: unexpected token '}'". `error` is what JSON.parse() threw.
 * The place is missing only for an unexpected token in a very long text.
 */
export function describeJsonFault(text: string, { message }: SyntaxError): string {
  if (message.startsWith('Unexpected end'))
    return `${placeOf(text, text.length)}: unexpected end of JSON input`;
  // At its end, because some messages quote the text.
  const [, reason = '', position] = /^(.+?)(?: in JSON)? at position (\d+)(?: \(.*\))?$/.exec(message) ?? [];
  if (position !== undefined)
    return `${placeOf(text, Number(position))}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  const unexpected = findUnexpected(text);
  return unexpected === undefined
    ? ': unexpected token'
    : `${placeOf(text, unexpected)}: unexpected token ${shown(text, unexpected)}`;
}

function placeOf(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** V8 doesn't say where it expected a value and found none: the first place after `[`, `,` or `:`, or at the beginning. */
function findUnexpected(text: string): number | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  let before = '';
  let count = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const isEmptyList = before === '[' && token === ']';
    if (/^[[,:]?$/.test(before) && !VALUE.test(token) && !isEmptyList) return index;
    before = token;
    count += 1;
    if (count === MAX_TOKENS) return undefined;
  }
  return undefined;
}

/** Invisible characters by their number. */
function shown(text: string, position: number): string {
  const code = text.codePointAt(position) ?? 0;
  const character = String.fromCodePoint(code);
  if (!/[\p{C}\p{Z}]/u.test(character)) return `'${character}'`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
