/** A search parses some 20 times. Beyond this length, other clients would have to wait for it. Characters. */
const MAX_SEARCHED = 256 * 1024;

/**
 * Where and why a text is not JSON, such as " at line 2, column 11: unexpected token '}'". `error` is what JSON.parse() threw.
 * The place is missing only for an unexpected token in a very long text.
 */
export function describeJsonFault(text: string, { message }: SyntaxError): string {
  const reason = message.split(/ in JSON at| at position|, (?:\.\.\.)?"/)[0] ?? '';
  const position = positionIn(message) ?? (text.length > MAX_SEARCHED ? undefined : findFault(text));
  return `${placeOf(text, position)}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
}

function placeOf(text: string, position: number | undefined): string {
  if (position === undefined) return '';
  const lines = text.slice(0, position).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

function positionIn(message: string): number | undefined {
  const position = / position (\d+)/.exec(message)?.[1];
  return position === undefined ? undefined : Number(position);
}

/**
 * V8 says no position for an unexpected token, nor at the end. Up to that token, every beginning of the text could still
 * become JSON; what includes it could not.
 */
function findFault(text: string): number {
  let [valid, invalid] = [0, text.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (couldContinue(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function couldContinue(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return message.startsWith('Unexpected end') || positionIn(message) === beginning.length;
  }
}
