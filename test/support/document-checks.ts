/** The rules that run the document's schemas and patterns instead of reading them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isInstantOrDate } from '../../src/http/instant-or-date.ts';
import { isTimezone } from '../../src/timezone.ts';
import { allSchemas, type Document, described, endpoints } from './document.ts';

export function slowPatterns(document: Document): string[] {
  const patterns = new Set(allSchemas(document).flatMap(([, { pattern }]) => pattern ?? []));
  return [...patterns].filter((pattern) => slowest(new RegExp(pattern, 'u')) > 50);
}

export function exampleFaults(document: Document): string[] {
  // Most of the time goes into compiling, the optimizer's above all.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addFormat('instant-or-date', isInstantOrDate);
  ajv.addFormat('timezone', isTimezone);
  return endpoints(document).flatMap((endpoint) =>
    described(endpoint).flatMap(([at, { schema, example, examples = {} }]) => {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      if (values.length === 0) return [`${at} has no example`];
      const validate = ajv.compile(schema);
      return values.flatMap((value) => (validate(value) ? [] : [`${at} ${ajv.errorsText(validate.errors)}`]));
    }),
  );
}

/**
 * The slowest of some texts, in milliseconds. They are shorter than a body may be, so that a bad pattern takes
 * seconds and not hours; a linear one takes a fraction of a millisecond.
 */
function slowest(pattern: RegExp): number {
  const times = ['a', ' ', '0', '\u0000', '@.', 'a-'].map((piece) => {
    const text = `+1${piece.repeat(16_384)}!`;
    const start = performance.now();
    pattern.test(text);
    return performance.now() - start;
  });
  return Math.max(...times);
}
