import { invalidFields } from '../problem.ts';
import { expected, fits, type MetadataValue, valueOfText } from '../values/metadata-value.ts';
import type { MetadataFieldRow } from './tables.ts';

/** The declared keys of one resource. */
export type Declared = ReadonlyMap<string, MetadataFieldRow>;

const UNDECLARED =
  'must be a text; to store numbers, booleans or dates, declare the key with POST /metadata-fields';

/**
 * The fields with the metadata as it is stored. Values that the row `before` the change has already may stay, whatever they
 * are, and null removes one. Throws 422 for others that don't fit their type.
 */
export function withTypes<Fields extends object>(
  declared: Declared,
  fields: Fields,
  before?: object,
): Fields {
  const { metadata: known = {} } = (before ?? {}) as { metadata?: Record<string, MetadataValue> };
  const { metadata } = fields as { metadata?: Record<string, unknown> | null };
  if (metadata === undefined || metadata === null) return fields;
  const faults: Record<string, string[]> = {};
  const entries = Object.entries(metadata).map(([key, value]) => {
    const stays = value === null ? before !== undefined : value === known[key];
    if (stays) return [key, value];
    const field = declared.get(key);
    const { stored, fault } = field === undefined ? undeclared(value) : ofField(field, value);
    if (fault !== undefined) faults[`metadata.${key}`] = [fault];
    return [key, stored];
  });
  if (Object.keys(faults).length > 0) throw invalidFields(faults);
  return { ...fields, metadata: Object.fromEntries(entries) };
}

interface Checked {
  stored?: MetadataValue | undefined;
  fault?: string;
}

function undeclared(value: unknown): Checked {
  return typeof value === 'string' ? { stored: value } : { fault: UNDECLARED };
}

function ofField(field: MetadataFieldRow, value: unknown): Checked {
  if (field.status === 'archived') return { fault: 'takes no new value: the key is archived' };
  if (field.is_typed) {
    return fits(field, value) ? { stored: value as MetadataValue } : { fault: expected(field) };
  }
  // Still a text, and must fit as one.
  const isFit = typeof value === 'string' ? valueOfText(field, value) !== undefined : fits(field, value);
  return isFit ? { stored: String(value) } : { fault: expected(field) };
}
