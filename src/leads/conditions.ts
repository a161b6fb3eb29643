import type { Condition } from '../db/list/condition.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { invalidParameter } from '../http/errors/problem.ts';
import type { Input } from '../http/operation.ts';
import { leadFilters } from './queries.ts';

/** The conditions of a list of leads. Throws 400 for filters that make no sense together. */
export function conditionsOfLeads(query: Input<'exportLeads'>['query']): Condition[] {
  for (const name of ['reached_from', 'reached_to'] as const) {
    if (query[name] !== undefined && query.reached === undefined) {
      throw invalidParameter(name, 'can only be sent together with reached');
    }
  }
  return conditionsOf(leadFilters, query);
}
