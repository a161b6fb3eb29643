/** The rules that run the document's schemas and patterns instead of reading them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isInstantOrDate } from '../../src/values/instant-or-date.ts';
import { isTimezone } from '../../src/values/timezone.ts';
import {
  allSchemas,
  type Document,
  described,
  type Endpoint,
  endpoints,
  type Schema,
  subschemas,
} from './document.ts';

export function slowPatterns(document: Document): string[] {
  const patterns = new Set(allSchemas(document).flatMap(([, { pattern }]) => pattern ?? []));
  return [...patterns].filter((pattern) => slowest(new RegExp(pattern, 'u')) > 50);
}

/**
 * Schemas without the limits that OWASP requires of APIs (API4: unrestricted resource consumption). A CSV export is
 * streamed, so it needs none.
 */
export function unlimited([at, schema]: [string, Schema, string]): string[] {
  if (at.endsWith(' text/csv')) return [];
  const lacks = (...keywords: (keyof Schema)[]) => keywords.every((keyword) => schema[keyword] === undefined);
  const types = [schema.type].flat();
  return [
    ...(types.includes('string') && lacks('maxLength', 'enum', 'const') ? [`${at} has no maxLength`] : []),
    ...(types.includes('array') && lacks('maxItems') ? [`${at} has no maxItems`] : []),
    ...(types.includes('integer') && lacks('format') ? [`${at} has no format`] : []),
  ];
}

function createAjv(): Ajv2020 {
  // Compiling takes most of the time, above all the optimizer.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addFormat('instant-or-date', isInstantOrDate);
  ajv.addFormat('timezone', isTimezone);
  ajv.addFormat('not-none', (text) => text !== 'none');
  return ajv;
}

/**
 * Postman, n8n and others send the example of each optional parameter. So those that change what a request does have none:
 * headers, the options of a write, and where a list or the log goes on.
 */
function acts({ method, parameters }: Endpoint): string[] {
  return parameters
    .filter((parameter) => !parameter.required)
    .filter(
      ({ in: place, name }) =>
        place === 'header' || method !== 'get' || ['page', 'cursor', 'after', 'wait'].includes(name),
    )
    .map(({ name }) => name);
}

export function exampleFaults(document: Document): string[] {
  const ajv = createAjv();
  return endpoints(document).flatMap((endpoint) => {
    const withoutExample = acts(endpoint).map((name) => `${endpoint.at} ${name}`);
    return described(endpoint).flatMap(([at, { schema, example, examples = {} }]) => {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      if (withoutExample.includes(at)) return values.length === 0 ? [] : [`${at} has an example`];
      if (values.length === 0) return [`${at} has no example`];
      const validate = ajv.compile(schema);
      return values.flatMap((value) => (validate(value) ? [] : [`${at} ${ajv.errorsText(validate.errors)}`]));
    });
  });
}

/** Faults in the examples and defaults of schemas. */
export function schemaExampleFaults(document: Document): string[] {
  const ajv = createAjv();
  const faults = Object.entries(document.components.schemas)
    .flatMap(([name, schema]) => [...subschemas(schema, name)])
    .flatMap(([at, schema]) => {
      const { examples = [], default: fallback } = schema;
      const values = fallback === undefined ? examples : [...examples, fallback];
      if (values.length === 0) return [];
      // Without quotes, YAML splits a sentence with commas into several items.
      const cut = examples.length > 1 && examples.some((example) => /\s/.test(String(example)));
      const validate = ajv.compile(schema);
      const wrong = values
        .filter((value) => !validate(value))
        .map((value) => `${at} ${JSON.stringify(value)}`);
      return cut ? [...wrong, `${at} has several examples, one of them a sentence`] : wrong;
    });
  return [...new Set(faults)];
}

/**
 * The slowest of some texts, in milliseconds. They are shorter than a body may be, so that a bad pattern takes
 * seconds and not hours; a linear one takes a fraction of a millisecond.
 */
function slowest(pattern: RegExp): number {
  const times = ['a', ' ', '0', '\u0000', '@.', 'a-'].map((piece) => {
    const text = `+1${piece.repeat(16_384)}!`;
    // CPU time, because other processes run at the same time.
    const start = process.threadCpuUsage();
    pattern.test(text);
    return process.threadCpuUsage(start).user / 1_000;
  });
  return Math.max(...times);
}
