import type { Request } from 'express';
import { invalidParameter } from '../errors/problem.ts';

/**
 * Rejects query strings that express-openapi-validator fails on or misreads: it throws on `status[x]=1` and a bare
 * `status`, drops `[x]=1`, and reads `status[]=new` as `status=new`. Also rejects NUL, which PostgreSQL can't store.
 */
export function checkQuery(query: Request['query']): void {
  for (const [name, value] of Object.entries(query)) {
    const values = [value].flat();
    if (name.includes('[')) throw invalidParameter(name, 'is not a parameter of this operation');
    if (values.includes('')) throw invalidParameter(name, 'must not be empty');
    if (values.some((text) => String(text).includes('\0'))) {
      throw invalidParameter(name, 'must not contain the character NUL (U+0000)');
    }
  }
}

/**
 * Rejects a repeated parameter, unless it is a list. The validator's message would be misleading: that it must be a
 * string, a number or the like, which each of the values may be.
 */
export function checkDuplicates(query: Request['query'], parameters: readonly object[]): void {
  for (const [name, value] of Object.entries(query)) {
    if (!Array.isArray(value)) continue;
    const parameter = (parameters as Parameter[]).find((one) => one.name === name);
    if (parameter !== undefined && parameter.schema.type !== 'array') {
      throw invalidParameter(name, 'must be given only once');
    }
  }
}

interface Parameter {
  name: string;
  schema: { type?: string };
}

/**
 * Rejects integers that are not decimal digits: the validator parses them like JavaScript, including `1e3`, `0x10` and
 * `1.0`. Also rejects those that overflow to Infinity, which the validator does not compare with a maximum.
 */
export function checkIntegers(query: Request['query'], names: readonly string[]): void {
  for (const name of names) {
    const value = query[name];
    if (typeof value !== 'string') continue;
    if (!/^[0-9]+$/.test(value)) {
      throw invalidParameter(name, 'must be a whole number in decimal digits, such as 20');
    }
    if (!Number.isFinite(Number(value))) throw invalidParameter(name, 'is too large');
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
