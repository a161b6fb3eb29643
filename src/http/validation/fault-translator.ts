import { type FieldErrors, invalidFields, MAX_FIELD_ERRORS, Problem } from '../../problem.ts';
import type { Document } from './contract.ts';
import { pathTextsOf } from './path.ts';

/** A fault reported by express-openapi-validator. `path` is a JSON Pointer that starts with the place of the value. */
export interface ValidationFault {
  path: string;
  message: string;
  errorCode?: string;
}

export type FaultTranslator = (faults: readonly ValidationFault[]) => Problem;

/**
 * Translates the validator's faults into one Problem: 404 for an id in the path (a malformed id is an unknown one), 400 for
 * a query parameter or header, 422 for the body and for a text in the path. Messages for patterns and formats come from `x-message` in the document.
 */
export function createFaultTranslator(document: Document): FaultTranslator {
  const ruleMessages = collectRuleMessages(document);
  const headerNames = collectHeaderNames(document);
  const pathTexts = new Set(Object.values(document.paths ?? {}).flatMap((item) => pathTextsOf(item ?? {})));

  function sentence({ errorCode = '', message, path }: ValidationFault): string {
    const keyword = errorCode.split('.', 1)[0] ?? '';
    const [, rule] = /^must match (?:pattern|format) "(.*)"$/s.exec(message) ?? [];
    if (rule !== undefined) return ruleMessages.get(rule) ?? 'has an invalid format';
    if (message.startsWith('Unknown query parameter')) return 'is not a parameter of this operation';
    if (path === '/body' && !keyword.endsWith('Properties')) return 'must be a JSON object';
    return sentences[keyword]?.(message) ?? 'is not valid';
  }

  return (faults) => {
    const inPath = faults.filter(({ path }) => path.startsWith('/params/'));
    if (inPath.some(({ path }) => !pathTexts.has(path.slice('/params/'.length)))) {
      return new Problem('not_found', 'The resource does not exist: its id is malformed.');
    }
    // Without a prototype, so that a field called __proto__ is one like any other.
    const errors: FieldErrors = Object.create(null);
    const withBadKeys = new Set(faults.filter(isOfKeys).map(({ path }) => path));
    for (const fault of faults) {
      if (isOfKeys(fault)) continue;
      const [, place, ...segments] = fault.path.split('/');
      // A parameter is reported by its name, even if only one value of its list is invalid.
      const path = place === 'body' ? segments : segments.slice(0, 1);
      const name = path.map(unescapePointer).join('.') || 'body';
      const field = place === 'headers' ? (headerNames.get(name) ?? name) : name;
      if (!(field in errors) && Object.keys(errors).length >= MAX_FIELD_ERRORS) continue;
      const message = (withBadKeys.has(fault.path) ? 'has a key that ' : '') + sentence(fault);
      const messages = errors[field] ?? [];
      if (!messages.includes(message)) errors[field] = [...messages, message];
    }
    const isText = faults.every(({ path }) => path.startsWith('/body') || path.startsWith('/params/'));
    return invalidFields(errors, isText ? 'validation_failed' : 'invalid_parameter');
  };
}

/** The validator reports an invalid key twice: as a string, and as an object with invalid keys. */
function isOfKeys({ errorCode }: ValidationFault): boolean {
  return errorCode?.startsWith('propertyNames') ?? false;
}

const limit = (message: string) => /-?\d[\d.e+-]*/.exec(message)?.[0] ?? '';
const atLeast = (unit: string) => (message: string) =>
  limit(message) === '1' ? 'must not be empty' : `must have at least ${limit(message)} ${unit}`;
const atMost = (unit: string) => (message: string) =>
  `must have at most ${limit(message)} ${limit(message) === '1' ? unit.slice(0, -1) : unit}`;

const oneOf = (choices: string) => `must be ${choices.includes(', ') ? 'one of ' : ''}${choices}`;

/** Messages by schema keyword. The validator's own message contains the limit or the choices. */
const sentences: Record<string, (message: string) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a field that you can set: it is unknown or read-only',
  minimum: (message) => `must be at least ${limit(message)}`,
  maximum: (message) => `must be at most ${limit(message)}`,
  minLength: atLeast('characters'),
  maxLength: atMost('characters'),
  minItems: atLeast('items'),
  maxItems: atMost('items'),
  minProperties: atLeast('keys'),
  maxProperties: atMost('keys'),
  'x-max-bytes': (message) => message,
  enum: (message) => oneOf(message.slice(message.indexOf(': ') + 2)),
  type: (message) =>
    `must be ${message
      .replace('must be ', '')
      .split(',')
      .map((type) => typeNames[type] ?? type)
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

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

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
