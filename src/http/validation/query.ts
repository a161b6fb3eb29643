import type { Request } from 'express';
import { invalidParameter } from '../../problem.ts';
import type { Parameter } from './schemas.ts';

type Query = Request['query'];

/** The types of an operation's query parameters, by name. */
export type QueryTypes = ReadonlyMap<string, unknown>;

export function queryTypes(parameters: readonly Parameter[]): QueryTypes {
  const own = parameters.filter((parameter) => parameter.in === 'query');
  return new Map(own.map(({ name, schema }) => [name, schema.type]));
}

/** The query with its lists as arrays and its objects as objects. Throws 400 for what the schemas can't reject. */
export function readQuery(given: Query, types: QueryTypes): Query {
  const query = unifySpelling(given, types);
  checkQuery(query, types);
  checkDuplicates(query, types);
  checkIntegers(query, types);
  return gatherValues(query, types);
}

/**
 * Unifies spellings: `status[]=new` and `status[0]=new`, which axios, PHP and Rails send, become `status=new`; `True` becomes
 * `true`. Drops empty ones.
 */
function unifySpelling(query: Query, types: QueryTypes): Query {
  const unified: Query = Object.create(null);
  for (const [spelling, value] of Object.entries(query)) {
    const [, list = ''] = (spelling.endsWith(']') && /^(\w+)\[\d{0,4}\]$/.exec(spelling)) || [];
    const name = types.get(list) === 'array' ? list : spelling;
    const texts = [unified[name] ?? [], value ?? []].flat().map(String);
    // An empty parameter counts as absent: forms and generated clients send those that nobody filled in.
    const filled = types.has(name) ? texts.filter((text) => text !== '') : texts;
    if (filled.length === 0) continue;
    unified[name] = filled.length === 1 ? filled[0] : filled;
    if (types.get(name) === 'boolean' && /^(true|false)$/i.test(String(value))) {
      unified[name] = String(value).toLowerCase();
    }
  }
  return unified;
}

/** Rejects unknown parameters, an object without a key, and NUL, which PostgreSQL can't store. */
function checkQuery(query: Query, types: QueryTypes): void {
  for (const [name, value] of Object.entries(query)) {
    const object = objectOf(name, types);
    if (object === undefined && !types.has(name)) {
      throw invalidParameter(name, 'is not a parameter of this operation');
    }
    if (types.get(name) === 'object')
      throw invalidParameter(name, `must name a key, such as ${name}[key]=text`);
    const texts = [name, value].flat().map(String);
    if (texts.some((text) => text.includes('\0'))) {
      throw invalidParameter(object ?? name, 'must not contain the character NUL (U+0000)');
    }
  }
}

/** The object parameter in a name such as `metadata[plan]`. */
function objectOf(name: string, types: QueryTypes): string | undefined {
  const object = name.slice(0, Math.max(0, name.indexOf('[')));
  return types.get(object) === 'object' && name.endsWith(']') ? object : undefined;
}

/** Rejects a repeated parameter, unless it is a list. Ajv would say that it must be a string, which each of the values is. */
function checkDuplicates(query: Query, types: QueryTypes): void {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value) && types.get(name) !== 'array') {
      throw invalidParameter(name, 'must be given only once');
    }
  }
}

/**
 * Rejects integers that are not decimal digits: Ajv parses them like JavaScript, including `1e3`, `0x10` and `1.0`. Also
 * rejects those that overflow to Infinity, which Ajv does not compare with a maximum.
 */
function checkIntegers(query: Query, types: QueryTypes): void {
  for (const [name, value] of Object.entries(query)) {
    if (types.get(name) !== 'integer' || typeof value !== 'string') continue;
    if (!/^[0-9]+$/.test(value)) {
      throw invalidParameter(name, 'must be a whole number in decimal digits, such as 20');
    }
    if (!Number.isFinite(Number(value))) throw invalidParameter(name, 'is too large');
  }
}

/**
 * The query with `status=new,won` as an array, and with `metadata[plan]=gold` as an object. Its keys are sorted, since their
 * order means nothing.
 */
function gatherValues(query: Query, types: QueryTypes): Query {
  const names = Object.keys(query);
  const gathered: Query = {};
  for (const name of names) {
    const object = objectOf(name, types);
    if (object === undefined) gathered[name] = listOrText(name);
    else gathered[object] ??= keysOf(object);
  }
  return gathered;

  function listOrText(name: string): Query[string] {
    const value = query[name];
    return types.get(name) === 'array' && typeof value === 'string' ? value.split(',') : value;
  }

  function keysOf(object: string): Query {
    const own = names.filter((name) => objectOf(name, types) === object).sort();
    return Object.fromEntries(own.map((name) => [name.slice(object.length + 1, -1), query[name]]));
  }
}

/** Rejects `%ZZ`, `%` and invalid UTF-8, which Node keeps literally or replaces. */
export function checkEscapes(url: string): void {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return;
  for (const pair of url.slice(start + 1).split('&')) {
    const [name = ''] = pair.split('=', 1);
    if (decode(pair) === undefined) {
      throw invalidParameter(
        decode(name) ?? name,
        'has a malformed percent-encoding; write each byte of UTF-8 as %XX, and a percent sign as %25',
      );
    }
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
