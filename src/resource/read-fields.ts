import { toAsciiEmail } from '../spellings/email.ts';
import { E164, PHONE_EXTENSION, readPhone } from '../spellings/phone.ts';
import { startOf } from '../values/instant-or-date.ts';
import type { MetadataValue } from '../values/metadata-value.ts';
import { fillMissing } from './fields.ts';

interface Fields {
  email?: string | null;
  other_emails?: readonly string[] | null;
  phone?: string | null;
  next_step_at?: string | null;
  metadata?: Record<string, MetadataValue | null> | null;
}

/**
 * The fields of a valid body as they are stored and compared: email addresses with their domains in ASCII, the phone number in
 * E.164, and its extension in the metadata, and the time of the next step in UTC.
 */
export function readFields<Given extends object>(given: Given): Given {
  const { email, other_emails: others, phone, next_step_at }: Fields = given;
  const ascii = typeof email === 'string' ? toAsciiEmail(email) : undefined;
  const isRead = typeof phone !== 'string' || E164.test(phone);
  const time = typeof next_step_at === 'string' ? new Date(startOf(next_step_at)).toISOString() : undefined;
  if ((ascii === undefined || ascii === email) && !others && isRead && time === undefined) return given;
  return {
    ...given,
    ...(ascii !== undefined && { email: ascii }),
    ...(others && { other_emails: others.map((other) => toAsciiEmail(other) ?? other) }),
    ...(!isRead && phoneFields(given)),
    ...(time !== undefined && { next_step_at: time }),
  };
}

function phoneFields({ phone, metadata = {} }: Fields): Fields {
  const { value, extension } = readPhone(phone ?? '');
  if (value === undefined) return {};
  // Null clears the metadata.
  if (extension === undefined || metadata === null) return { phone: value };
  return { phone: value, metadata: fillMissing(metadata, { [PHONE_EXTENSION]: extension }) };
}
