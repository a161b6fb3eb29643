import type { Request } from 'express';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { invalidParameter } from '../../problem.ts';

type Query = Request['query'];

/** The types of an operation's query parameters, by name. */
export type QueryTypes = ReadonlyMap<string, string | undefined>;

export function queryTypes({ parameters = [] }: OpenAPIV3.OperationObject): QueryTypes {
  return new Map(
    (parameters as OpenAPIV3.ParameterObject[])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema = {} }) => [name, 'type' in schema ? schema.type : undefined]),
  );
}

/**
 * Makes equal what means the same: `status[]=new` and `status[0]=new`, as axios, PHP and Rails write a list, and `status=new`;
 * `True` and `true`.
 */
export function unifySpelling(query: Query, types: QueryTypes): Query {
  const unified: Query = Object.create(null);
  for (const [spelling, value] of Object.entries(query)) {
    const [, list = ''] = (spelling.endsWith(']') && /^(\w+)\[\d{0,4}\]$/.exec(spelling)) || [];
    const name = types.get(list) === 'array' ? list : spelling;
    const same = unified[name];
    unified[name] = same === undefined ? value : [same, value].flat().map(String);
    if (types.get(name) === 'boolean' && /^(true|false)$/i.test(String(value))) {
      unified[name] = String(value).toLowerCase();
    }
  }
  return unified;
}

/**
 * Rejects what express-openapi-validator fails on or misreads: it throws on `status[x]=1` and a bare `status`, drops
 * `[x]=1`, reads `status[]=new` as `status=new`, takes JSON for an object, and lets unknown parameters pass beside an
 * object. Also rejects NUL, which PostgreSQL can't store.
 */
export function checkQuery(query: Query, types: QueryTypes): void {
  for (const [name, value] of Object.entries(query)) {
    const object = objectOf(name, types);
    if (object === undefined && !types.has(name)) {
      throw invalidParameter(name, 'is not a parameter of this operation');
    }
    if (types.get(name) === 'object')
      throw invalidParameter(name, `must name a key, such as ${name}[key]=text`);
    const texts = [name, value].flat().map(String);
    if (object === undefined && texts.includes('')) throw invalidParameter(name, 'must not be empty');
    if (texts.some((text) => text.includes('\0'))) {
      throw invalidParameter(object ?? name, 'must not contain the character NUL (U+0000)');
    }
  }
}

/** The object parameter that `metadata[plan]` is a key of. */
function objectOf(name: string, types: QueryTypes): string | undefined {
  const object = name.slice(0, Math.max(0, name.indexOf('[')));
  return types.get(object) === 'object' && name.endsWith(']') ? object : undefined;
}

/**
 * Rejects a repeated parameter, unless it is a list. The validator's message would be misleading: that it must be a
 * string, a number or the like, which each of the values may be.
 */
export function checkDuplicates(query: Query, types: QueryTypes): void {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value) && types.get(name) !== 'array') {
      throw invalidParameter(name, 'must be given only once');
    }
  }
}

/**
 * Rejects integers that are not decimal digits: the validator parses them like JavaScript, including `1e3`, `0x10` and
 * `1.0`. Also rejects those that overflow to Infinity, which the validator does not compare with a maximum.
 */
export function checkIntegers(query: Query, types: QueryTypes): void {
  for (const [name, value] of Object.entries(query)) {
    if (types.get(name) !== 'integer' || typeof value !== 'string') continue;
    if (!/^[0-9]+$/.test(value)) {
      throw invalidParameter(name, 'must be a whole number in decimal digits, such as 20');
    }
    if (!Number.isFinite(Number(value))) throw invalidParameter(name, 'is too large');
  }
}

/** The query with `metadata[plan]=gold` as an object. Its keys are sorted, since their order means nothing. */
export function gatherObjects(query: Query, types: QueryTypes): Query {
  const names = Object.keys(query);
  const gathered: Query = {};
  for (const name of names) {
    const object = objectOf(name, types);
    if (object === undefined) gathered[name] = query[name];
    else gathered[object] ??= keysOf(object);
  }
  return gathered;

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
