import { schemas } from '../../generated/limits.ts';

/** How a text becomes a field's value. */
export type Kind =
  | 'name'
  | 'line'
  | 'text'
  | 'word'
  | 'email'
  | 'phone'
  | 'tags'
  | 'status'
  | 'source'
  | 'amount'
  | 'currency'
  | 'date'
  | 'instant'
  | 'boolean'
  | 'choice'
  | 'count'
  | 'note';

export type SpelledResource = 'leads' | 'contacts' | 'users' | 'content' | 'notes';

interface FieldKind {
  kind: Kind;
  /** Whether a value that can't be read stays as it is, so that the validation refuses the row. */
  isRequired?: boolean;
  maxLength?: number;
  /** The values of a choice. */
  choices?: readonly string[];
  pattern?: RegExp;
}

const idOf = (prefix: string): FieldKind => ({
  kind: 'line',
  pattern: new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`),
});

const history: Record<string, FieldKind> = {
  created_at: { kind: 'instant' },
  status_changed_at: { kind: 'instant' },
  first_contacted_at: { kind: 'instant' },
  first_qualified_at: { kind: 'instant' },
  first_won_at: { kind: 'instant' },
  first_lost_at: { kind: 'instant' },
};

const person: Record<string, FieldKind> = {
  name: { kind: 'name', isRequired: true },
  email: { kind: 'email' },
  other_emails: { kind: 'email' },
  phone: { kind: 'phone' },
  company: { kind: 'line', maxLength: 200 },
  tags: { kind: 'tags' },
  assigned_user_id: idOf('user'),
  // An address, a name, or both: who it is depends on the users.
  assigned_user_email: { kind: 'line' },
  external_id: { kind: 'line', maxLength: 128 },
  next_step: { kind: 'line', maxLength: 200 },
  next_step_at: { kind: 'instant' },
  note: { kind: 'note' },
};

const kinds: Record<SpelledResource, Record<string, FieldKind>> = {
  leads: {
    ...person,
    email: { kind: 'email', isRequired: true },
    status: { kind: 'status' },
    source: { kind: 'source' },
    source_detail: { kind: 'line', maxLength: 100 },
    content_id: idOf('content'),
    contact_id: idOf('contact'),
    lost_reason: { kind: 'text', maxLength: 500 },
    'value.amount': { kind: 'amount' },
    'value.currency': { kind: 'currency' },
    expected_close_on: { kind: 'date' },
    deal_id: { kind: 'line', maxLength: 128 },
    closed_at: { kind: 'instant' },
    ...history,
  },
  contacts: { ...person, title: { kind: 'line', maxLength: 200 }, created_at: { kind: 'instant' } },
  users: {
    name: { kind: 'name', isRequired: true },
    email: { kind: 'email', isRequired: true },
    active: { kind: 'boolean' },
  },
  content: {
    type: { kind: 'word' },
    status: { kind: 'word' },
    language: { kind: 'word' },
    tags: { kind: 'tags' },
    author_user_id: idOf('user'),
    created_at: { kind: 'instant' },
  },
  notes: {
    text: { kind: 'text' },
    pinned: { kind: 'boolean' },
    kind: { kind: 'choice', choices: schemas.NoteKind.enum },
    direction: { kind: 'choice', choices: schemas.NoteDirection.enum },
    occurred_at: { kind: 'instant' },
    duration_seconds: { kind: 'count' },
    created_at: { kind: 'instant' },
  },
};

/** The kind of a field. Fields that the table doesn't know are texts. */
export function kindOf(resource: SpelledResource, field: string): FieldKind {
  const table = kinds[resource];
  return (Object.hasOwn(table, field) ? table[field] : undefined) ?? { kind: 'text' };
}
