import { phoneIn, since, until } from '../db/list/filters.ts';
import type { Declared } from '../metadata/declared.ts';
import { type MetadataTest, testOf } from '../metadata/test-of.ts';
import type { Schema } from '../operation.ts';
import { toAsciiEmail } from '../spellings/email.ts';
import { storableJson } from '../values/text.ts';

export type LeadEventFilter = NonNullable<Schema<'LeadEventFilter'>>;

/** What a filter's values mean, as lists of leads compare them. */
export interface Wording {
  /** Returns the text in lower case, as PostgreSQL writes it. */
  lower(text: string): string;
  declared: Declared;
}

/** A JSON value, which is also a literal of a path. */
const literal = storableJson;

const is = (field: string) => (value: string) => `@.${field} == ${literal(value)}`;
const isAny = (field: string) => (values: readonly string[]) => values.map(is(field)).join(' || ');
const isOrNone = (field: string) => (value: string) =>
  value === 'none' ? `@.${field} == null` : is(field)(value);
const from = (field: string) => (value: string) => `@.${field} >= ${literal(since(value))}`;
const to = (field: string) => (value: string) => `@.${field} <= ${literal(until(value))}`;
const not = (predicate: string) => `!(${predicate})`;

/** True if an event has only a digest of what the field was before. */
const orUnknown = (field: string, predicate: string) => `exists(@.${field}_sha256) || (${predicate})`;

const hasTag = (tags: readonly string[]) =>
  tags.map((tag) => (tag === 'none' ? '@.tags.size() == 0' : `@.tags[*] == ${literal(tag)}`)).join(' || ');

const reached: Record<Schema<'LeadStatus'>, string> = {
  // Only a lead that was created as lost, and never reopened, was never new.
  new: '@.status != "lost" || @.first_contacted_at != null || @.first_lost_at > @.created_at || @.sales_cycle.number > 1',
  contacted: '@.first_contacted_at != null',
  qualified: '@.first_qualified_at != null',
  won: '@.first_won_at != null',
  lost: '@.first_lost_at != null',
};

/** Each filter as a predicate of a jsonpath about a lead of lead_states(). They mean what the filters of leadFilters mean. */
const predicates: {
  [Name in keyof LeadEventFilter]-?: (value: NonNullable<LeadEventFilter[Name]>, wording: Wording) => string;
} = {
  status: isAny('status'),
  status_not: (statuses) => not(isAny('status')(statuses)),
  source: isAny('source'),
  source_detail: isOrNone('source_detail'),
  tag: (tags) => orUnknown('tags', hasTag(tags)),
  tag_not: (tags) => orUnknown('tags', not(hasTag(tags))),
  metadata: (entries, { declared }) =>
    orUnknown(
      'metadata',
      Object.entries(entries)
        .map(([key, text]) => `(${hasValue(key, testOf(declared.get(key), text))})`)
        .join(' && '),
    ),
  assigned_user_id: isOrNone('assigned_user_id'),
  content_id: isOrNone('content_id'),
  contact_id: isOrNone('contact_id'),
  email: (text, { lower }) => is('emails[*]')(lower(addressIn(text))),
  phone: (text) => is('phone')(phoneIn(text)),
  company: (text, { lower }) => isOrNone('company')(text === 'none' ? text : lower(text)),
  external_id: is('external_id'),
  ids: isAny('id'),
  lost_reason: (text, { lower }) => isOrNone('lost_reason')(text === 'none' ? text : lower(text)),
  reached: (status) => reached[status],
  currency: (currency) => (currency === 'none' ? '@.value == null' : is('value.currency')(currency)),
  value_from: (amount) => `@.amount >= ${amount}`,
  value_to: (amount) => `@.amount <= ${amount}`,
  expected_close_from: (day) => `@.expected_close_on >= ${literal(day)}`,
  expected_close_to: (day) => `@.expected_close_on <= ${literal(day)}`,
  expected_close_on: () => '@.expected_close_on == null',
  next_step_from: from('next_step_at'),
  next_step_to: to('next_step_at'),
  next_step_at: () => '@.next_step_at == null',
  created_from: from('created_at'),
  created_to: to('created_at'),
  updated_from: from('updated_at'),
  updated_to: to('updated_at'),
  status_changed_from: from('status_changed_at'),
  status_changed_to: to('status_changed_at'),
};

function hasValue(key: string, { from, to, values = [], isEmpty }: MetadataTest): string {
  const field = `metadata.${literal(key)}`;
  if (from !== undefined || to !== undefined) {
    const bounds = [
      from === undefined ? [] : `>= ${literal(from)}`,
      to === undefined ? [] : `<= ${literal(to)}`,
    ];
    return bounds
      .flat()
      .map((bound) => `@.${field} ${bound}`)
      .join(' && ');
  }
  return [
    ...(isEmpty ? [not(`exists(@.${field})`)] : []),
    ...values.map((value) => `@.${field} == ${literal(value)}`),
  ].join(' || ');
}

const addressIn = (text: string) => toAsciiEmail(text) ?? text;

/** The texts of a filter that are compared in lower case. */
export function foldedTexts({ email, company, lost_reason: reason }: LeadEventFilter): string[] {
  return [email === undefined ? [] : addressIn(email), company ?? [], reason ?? []].flat();
}

/** The path that finds a lead of lead_states() that matches all filters. */
export function toPath(filter: LeadEventFilter, wording: Wording): string {
  const all = Object.entries(filter).map(([name, value]) => {
    const predicate = predicates[name as keyof LeadEventFilter] as (
      value: unknown,
      wording: Wording,
    ) => string;
    return `(${predicate(value, wording)})`;
  });
  return `$[*] ? (${all.join(' && ')})`;
}

/** The same for each filter alone, by its name. */
export function toPaths(filter: LeadEventFilter, wording: Wording): [name: string, path: string][] {
  return Object.entries(filter).map(([name, value]) => [name, toPath({ [name]: value }, wording)]);
}
