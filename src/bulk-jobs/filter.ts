import { contactFilters } from '../contacts/queries.ts';
import type { Db } from '../db/db.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { checkRanges } from '../http/lists/pagination.ts';
import { checkSearch } from '../http/lists/search.ts';
import { conditionsOfLeads } from '../leads/conditions.ts';
import { metadataConditions } from '../metadata/select.ts';
import type { Input } from '../operation.ts';
import { fieldsOf } from '../problem.ts';

type Body = Input<'createBulkJob'>['body'];

/** Filters whose values never name a person. Those of all others are not kept. */
const impersonal = [
  'status',
  'status_not',
  'source',
  'tag',
  'tag_not',
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

/** The conditions of a filter, by the rules of the list's query. Throws 422 for fields such as `filter.created_from`. */
export async function checkFilter(db: Db, body: Body) {
  const { filter } = body;
  return fieldsOf('filter', async () => {
    checkRanges(filter);
    checkSearch(filter.search);
    const byMetadata = await metadataConditions(db, body.resource, filter.metadata);
    return { conditions: [...conditionsIn(body), ...byMetadata], search: filter.search };
  });
}

function conditionsIn(body: Body) {
  return body.resource === 'leads'
    ? conditionsOfLeads(body.filter)
    : conditionsOf(contactFilters, body.filter);
}

/** The filter without values that may be personal data, for people who look at the job later. */
export function keptFilter(filter: Body['filter']) {
  const redacted = Object.keys(filter).filter((name) => !impersonal.includes(name));
  return {
    filter: { ...filter, ...Object.fromEntries(redacted.map((name) => [name, null])) },
    redacted: redacted.map((name) => `filter.${name}`),
  };
}
