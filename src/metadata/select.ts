/** Filters and orders of lists that name keys of metadata. */
import type { Db } from '../db/db.ts';
import { type Condition, condition } from '../db/list/condition.ts';
import { hasEntries, isNotNull, isNull } from '../db/list/filters.ts';
import type { PageRequest } from '../db/list/page.ts';
import { invalidParameter } from '../problem.ts';
import type { MetadataValue } from '../values/metadata-value.ts';
import { storableJson } from '../values/text.ts';
import type { Declared } from './declared.ts';
import { findDeclared, ofLead } from './queries.ts';
import { slotColumn } from './slots.ts';
import type { MetadataFieldRow } from './tables.ts';
import { type MetadataTest, testOf } from './test-of.ts';

const PREFIX = 'metadata.';

/** The key in `metadata.score`, if it is one. */
export function keyIn(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

/** The conditions of a filter by keys of a table's metadata. Throws 400 for a range of what has none. */
export async function metadataConditions(
  db: Db,
  table: string,
  metadata: Readonly<Record<string, string>> | undefined,
): Promise<Condition[]> {
  // Users have texts only, which are a filter of their own.
  if (metadata === undefined || table === 'users') return [];
  if (table === 'sales_cycles') return [ofLead(await metadataConditions(db, 'leads', metadata))];
  const declared = await findDeclared(db, table);
  const plain = Object.entries(metadata).filter(([key]) => !declared.has(key));
  const typed = Object.entries(metadata).flatMap(([key, text]) => {
    const field = declared.get(key);
    return field === undefined ? [] : conditionsOf(field, text);
  });
  return [...typed, ...(plain.length > 0 ? [hasEntries('metadata')(Object.fromEntries(plain))] : [])];
}

/** The order of a list by a key of metadata. Throws 400 unless the key is indexed. */
export async function sortByMetadata(
  db: Db,
  table: string,
  { key, descending }: { key: string; descending: boolean },
): Promise<PageRequest['sort']> {
  const column = indexedColumn(await findDeclared(db, table), key, 'sort');
  return { column, type: 'jsonb', descending };
}

/** The column with the values of an indexed key. Throws 400 about the parameter if there is none. */
export function indexedColumn(declared: Declared, key: string, parameter: string): string {
  const field = declared.get(key);
  if (field === undefined) {
    throw invalidParameter(
      parameter,
      `can't use metadata.${key}: declare the key with POST /metadata-fields first`,
    );
  }
  return columnOf(field, parameter);
}

function columnOf({ key, slot, status }: MetadataFieldRow, parameter: string): string {
  const what = `can't use metadata.${key}`;
  if (slot === null) {
    throw invalidParameter(parameter, `${what}: set indexed to true with PATCH /metadata-fields/{id} first`);
  }
  if (status === 'converting') {
    throw invalidParameter(parameter, `${what} yet: its values are being converted`);
  }
  return slotColumn(slot);
}

function conditionsOf(field: MetadataFieldRow, text: string): Condition[] {
  const { from, to, ...wanted } = testOf(field, text);
  if (from === undefined && to === undefined) return [anyOf(field, wanted)];
  const column = columnOf(field, `metadata.${field.key}`);
  return [
    ...(from === undefined ? [] : [bound(column, 'from', '>=', from)]),
    ...(to === undefined ? [] : [bound(column, 'to', '<=', to)]),
    // Without it, PostgreSQL wouldn't know that the index has these rows.
    isNotNull(column),
  ];
}

function bound(column: string, is: 'from' | 'to', operator: string, value: MetadataValue): Condition {
  const test = condition(`${column} ${operator} ?::jsonb`, storableJson(value));
  return { ...test, usesGin: true, ofValue: { column, is } };
}

function anyOf(
  { key, slot, status, type }: MetadataFieldRow,
  { values, isEmpty }: Pick<MetadataTest, 'values' | 'isEmpty'>,
): Condition {
  if (slot !== null && status !== 'converting') {
    const column = slotColumn(slot);
    // As in indexed_value().
    const wanted = values.map((value) => storableJson(type === 'text' ? [value] : value));
    if (wanted.length === 0) return isNull(column);
    if (isEmpty) return condition(`(${column} is null or ${column} = any(?::jsonb[]))`, wanted);
    const test =
      wanted.length === 1
        ? condition(`${column} = ?::jsonb`, wanted[0])
        : condition(`${column} = any(?::jsonb[])`, wanted);
    // Several numbers share a counter, and so do all texts.
    if (type === 'text' || type === 'number') return test;
    return { ...test, ofValue: { column, is: wanted.length === 1 ? 'one' : 'some' } };
  }
  const entries = values.map((value) => storableJson({ [key]: value }));
  const parts = entries.map(() => 'metadata @> ?::jsonb');
  if (!isEmpty) return { ...condition(`(${parts.join(' or ')})`, ...entries), usesGin: true };
  return condition(`(${['not jsonb_exists(metadata, ?)', ...parts].join(' or ')})`, key, ...entries);
}
