import { readYesNo } from '../../spellings/choice.ts';
import { rearm } from '../file/disarmed.ts';
import type { FileRow } from '../file/stored-row.ts';
import type { ImportRow } from '../tables.ts';
import { fieldsOf, joined, splitField } from './fields.ts';

type Options = Pick<ImportRow, 'resource' | 'format' | 'columns' | 'mapping' | 'defaults'>;

const CURRENCY = 'value.currency';

/** A value that was left out. */
export interface RowWarning {
  field: string;
  column: string | null;
  message: string;
}

/** The body that a single request would have. */
interface MappedRow {
  body: Record<string, unknown>;
  warnings: readonly RowWarning[];
}

type MapRow = (row: FileRow) => MappedRow;

/** Returns a function that maps this import's rows. It doesn't validate: a value that it can't convert stays as it is. */
export function createMapRow({ resource, format, columns, mapping, defaults }: Options): MapRow {
  const targets = columns.flatMap((column, index) => {
    const field = mapping[column];
    return field === null || field === undefined ? [] : [{ field, index }];
  });
  const read = format === 'csv' ? fromCsv : fromJson;
  const { [CURRENCY]: currency, ...others } = defaults;
  const defaultValues = Object.entries(others);
  return ({ cells }) => {
    const body: Record<string, unknown> = {};
    for (const { field, index } of targets) set(body, field, convert(resource, field, read(cells[index])));
    for (const [field, value] of defaultValues) {
      if (!has(body, field)) set(body, field, convert(resource, field, value));
    }
    // A currency without an amount would be invalid, or change an existing value's currency.
    if (has(body, 'value.amount') && !has(body, CURRENCY)) set(body, CURRENCY, currency);
    return { body, warnings: [] };
  };
}

/** The text of a cell, or undefined if it is empty. */
function fromCsv(cell: unknown): string | undefined {
  const text = String(cell ?? '');
  return text.trim() === '' ? undefined : rearm(text);
}

/** Numbers and booleans as text, as in a CSV cell. */
function fromJson(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;
}

function convert(resource: ImportRow['resource'], field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  switch (fieldsOf[resource][field]) {
    case 'word':
      return value.trim();
    case 'choice':
      return value.trim().toLowerCase();
    case 'phone':
      return value.replaceAll(/[\s().\-‐-―/]/gu, '');
    case 'tags':
      return tagsOf(value);
    case 'flag':
      return readYesNo(value).value ?? value;
    case 'time':
      return timeOf(value.trim());
    case 'json':
      return parseJson(value);
    default:
      return value;
  }
}

/** From a JSON list, or separated by commas or semicolons. */
function tagsOf(text: string): unknown {
  const list = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
  if (Array.isArray(list)) return list;
  return text
    .split(/[,;]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** RFC 3339 in UTC, with milliseconds. */
function timeOf(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function has(body: Record<string, unknown>, name: string): boolean {
  const [field, key] = splitField(name);
  return key === undefined ? body[field] !== undefined : Object.hasOwn(Object(body[field]), key);
}

/** A column for a single key takes precedence over a column with the whole object. */
function set(body: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) return;
  const [field, key] = splitField(name);
  const before = body[field];
  if (key !== undefined) body[field] = { ...Object(before), [key]: value };
  else if (before === undefined) body[field] = value;
  else if (joined.has(field)) body[field] = join(before, value);
  else if (typeof value === 'object') body[field] = { ...value, ...Object(before) };
}

/** Joins the parts of a name with spaces, or all tags. */
function join(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  return `${String(before).trim()} ${String(value).trim()}`;
}
