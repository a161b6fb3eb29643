import { type FieldErrors, toSentence } from '../../problem.ts';
import type { Warning } from '../../spellings/read-fields.ts';
import { toText } from './evaluate-rule.ts';

/** Fields without which there is no lead. */
const REQUIRED: ReadonlySet<string> = new Set(['name', 'email']);

type Fields = Record<string, unknown>;

/** The fields without those that are at fault, and a warning for each. Undefined if a lead needs one of them. */
export function leaveOut(
  fields: Fields,
  errors: FieldErrors,
): { fields: Fields; warnings: Warning[] } | undefined {
  const left = { ...fields };
  const warnings: Warning[] = [];
  for (const [path, messages] of Object.entries(errors)) {
    const [field = '', ...members] = path.split('.');
    if (REQUIRED.has(field) || !(field in fields)) return undefined;
    const value = toText(memberAt(fields[field], members) ?? fields[field]);
    left[field] = without(left[field], members);
    warnings.push({ field: path, message: toSentence(path, messages[0] ?? 'is not valid'), value });
  }
  return { fields: left, warnings };
}

/** A tag or a key of the metadata can be left out alone. Of other fields, nothing stays. */
function without(value: unknown, members: readonly string[]): unknown {
  const member = members.join('.');
  if (member === '' || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value.map((kept, index) => (String(index) === member ? undefined : kept));
  return Object.hasOwn(value, member) && !('amount' in value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== member))
    : undefined;
}

function memberAt(value: unknown, members: readonly string[]): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[members.join('.')]
    : undefined;
}
