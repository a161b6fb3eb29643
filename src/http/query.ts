import type { Request } from 'express';
import { invalidParameter } from './problem.ts';

/**
 * Refuses the query strings that express-openapi-validator chokes on or takes for something else: `status[x]=1` and
 * a bare `status` make it throw, `[x]=1` it drops, and `status[]=new` it reads as `status=new`.
 */
export function checkQuery(query: Request['query']): void {
  for (const [name, value] of Object.entries(query)) {
    if (name.includes('[')) throw invalidParameter(name, 'is not a parameter of this operation');
    if ([value].flat().includes('')) throw invalidParameter(name, 'must not be empty');
  }
}
