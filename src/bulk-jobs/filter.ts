import { checkRanges } from '../http/lists/pagination.ts';
import { checkSearch } from '../http/lists/search.ts';
import type { OperationContext } from '../operation.ts';
import { invalidField, invalidFields, Problem } from '../problem.ts';
import { changeable, type Query } from './resources.ts';

type Given = Record<string, unknown>;

/** Parameters of the list that choose no rows. */
const others = ['sort', 'fields'];

/** Filters whose values never name a person. Those of all others are not kept. */
const impersonal = [
  'status',
  'source',
  'tag',
  'created_from',
  'created_to',
  'updated_from',
  'updated_to',
  'reached',
  'reached_from',
  'reached_to',
  'status_changed_from',
  'status_changed_to',
  'currency',
  'value_from',
  'value_to',
  'expected_close_from',
  'expected_close_to',
  'expected_close_on',
  'inactive_since',
  'has_open_leads',
  'assigned_user_id',
  'content_id',
  'contact_id',
  'ids',
];

/**
 * The conditions of a filter, by the rules of the list's query. Throws 422 for fields such as `filter.status`.
 */
export function checkFilter(
  resource: keyof typeof changeable,
  filter: Given,
  { checkQuery }: Pick<OperationContext, 'checkQuery'>,
) {
  const { list, conditionsOf } = changeable[resource];
  for (const name of others) {
    if (name in filter) throw invalidField(`filter.${name}`, 'is not a filter');
  }
  // A URL may spell a list like this. In JSON, a list is a list, and what the job keeps has the filter's name.
  const asInUrl = Object.keys(filter).find((name) => /^(?!metadata\[)\w+\[\d*\]$/.test(name));
  if (asInUrl !== undefined) throw invalidField(`filter.${asInUrl}`, 'is not a parameter of this operation');
  const spelled = spell(filter);
  try {
    const query = checkQuery(list, spelled) as Query;
    checkRanges(query);
    checkSearch(query.search);
    return { conditions: conditionsOf(query), search: query.search };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const faults = Object.entries(error.details.errors ?? {});
    throw invalidFields(Object.fromEntries(faults.map(([name, messages]) => [`filter.${name}`, messages])));
  }
}

/** The filter as it would arrive in a query: values are texts, and an object has a parameter for each key. */
function spell(filter: Given): Record<string, string | string[]> {
  const parameters = Object.entries(filter).flatMap(([name, value]): [string, string | string[]][] => {
    if (Array.isArray(value)) {
      if (value.length === 0) throw invalidField(`filter.${name}`, 'must not be empty');
      return [[name, value.map((one) => toText(name, one))]];
    }
    if (typeof value !== 'object' || value === null) return [[name, toText(name, value)]];
    const entries = Object.entries(value);
    if (entries.length === 0) throw invalidField(`filter.${name}`, 'must not be empty');
    return entries.map(([key, own]) => [`${name}[${key}]`, toText(`${name}.${key}`, own)]);
  });
  return Object.fromEntries(parameters);
}

function toText(name: string, value: unknown): string {
  if (typeof value === 'object' || value === undefined) {
    throw invalidField(`filter.${name}`, 'must be a text, a number, true or false');
  }
  return String(value);
}

/** The filter without values that may be personal data, for people who look at the job later. */
export function keptFilter(filter: Given): Record<string, string | null> {
  const kept = Object.entries(filter).map(([name, value]) => [
    name,
    impersonal.includes(name) ? [value].flat().map(String).join() : null,
  ]);
  return Object.fromEntries(kept);
}
