import type { Request } from 'express';
import { invalidParameter } from './problem.ts';

/**
 * Refuses the query strings that express-openapi-validator chokes on or takes for something else: `status[x]=1` and
 * a bare `status` make it throw, `[x]=1` it drops, and `status[]=new` it reads as `status=new`. And NUL, which
 * PostgreSQL can't take.
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

/** The validator coerces `1e999` to Infinity, and does not compare that with a maximum. */
export function checkNumbers(query: Request['query']): void {
  for (const [name, value] of Object.entries<unknown>(query)) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw invalidParameter(name, 'is too large');
  }
}
