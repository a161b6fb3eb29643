import type { ErrorObject } from 'ajv';
import { type FieldErrors, invalidFields, MAX_FIELD_ERRORS, Problem } from '../../problem.ts';
import type { Document } from './document.ts';

/** What Ajv has found in a request. */
export interface Faults {
  /** In an object with the parameters in `query`, `headers` and `params`, which are those of the path. */
  parameters: readonly ErrorObject[];
  body: readonly ErrorObject[];
}

/** `pathTexts` are the path parameters that aren't ids. */
type FaultTranslator = (faults: Faults, pathTexts: readonly string[]) => Problem;

/**
 * Translates faults into one Problem: 404 for an id in the path (a malformed id can't exist), 400 for a query parameter or
 * header, 422 for the body and for a text in the path. Messages for patterns and formats come from `x-message` in the
 * document.
 */
export function createFaultTranslator(document: Document): FaultTranslator {
  const ruleMessages = collectRuleMessages(document);
  const headerNames = collectHeaderNames(document);

  function sentence({ keyword, params, message = '' }: ErrorObject, isBody: boolean): string {
    const rule = params.pattern ?? params.format;
    if (rule === 'not-none') return 'must not be none, which filters use for what has no value';
    if (rule !== undefined) return ruleMessages.get(rule) ?? 'has an invalid format';
    if (isBody && !keyword.endsWith('Properties')) return 'must be a JSON object';
    return sentences[keyword]?.(params, message) ?? 'is not valid';
  }

  return ({ parameters, body }, pathTexts) => {
    const faults = [...parameters.map(inParameter), ...body.map(inBody)];
    const inPath = faults.filter(({ place }) => place === 'params');
    if (inPath.some(({ segments: [name = ''] }) => !pathTexts.includes(name))) {
      return new Problem('not_found', 'The resource does not exist: its id is malformed.');
    }
    // No prototype, so that a field may be called __proto__.
    const errors: FieldErrors = Object.create(null);
    for (const { place, segments, error } of faults) {
      // Ajv has already reported what is wrong with the key.
      if (error.keyword === 'propertyNames') continue;
      // A parameter is reported by its name, even if only one value of its list is invalid.
      const path = place === 'body' ? segments : segments.slice(0, 1);
      const name = path.join('.') || 'body';
      const field = place === 'headers' ? (headerNames.get(name) ?? name) : name;
      if (!(field in errors) && Object.keys(errors).length >= MAX_FIELD_ERRORS) continue;
      const isBody = place === 'body' && segments.length === 0;
      const message =
        (error.propertyName === undefined ? '' : 'has an invalid key: it ') + sentence(error, isBody);
      const messages = errors[field] ?? [];
      if (!messages.includes(message)) errors[field] = [...messages, message];
    }
    const isText = faults.every(({ place }) => place === 'body' || place === 'params');
    return invalidFields(errors, isText ? 'validation_failed' : 'invalid_parameter');
  };
}

interface Fault {
  place: string;
  /** Names and indexes that lead to the value. */
  segments: string[];
  error: ErrorObject;
}

function inParameter(error: ErrorObject): Fault {
  const [place = '', ...segments] = segmentsOf(error);
  return { place, segments, error };
}

function inBody(error: ErrorObject): Fault {
  return { place: 'body', segments: segmentsOf(error), error };
}

/** `instancePath` is a JSON Pointer to the object if a property is missing or unknown. */
function segmentsOf({ instancePath, params }: ErrorObject): string[] {
  const segments = instancePath.split('/').slice(1);
  const property: string | undefined = params.missingProperty ?? params.additionalProperty;
  return [
    ...segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')),
    ...(property === undefined ? [] : [property]),
  ];
}

type Sentence = (params: Record<string, unknown>, message: string) => string;

const atLeast =
  (unit: string): Sentence =>
  ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${limit} ${unit}`;
const atMost =
  (unit: string): Sentence =>
  ({ limit }) =>
    `must have at most ${limit} ${limit === 1 ? unit.slice(0, -1) : unit}`;

/** By keyword of the schema. */
const sentences: Record<string, Sentence> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a field that you can set: it is unknown or read-only',
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: atLeast('characters'),
  maxLength: atMost('characters'),
  minItems: atLeast('items'),
  maxItems: atMost('items'),
  minProperties: atLeast('keys'),
  maxProperties: atMost('keys'),
  'x-max-bytes': (_params, message) => message,
  'x-spelling': (_params, message) => message,
  enum: ({ allowedValues }) => {
    const choices = (allowedValues as unknown[]).map(String);
    return choices.length > 2 ? `must be one of ${choices.join(', ')}` : `must be ${choices.join(' or ')}`;
  },
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((one) => typeNames[String(one)] ?? one)
      .join(' or ')}`,
};

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Pattern or format → message if a value doesn't match. */
function collectRuleMessages(node: unknown, found = new Map<string, string>()): Map<string, string> {
  if (typeof node !== 'object' || node === null) return found;
  if ('x-message' in node) {
    if ('pattern' in node) found.set(String(node.pattern), String(node['x-message']));
    if ('format' in node) found.set(String(node.format), String(node['x-message']));
  }
  for (const child of Object.values(node)) collectRuleMessages(child, found);
  return found;
}

/** Header parameter names by their lowercase form, which Node uses. */
function collectHeaderNames(node: unknown, found = new Map<string, string>()): Map<string, string> {
  if (typeof node !== 'object' || node === null) return found;
  if ('in' in node && node.in === 'header' && 'name' in node) {
    found.set(String(node.name).toLowerCase(), String(node.name));
  }
  for (const child of Object.values(node)) collectHeaderNames(child, found);
  return found;
}
