import type { ErrorObject } from 'ajv';
import { type FieldErrors, invalidFields, MAX_FIELD_ERRORS, Problem } from '../../problem.ts';
import type { Document } from './document.ts';
import type { Members } from './map-schemas.ts';
import { resolveSchema, type Schema, sharedSchemas } from './schemas.ts';

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
 * document, and what else a URL needs, from `x-message-in-url`.
 */
export function createFaultTranslator(document: Document): FaultTranslator {
  const ruleMessages = collectRuleMessages(document, 'x-message');
  const hints = collectRuleMessages(document, 'x-message-in-url');
  const headerNames = collectHeaderNames(document);
  const choices = collectChoices(document);

  function sentence({ place, segments, error }: Fault): string {
    const said = aboutValue(error, place === 'body' && segments.length === 0);
    const hint = place === 'query' ? (hints.get(ruleOf(error)) ?? error.params.inUrl) : undefined;
    return hint === undefined ? said : `${said} (${hint})`;
  }

  function aboutValue(error: ErrorObject, isBody: boolean): string {
    const { keyword, params, message = '', instancePath } = error;
    const rule = ruleOf(error);
    if (rule === 'not-none') return 'must not be none, which filters use for what has no value';
    if (rule !== undefined) return ruleMessages.get(rule) ?? 'has an invalid format';
    if (isBody && !keyword.endsWith('Properties')) return 'must be a JSON object';
    if (keyword === 'discriminator') return aboutKind(params);
    if (keyword === 'additionalProperties' && instancePath.endsWith('/filter')) return notAFilter(params);
    return sentences[keyword]?.(params, message) ?? 'is not valid';
  }

  /** About the field that says which schema of a union applies. */
  function aboutKind({ tag, tagValue }: Record<string, unknown>): string {
    return tagValue === undefined ? 'is required' : mustBe(choices.get(String(tag)) ?? []);
  }

  return ({ parameters, body }, pathTexts) => {
    const faults = [...parameters.map(inParameter), ...body.map(inBody)];
    const inPath = faults.filter(({ place }) => place === 'params');
    if (inPath.some(({ segments: [name = ''] }) => !pathTexts.includes(name))) {
      return new Problem('not_found', 'The resource does not exist: its id is malformed.');
    }
    // No prototype, so that a field may be called __proto__.
    const errors: FieldErrors = Object.create(null);
    for (const fault of faults) {
      const { place, segments, error } = fault;
      // Ajv has already reported what is wrong with the key.
      if (error.keyword === 'propertyNames') continue;
      // A parameter is reported by its name, even if only one value of its list is invalid.
      const path = place === 'body' ? segments : segments.slice(0, 1);
      const name = path.join('.') || 'body';
      const field = place === 'headers' ? (headerNames.get(name) ?? name) : name;
      if (!(field in errors) && Object.keys(errors).length >= MAX_FIELD_ERRORS) continue;
      const message = (error.propertyName === undefined ? '' : 'has an invalid key: it ') + sentence(fault);
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

/** `instancePath` is a JSON Pointer to the object if a property is missing or unknown, or names no kind of object. */
function segmentsOf({ instancePath, params }: ErrorObject): string[] {
  const segments = instancePath.split('/').slice(1);
  const property: string | undefined = params.missingProperty ?? params.additionalProperty ?? params.tag;
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
  additionalProperties: () => 'is unknown or read-only',
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
  enum: ({ allowedValues }) => mustBe(allowedValues as unknown[]),
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((one) => typeNames[String(one)] ?? one)
      .join(' or ')}`,
};

function mustBe(values: readonly unknown[]): string {
  const choices = values.map(String);
  return choices.length > 2 ? `must be one of ${choices.join(', ')}` : `must be ${choices.join(' or ')}`;
}

/** In a URL, a list or an object may have a name such as `tag[]` or `metadata[plan]`. */
function notAFilter({ additionalProperty: name }: Record<string, unknown>): string {
  const [, field, key = ''] = /^(\w+)\[(.*)\]$/.exec(String(name)) ?? [];
  if (field === undefined) return 'is not a filter';
  const value = /^\d*$/.test(key) ? '[…]' : `{${JSON.stringify(key)}: …}`;
  return `is the spelling of a URL: in JSON, send "${field}": ${value}`;
}

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function ruleOf({ params }: ErrorObject): string | undefined {
  return params.pattern ?? params.format;
}

/** Pattern or format → the schema's message if a value doesn't match. */
function collectRuleMessages(
  node: unknown,
  keyword: 'x-message' | 'x-message-in-url',
  found = new Map<string | undefined, string>(),
) {
  if (typeof node !== 'object' || node === null) return found;
  if (keyword in node) {
    const { pattern, format, [keyword]: message } = node as Members;
    for (const rule of [pattern, format]) if (rule !== undefined) found.set(String(rule), String(message));
  }
  for (const child of Object.values(node)) collectRuleMessages(child, keyword, found);
  return found;
}

/** The field that says which schema of a union applies → its values. */
function collectChoices(document: Document): Map<string, unknown[]> {
  const schemas = sharedSchemas(document);
  const unions = Object.values(schemas).filter(({ discriminator }) => discriminator !== undefined);
  return new Map(
    unions.map(({ discriminator, oneOf = [] }) => {
      const { propertyName = '' } = discriminator ?? {};
      const kinds = oneOf.map((kind) => resolveSchema(schemas, kind as Schema).properties?.[propertyName]);
      return [
        propertyName,
        kinds.flatMap((kind) => (kind !== undefined && 'enum' in kind ? (kind.enum ?? []) : [])),
      ];
    }),
  );
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
