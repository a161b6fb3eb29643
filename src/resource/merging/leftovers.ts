import { schemas } from '../../../generated/limits.ts';
import type { Schema } from '../../operation.ts';
import { labelOf } from '../../spellings/text.ts';
import { firstCharacters, storable } from '../../values/text.ts';
import { emailsOf } from '../fields.ts';

type Person = Schema<'Lead'> | Schema<'Contact'>;

/** Fields that a merge leaves as they are, in the order of the note. */
const kept = [
  'name',
  'phone',
  'company',
  'title',
  'status',
  'lost_reason',
  'source',
  'source_detail',
  'value',
  'expected_close_on',
  'next_step',
  'next_step_at',
  'assigned_user_id',
  'contact_id',
  'content_id',
  'external_id',
] as const;

/**
 * The text of a note with what the other one had and the one that stays has not, so that nothing is lost. Undefined if there is
 * nothing to note.
 */
export function leftoverText(other: Person, stays: Person): string | undefined {
  const fields = kept.flatMap((field): [string, string][] => {
    const [left, taken] = [textOf(other, field), textOf(stays, field)];
    return left === '' || left.toLowerCase() === taken.toLowerCase() ? [] : [[labelOf(field), left]];
  });
  const emails = emailsOf(other).filter((email) => !emailsOf(stays).includes(email));
  const tags = other.tags.filter((tag) => !stays.tags.includes(tag));
  const metadata = Object.entries(other.metadata).filter(([key, value]) => stays.metadata[key] !== value);
  const lines = [
    ...fields,
    ...(emails.length > 0 ? [['Emails', emails.join(', ')]] : []),
    ...(tags.length > 0 ? [['Tags', tags.join(', ')]] : []),
    ...metadata.map(([key, value]) => [`Metadata ${key}`, value]),
  ];
  if (lines.length === 0) return undefined;
  const text = [`Merged ${other.id}, which had:`, ...lines.map((line) => line.join(': '))].join('\n');
  return firstCharacters(storable(text), schemas.NoteText.maxLength);
}

function textOf(person: Person, field: (typeof kept)[number]): string {
  const value = (person as Partial<Record<typeof field, unknown>>)[field];
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const { amount, currency } = value as { amount: string; currency: string };
  return `${amount} ${currency}`;
}
